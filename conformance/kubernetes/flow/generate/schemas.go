package generate

import (
	"fmt"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap"
)

// Set is the configuration of flow control for one round.
type Set struct {
	Levels  []*flowcontrolv1.PriorityLevelConfiguration
	Schemas []*flowcontrolv1.FlowSchema
	// Without names the schemas that a server makes for itself and that are deleted in this round.
	Without []string
}

// DeepCopy returns a set that shares nothing with this one.
func (s *Set) DeepCopy() *Set {
	c := &Set{Without: append([]string(nil), s.Without...)}
	for _, level := range s.Levels {
		c.Levels = append(c.Levels, level.DeepCopy())
	}
	for _, schema := range s.Schemas {
		c.Schemas = append(c.Schemas, schema.DeepCopy())
	}
	return c
}

// levelNames are those of levels that a round may have or not have; the last one never exists.
var levelNames = []string{"queueing", "rejecting", "single-queue", "never-there"}

// precedences have many equals, both ends, and those of the server's own schemas.
var precedences = []int32{2, 2, 3, 100, 400, 500, 500, 500, 700, 800, 900, 1000, 0, 5000, 9000, 9900, 9900, 10000, 10000}

// prefixes make names that sort before, between and behind those of the server's own schemas.
var prefixes = []string{"1", "a", "a.b", "b", "catch", "catch-all", "d", "exempt", "global", "probes", "s", "z"}

// Set makes up the schemas of a round.
func (g *Generator) Set() *Set {
	s := &Set{}
	for _, name := range levelNames[:len(levelNames)-1] {
		if !g.once(6) {
			s.Levels = append(s.Levels, level(name))
		}
	}
	for i := range 20 + g.IntN(21) {
		s.Schemas = append(s.Schemas, g.schema(fmt.Sprintf("%s-%d", pick(g, prefixes), i)))
	}
	if g.once(3) {
		for _, own := range bootstrap.SuggestedFlowSchemas {
			if !g.once(3) {
				s.Without = append(s.Without, own.Name)
			}
		}
	}
	if g.once(4) {
		s.Without = append(s.Without, few(g, 2, []string{bootstrap.MandatoryFlowSchemaExempt.Name, bootstrap.MandatoryFlowSchemaCatchAll.Name})...)
	}
	return s
}

func level(name string) *flowcontrolv1.PriorityLevelConfiguration {
	shares := int32(20)
	limited := &flowcontrolv1.LimitedPriorityLevelConfiguration{NominalConcurrencyShares: &shares}
	switch name {
	case "rejecting":
		limited.LimitResponse.Type = flowcontrolv1.LimitResponseTypeReject
	case "single-queue":
		limited.LimitResponse = flowcontrolv1.LimitResponse{Type: flowcontrolv1.LimitResponseTypeQueue, Queuing: &flowcontrolv1.QueuingConfiguration{Queues: 1, HandSize: 1, QueueLengthLimit: 50}}
	default:
		limited.LimitResponse = flowcontrolv1.LimitResponse{Type: flowcontrolv1.LimitResponseTypeQueue, Queuing: &flowcontrolv1.QueuingConfiguration{Queues: 16, HandSize: 4, QueueLengthLimit: 50}}
	}
	return &flowcontrolv1.PriorityLevelConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       flowcontrolv1.PriorityLevelConfigurationSpec{Type: flowcontrolv1.PriorityLevelEnablementLimited, Limited: limited},
	}
}

func (g *Generator) schema(name string) *flowcontrolv1.FlowSchema {
	s := &flowcontrolv1.FlowSchema{ObjectMeta: metav1.ObjectMeta{Name: name}}
	s.Spec.MatchingPrecedence = pick(g, precedences)
	s.Spec.PriorityLevelConfiguration.Name = pick(g, levelNames)
	if g.once(2) {
		s.Spec.PriorityLevelConfiguration.Name = pick(g, []string{"exempt", "workload-low", "global-default", "catch-all", "system"})
	}
	switch g.IntN(3) {
	case 0:
		s.Spec.DistinguisherMethod = &flowcontrolv1.FlowDistinguisherMethod{Type: flowcontrolv1.FlowDistinguisherMethodByUserType}
	case 1:
		s.Spec.DistinguisherMethod = &flowcontrolv1.FlowDistinguisherMethod{Type: flowcontrolv1.FlowDistinguisherMethodByNamespaceType}
	}
	rules := g.IntN(4)
	if g.once(10) {
		rules = 8
	}
	for range rules {
		s.Spec.Rules = append(s.Spec.Rules, g.rule())
	}
	return s
}

func (g *Generator) rule() flowcontrolv1.PolicyRulesWithSubjects {
	var r flowcontrolv1.PolicyRulesWithSubjects
	for range 1 + g.IntN(3) {
		r.Subjects = append(r.Subjects, g.subject())
	}
	resourceRules, otherRules := g.IntN(3), g.IntN(3)
	if resourceRules+otherRules == 0 && !g.once(20) {
		resourceRules = 1
	}
	for range resourceRules {
		r.ResourceRules = append(r.ResourceRules, g.resourceRule())
	}
	for range otherRules {
		r.NonResourceRules = append(r.NonResourceRules, flowcontrolv1.NonResourcePolicyRule{
			Verbs: g.list(2, 4, verbs), NonResourceURLs: g.list(10, 3, urls),
		})
	}
	return r
}

func (g *Generator) subject() flowcontrolv1.Subject {
	switch g.IntN(3) {
	case 0:
		return flowcontrolv1.Subject{Kind: flowcontrolv1.SubjectKindUser, User: &flowcontrolv1.UserSubject{Name: pick(g, users)}}
	case 1:
		return flowcontrolv1.Subject{Kind: flowcontrolv1.SubjectKindGroup, Group: &flowcontrolv1.GroupSubject{Name: pick(g, groups)}}
	}
	return flowcontrolv1.Subject{Kind: flowcontrolv1.SubjectKindServiceAccount, ServiceAccount: &flowcontrolv1.ServiceAccountSubject{
		Namespace: pick(g, namespaceNames), Name: pick(g, accountNames),
	}}
}

func (g *Generator) resourceRule() flowcontrolv1.ResourcePolicyRule {
	apiGroups := []string{"", "apps", "events.k8s.io", "coordination.k8s.io", "rbac.authorization.k8s.io", unserved}
	r := flowcontrolv1.ResourcePolicyRule{
		Verbs: g.list(2, 4, verbs), APIGroups: g.list(2, 3, apiGroups), Resources: g.list(4, 4, g.resourceNames()),
		ClusterScope: g.once(2),
	}
	if !r.ClusterScope || g.once(2) {
		r.Namespaces = g.list(3, 3, namespaceNames)
	}
	if g.once(40) {
		r.Namespaces = nil
	}
	return r
}

// list is a star once in so many times, and now and then a star beside others, which the API refuses.
func (g *Generator) list(star, most int, values []string) []string {
	if g.once(star) {
		return []string{"*"}
	}
	chosen := few(g, most, values)
	if g.once(100) {
		chosen = append(chosen, "*")
	}
	return chosen
}
