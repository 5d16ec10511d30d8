package selector

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/namespace"

	"github.com/ambit-k8s/ambit/scope"
)

// Namespace is the layer that reads the labels of the Namespace of a request, or the
// Namespace object's own when the request writes one.
type Namespace struct {
	Selector *Selector

	name      scope.LayerName
	stage     scope.Stage
	onError   scope.Effect
	mustExist bool
}

// NewNamespace makes the layer. A selector error has onError for effect.
func NewNamespace(name scope.LayerName, stage scope.Stage, s *Selector, onError scope.Effect) *Namespace {
	return &Namespace{Selector: s, name: name, stage: stage, onError: onError}
}

// MustExist makes the layer fail hard on a namespace that does not exist, also where the
// selector asks for nothing: the API server reads the Namespace before it evaluates an
// admission policy (plugin/policy/validating/dispatcher.go, Dispatch).
func (l *Namespace) MustExist() { l.mustExist = true }

// Name implements scope.Layer.
func (l *Namespace) Name() scope.LayerName { return l.name }

// Decide implements scope.Layer. It asks the API server's matcher whenever the labels
// that the matcher would read are known.
func (l *Namespace) Decide(_ context.Context, q scope.Question) scope.Step {
	if l.Selector.err == nil && !l.Selector.Empty() {
		if set, open := l.observe(q); open.any() {
			return l.decideOpen(set, open)
		}
	}
	matcher := namespace.Matcher{NamespaceLister: lister{q.Input}, Client: noLiveRead{}}
	ok, status := matcher.MatchNamespaceSelector(l, q.Attributes)
	switch {
	case status != nil:
		return scope.Step{Outcome: scope.Failed, Stage: l.stage, Err: status, OnError: l.onError}
	case !ok:
		return scope.Step{Outcome: scope.NoMatch, Stage: l.stage}
	case l.mustExist && q.Request.Namespace != "" && q.Request.Kind != namespaceKind:
		if _, presence := q.Namespace(); presence == scope.Absent {
			return scope.Step{Outcome: scope.Failed, Stage: scope.StageNamespace, Err: notFound(q.Request.Namespace), OnError: scope.Rejected}
		}
	}
	return scope.Step{Outcome: scope.Match, Stage: l.stage}
}

var namespaceKind = corev1.SchemeGroupVersion.WithKind("Namespace")

// decideOpen decides with the labels that are known. One requirement that these fail is
// enough to exclude; what depends on the others stays open.
func (l *Namespace) decideOpen(set labels.Set, open openLabels) scope.Step {
	outcome, missing := l.Selector.decideOpen(set, open)
	return scope.Step{Outcome: outcome, Stage: l.stage, Missing: missing}
}

// labelsOfUnknown is what is known of the labels of a namespace that nobody described:
// the one that the API server gives every namespace.
func labelsOfUnknown(name string) (labels.Set, openLabels) {
	return labels.Set{corev1.LabelMetadataName: name}, openLabels{
		all:    &scope.Missing{Path: "namespace/" + name, Fact: fmt.Sprintf("the labels of namespace %s", name)},
		except: corev1.LabelMetadataName,
	}
}

// Explain implements scope.Layer.
func (l *Namespace) Explain(_ context.Context, q scope.Question, step scope.Step) []scope.Reason {
	if step.Outcome == scope.Failed {
		return []scope.Reason{{Field: l.Selector.Field, Got: "no namespace " + q.Request.Namespace, Path: "namespace/" + q.Request.Namespace, Outcome: scope.Failed, Message: step.Err.Error()}}
	}
	if !readsNamespace(q.Attributes) && !writesNamespace(q.Attributes) {
		return []scope.Reason{{Field: l.Selector.Field, Outcome: scope.Match, Message: "A request without a namespace passes every namespaceSelector."}}
	}
	if l.Selector.Empty() {
		return []scope.Reason{{Field: l.Selector.Field, Outcome: scope.Match, Message: "The selector is empty, so every namespace passes."}}
	}
	set, open := l.observe(q)
	return l.Selector.reasons(set, open, func(key string) string {
		if writesNamespace(q.Attributes) {
			return "object.metadata.labels" + index(key)
		}
		return "namespace/" + q.Request.Namespace
	})
}

// observe returns the labels that the matcher reads, and what of them is open.
func (l *Namespace) observe(q scope.Question) (labels.Set, openLabels) {
	switch {
	case writesNamespace(q.Attributes):
		return objectLabels(q.Attributes.GetObject()), openLabelsOf(q, "object")
	case q.Request.Namespace == "":
		return nil, openLabels{}
	}
	ns, presence := q.Namespace()
	switch presence {
	case scope.Present:
		return ns.Labels, openLabels{}
	case scope.Absent:
		return nil, openLabels{}
	}
	return labelsOfUnknown(q.Request.Namespace)
}

// ReadsOnlyResource reports whether nothing is read at all.
func (l *Namespace) ReadsOnlyResource() bool { return l.Selector.Empty() && !l.mustExist }

// GetParsedNamespaceSelector is what the API server's matcher asks for.
func (l *Namespace) GetParsedNamespaceSelector() (labels.Selector, error) {
	return l.Selector.parsed, l.Selector.err
}

// readsNamespace reports whether the labels come from the stored Namespace object, and
// writesNamespace whether they come from the object of the request
// (predicates/namespace/matcher.go, GetNamespaceLabels). A foreign resource that is
// called namespaces counts: the matcher compares the plural only.
func readsNamespace(a admission.Attributes) bool {
	return !writesNamespace(a) && (a.GetNamespace() != "" || a.GetResource().Resource == "namespaces")
}

func writesNamespace(a admission.Attributes) bool {
	return a.GetResource().Resource == "namespaces" && a.GetSubresource() == "" &&
		(a.GetOperation() == admission.Create || a.GetOperation() == admission.Update)
}

func notFound(name string) error {
	return apierrors.NewNotFound(corev1.Resource("namespaces"), name)
}
