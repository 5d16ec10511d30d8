package webhooks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/autogen"
)

func (b *builder) add(f Finding) { b.findings = append(b.findings, f) }

// sorted has the findings the worst first, each once: several webhooks may give rise to the same.
func (b *builder) sorted() []Finding {
	rank := []Severity{Error, Warning, Info}
	slices.SortStableFunc(b.findings, func(x, y Finding) int {
		severity := cmp.Compare(slices.Index(rank, x.Severity), slices.Index(rank, y.Severity))
		return cmp.Or(severity, cmp.Compare(x.Kind, y.Kind))
	})
	return slices.CompactFunc(b.findings, func(x, y Finding) bool {
		return x.Kind == y.Kind && x.Message == y.Message && x.Entry == y.Entry && slices.Equal(x.Policies, y.Policies)
	})
}

// diagnose says what follows from the policies and their webhooks together.
func (b *builder) diagnose() {
	for _, p := range b.policies {
		if p.Admits() && !(replaceable(p.PolicyKind()) && p.Status.Generated) {
			b.silence(p)
			b.notOffloaded(p)
		}
		b.mayBeReplaced(p)
	}
	for _, o := range b.orders {
		b.silenced(o)
	}
	b.splits()
	b.sharedPaths()
	b.filtered()
}

// crashes says that the controller follows a nil pointer, which ends its process.
func (b *builder) crashes(c call, policies []Ref, entry, cause string) {
	name := ValidatingName
	if c.mutating {
		name = MutatingName
	}
	b.add(Finding{
		Kind: "crashes-controller", Severity: Error, Policies: policies, Entry: entry,
		Message: cause + " Kyverno's controller crashes on that, and " + name + " stays as it was.",
		Why: "Kyverno sorts and derives rules without asking whether a pointer in them is nil (kyverno #17132). It " +
			"starts again and crashes again, and no change of any policy reaches the cluster's webhooks.",
		Fix: "Write the scope (\"*\" is the default) and the operations in all rules.",
	})
}

func (b *builder) unsureControllers(p *api.Policy, names []string) {
	b.add(Finding{
		Kind: "controller-by-name", Severity: Info, Policies: []Ref{RefOf(p)},
		Message: fmt.Sprintf("Whether the policy is extended to %s depends on what the running Kyverno has looked up "+
			"before.", strings.Join(names, ", ")),
		Why: "A controller without version and group is looked up among the API groups that Kyverno happens to know " +
			"already.",
		Fix: "Write resource.version.group, such as jobsets.v1alpha2.jobset.x-k8s.io.",
	})
}

// missingControllers is about a kind whose webhooks lack the rules for controllers that its engine has.
func (b *builder) missingControllers(c call, p *api.Policy, derived []autogen.Derived) {
	var names []string
	for _, d := range derived {
		for _, t := range d.Targets {
			names = append(names, t.Resource)
		}
	}
	b.add(Finding{
		Kind: "controllers-not-called", Severity: Warning, Policies: []Ref{RefOf(p)},
		Message: fmt.Sprintf("Kyverno would evaluate the policy for %s, but its webhook asks for Pods alone.",
			strings.Join(names, ", ")),
		Why: fmt.Sprintf("Kyverno %s leaves the rules for controllers out of this webhook of a %s (kyverno #17260).",
			b.in.Release, c.kind),
		Fix: "Name the controllers in a policy of their own. Pods that they make are still asked about.",
	})
}

// mayBeReplaced is about a policy that Kyverno turns into one of the API server's own, which a manifest without status
// does not tell.
func (b *builder) mayBeReplaced(p *api.Policy) {
	a := p.Spec.Autogen
	if p.PolicyKind() != api.ValidatingPolicy || a == nil || !a.ValidatingAdmissionPolicy.On(false) || p.Status.Generated {
		return
	}
	if p.Written == nil || p.Written.Object["status"] != nil {
		return
	}
	b.add(Finding{
		Kind: "may-be-replaced", Severity: Info, Policies: []Ref{RefOf(p)},
		Message: "Kyverno will probably write a ValidatingAdmissionPolicy in its place and serve it by no webhook; " +
			"without its status that is not known.",
		Why: "autogen.validatingAdmissionPolicy asks for it, and Kyverno does it unless the policy is extended to " +
			"controllers or has exceptions that it cannot express.",
		Fix: "Ask a cluster, or take the policy with its status.",
	})
}
