package oracle

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	v1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A sentinel stands at each stop of admission. It is created last, so that the API server acts on everything else when
// it acts on the sentinel, and it sees every request, so that it tells how far a request came.

// SentinelName is the name of all sentinels' configurations, policies and bindings of this moment.
func (o *Oracle) SentinelName() string { return "000-sentinel-" + strconv.Itoa(o.round) }

const probeName = "probe-of-the-sentinel"

var everything = v1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*/*"}}

// store stores the policies and then the sentinels. What the API server refuses is taken out and reported.
func (o *Oracle) store(ctx context.Context, mutating bool, p *Policies, refused *[]Refusal) error {
	bad := map[metav1.Object]bool{}
	for _, object := range p.objects() {
		err := o.create(ctx, object)
		switch {
		case apierrors.IsInvalid(err), apierrors.IsBadRequest(err), apierrors.IsForbidden(err):
			bad[object] = true
			*refused = append(*refused, Refusal{object.GetName(), err.Error()})
		case err != nil:
			return fmt.Errorf("create %s: %w", object.GetName(), err)
		}
	}
	p.drop(bad)
	for _, object := range o.sentinels(mutating).objects() {
		if err := o.create(ctx, object); err != nil {
			return fmt.Errorf("create sentinel: %w", err)
		}
	}
	return nil
}

func (p *Policies) drop(bad map[metav1.Object]bool) {
	p.ValidatingWebhooks = slices.DeleteFunc(p.ValidatingWebhooks, func(o *v1.ValidatingWebhookConfiguration) bool { return bad[o] })
	p.MutatingWebhooks = slices.DeleteFunc(p.MutatingWebhooks, func(o *v1.MutatingWebhookConfiguration) bool { return bad[o] })
	p.ValidatingPolicies = slices.DeleteFunc(p.ValidatingPolicies, func(o *v1.ValidatingAdmissionPolicy) bool { return bad[o] })
	p.ValidatingBindings = slices.DeleteFunc(p.ValidatingBindings, func(o *v1.ValidatingAdmissionPolicyBinding) bool { return bad[o] })
	p.MutatingPolicies = slices.DeleteFunc(p.MutatingPolicies, func(o *v1.MutatingAdmissionPolicy) bool { return bad[o] })
	p.MutatingBindings = slices.DeleteFunc(p.MutatingBindings, func(o *v1.MutatingAdmissionPolicyBinding) bool { return bad[o] })
}

// sentinels makes the sentinels. That of the mutating policies marks the probe only: a mark on other objects would
// change what comes after it.
func (o *Oracle) sentinels(mutating bool) *Policies {
	name := o.SentinelName()
	none, ignore := v1.SideEffectClassNone, v1.Ignore
	all := []v1.RuleWithOperations{{Operations: []v1.OperationType{v1.OperationAll}, Rule: everything}}
	// A selector that asks for something makes a missing namespace an error of the selector, which Ignore drops. Without
	// it the sentinel itself would refuse a request to a missing namespace.
	unusual := metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "sentinel.ambit.invalid", Operator: metav1.LabelSelectorOpDoesNotExist}}}
	named := []v1.NamedRuleWithOperations{{RuleWithOperations: all[0]}}
	p := &Policies{
		MutatingWebhooks: []*v1.MutatingWebhookConfiguration{{Webhooks: []v1.MutatingWebhook{{
			Name: "sentinel.ambit.invalid", Rules: all, SideEffects: &none, FailurePolicy: &ignore, AdmissionReviewVersions: []string{"v1"},
		}}}},
		ValidatingWebhooks: []*v1.ValidatingWebhookConfiguration{{Webhooks: []v1.ValidatingWebhook{{
			Name: "sentinel.ambit.invalid", Rules: all, SideEffects: &none, FailurePolicy: &ignore, AdmissionReviewVersions: []string{"v1"},
		}}}},
		ValidatingPolicies: []*v1.ValidatingAdmissionPolicy{{Spec: v1.ValidatingAdmissionPolicySpec{
			FailurePolicy: &ignore, Validations: AlwaysFails(),
			MatchConstraints: &v1.MatchResources{ResourceRules: named, NamespaceSelector: &unusual},
		}}},
		ValidatingBindings: []*v1.ValidatingAdmissionPolicyBinding{{Spec: v1.ValidatingAdmissionPolicyBindingSpec{
			PolicyName: name, ValidationActions: []v1.ValidationAction{v1.Warn},
		}}},
	}
	if mutating {
		p.MutatingPolicies = []*v1.MutatingAdmissionPolicy{{Spec: v1.MutatingAdmissionPolicySpec{
			FailurePolicy: &ignore, ReinvocationPolicy: v1.NeverReinvocationPolicy, Mutations: Marks(name),
			MatchConstraints: &v1.MatchResources{ResourceRules: []v1.NamedRuleWithOperations{{RuleWithOperations: v1.RuleWithOperations{
				Operations: []v1.OperationType{v1.Create}, Rule: v1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"configmaps"}},
			}}}},
			MatchConditions: []v1.MatchCondition{{Name: "probe", Expression: "object.metadata.name == '" + probeName + "'"}},
		}}}
		p.MutatingBindings = []*v1.MutatingAdmissionPolicyBinding{{Spec: v1.MutatingAdmissionPolicyBindingSpec{PolicyName: name}}}
	}
	for _, object := range p.objects() {
		object.SetName(name)
	}
	o.point(p)
	return p
}

// The API server looks for new policies once a second; when their own refusals hide the sentinels, this is how long
// it may take.
const (
	activeTimeout = 20 * time.Second
	refreshTime   = 2500 * time.Millisecond
)

// waitActive waits until all sentinels see a probe. A probe that is refused by one of the policies themselves does not
// tell about the others, so that the time of a refresh is waited out.
func (o *Oracle) waitActive(ctx context.Context, mutating bool) error {
	body := []byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"` + probeName + `"}}`)
	probe := Call{Method: http.MethodPost, Path: "/api/v1/namespaces/default/configmaps", Query: url.Values{"dryRun": {"All"}}, Body: body}
	for began := time.Now(); ; {
		seen, err := o.Ask(ctx, probe)
		if err != nil {
			return err
		}
		switch {
		case seen.Answer.OK() && seen.Reached(MutatingWebhooks) && seen.Reached(ValidatingPolicies) && seen.Reached(ValidatingWebhooks) &&
			(!mutating || seen.Marked[o.SentinelName()]):
			return nil
		case !seen.Answer.OK() && time.Since(began) > refreshTime:
			return nil
		case time.Since(began) > activeTimeout:
			return fmt.Errorf("the policies did not become active: %s", strings.TrimSpace(seen.Answer.Message()))
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
