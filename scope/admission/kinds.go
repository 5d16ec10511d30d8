package admission

import (
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/webhook"
)

// kindOf describes a kind of the group admissionregistration.k8s.io.
func kindOf(name, resource, plural string, versions ...string) scope.ObjectKind {
	return scope.ObjectKind{
		GroupKind: schema.GroupKind{Group: v1.GroupName, Kind: name},
		Resource:  resource, Plural: plural, Versions: versions,
		Without: "policies of this kind are not shown",
	}
}

var (
	mutatingPolicies   = kindOf(MutatingAdmissionPolicy, "mutatingadmissionpolicies", "MutatingAdmissionPolicies", "v1", "v1beta1", "v1alpha1")
	mutatingBindings   = kindOf("MutatingAdmissionPolicyBinding", "mutatingadmissionpolicybindings", "MutatingAdmissionPolicyBindings", "v1", "v1beta1", "v1alpha1")
	validatingPolicies = kindOf(ValidatingAdmissionPolicy, "validatingadmissionpolicies", "ValidatingAdmissionPolicies", "v1", "v1beta1", "v1alpha1")
	validatingBindings = kindOf("ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBindings", "v1", "v1beta1", "v1alpha1")
)

// Kinds implements scope.Compiler.
func (c *Compiler) Kinds() []scope.ObjectKind {
	return []scope.ObjectKind{mutatingPolicies, mutatingBindings, webhook.MutatingKind, validatingPolicies, validatingBindings, webhook.ValidatingKind}
}

// Policies implements scope.Compiler.
func (c *Compiler) Policies(o scope.Objects) []*scope.Policy {
	all := c.Compile(typed(o))
	for _, p := range all {
		p.Origin = o.Origin(schema.GroupKind{Group: v1.GroupName, Kind: p.Kind}, "", p.Name)
		if p.BindingSource == nil {
			continue
		}
		p.BindingOrigin = o.Origin(schema.GroupKind{Group: v1.GroupName, Kind: p.Kind + "Binding"}, "", p.Entry)
		if p.Origin == "" {
			// Only the binding speaks of the policy.
			p.Origin = p.BindingOrigin
		}
	}
	return all
}

// ParamKinds implements scope.Parametrised.
func (c *Compiler) ParamKinds(objects scope.Objects) []schema.GroupVersionKind {
	var kinds []schema.GroupVersionKind
	add := func(k *v1.ParamKind) {
		if k == nil {
			return
		}
		gvk := schema.FromAPIVersionAndKind(k.APIVersion, k.Kind)
		if !slices.Contains(kinds, gvk) {
			kinds = append(kinds, gvk)
		}
	}
	o := typed(objects)
	for _, p := range o.MutatingPolicies {
		add(p.Spec.ParamKind)
	}
	for _, p := range o.ValidatingPolicies {
		add(p.Spec.ParamKind)
	}
	return kinds
}

// typed sorts objects by their Go types.
func typed(o scope.Objects) Objects {
	return Objects{
		MutatingPolicies:   scope.Typed[*v1.MutatingAdmissionPolicy](o, mutatingPolicies.GroupKind),
		MutatingBindings:   scope.Typed[*v1.MutatingAdmissionPolicyBinding](o, mutatingBindings.GroupKind),
		MutatingWebhooks:   scope.Typed[*v1.MutatingWebhookConfiguration](o, webhook.MutatingKind.GroupKind),
		ValidatingPolicies: scope.Typed[*v1.ValidatingAdmissionPolicy](o, validatingPolicies.GroupKind),
		ValidatingBindings: scope.Typed[*v1.ValidatingAdmissionPolicyBinding](o, validatingBindings.GroupKind),
		ValidatingWebhooks: scope.Typed[*v1.ValidatingWebhookConfiguration](o, webhook.ValidatingKind.GroupKind),
	}
}
