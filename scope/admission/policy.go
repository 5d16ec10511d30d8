package admission

import (
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/rule"
	"github.com/ambit-k8s/ambit/scope/selector"
	"github.com/ambit-k8s/ambit/scope/webhook"
)

// definition is what a validating and a mutating admission policy have in common.
type definition struct {
	name          string
	paramKind     *v1.ParamKind
	match         *v1.MatchResources
	conditions    []v1.MatchCondition
	failurePolicy *v1.FailurePolicyType
	source        any
}

// attachment is what their bindings have in common. denies says whether the binding lets
// an evaluation error refuse the request: a validating binding that only warns or audits
// does not.
type attachment struct {
	name     string
	policy   string
	paramRef *v1.ParamRef
	match    *v1.MatchResources
	denies   bool
	source   any
}

// policyFamily is all policies and bindings of one of the two kinds.
type policyFamily struct {
	family      family
	kind        string
	phase       scope.Phase
	definitions []definition
	attachments []attachment
}

func validatingFamily(o Objects) policyFamily {
	f := policyFamily{family: validatingPolicy, kind: ValidatingAdmissionPolicy, phase: scope.ValidatingPolicies}
	for _, written := range byName(o.ValidatingPolicies) {
		p := written.DeepCopy()
		DefaultValidatingPolicy(p)
		f.definitions = append(f.definitions, definition{p.Name, p.Spec.ParamKind, p.Spec.MatchConstraints, p.Spec.MatchConditions, p.Spec.FailurePolicy, written})
	}
	for _, written := range byName(o.ValidatingBindings) {
		b := written.DeepCopy()
		DefaultValidatingBinding(b)
		f.attachments = append(f.attachments, attachment{b.Name, b.Spec.PolicyName, b.Spec.ParamRef, b.Spec.MatchResources, slices.Contains(b.Spec.ValidationActions, v1.Deny), written})
	}
	return f
}

func mutatingFamily(o Objects) policyFamily {
	f := policyFamily{family: mutatingPolicy, kind: MutatingAdmissionPolicy, phase: scope.MutatingPolicies}
	for _, written := range byName(o.MutatingPolicies) {
		p := written.DeepCopy()
		DefaultMutatingPolicy(p)
		f.definitions = append(f.definitions, definition{p.Name, p.Spec.ParamKind, p.Spec.MatchConstraints, p.Spec.MatchConditions, p.Spec.FailurePolicy, written})
	}
	for _, written := range byName(o.MutatingBindings) {
		b := written.DeepCopy()
		DefaultMutatingBinding(b)
		f.attachments = append(f.attachments, attachment{b.Name, b.Spec.PolicyName, b.Spec.ParamRef, b.Spec.MatchResources, true, written})
	}
	return f
}

// policies pairs the policies of a family with their bindings.
func (c *Compiler) policies(f policyFamily) []*scope.Policy {
	var all []*scope.Policy
	for _, d := range f.definitions {
		bound := false
		for _, a := range f.attachments {
			if a.policy == d.name {
				bound = true
				all = append(all, c.policy(f, &d, &a))
			}
		}
		if !bound {
			all = append(all, c.policy(f, &d, nil))
		}
	}
	for _, a := range f.attachments {
		if !slices.ContainsFunc(f.definitions, func(d definition) bool { return d.name == a.policy }) {
			all = append(all, c.policy(f, nil, &a))
		}
	}
	return all
}

// policy builds the layers of one policy with one binding; one of the two may be missing.
func (c *Compiler) policy(f policyFamily, d *definition, a *attachment) *scope.Policy {
	p := &scope.Policy{
		Kind: f.kind, Phase: f.phase,
		WhenIncluded: func(*scope.Request) scope.Effect { return scope.Evaluated },
		WhenExcluded: scope.NotEvaluated,
	}
	if a != nil {
		p.Name, p.Entry, p.BindingSource = a.policy, a.name, a.source
	}
	onError := scope.Rejected
	if d != nil {
		p.Name, p.Source, p.FailurePolicy = d.name, d.source, string(*d.failurePolicy)
		onError = webhook.EffectOf(d.failurePolicy)
	}
	p.Layers = []scope.Layer{&Exempt{f.family}, &Bound{policy: p.Name, missingPolicy: d == nil, missingBinding: a == nil}}
	if d != nil {
		p.Layers = append(p.Layers, matchLayers(d.match, "spec.matchConstraints", scope.StageMatch, onError, ownNames)...)
	}
	if a != nil && a.match != nil {
		p.Layers = append(p.Layers, matchLayers(a.match, "spec.matchResources", scope.StageBinding, onError, bindingNames)...)
	}
	if d != nil {
		p.Layers = append(p.Layers, c.late(f, d, a, onError)...)
	}
	return p
}

// late builds the layers that come after all matching: parameters and match conditions.
func (c *Compiler) late(f policyFamily, d *definition, a *attachment, onError scope.Effect) []scope.Layer {
	var layers []scope.Layer
	conditions := c.conditions.Compile(d.conditions, "spec.matchConditions", d.paramKind != nil)
	conditions.OnError = onError
	if a != nil && !a.denies {
		conditions.OnError = scope.Skipped
	}
	if d.paramKind != nil {
		params := &Params{Kind: d.paramKind, onError: onError, family: f.family}
		if a != nil {
			params.Ref = a.paramRef
		}
		conditions.Params = params.forConditions
		layers = append(layers, params)
	}
	return append(layers, conditions)
}

// names are the names of the three layers of match resources.
type names struct{ rules, namespace, object scope.LayerName }

var (
	ownNames     = names{scope.ResourceRules, scope.NamespaceSelector, scope.ObjectSelector}
	bindingNames = names{scope.BindingResourceRules, scope.BindingNamespaceSelector, scope.BindingObjectSelector}
)

// matchLayers builds the layers of a policy's matchConstraints or a binding's
// matchResources, which the API server evaluates with the same code. The Namespace
// object itself is read once per policy, so only the policy's own layer insists on it.
func matchLayers(m *v1.MatchResources, field string, stage scope.Stage, onError scope.Effect, n names) []scope.Layer {
	rules := &rule.Rules{RulesField: field + ".resourceRules", ExcludeField: field + ".excludeResourceRules", EmptyMatches: true}
	if m == nil {
		rules.Broken = errNoConstraints
		m = &v1.MatchResources{}
		defaultMatch(m)
	}
	rules.Rules, rules.Exclude, rules.MatchPolicy = m.ResourceRules, m.ExcludeResourceRules, m.MatchPolicy
	namespace := selector.NewNamespace(n.namespace, stage, selector.New(m.NamespaceSelector, field+".namespaceSelector"), onError)
	if stage == scope.StageMatch {
		namespace.MustExist()
	}
	return []scope.Layer{
		rules.Place(n.rules, stage, onError),
		namespace,
		selector.NewObject(n.object, stage, selector.New(m.ObjectSelector, field+".objectSelector"), onError),
	}
}
