package request

import (
	"slices"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apiserver/pkg/authentication/user"

	"github.com/ambit-k8s/ambit/scope"
)

// Paths of what may be open about who asks.
const (
	userOpen   = "request.userInfo"
	nameOpen   = "request.userInfo.username"
	groupsOpen = "request.userInfo.groups"
)

// asker finds who asks, and tells what of it nobody said.
func (d *draft) asker() {
	r := &d.request
	said := r.User
	if d.ask.User != nil && !isNobody(d.ask.User) {
		said = d.ask.User
	}
	if said == nil || isNobody(said) {
		r.User = nil
		d.open(userOpen, "who asks")
		return
	}
	r.User = d.complete(said)
	if !slices.Equal(r.User.Groups, said.Groups) {
		d.guess(groupsOpen, strings.Join(r.User.Groups, ", "), whyGroups(said, d.isOpen(groupsOpen)))
	}
}

// complete completes a user whom a person named, and leaves open what cannot be derived.
func (d *draft) complete(said *authenticationv1.UserInfo) *authenticationv1.UserInfo {
	completed, open := Complete(said)
	d.request.Open = append(d.request.Open, open...)
	return completed
}

// Complete completes a user whom a person named, as the API server completes one who is
// impersonated, and says what of it stays open. Groups that follow all the same stand in
// the user also where others are open.
func Complete(said *authenticationv1.UserInfo) (completed *authenticationv1.UserInfo, open []scope.Missing) {
	completed, openGroups := asked(said)
	if openGroups {
		open = append(open, scope.Missing{Path: groupsOpen, Fact: "the groups of " + completed.Username})
	}
	if completed.Username == "" {
		open = append(open, scope.Missing{Path: nameOpen, Fact: "the name of the user"})
	}
	return completed, open
}

func whyGroups(said *authenticationv1.UserInfo, open bool) string {
	switch {
	case open:
		return "everybody who is authenticated is in it; the other groups are not known"
	case said.Username == user.Anonymous:
		return "whoever is not authenticated is in it"
	case len(said.Groups) == 0 && said.Username != "":
		return "the groups of a service account follow from its name"
	}
	return "everybody who is authenticated is in " + user.AllAuthenticated
}

func (d *draft) isOpen(path string) bool {
	for _, m := range d.request.Open {
		if m.Path == path {
			return true
		}
	}
	return false
}

// knownUser is what is known of who asks: nobody, or a user without what is open.
func (d *draft) knownUser() *authenticationv1.UserInfo {
	if d.request.User == nil || !d.isOpen(groupsOpen) {
		return d.request.User
	}
	known := d.request.User.DeepCopy()
	known.Groups = nil
	return known
}
