package block

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	everybody "k8s.io/apiserver/pkg/authentication/user"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/kind"
)

// user is who asks, as far as the question says.
type user struct {
	name   string
	groups []string
	// noName and noGroups are set if the name, or groups beside those above, are not known.
	noName, noGroups *scope.Missing
}

const userPath = "request.userInfo"

func userOf(in *scope.Input) user {
	var u user
	if in.Request.User == nil {
		u.noName = &scope.Missing{Path: userPath, Fact: "who asks"}
		u.noGroups = u.noName
	} else {
		u.name, u.groups = in.Request.User.Username, in.Request.User.Groups
	}
	for i, m := range in.Open {
		switch m.Path {
		case userPath:
			u.noName, u.noGroups = &in.Open[i], &in.Open[i]
		case userPath + ".username":
			u.noName = &in.Open[i]
		case userPath + ".groups":
			if u.noGroups == nil {
				u.noGroups = &in.Open[i]
			}
		}
	}
	return u
}

// words names the user.
func (u user) words() string {
	if u.noName != nil {
		return "not known"
	}
	words := u.name + ", in " + strings.Join(u.groups, ", ")
	if len(u.groups) == 0 {
		words = u.name + ", in no group"
	}
	if u.noGroups != nil {
		words += " and maybe others"
	}
	return words
}

// username is the pattern that a subject compares with the name of the user; false for a group.
func username(s rbacv1.Subject) (pattern string, ok bool) {
	switch s.Kind {
	case rbacv1.UserKind:
		return s.Name, true
	case rbacv1.ServiceAccountKind:
		return serviceaccount.ServiceAccountUsernamePrefix + s.Namespace + ":" + s.Name, true
	}
	return "", false
}

// among asks whether the user is one of several subjects, whose names are patterns (pkg/utils/match/subjects.go,
// CheckSubjects). A subject of another kind is nobody.
func (u user) among(subjects []rbacv1.Subject) Answer {
	var all []Answer
	var groups []string
	for _, s := range subjects {
		if pattern, ok := username(s); ok {
			all = append(all, u.named(pattern))
		} else if s.Kind == rbacv1.GroupKind {
			groups = append(groups, s.Name)
		}
	}
	return Or(append(all, u.in(groups))...)
}

func (u user) named(pattern string) Answer {
	if u.noName != nil && pattern != "*" {
		return Open(*u.noName)
	}
	return answer(kind.Like(pattern, u.name))
}

// in asks whether the user is in a group of which one pattern is. Every request comes from somebody authenticated or
// from somebody who is not (k8s.io/apiserver/pkg/authentication/group).
func (u user) in(patterns []string) Answer {
	everyone := kind.LikeAny(patterns, everybody.AllAuthenticated) && kind.LikeAny(patterns, everybody.AllUnauthenticated)
	switch {
	case everyone || slices.ContainsFunc(u.groups, func(g string) bool { return kind.LikeAny(patterns, g) }):
		return Yes
	case u.noGroups != nil && len(patterns) > 0:
		return Open(*u.noGroups)
	}
	return No
}

// roles asks whether the user has one of several roles. Kyverno finds them in RoleBindings and ClusterRoleBindings,
// of which nothing is known here. Path and word name the roles.
func (u user) roles(path, word string) Answer {
	if u.noName != nil {
		return Open(*u.noName)
	}
	return Open(scope.Missing{Path: path, Fact: "which " + word + " " + u.name + " has"})
}
