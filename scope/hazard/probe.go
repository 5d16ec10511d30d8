package hazard

import (
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apiserver/pkg/admission"

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
}

// shape is how much is known of an object. Of those that are not open the kind is known,
// and the metadata that the shape settles; fields that are not settled are open where a
// condition reads them.
type shape int

const (
	// openObject may be anything.
	openObject shape = iota
	// kindOnly has nothing settled.
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
	v.giveObjects(request, c, at, p)
	facts := *r.Facts
	facts.Params, facts.Authorizer = nil, nil
	in := scope.NewInput(request, &facts, v.Phase)
	q := scope.Question{Input: in, Matched: at.matched}
	return judged{c.Decide(r.ctx, q), q, c}
}

// giveObjects fills in the objects: there is none where admission has null, and the rest is
// open but for what is known.
func (v *view) giveObjects(request *scope.Request, c *condition.Conditions, at *reached, p probe) {
	connects := isConnect(at.Resource)
	if at.operation == admission.Update || at.operation == admission.Delete || p.objectsThere {
		request.OldObject = anyObject(at, nil)
		request.Open = append(request.Open, open("oldObject")...)
	}
	switch {
	case connects:
		options := anyObject(at, nil)
		delete(options.Object, "metadata")
		request.Object = options
		request.Open = append(request.Open, v.world.openFields(c, "object", "metadata", nil)...)
	case at.operation == admission.Delete && !p.objectsThere:
	case p.object == openObject:
		request.Object = anyObject(at, nil)
		request.Open = append(request.Open, open("object")...)
	default:
		metadata, settled := v.known(p.object)
		request.Object = anyObject(at, metadata)
		request.Open = append(request.Open, v.world.openFields(c, "object", "", settled)...)
	}
}

// anyObject is an object of the kind that a policy sees.
func anyObject(at *reached, metadata map[string]any) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{}}}
	if metadata != nil {
		u.Object["metadata"] = metadata
	}
	u.SetGroupVersionKind(at.matched.Kind)
	return u
}

// openFields opens all fields of an object that conditions read, but its type and what is
// settled: the one field, and the given fields of its metadata.
func (w *world) openFields(c *condition.Conditions, variable, field string, metadata []string) []scope.Missing {
	var all []scope.Missing
	for _, path := range w.pathsOf(c) {
		switch {
		case path[0] != variable || len(path) > 1 && path[1] == field:
		case len(path) == 1:
			return open(variable)
		case path[1] == "apiVersion" || path[1] == "kind":
		case path[1] != "metadata" || len(path) == 2:
			all = append(all, open(variable+"."+path[1])...)
		case !slices.Contains(metadata, path[2]):
			all = append(all, open(variable+".metadata."+path[2])...)
		}
	}
	return all
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
