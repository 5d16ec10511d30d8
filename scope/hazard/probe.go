package hazard

import (
	"strings"

	"github.com/google/cel-go/common/ast"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/condition"
)

// A probe asks match conditions about all requests of a sort at once. What such requests
// have in common is given: the operation, the kind, whether there is a namespace, an object,
// an old one. All else is left open, so that an error or a "no" holds for every one of them,
// and what is not certain comes out as open.

// probe is what is given beside the sort of request.
type probe struct {
	// nameless says that the request has no name.
	nameless bool
	// object is what is known of the object.
	object shape
	// objectsThere leaves open also the objects that the operation does not have.
	objectsThere bool
	// anyResource leaves open also what the request is for, so that only its operation is
	// given, and which objects are null.
	anyResource bool
}

// shape is how much is known of an object. Of those that are not open the kind is known,
// and the metadata that the shape settles; fields that are not settled are open where a
// condition reads them.
type shape int

const (
	// openObject may be anything.
	openObject shape = iota
	// kindOnly has nothing settled. The same is known of the old object then.
	kindOnly
	// bareObject has nothing optional in its metadata, but for the labels without which the
	// selectors of the policy keep it out.
	bareObject
	// generatedName has no name yet, and namedObject has one.
	generatedName
	namedObject
)

// known returns the metadata of an object of a shape, and which fields of it are settled.
func (v *view) known(s shape) (metadata map[string]any, settled []string) {
	switch s {
	case bareObject:
		metadata = map[string]any{}
		if set, _ := v.selects().Object.Example(); len(set) > 0 {
			all := map[string]any{}
			for key, value := range set {
				all[key] = value
			}
			metadata["labels"] = all
		}
		return metadata, []string{"labels", "annotations", "ownerReferences", "finalizers"}
	case generatedName:
		return map[string]any{"generateName": "any-"}, []string{"name", "generateName"}
	case namedObject:
		return map[string]any{"name": "any"}, []string{"name"}
	}
	return nil, nil
}

// judged is a step of conditions with the question that it answers.
type judged struct {
	scope.Step
	q          scope.Question
	conditions *condition.Conditions
}

// failing returns the first condition that fails and why, from the error that names it.
// There is none if all fail together because their budget is spent.
func (j judged) failing() (field, message string) {
	errs := []error{j.Err}
	if all, ok := j.Err.(utilerrors.Aggregate); ok {
		errs = all.Errors()
	}
	for _, err := range errs {
		for _, c := range j.conditions.Conditions {
			if strings.HasPrefix(err.Error(), "expression '"+c.Expression+"'") {
				return c.Field, err.Error()
			}
		}
	}
	return "", ""
}

// asked is a question that was put to conditions before.
type asked struct {
	conditions *condition.Conditions
	at         *reached
	probe      probe
}

// ask puts a probe to conditions. Rules ask the same of each other's policies, so answers are
// kept.
func (r *run) ask(c *condition.Conditions, v *view, at *reached, p probe) judged {
	key := asked{c, at, p}
	j, ok := r.answers[key]
	if !ok {
		j = r.decide(c, v, at, p)
		r.answers[key] = j
	}
	return j
}

// decide evaluates conditions for a probe.
func (r *run) decide(c *condition.Conditions, v *view, at *reached, p probe) judged {
	request := &scope.Request{
		Operation: at.operation, Kind: at.matched.Kind, Resource: at.GroupVersionResource, Subresource: at.Subresource,
		Namespace: at.namespace(), Name: "any",
		Open: open("request.userInfo", "request.options", "request.dryRun", "request.resource.version", "request.requestResource.version", "request.requestKind.version"),
	}
	if request.Namespace != "" {
		request.Open = append(request.Open, open("request.namespace")...)
	}
	if p.nameless {
		request.Name = ""
	} else {
		request.Open = append(request.Open, open("request.name")...)
	}
	if p.anyResource {
		request.Open = append(request.Open, open("request.resource", "request.kind", "request.subResource",
			"request.requestResource", "request.requestKind", "request.requestSubResource", "request.namespace")...)
	}
	v.giveObjects(request, c, at, p)
	facts := *r.Facts
	facts.Params, facts.Authorizer = nil, nil
	in := scope.NewInput(request, &facts, v.Phase)
	q := scope.Question{Input: in, Matched: at.matched}
	return judged{c.Decide(r.ctx, q), q, c}
}

// pathsOf lists what all conditions of a policy read.
func (w *world) pathsOf(c *condition.Conditions) [][]string {
	var all [][]string
	for _, tree := range w.treesOf(c) {
		if tree != nil {
			all = append(all, paths(tree)...)
		}
	}
	return all
}

// treesOf are the syntax trees of conditions; nil for one that does not compile.
func (w *world) treesOf(c *condition.Conditions) []*ast.AST {
	all := make([]*ast.AST, len(c.Conditions))
	for i, one := range c.Conditions {
		if one.Err == nil {
			all[i] = w.parse(one.Expression)
		}
	}
	return all
}

func open(paths ...string) []scope.Missing {
	all := make([]scope.Missing, len(paths))
	for i, path := range paths {
		all[i] = scope.Missing{Path: path, Fact: strings.ReplaceAll(path, ".", " ")}
	}
	return all
}

// maxProbes bounds how many sorts of request are tried in search of one that fails: a
// policy for all resources meets some hundreds.
const maxProbes = 64

// sample returns some of what a policy reaches, from all over the list of resources.
func (v *view) sample() []*reached {
	all := v.reach()
	if len(all) <= maxProbes {
		return all
	}
	step := float64(len(all)) / maxProbes
	chosen := make([]*reached, 0, maxProbes)
	for i := range maxProbes {
		chosen = append(chosen, all[int(float64(i)*step)])
	}
	return chosen
}
