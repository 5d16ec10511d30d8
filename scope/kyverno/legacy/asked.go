package legacy

import (
	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/legacy/rules"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
)

var (
	allOperations    = []v1.OperationType{v1.Create, v1.Update, v1.Delete, v1.Connect}
	mutateOperations = []v1.OperationType{v1.Create, v1.Update}
	writeOperations  = []v1.OperationType{v1.Create, v1.Update, v1.Delete}
)

// asked is what a policy wants to be asked about: operations by kind, as the policy writes the kind.
type asked map[string]sets.Set[v1.OperationType]

func (a asked) add(kind string, operations ...v1.OperationType) {
	if a[kind] == nil {
		a[kind] = sets.New[v1.OperationType]()
	}
	a[kind].Insert(operations...)
}

// qualifies reports whether a policy has anything to do in one of the two configurations. Only what is written counts.
func qualifies(p *api.Legacy, mutating bool) bool {
	return anyRule(p, func(r *rules.Rule) bool {
		if mutating {
			return r.Mutates() || r.VerifiesImages()
		}
		return r.Validates() || r.Generates() || r.MutatesOthers() || r.ChecksImages() || r.VerifiesManifest()
	})
}

// asks collects what a policy wants to be asked about in one configuration (mergeWebhook). Rules that generate count
// in both, with the kinds that start them and those that they generate; so do rules that check images, by an accident
// of operator precedence.
func asks(p *api.Legacy, rel release.Release, mutating bool) asked {
	all := asked{}
	for _, r := range rules.Of(p, rel) {
		switch {
		case r.Generates():
			all.of(&r, allOperations)
			all.generated(r.Generate)
		case !mutating && (r.Validates() || r.ChecksImages() || r.MutatesOthers()):
			all.of(&r, allOperations)
		case mutating && (r.ChecksImages() || r.Mutates() || r.VerifiesImages() || r.VerifiesManifest()):
			all.of(&r, mutateOperations)
		}
	}
	return all
}

// of adds the kinds of a rule's match block, with the operations of the filter that names them or else those that are
// usual for the rule (collectResourceDescriptions). A filter of exclude.any that says nothing but kinds and
// operations takes these away; exclude.all and a plain exclude block never do.
func (a asked) of(r *rules.Rule, usual []v1.OperationType) {
	own := asked{}
	filters := append([]api.ResourceFilter{r.Match.ResourceFilter}, r.Match.All...)
	for _, f := range append(filters, r.Match.Any...) {
		operations := f.Resources.Operations
		if len(operations) == 0 {
			operations = usual
		}
		for _, kind := range f.Resources.Kinds {
			own.add(kind, operations...)
		}
	}
	if r.Exclude != nil {
		for i := range r.Exclude.Any {
			own.except(&r.Exclude.Any[i])
		}
	}
	for kind, operations := range own {
		a.add(kind, operations.UnsortedList()...)
	}
}

// except takes away what a filter excludes whatever the object and the user are.
func (a asked) except(f *api.ResourceFilter) {
	d := &f.Resources
	if len(f.Roles)+len(f.ClusterRoles)+len(f.Subjects)+len(d.Names)+len(d.Namespaces)+len(d.Annotations) > 0 ||
		d.Name != "" || d.Selector != nil || d.NamespaceSelector != nil {
		return
	}
	operations := d.Operations
	if len(operations) == 0 {
		operations = allOperations
	}
	kinds := d.Kinds
	if len(kinds) == 0 {
		kinds = sets.KeySet(a).UnsortedList()
	}
	for _, kind := range kinds {
		a[kind].Delete(operations...)
	}
}

// generated adds the kinds that a rule generates, so that Kyverno hears when somebody changes what it generated.
// Their groups and versions do not count.
func (a asked) generated(generate map[string]any) {
	foreach, _ := generate["foreach"].([]any)
	for _, one := range append(foreach[:len(foreach):len(foreach)], any(generate)) {
		target, _ := one.(map[string]any)
		if kind, _ := target["kind"].(string); kind != "" {
			a.add(kind, writeOperations...)
			continue
		}
		cloned, _ := target["cloneList"].(map[string]any)
		kinds, _ := cloned["kinds"].([]any)
		for _, kind := range kinds {
			if kind, ok := kind.(string); ok {
				a.add(kind, writeOperations...)
			}
		}
	}
}
