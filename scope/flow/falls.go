package flow

import (
	"slices"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apiserver/pkg/authentication/user"

	"github.com/ambit-k8s/ambit/scope"
)

// Identity is somebody who may ask something of the API server, in the groups that they
// have at least.
type Identity struct {
	// Label names them: "service account ops/robot", "group devs".
	Label  string
	User   string
	Groups []string
	// Namespace and Account are those of a service account, and empty for anybody else.
	Namespace, Account string
}

// AccountIdentity is a service account.
func AccountIdentity(namespace, name string) Identity {
	s := flowcontrolv1.Subject{
		Kind: flowcontrolv1.SubjectKindServiceAccount, ServiceAccount: &flowcontrolv1.ServiceAccountSubject{Namespace: namespace, Name: name},
	}
	p := account(s, SubjectWords(s), namespace, name)
	return Identity{Label: p.words, User: p.User, Groups: p.Groups, Namespace: namespace, Account: name}
}

// UserIdentity is a user of whom no other groups are known than the one that everybody
// who is logged in has. The name may be that of a service account, or system:anonymous.
func UserIdentity(name string) Identity {
	s := flowcontrolv1.Subject{Kind: flowcontrolv1.SubjectKindUser, User: &flowcontrolv1.UserSubject{Name: name}}
	p := strangers{}.named(s, SubjectWords(s))
	return Identity{Label: p.words, User: p.User, Groups: p.Groups}
}

// GroupIdentity is a member of a group of whom nothing else is known: no schema of the
// order names them.
func (o *Order) GroupIdentity(group string) Identity {
	s := flowcontrolv1.Subject{Kind: flowcontrolv1.SubjectKindGroup, Group: &flowcontrolv1.GroupSubject{Name: group}}
	n := o.strangers()
	if all := n.personas(s); len(all) > 0 && !isEverybody(s) {
		return Identity{Label: all[0].words, User: all[0].User, Groups: all[0].Groups}
	}
	p := n.loggedIn(s, SubjectWords(s), n.user, group)
	return Identity{Label: "group " + group, User: p.User, Groups: p.Groups}
}

// WellKnown are those whom every cluster has (k8s.io/apiserver/pkg/authentication/user).
func (o *Order) WellKnown() []Identity {
	n := o.strangers()
	node := "system:node:" + n.user
	return []Identity{
		{Label: "an administrator (system:masters)", User: n.user, Groups: []string{user.SystemPrivilegedGroup, user.AllAuthenticated}},
		{Label: "a node", User: node, Groups: []string{user.NodesGroup, user.AllAuthenticated}},
		UserIdentity(user.KubeControllerManager),
		UserIdentity(user.KubeScheduler),
		{Label: "any other user who is logged in", User: n.user, Groups: []string{user.AllAuthenticated}},
		{Label: "anybody who is not logged in", User: user.Anonymous, Groups: []string{user.AllUnauthenticated}},
	}
}

// Target is what everybody is taken to ask for: a resource, or the URL path of something
// else.
type Target struct {
	Path, APIGroup, Resource, Subresource string
	// Namespace is empty for all namespaces. With Own, service accounts ask for what is in
	// their own namespace instead.
	Namespace string
	Own       bool
}

// Verbs are those that are worth a column: the common ones for a resource, and the HTTP
// methods for another URL.
func (t *Target) Verbs() []string {
	if t.Path != "" {
		return []string{"get", "post", "put", "patch", "delete"}
	}
	return []string{"get", "list", "watch", "create", "update", "patch", "delete"}
}

// Fall is where a request falls.
type Fall struct {
	// Schema is nil if the request passes flow control unclassified, or if it is open where
	// it falls.
	Schema *Schema
	// Bypass is a sentence that says why the request passes unclassified.
	Bypass string
	// StandsOut says that a service account falls in a schema that is meant for people, or for
	// what nobody thought of.
	StandsOut bool
	// Missing is what it depends on where the request falls.
	Missing []scope.Missing
}

// Fall says where the request of somebody falls.
func (o *Order) Fall(who *Identity, target *Target, verb string) Fall {
	d := target.digest(who, verb)
	s := o.First(&d)
	switch {
	case s == nil:
		return Fall{Bypass: d.bypass()}
	case s.HasLevel != scope.Present:
		return Fall{Missing: levelMissing(s)}
	}
	return Fall{Schema: s, StandsOut: who.Account != "" && slices.Contains(lastResorts, s.Name)}
}

func (t *Target) digest(who *Identity, verb string) Digest {
	d := Digest{
		User: who.User, Groups: who.Groups, Verb: verb, Path: t.Path,
		APIGroup: t.APIGroup, Resource: t.Resource, Subresource: t.Subresource, Namespace: t.Namespace,
	}
	if t.Own && who.Namespace != "" {
		d.Namespace = who.Namespace
	}
	return d
}

// lastResorts are the schemas that take what no other does. Service accounts have one of
// their own, service-accounts, before them.
var lastResorts = []string{"global-default", flowcontrolv1.FlowSchemaNameCatchAll}

// key tells two falls apart.
func (f *Fall) key() string {
	if f.Schema != nil {
		return f.Schema.Name
	}
	key := "/" + f.Bypass
	for _, m := range f.Missing {
		key += "/" + m.Path
	}
	return key
}
