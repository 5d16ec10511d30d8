package flow

import (
	"fmt"
	"math/rand/v2"
	"testing"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apiserver/pkg/authentication/user"
	apirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/util/flowcontrol"

	"github.com/ambit-k8s/ambit/scope/flow/upstream"
)

// upstreamDigest is the request as the API server's matcher takes it.
func upstreamDigest(d *Digest) flowcontrol.RequestDigest {
	return flowcontrol.RequestDigest{
		User: &user.DefaultInfo{Name: d.User, Groups: d.Groups},
		RequestInfo: &apirequest.RequestInfo{
			IsResourceRequest: d.Path == "", Path: d.Path, Verb: d.Verb, APIGroup: d.APIGroup,
			Resource: d.Resource, Subresource: d.Subresource, Namespace: d.Namespace,
		},
	}
}

// TestMatchesAsUpstream asks the API server's own matcher about generated schemas and
// requests. Both answers must be frequent, or the test would show nothing.
func TestMatchesAsUpstream(t *testing.T) {
	const pairs = 60_000
	g := &generator{rand.New(rand.NewPCG(4, 7))}
	matched := 0
	for range pairs / 20 {
		s := &Schema{FlowSchema: g.schema("s")}
		for range 20 {
			d := g.digest()
			want := upstream.Matches(upstreamDigest(d), s.FlowSchema)
			if want {
				matched++
			}
			if got := s.Matches(d); got != want {
				t.Fatalf("the API server says %v and we say %v about\n%+v\n%+v", want, got, *d, s.Spec)
			}
		}
	}
	if matched < pairs/10 || matched > pairs*9/10 {
		t.Errorf("%d of %d pairs match; that is no test of both answers", matched, pairs)
	}
}

// generator makes schemas and requests of few words, so that they meet often.
type generator struct{ *rand.Rand }

var (
	someUsers      = []string{"alice", "bob", "system:anonymous", "system:serviceaccount:kube:robot", "system:serviceaccount:kube-system:robot", "system:serviceaccount:kube-system:dns", "system:serviceaccount:kube:robot:x", "system:serviceaccount::robot", "system:serviceaccount:kube", "*"}
	someGroups     = []string{"devs", "ops", "system:authenticated", "system:unauthenticated", "system:serviceaccounts", "system:serviceaccounts:kube", "*", ""}
	someNamespaces = []string{"kube", "kube-system", "default", ""}
	someVerbs      = []string{"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "post", "*", ""}
	someAPIGroups  = []string{"", "apps", "batch", "*"}
	someResources  = []string{"pods", "pods/status", "pods/exec", "pods/*", "*/status", "*", "deployments", "namespaces", "pods/"}
	someURLs       = []string{"*", "/", "/*", "/healthz", "/healthz/", "/healthz/*", "/healthz/etcd", "/hea", "/hea*", "/metrics", "/api/v1", "", "healthz"}
	somePaths      = []string{"/", "/healthz", "/healthz/", "/healthz/etcd", "/healthzz", "/hea", "/metrics", "/api/v1", "/api"}
)

func (g *generator) one(of []string) string { return of[g.IntN(len(of))] }

// some returns a list of up to most words; every other one is a star alone.
func (g *generator) some(of []string, most int) []string {
	if g.IntN(2) == 0 {
		return []string{"*"}
	}
	var list []string
	for range g.IntN(most + 1) {
		list = append(list, g.one(of))
	}
	return list
}

func (g *generator) subject() flowcontrolv1.Subject {
	s := flowcontrolv1.Subject{Kind: []flowcontrolv1.SubjectKind{"User", "Group", "ServiceAccount", "Robot"}[g.IntN(40)%13%4]}
	kind := s.Kind
	if g.IntN(20) == 0 {
		kind = []flowcontrolv1.SubjectKind{"User", "Group", "ServiceAccount"}[g.IntN(3)]
	}
	switch kind {
	case flowcontrolv1.SubjectKindUser:
		s.User = &flowcontrolv1.UserSubject{Name: g.one(someUsers)}
	case flowcontrolv1.SubjectKindGroup:
		s.Group = &flowcontrolv1.GroupSubject{Name: g.one(someGroups)}
	case flowcontrolv1.SubjectKindServiceAccount:
		s.ServiceAccount = &flowcontrolv1.ServiceAccountSubject{Namespace: g.one(someNamespaces), Name: g.one([]string{"*", "robot", "dns", ""})}
	}
	return s
}

func (g *generator) rule() flowcontrolv1.PolicyRulesWithSubjects {
	var rule flowcontrolv1.PolicyRulesWithSubjects
	for range 1 + g.IntN(4) {
		rule.Subjects = append(rule.Subjects, g.subject())
	}
	for range g.IntN(4) {
		rule.ResourceRules = append(rule.ResourceRules, flowcontrolv1.ResourcePolicyRule{
			Verbs: g.some(someVerbs, 4), APIGroups: g.some(someAPIGroups, 3), Resources: g.some(someResources, 4),
			ClusterScope: g.IntN(2) == 0, Namespaces: g.some(someNamespaces, 2),
		})
	}
	for range g.IntN(3) {
		rule.NonResourceRules = append(rule.NonResourceRules, flowcontrolv1.NonResourcePolicyRule{
			Verbs: g.some(someVerbs, 4), NonResourceURLs: g.some(someURLs, 3),
		})
	}
	return rule
}

func (g *generator) schema(name string) *flowcontrolv1.FlowSchema {
	s := &flowcontrolv1.FlowSchema{}
	s.Name = name
	s.Spec.MatchingPrecedence = int32(1 + g.IntN(4))
	s.Spec.PriorityLevelConfiguration.Name = "global-default"
	for range 1 + g.IntN(4) {
		s.Spec.Rules = append(s.Spec.Rules, g.rule())
	}
	return s
}

func (g *generator) digest() *Digest {
	d := &Digest{User: g.one(someUsers), Verb: g.one(someVerbs)}
	for range g.IntN(4) {
		d.Groups = append(d.Groups, g.one(someGroups))
	}
	if g.IntN(3) == 0 {
		d.Path = g.one(somePaths)
		return d
	}
	d.APIGroup, d.Namespace = g.one(someAPIGroups), g.one(someNamespaces)
	d.Resource = g.one([]string{"pods", "deployments", "namespaces"})
	d.Subresource = g.one([]string{"", "", "status", "exec"})
	return d
}

func (g *generator) order() *Order {
	var all []*flowcontrolv1.FlowSchema
	for i := range g.IntN(6) {
		s := g.schema(fmt.Sprintf("s%d", i))
		if g.IntN(6) == 0 {
			s.Spec.PriorityLevelConfiguration.Name = "nowhere"
		}
		all = append(all, s)
	}
	return NewOrder(all, NewLevels(nil, true))
}
