package coverage

import (
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
)

// Need says how much of the objects of a resource the policies look at.
type Need int

// Nothing is needed beside the name and the labels; or the metadata; or the whole object.
const (
	NeedsNothing Need = iota
	NeedsMetadata
	NeedsObject
)

// maxValue bounds what is kept of one object for one condition, in bytes of JSON.
const maxValue = 64 << 10

// Projector keeps of an object what the match conditions of a set of policies read, and
// nothing else. The object itself can be dropped. It is safe for concurrent use.
type Projector struct {
	store    *Store
	policies []*scope.Policy
	facts    *scope.Facts

	mu    sync.Mutex
	known map[schema.GroupVersionResource][]sight
}

// NewProjector makes a projector for the objects of a store.
func NewProjector(store *Store, policies []*scope.Policy, facts *scope.Facts) *Projector {
	return &Projector{store: store, policies: policies, facts: facts, known: map[schema.GroupVersionResource][]sight{}}
}

// Needs says how much of the objects of a resource has to be read. Secrets are never read.
func (p *Projector) Needs(resource schema.GroupVersionResource) Need {
	need := NeedsNothing
	for _, s := range p.sights(resource) {
		switch {
		case s.metadataOnly():
			need = max(need, NeedsMetadata)
		case !isSecret(resource):
			need = NeedsObject
		}
	}
	return need
}

// Fingerprint names what the policies read of the objects of a resource. Content that was
// made under another fingerprint may lack something that is read now.
func (p *Projector) Fingerprint(resource schema.GroupVersionResource) string {
	text := ""
	for _, s := range p.sights(resource) {
		text += s.column + "\n"
	}
	return text
}

func isSecret(resource schema.GroupVersionResource) bool {
	return resource.Group == "" && resource.Resource == "secrets"
}

// Project returns what is kept of an object. It takes an object as the API server has it,
// with its defaults: of a Go type, unstructured, or a PartialObjectMetadata. Of a Secret it
// looks at the metadata alone. The object is not changed.
func (p *Projector) Project(resource schema.GroupVersionResource, object runtime.Object) Content {
	t := p.store.currentTables()
	sights := p.sights(resource)
	if len(sights) == 0 {
		return Content{t, 0}
	}
	fields, err := fieldsOf(object)
	if err != nil {
		return Content{t, 0}
	}
	_, partial := object.(*metav1.PartialObjectMetadata)
	partial = partial || isSecret(resource)
	goType := typeOf(p.kind(resource))
	var all []pair
	var buffer []byte
	for _, s := range sights {
		if partial && !s.metadataOnly() {
			continue
		}
		buffer, err = appendJSON(buffer[:0], pruneObject(fields, s.content, goType))
		if err == nil && len(buffer) <= maxValue {
			all = append(all, pair{t.columns.id(s.column), t.values.id(string(buffer))})
		}
	}
	return Content{t, t.contents.id(pack(all))}
}

// fieldsOf writes an object as the mapping that it is in JSON.
func fieldsOf(object runtime.Object) (map[string]any, error) {
	if u, ok := object.(*unstructured.Unstructured); ok {
		return u.Object, nil
	}
	return runtime.DefaultUnstructuredConverter.ToUnstructured(object)
}

func (p *Projector) kind(resource schema.GroupVersionResource) schema.GroupVersionKind {
	if p.facts.Resources != nil {
		if r, ok := p.facts.Resources.Find(resource, ""); ok {
			return r.Kind
		}
	}
	return schema.GroupVersionKind{}
}

// sights returns what the policies look at of the objects of a resource, each column once.
func (p *Projector) sights(resource schema.GroupVersionResource) []sight {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known, ok := p.known[resource]; ok {
		return known
	}
	all := []sight{}
	seen := map[string]bool{}
	q := anyQuestion(resource, p.kind(resource), p.facts)
	for _, policy := range p.policies {
		if policy.Phase == scope.FlowControl || !mayReach(policy, q) {
			continue
		}
		for _, r := range readsOf(policy, q) {
			for _, part := range []*scope.Part{r.Object, r.OldObject, both(r)} {
				if s := sightOf(part); s.content != nil && !seen[s.column] {
					seen[s.column] = true
					all = append(all, s)
				}
			}
		}
	}
	p.known[resource] = all
	return all
}

// mayReach reports whether a policy may reach objects of a resource under any operation.
func mayReach(policy *scope.Policy, q scope.Question) bool {
	for _, l := range policy.Layers {
		if n, ok := l.(scope.Namer); ok && !n.NamesResource(q) {
			return false
		}
	}
	return true
}

// readsOf lists what the questions of a policy read, each on its own.
func readsOf(policy *scope.Policy, q scope.Question) []scope.Reads {
	var all []scope.Reads
	for _, l := range policy.Layers {
		if d, ok := l.(scope.Divided); ok {
			if divisions := d.Divisions(); divisions != nil {
				for _, division := range divisions {
					all = append(all, division.Reads(q))
				}
				continue
			}
		}
		all = append(all, scope.ReadsOf(l, q))
	}
	return all
}

// both is what is read of an object that is the old one, too.
func both(r scope.Reads) *scope.Part {
	if r.Object == nil || r.OldObject == nil {
		return nil
	}
	p := &scope.Part{}
	p.Add(r.Object)
	p.Add(r.OldObject)
	return p
}

// anyQuestion is a question about an object of a resource of which nothing else is said.
func anyQuestion(resource schema.GroupVersionResource, kind schema.GroupVersionKind, facts *scope.Facts) scope.Question {
	r := &scope.Request{Operation: admission.Update, Resource: resource, Kind: kind}
	return scope.Question{Input: scope.NewInput(r, facts, scope.MutatingPolicies), Matched: scope.Matched{Resource: resource, Kind: kind}}
}
