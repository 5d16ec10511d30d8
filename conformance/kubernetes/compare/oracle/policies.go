package oracle

import (
	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Policies are the objects that are installed together.
type Policies struct {
	ValidatingWebhooks []*v1.ValidatingWebhookConfiguration
	MutatingWebhooks   []*v1.MutatingWebhookConfiguration
	ValidatingPolicies []*v1.ValidatingAdmissionPolicy
	ValidatingBindings []*v1.ValidatingAdmissionPolicyBinding
	MutatingPolicies   []*v1.MutatingAdmissionPolicy
	MutatingBindings   []*v1.MutatingAdmissionPolicyBinding
}

// Evaluated is the message of a validation that always fails: reading it means that the policy was evaluated, because
// an error of a match condition has another text.
const Evaluated = "E"

// AlwaysFails are the validations of a policy whose evaluation is to be seen.
func AlwaysFails() []v1.Validation {
	return []v1.Validation{{Expression: "false", Message: Evaluated}}
}

// markerPrefix is the domain of the annotations by which the evaluation of a mutating policy is seen.
const markerPrefix = "marker.ambit.invalid/"

// Marks are the mutations of a policy whose evaluation is to be seen: an annotation with its name, or, for the options
// of exec, which have no metadata, one more word of the command.
func Marks(name string) []v1.Mutation {
	key := "jsonpatch.escapeKey('" + markerPrefix + name + "')"
	return []v1.Mutation{{PatchType: v1.PatchTypeJSONPatch, JSONPatch: &v1.JSONPatch{Expression: `has(object.metadata)
? (has(object.metadata.annotations)
  ? [JSONPatch{op: "add", path: "/metadata/annotations/" + ` + key + `, value: "1"}]
  : [JSONPatch{op: "add", path: "/metadata/annotations", value: {"` + markerPrefix + name + `": "1"}}])
: (has(object.command) ? [JSONPatch{op: "add", path: "/command/-", value: "` + markerPrefix + name + `"}] : [])`}}}
}

// label finds what was installed again, to remove it.
const label = "compare.ambit.invalid/installed"

// Single leaves one policy of several, together with what it needs: one webhook entry, or one policy with one binding.
func (p *Policies) Single(kind, name, entry string) *Policies {
	one := &Policies{}
	switch kind {
	case "ValidatingWebhookConfiguration":
		for _, c := range p.ValidatingWebhooks {
			for _, w := range c.Webhooks {
				if c.Name == name && w.Name == entry {
					one.ValidatingWebhooks = append(one.ValidatingWebhooks, &v1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: name}, Webhooks: []v1.ValidatingWebhook{w}})
				}
			}
		}
	case "MutatingWebhookConfiguration":
		for _, c := range p.MutatingWebhooks {
			for _, w := range c.Webhooks {
				if c.Name == name && w.Name == entry {
					one.MutatingWebhooks = append(one.MutatingWebhooks, &v1.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: name}, Webhooks: []v1.MutatingWebhook{w}})
				}
			}
		}
	case "ValidatingAdmissionPolicy":
		one.ValidatingPolicies = named(p.ValidatingPolicies, name)
		one.ValidatingBindings = named(p.ValidatingBindings, entry)
	case "MutatingAdmissionPolicy":
		one.MutatingPolicies = named(p.MutatingPolicies, name)
		one.MutatingBindings = named(p.MutatingBindings, entry)
	}
	return one.DeepCopy()
}

func named[T metav1.Object](all []T, name string) []T {
	var found []T
	for _, o := range all {
		if o.GetName() == name {
			found = append(found, o)
		}
	}
	return found
}

// DeepCopy returns a copy that shares nothing.
func (p *Policies) DeepCopy() *Policies {
	return &Policies{
		copies(p.ValidatingWebhooks), copies(p.MutatingWebhooks), copies(p.ValidatingPolicies),
		copies(p.ValidatingBindings), copies(p.MutatingPolicies), copies(p.MutatingBindings),
	}
}

func copies[T interface{ DeepCopy() T }](all []T) []T {
	var copied []T
	for _, o := range all {
		copied = append(copied, o.DeepCopy())
	}
	return copied
}

// objects returns all objects in the order in which they can be created.
func (p *Policies) objects() []metav1.Object {
	var all []metav1.Object
	add := func(o metav1.Object) { all = append(all, o) }
	for _, o := range p.ValidatingPolicies {
		add(o)
	}
	for _, o := range p.ValidatingBindings {
		add(o)
	}
	for _, o := range p.MutatingPolicies {
		add(o)
	}
	for _, o := range p.MutatingBindings {
		add(o)
	}
	for _, o := range p.MutatingWebhooks {
		add(o)
	}
	for _, o := range p.ValidatingWebhooks {
		add(o)
	}
	return all
}

// Described returns the objects as they are written in a report: with their kinds, and without the address of the
// recorder.
func (p *Policies) Described() []metav1.Object {
	p = p.DeepCopy()
	as := func(kind string) metav1.TypeMeta {
		return metav1.TypeMeta{APIVersion: v1.SchemeGroupVersion.String(), Kind: kind}
	}
	for _, c := range p.ValidatingWebhooks {
		c.TypeMeta = as("ValidatingWebhookConfiguration")
		for i := range c.Webhooks {
			c.Webhooks[i].ClientConfig = v1.WebhookClientConfig{}
		}
	}
	for _, c := range p.MutatingWebhooks {
		c.TypeMeta = as("MutatingWebhookConfiguration")
		for i := range c.Webhooks {
			c.Webhooks[i].ClientConfig = v1.WebhookClientConfig{}
		}
	}
	for _, o := range p.ValidatingPolicies {
		o.TypeMeta = as("ValidatingAdmissionPolicy")
	}
	for _, o := range p.ValidatingBindings {
		o.TypeMeta = as("ValidatingAdmissionPolicyBinding")
	}
	for _, o := range p.MutatingPolicies {
		o.TypeMeta = as("MutatingAdmissionPolicy")
	}
	for _, o := range p.MutatingBindings {
		o.TypeMeta = as("MutatingAdmissionPolicyBinding")
	}
	for _, o := range p.objects() {
		o.SetLabels(nil)
	}
	return p.objects()
}
