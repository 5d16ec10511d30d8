package flow

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/util/flowcontrol"
)

// The words of the schemas that are generated here. They are few, so that earlier schemas
// often take everything, also by several together.
var (
	fewVerbs      = []string{"get", "create", "watch", "list"}
	fewGroups     = []string{"", "apps"}
	fewResources  = []string{"pods", "pods/status", "pods/exec", "pods/*"}
	fewNamespaces = []string{"a", "b"}
	fewURLs       = []string{"/", "/metrics", "/metrics/", "/metrics/*", "/metrics/x", "/api/v1/pods", "/debug/*", "/debug/pprof", "/debug/pprof/*", "/metr*", "*"}
	fewMethods    = []string{"get", "post", "create"}
)

// dense makes schemas of the words above.
type dense struct{ *rand.Rand }

// some returns a star, or most of the words.
func (g dense) some(of []string) []string {
	if g.IntN(3) == 0 {
		return []string{"*"}
	}
	var list []string
	for _, word := range of {
		if g.IntN(4) > 0 {
			list = append(list, word)
		}
	}
	if len(list) > 0 && g.IntN(25) == 0 {
		list = append(list, "*")
	}
	return list
}

func (g dense) subject() flowcontrolv1.Subject {
	name := func(names ...string) string { return names[g.IntN(len(names))] }
	switch g.IntN(6) {
	case 0:
		return subjectUser(name("alice", "system:anonymous", "system:serviceaccount:a:robot", "*"))
	case 1, 2:
		return subjectAccount(name("a", "a", "b", "*"), name("robot", "*"))
	case 3:
		return flowcontrolv1.Subject{Kind: flowcontrolv1.SubjectKindGroup, User: &flowcontrolv1.UserSubject{Name: "alice"}}
	}
	return subjectGroup(name("devs", "system:authenticated", "system:unauthenticated", "system:serviceaccounts", "system:serviceaccounts:a", "*", "system:serviceaccounts:*"))
}

func subjectUser(name string) flowcontrolv1.Subject {
	return flowcontrolv1.Subject{Kind: flowcontrolv1.SubjectKindUser, User: &flowcontrolv1.UserSubject{Name: name}}
}

func subjectGroup(name string) flowcontrolv1.Subject {
	return flowcontrolv1.Subject{Kind: flowcontrolv1.SubjectKindGroup, Group: &flowcontrolv1.GroupSubject{Name: name}}
}

func subjectAccount(namespace, name string) flowcontrolv1.Subject {
	return flowcontrolv1.Subject{
		Kind: flowcontrolv1.SubjectKindServiceAccount, ServiceAccount: &flowcontrolv1.ServiceAccountSubject{Namespace: namespace, Name: name},
	}
}

func (g dense) rule() flowcontrolv1.PolicyRulesWithSubjects {
	var rule flowcontrolv1.PolicyRulesWithSubjects
	for range 1 + g.IntN(2) {
		rule.Subjects = append(rule.Subjects, g.subject())
	}
	for range g.IntN(3) {
		rule.ResourceRules = append(rule.ResourceRules, flowcontrolv1.ResourcePolicyRule{
			Verbs: g.some(fewVerbs), APIGroups: g.some(fewGroups), Resources: g.some(fewResources),
			ClusterScope: g.IntN(2) == 0, Namespaces: g.some(fewNamespaces),
		})
	}
	for range g.IntN(2) {
		rule.NonResourceRules = append(rule.NonResourceRules, flowcontrolv1.NonResourcePolicyRule{
			Verbs: g.some(fewMethods), NonResourceURLs: []string{fewURLs[g.IntN(len(fewURLs))], fewURLs[g.IntN(len(fewURLs))]},
		})
	}
	return rule
}

// order makes a few schemas, some of which have no priority level, or one that may exist.
func (g dense) order(unknown bool) *Order {
	var all []*flowcontrolv1.FlowSchema
	for i := range 2 + g.IntN(4) {
		s := &flowcontrolv1.FlowSchema{}
		s.Name = fmt.Sprintf("s%d", i)
		s.Spec.MatchingPrecedence = int32(2 + g.IntN(100))
		if g.IntN(20) == 0 {
			s.Spec.MatchingPrecedence, s.Name = 10000, "z"+s.Name
		}
		s.Spec.PriorityLevelConfiguration.Name = "global-default"
		if g.IntN(6) == 0 {
			s.Spec.PriorityLevelConfiguration.Name = "nowhere"
		}
		for range 1 + g.IntN(2) {
			s.Spec.Rules = append(s.Spec.Rules, g.rule())
		}
		all = append(all, s)
	}
	if g.IntN(2) == 0 {
		all = append(all, g.cut()...)
	}
	if g.IntN(4) == 0 {
		all = append(all, Compiler{}.Defaults()[1].(*flowcontrolv1.FlowSchema))
	}
	return NewOrder(all, NewLevels(nil, !unknown))
}

// cut makes a schema and, before it, schemas that share out its requests among them: all
// of them, unless one is left out.
func (g dense) cut() []*flowcontrolv1.FlowSchema {
	subjects := []flowcontrolv1.Subject{subjectAccount("a", "robot"), subjectAccount("a", "*"), subjectGroup("system:serviceaccounts"), subjectUser("*")}
	who := g.IntN(len(subjects))
	whole := flowcontrolv1.ResourcePolicyRule{Verbs: fewVerbs, APIGroups: fewGroups, Resources: fewResources[:2], Namespaces: fewNamespaces, ClusterScope: true}
	pieces := []flowcontrolv1.ResourcePolicyRule{whole}
	for range 1 + g.IntN(2) {
		first, second := pieces[0], pieces[0]
		switch g.IntN(4) {
		case 0:
			first.Verbs, second.Verbs = fewVerbs[:2], fewVerbs[2:]
		case 1:
			first.APIGroups, second.APIGroups = fewGroups[:1], []string{"*"}
		case 2:
			first.Resources, second.Resources = fewResources[:1], fewResources[1:]
		default:
			first.Namespaces, second.ClusterScope = nil, false
		}
		pieces = append([]flowcontrolv1.ResourcePolicyRule{first, second}, pieces[1:]...)
	}
	if g.IntN(3) == 0 {
		pieces = pieces[1:]
	}
	var all []*flowcontrolv1.FlowSchema
	for i, piece := range append(pieces, whole) {
		s := &flowcontrolv1.FlowSchema{}
		s.Name = fmt.Sprintf("cut%d", i)
		s.Spec.MatchingPrecedence = int32(200 + i)
		s.Spec.PriorityLevelConfiguration.Name = "global-default"
		subject := subjects[who+g.IntN(len(subjects)-who)]
		if i == len(pieces) {
			subject = subjects[who]
		} else if g.IntN(8) == 0 {
			s.Spec.PriorityLevelConfiguration.Name = "nowhere"
		}
		s.Spec.Rules = []flowcontrolv1.PolicyRulesWithSubjects{{Subjects: []flowcontrolv1.Subject{subject}, ResourceRules: []flowcontrolv1.ResourcePolicyRule{piece}}}
		all = append(all, s)
	}
	return all
}

// everyRequest lists one request of every sort that schemas of the words above can tell
// apart: each word and one that no schema mentions, in all combinations, from everybody
// whom the API server may see.
func everyRequest() []flowcontrol.RequestDigest {
	var targets []Digest
	for _, verb := range []string{"get", "create", "watch", "list", "delete"} {
		for _, group := range append([]string{"example.com"}, fewGroups...) {
			for _, resource := range []string{"pods", "pods/status", "pods/exec", "nodes", "nodes/status"} {
				for _, namespace := range append([]string{"", "c"}, fewNamespaces...) {
					d := Digest{Verb: verb, APIGroup: group, Namespace: namespace}
					d.Resource, d.Subresource, _ = strings.Cut(resource, "/")
					targets = append(targets, d)
				}
			}
		}
	}
	for _, verb := range []string{"get", "post", "put"} {
		for _, path := range []string{"/", "/other", "/metr", "/metr/x", "/metrics", "/metrics/", "/metrics/x", "/metrics/x/", "/metrics/y", "/api/v1", "/api/v1/", "/debug", "/debug/", "/debug/x", "/debug/pprof", "/debug/pprof/", "/debug/pprof/heap"} {
			targets = append(targets, Digest{Verb: verb, Path: path})
		}
	}
	targets = slices.DeleteFunc(targets, func(d Digest) bool { return d.bypasses() })
	var all []flowcontrol.RequestDigest
	for _, who := range everyUser() {
		for _, d := range targets {
			d.User, d.Groups = who.User, who.Groups
			all = append(all, upstreamDigest(&d))
		}
	}
	return all
}

func everyUser() []Digest {
	all := []Digest{{User: user.Anonymous, Groups: []string{user.AllUnauthenticated}}}
	add := func(name string, groups ...string) {
		all = append(all, Digest{User: name, Groups: groups}, Digest{User: name, Groups: append([]string{"devs"}, groups...)})
	}
	add("alice", user.AllAuthenticated)
	add("bob", user.AllAuthenticated)
	add("root", user.SystemPrivilegedGroup, user.AllAuthenticated)
	for _, namespace := range []string{"a", "b", "c"} {
		for _, name := range []string{"robot", "other"} {
			all = append(all, Digest{
				User:   serviceaccount.MakeUsername(namespace, name),
				Groups: []string{serviceaccount.AllServiceAccountsGroup, "system:serviceaccounts:" + namespace, user.AllAuthenticated},
			})
		}
	}
	return all
}
