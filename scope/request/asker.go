package request

import (
	"slices"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apiserver/pkg/authentication/user"
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
	if r.User.Username == "" {
		d.open(nameOpen, "the name of the user")
	}
}

// complete completes a user whom a person named, and leaves open the groups that cannot be
// derived. Those that follow all the same stand in the user.
func (d *draft) complete(said *authenticationv1.UserInfo) *authenticationv1.UserInfo {
	completed, open := asked(said)
	if open {
		d.open(groupsOpen, "the groups of "+completed.Username)
	}
	return completed
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
