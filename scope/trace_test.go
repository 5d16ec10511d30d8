package scope_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
)

// says is a layer with a fixed answer; resource makes it one that reads only the resource.
type says struct {
	name     scope.LayerName
	step     scope.Step
	resource bool
	asked    *int
}

func (l says) Name() scope.LayerName { return l.name }

func (l says) Decide(context.Context, scope.Question) scope.Step {
	if l.asked != nil {
		*l.asked++
	}
	return l.step
}

func (l says) Explain(context.Context, scope.Question, scope.Step) []scope.Reason { return nil }

func (l says) ReadsOnlyResource() bool { return l.resource }

func match(name scope.LayerName, stage scope.Stage) says {
	return says{name: name, step: scope.Step{Outcome: scope.Match, Stage: stage}}
}

func no(name scope.LayerName, stage scope.Stage) says {
	return says{name: name, step: scope.Step{Outcome: scope.NoMatch, Stage: stage}}
}

func fails(name scope.LayerName, stage scope.Stage, effect scope.Effect) says {
	return says{name: name, step: scope.Step{Outcome: scope.Failed, Stage: stage, OnError: effect, Err: errors.New("broken")}}
}

func open(name scope.LayerName, stage scope.Stage) says {
	return says{name: name, step: scope.Step{Outcome: scope.Open, Stage: stage, Missing: []scope.Missing{{Path: string(name), Fact: "something"}}}}
}

func policyOf(layers ...scope.Layer) *scope.Policy {
	return &scope.Policy{
		Kind: "Test", Name: "test", Phase: scope.ValidatingPolicies, Layers: layers,
		WhenIncluded: func(*scope.Request) scope.Effect { return scope.Evaluated }, WhenExcluded: scope.NotEvaluated,
	}
}

func requestFor(resource string) *scope.Request {
	return &scope.Request{Operation: admission.Create, Kind: schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, Resource: schema.GroupVersionResource{Version: "v1", Resource: resource}}
}

// TestPrecedence holds the combination of steps to the API server's order: within a stage
// a plain "no" beats an error, an earlier stage's error beats a later "no", and what is
// not known leaves the outcome open unless some "no" settles it.
func TestPrecedence(t *testing.T) {
	const (
		rules, namespace, object       = scope.ResourceRules, scope.NamespaceSelector, scope.ObjectSelector
		bound, params, conditions      = scope.BindingNamespaceSelector, scope.Params, scope.MatchConditions
		first, configured, later, last = scope.StageMatch, scope.StageConfigured, scope.StageBinding, scope.StageConditions
	)
	tests := []struct {
		name    string
		layers  []scope.Layer
		outcome scope.Outcome
		decided scope.LayerName
		effect  scope.Effect
	}{
		{"all match", []scope.Layer{match(rules, first), match(conditions, last)}, scope.Included, "", scope.Evaluated},
		{"the first no decides", []scope.Layer{match(rules, first), no(namespace, first), no(object, first)}, scope.Excluded, namespace, scope.NotEvaluated},
		{"no beats an error of its stage", []scope.Layer{match(rules, first), fails(namespace, first, scope.Rejected), no(object, first)}, scope.Excluded, object, scope.NotEvaluated},
		{"an error beats a later no", []scope.Layer{match(rules, first), fails(namespace, first, scope.Rejected), no(bound, later), no(conditions, last)}, scope.Error, namespace, scope.Rejected},
		{"an unknown parameter kind beats a binding that does not match", []scope.Layer{match(rules, first), no(bound, later), fails(params, configured, scope.Rejected)}, scope.Error, params, scope.Rejected},
		{"an error under Ignore", []scope.Layer{match(rules, first), fails(conditions, last, scope.Skipped)}, scope.Error, conditions, scope.Skipped},
		{"open", []scope.Layer{match(rules, first), open(namespace, first)}, scope.Unknown, namespace, scope.NoEffect},
		{"no settles what is open before it", []scope.Layer{open(namespace, first), no(object, first)}, scope.Excluded, object, scope.NotEvaluated},
		{"a later no settles what is open", []scope.Layer{open(namespace, first), no(conditions, last)}, scope.Excluded, conditions, scope.NotEvaluated},
		{"open and error in one stage", []scope.Layer{open(namespace, first), fails(object, first, scope.Rejected), no(conditions, last)}, scope.Unknown, namespace, scope.NoEffect},
		{"open before an error", []scope.Layer{open(namespace, first), fails(conditions, last, scope.Rejected)}, scope.Unknown, namespace, scope.NoEffect},
		{"an error before what is open", []scope.Layer{fails(namespace, first, scope.Rejected), open(conditions, last)}, scope.Error, namespace, scope.Rejected},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			traces, err := scope.NewSet([]*scope.Policy{policyOf(tt.layers...)}).Explain(t.Context(), requestFor("pods"), &scope.Facts{})
			if err != nil {
				t.Fatal(err)
			}
			got := traces[0]
			if got.Outcome != tt.outcome || got.DecidedBy != tt.decided || got.Effect != tt.effect {
				t.Errorf("%s by %q (%s), want %s by %q (%s)", got.Outcome, got.DecidedBy, got.Effect, tt.outcome, tt.decided, tt.effect)
			}
			for i, step := range got.Steps(t.Context()) {
				if step.Outcome == "" {
					t.Errorf("layer %d was not asked", i)
				}
			}
			if tt.outcome == scope.Unknown && len(got.Missing()) == 0 {
				t.Error("unknown, and no fact is missing")
			}
		})
	}
}

// TestSetRemembersResources asks about one resource twice: the layers that read nothing
// else are asked once, and a policy they exclude is not looked at further.
func TestSetRemembersResources(t *testing.T) {
	var rulesAsked, selectorAsked int
	rules := no(scope.ResourceRules, scope.StageMatch)
	rules.resource, rules.asked = true, &rulesAsked
	selector := match(scope.ObjectSelector, scope.StageMatch)
	selector.asked = &selectorAsked
	set := scope.NewSet([]*scope.Policy{policyOf(rules, selector)})
	facts := &scope.Facts{}
	for range 3 {
		traces, err := set.Explain(t.Context(), requestFor("pods"), facts)
		if err != nil || traces[0].Outcome != scope.Excluded || traces[0].DecidedBy != scope.ResourceRules {
			t.Fatalf("%+v, %v", traces[0], err)
		}
	}
	if rulesAsked != 1 || selectorAsked != 0 {
		t.Errorf("rules asked %d times, want once; selector %d times, want never", rulesAsked, selectorAsked)
	}
	if _, err := set.Explain(t.Context(), requestFor("services"), facts); err != nil || rulesAsked != 2 {
		t.Errorf("another resource is another question: asked %d times, %v", rulesAsked, err)
	}
}

// TestSetServesMany asks from many goroutines at once; the race detector is the judge.
func TestSetServesMany(t *testing.T) {
	rules := match(scope.ResourceRules, scope.StageMatch)
	rules.resource = true
	far := no(scope.ResourceRules, scope.StageMatch)
	far.resource = true
	set := scope.NewSet([]*scope.Policy{policyOf(rules, match(scope.MatchConditions, scope.StageConditions)), policyOf(far, match(scope.ObjectSelector, scope.StageMatch))})
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			traces, err := set.Explain(t.Context(), requestFor("pods"), &scope.Facts{})
			if err != nil {
				t.Error(err)
				return
			}
			for _, trace := range traces {
				trace.Steps(t.Context())
			}
		})
	}
	all.Wait()
}

// TestExplainStops gives up when nobody waits for the answer any more.
func TestExplainStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := scope.NewSet([]*scope.Policy{policyOf()}).Explain(ctx, requestFor("pods"), &scope.Facts{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context canceled", err)
	}
}
