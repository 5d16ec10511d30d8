package hazard

import (
	"context"
	"slices"

	"github.com/google/cel-go/common/ast"
	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/resource"
	"github.com/ambit-k8s/ambit/scope/rule"
)

// world is every sort of request that the server can get: each operation on each resource
// that it serves.
type world struct {
	facts  *scope.Facts
	all    []*sort
	groups sets.Set[string]
	in     Input
	// trees are the expressions that were parsed, by their text.
	trees map[string]*ast.AST
	// matched remembers what rules match: the same rules come again and again.
	matched map[string][]*sort
}

// sort is one operation on one resource.
type sort struct {
	resource.Resource
	operation admission.Operation
	world     *world
	inputs    map[scope.Phase]*scope.Input
}

// reached is a sort of request that a policy's rules match, with what they match it as.
type reached struct {
	*sort
	matched scope.Matched
}

func newWorld(in Input) *world {
	w := &world{facts: in.Facts, groups: sets.New[string](), in: in, trees: map[string]*ast.AST{}, matched: map[string][]*sort{}}
	if in.Facts.Resources == nil {
		return w
	}
	for _, r := range in.Facts.Resources.All() {
		w.groups.Insert(r.Group)
		if !r.Served {
			continue
		}
		for _, o := range r.Operations() {
			w.all = append(w.all, &sort{Resource: r, operation: o, world: w, inputs: map[scope.Phase]*scope.Input{}})
		}
	}
	return w
}

// openName leaves open how the object is called, so that rules with names count as matching.
var openName = []scope.Missing{{Path: "request.name", Fact: "the name"}}

// input is the request for the layers that read the resource alone.
func (s *sort) input(facts *scope.Facts, phase scope.Phase) *scope.Input {
	in, ok := s.inputs[phase]
	if !ok {
		in = scope.NewInput(&scope.Request{
			Operation: s.operation, Kind: s.Kind, Resource: s.GroupVersionResource, Subresource: s.Subresource,
			Namespace: s.namespace(), Open: openName,
		}, facts, phase)
		s.inputs[phase] = in
	}
	return in
}

// namespace is a namespace for a request that is in one. A request for a Namespace is in
// itself.
func (s *sort) namespace() string {
	if s.Namespaced || s.GroupVersionResource == namespaceResource {
		return "any"
	}
	return ""
}

// name writes a resource as rules do.
func (s *sort) name() string {
	name := s.GroupVersionResource.Resource
	if s.Subresource != "" {
		name += "/" + s.Subresource
	}
	if s.Group != "" {
		name += "." + s.Group
	}
	return name
}

// matchedBy asks a layer of rules about the sort of request.
func (s *sort) matchedBy(rules *rule.Rules, facts *scope.Facts, phase scope.Phase) (scope.Matched, bool) {
	in := s.input(facts, phase)
	matched := scope.Matched{Resource: s.GroupVersionResource, Kind: s.Kind}
	step := rules.Decide(context.Background(), scope.Question{Input: in, Matched: matched})
	if step.Matched != nil {
		matched = *step.Matched
	}
	return matched, step.Outcome == scope.Match || step.Outcome == scope.Open
}

// exempt reports whether the sort of request never reaches policies of the kind.
func (v *view) exempt(s *sort) bool {
	if v.exemption == nil {
		return false
	}
	in := s.input(v.world.facts, v.Phase)
	return v.exemption.Decide(context.Background(), scope.Question{Input: in}).Outcome == scope.NoMatch
}

// reach is every sort of request that the rules of the policy and of its binding match.
func (v *view) reach() []*reached {
	if v.cases != nil || len(v.parts()) == 0 {
		return v.cases
	}
	v.cases = []*reached{}
	for _, s := range v.world.all {
		matched, ok := scope.Matched{}, true
		for _, p := range v.parts() {
			m, matches := s.matchedBy(p.rules, v.world.facts, v.Phase)
			if ok = ok && matches; !ok {
				break
			}
			if !p.inBinding {
				matched = m
			}
		}
		if ok && !v.exempt(s) {
			v.cases = append(v.cases, &reached{s, matched})
		}
	}
	return v.cases
}

// reachesUnknown reports whether the policy may match resources that are not known: custom
// resources whose definition is not among the manifests.
func (v *view) reachesUnknown() bool {
	for _, p := range v.parts() {
		none := len(p.rules.Rules) == 0 && p.rules.EmptyMatches && !v.world.allResources()
		if !none && !slices.ContainsFunc(p.rules.Rules, v.world.mayMeanOthers) {
			return false
		}
	}
	return true
}

// lacksGroup reports whether a rule names the API group of custom resources that the server
// does not have.
func (w *world) lacksGroup(r v1.NamedRuleWithOperations) bool {
	return slices.ContainsFunc(r.APIGroups, func(g string) bool { return isCustom(g) && !w.groups.Has(g) })
}

// namespaceResource is the resource of Namespaces.
var namespaceResource = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
