package request

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	authenticationv1 "k8s.io/api/authentication/v1"
)

// The expected groups are those that the API server gives an impersonated user.
func TestAsked(t *testing.T) {
	tests := []struct {
		name     string
		user     string
		groups   []string
		want     []string
		wantOpen bool
	}{
		{"a human's other groups are nobody's guess", "alice", nil, []string{"system:authenticated"}, true},
		{"groups that were given", "alice", []string{"devs"}, []string{"devs", "system:authenticated"}, false},
		{"all groups that were given", "alice", []string{"devs", "system:authenticated"}, []string{"devs", "system:authenticated"}, false},
		{"a service account", "system:serviceaccount:ci:deployer", nil, []string{"system:serviceaccounts", "system:serviceaccounts:ci", "system:authenticated"}, false},
		{"anonymous", "system:anonymous", nil, []string{"system:unauthenticated"}, false},
		{"anonymous in a group of the others", "system:anonymous", []string{"system:authenticated"}, []string{"system:authenticated", "system:unauthenticated"}, false},
		{"a human among those who are not authenticated", "alice", []string{"system:unauthenticated"}, []string{"system:unauthenticated"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			given := &authenticationv1.UserInfo{Username: tt.user, Groups: tt.groups}
			got, open := asked(given)
			if diff := cmp.Diff(tt.want, got.Groups); diff != "" || open != tt.wantOpen {
				t.Errorf("open %t, want %t; groups (-want +got):\n%s", open, tt.wantOpen, diff)
			}
			if diff := cmp.Diff(tt.groups, given.Groups); diff != "" {
				t.Errorf("the given user was changed:\n%s", diff)
			}
		})
	}
}

// Who is only known by a group has a name that nobody said.
func TestCompleteLeavesOpen(t *testing.T) {
	for _, tt := range []struct {
		name string
		said authenticationv1.UserInfo
		want []string
	}{
		{"a name", authenticationv1.UserInfo{Username: "alice"}, []string{"request.userInfo.groups"}},
		{"a group", authenticationv1.UserInfo{Groups: []string{"devs"}}, []string{"request.userInfo.username"}},
		{"a service account", authenticationv1.UserInfo{Username: "system:serviceaccount:ci:deployer"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, open := Complete(&tt.said)
			var paths []string
			for _, m := range open {
				paths = append(paths, m.Path)
			}
			if diff := cmp.Diff(tt.want, paths); diff != "" {
				t.Errorf("open (-want +got):\n%s", diff)
			}
		})
	}
}
