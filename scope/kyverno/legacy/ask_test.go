package legacy_test

import (
	"context"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/legacy"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/scope/request"
)

// namespaces are those that exist, by their labels.
type namespaces map[string]map[string]string

// Namespace implements scope.Namespaces.
func (n namespaces) Namespace(name string) (*corev1.Namespace, scope.Presence) {
	labels, ok := n[name]
	if !ok {
		return nil, scope.Absent
	}
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}, scope.Present
}

// asked is a request in the making: what is written of it, and what is known beside it.
type asked struct {
	object      string
	operation   string
	subresource string
	namespace   string
	user        *authenticationv1.UserInfo
	dryRun      bool
	mutating    bool
	namespaces  scope.Namespaces
}

// question derives the request and meets it as the policy's own webhook would.
func (a asked) question(t *testing.T) scope.Question {
	t.Helper()
	known := &scope.Facts{Resources: served, Namespaces: a.namespaces}
	documents, problems := manifest.Read("request", []byte(yaml+a.object), 0)
	ask := request.Ask{Operation: a.operation, Subresource: a.subresource, Namespace: a.namespace, User: a.user}
	if a.operation == "" {
		ask.Operation = "CREATE"
	}
	if len(documents) == 2 {
		ask.OldObject, documents = &documents[1], documents[:1]
	}
	derived, more := request.Derive(documents, ask, known)
	if derived == nil {
		t.Fatalf("no request: %v %v", problems, more)
	}
	derived.Request.DryRun = a.dryRun
	phase := scope.ValidatingWebhooks
	if a.mutating {
		phase = scope.MutatingWebhooks
	}
	in := scope.NewInput(derived.Request, known, phase)
	return scope.Question{Input: in, Matched: scope.Matched{Resource: derived.Request.Resource, Kind: derived.Request.Kind}}
}

// policy decodes a policy.
func policy(t *testing.T, text string) *api.Legacy {
	t.Helper()
	p, err := api.DecodeLegacy(object(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// yaml tells the reader of manifests that a document in braces is no JSON.
const yaml = "---\n"

// rule is a ClusterPolicy with one validating rule that has match and exclude blocks. It has a webhook of its own, so
// that Kyverno does not look it up by its kinds.
func rule(t *testing.T, blocks string) *api.Legacy {
	t.Helper()
	return policy(t, `{apiVersion: kyverno.io/v1, kind: ClusterPolicy, metadata: {name: p}, spec: {
		webhookConfiguration: {matchConditions: [{name: always, expression: "true"}]}, rules: [{name: r, validate: {pattern: {}}, `+blocks+`}]}}`)
}

// steps asks all layers of a policy.
func steps(t *testing.T, p *api.Legacy, q scope.Question, exceptions ...*api.LegacyException) []scope.Step {
	t.Helper()
	var all []scope.Step
	accepted := func(namespace string) scope.StepOutcome {
		if namespace == "elsewhere" {
			return scope.NoMatch
		}
		return scope.Match
	}
	engine := legacy.Engine{Release: release.Default, Exceptions: legacy.Exceptions{All: exceptions, Accepted: accepted}, Stage: scope.StageEngine}
	for _, layer := range legacy.Layers(p, engine) {
		step := layer.Decide(context.Background(), q)
		tells(t, p, q.Request, layer, q, step)
		all = append(all, step)
	}
	return all
}

// words are the outcomes of steps.
func words(steps []scope.Step) string {
	said := ""
	for i, s := range steps {
		if i > 0 {
			said += " "
		}
		said += string(s.Outcome)
	}
	return said
}
