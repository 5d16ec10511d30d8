package webhooks

import (
	"cmp"
	"maps"
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// What an installation that does not change it is called (pkg/config/config.go).
const (
	namespace = "kyverno"
	service   = "kyverno-svc"
	port      = 443
)

// The conditions that --excludeBootstrapResources adds (bootstrap_exclusion.go).
const (
	bootstrapName       = "kyverno-exclude-bootstrap-resources"
	bootstrapExpression = `!(request.resource.group == "" && request.resource.resource == "nodes") && ` +
		`!(request.resource.group == "certificates.k8s.io" && request.resource.resource == "certificatesigningrequests")`
)

// finish sorts the entries as the configurations have them and adds what is added to all.
func (b *builder) finish() {
	slices.SortStableFunc(b.entries, func(x, y *Entry) int {
		switch {
		case x.Mutating == y.Mutating && b.in.Flags.NoAutoUpdateWebhooks:
			return 0 // Those for everything stand as they were made.
		case x.Mutating == y.Mutating:
			return cmp.Compare(x.Name, y.Name)
		case x.Mutating:
			return 1
		}
		return -1
	})
	if !b.in.Flags.ExcludeBootstrapResources || !b.in.Release.Grouped() {
		return
	}
	bootstrap := v1.MatchCondition{Name: bootstrapName, Expression: bootstrapExpression}
	named := func(c v1.MatchCondition) bool { return c.Name == bootstrapName }
	for _, e := range b.entries {
		if e.FailurePolicy == v1.Fail && !slices.ContainsFunc(e.Conditions, named) {
			e.Conditions = append(slices.Clip(e.Conditions), bootstrap)
		}
	}
}

// configurations writes the two configurations. They have no caBundle, which is not known, and no owner, which is the
// ClusterRole that the admission controller finds (controller.go, buildOwner).
func (b *builder) configurations() (*v1.ValidatingWebhookConfiguration, *v1.MutatingWebhookConfiguration) {
	validating := &v1.ValidatingWebhookConfiguration{
		TypeMeta:   metav1.TypeMeta{APIVersion: v1.SchemeGroupVersion.String(), Kind: "ValidatingWebhookConfiguration"},
		ObjectMeta: b.meta(ValidatingName), Webhooks: []v1.ValidatingWebhook{},
	}
	mutating := &v1.MutatingWebhookConfiguration{
		TypeMeta:   metav1.TypeMeta{APIVersion: v1.SchemeGroupVersion.String(), Kind: "MutatingWebhookConfiguration"},
		ObjectMeta: b.meta(MutatingName), Webhooks: []v1.MutatingWebhook{},
	}
	for _, e := range b.entries {
		if e.Mutating {
			mutating.Webhooks = append(mutating.Webhooks, b.mutating(e))
		} else {
			validating.Webhooks = append(validating.Webhooks, b.validating(e))
		}
	}
	return validating, mutating
}

func (b *builder) meta(name string) metav1.ObjectMeta {
	labels := map[string]string{}
	maps.Copy(labels, b.config.WebhookLabels)
	labels["webhook.kyverno.io/managed-by"] = "kyverno"
	return metav1.ObjectMeta{Name: name, Labels: labels, Annotations: b.config.WebhookAnnotations}
}

func (b *builder) client(e *Entry) v1.WebhookClientConfig {
	path, port := e.Path, int32(port)
	return v1.WebhookClientConfig{Service: &v1.ServiceReference{
		Namespace: cmp.Or(b.config.Namespace, namespace), Name: service, Path: &path, Port: &port,
	}}
}

func (b *builder) validating(e *Entry) v1.ValidatingWebhook {
	failurePolicy, sideEffects := e.FailurePolicy, e.SideEffects
	return v1.ValidatingWebhook{
		Name: e.Name, ClientConfig: b.client(e), Rules: e.Rules, FailurePolicy: &failurePolicy, MatchPolicy: e.MatchPolicy,
		NamespaceSelector: e.NamespaceSelector, ObjectSelector: e.ObjectSelector, SideEffects: &sideEffects,
		TimeoutSeconds: e.TimeoutSeconds, AdmissionReviewVersions: []string{"v1"}, MatchConditions: e.Conditions,
	}
}

func (b *builder) mutating(e *Entry) v1.MutatingWebhook {
	w := b.validating(e)
	return v1.MutatingWebhook{
		Name: w.Name, ClientConfig: w.ClientConfig, Rules: w.Rules, FailurePolicy: w.FailurePolicy,
		MatchPolicy: w.MatchPolicy, NamespaceSelector: w.NamespaceSelector, ObjectSelector: w.ObjectSelector,
		SideEffects: w.SideEffects, TimeoutSeconds: w.TimeoutSeconds, MatchConditions: w.MatchConditions,
		AdmissionReviewVersions: w.AdmissionReviewVersions, ReinvocationPolicy: e.Reinvocation,
	}
}
