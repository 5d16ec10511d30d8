package hazard_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/condition"
	"github.com/ambit-k8s/ambit/scope/hazard"
)

// forNothing are the rules whose fix must leave every verdict as it is.
var forNothing = []string{
	"matched-for-nothing", "evaluated-for-nothing", "condition-always-true", "called-twice", "redundant-rule",
}

// What is done for nothing can be taken out: every request then has the verdict that it had
// before, decided by the API server's own programs over whole requests.
func TestNothingChanges(t *testing.T) {
	changed := map[string]int{}
	for name, text := range forNothingClusters(t) {
		parts := map[string]string{"cluster.yaml": text}
		after := newEditable(t, text)
		for _, f := range atTheEndFirst(findIn(t, parts)) {
			if slices.Contains(forNothing, f.Rule) && after.apply(t, f) {
				changed[f.Rule]++
			}
		}
		one, other := load(t, parts), load(t, map[string]string{"cluster.yaml": after.text(t)})
		for _, r := range requests() {
			if diff := cmp.Diff(verdict(t, one, r), verdict(t, other, r)); diff != "" {
				t.Errorf("%s: %s %s/%s %s changes (-before +after):\n%s",
					name, r.Operation, r.Resource, r.Subresource, r.Name, diff)
			}
		}
	}
	t.Logf("changes by rule: %v", changed)
	for _, rule := range forNothing {
		if changed[rule] == 0 {
			t.Errorf("no fix of %s was tried", rule)
		}
	}
}

// forNothingClusters are the fixtures of these rules, and clusters of generated policies.
func forNothingClusters(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, rule := range forNothing {
		all[rule] = read(t, "testdata/"+rule+".txtar")["cluster.yaml"]
	}
	for seed := range uint64(3) {
		g := generator{rand.New(rand.NewPCG(seed, 1))}
		all["generated "+string(rune('a'+seed))] = string(bytes.Join(g.policies(t, 40), []byte("---\n")))
	}
	return all
}

// atTheEndFirst sorts findings so that taking out what one is about leaves the places of the
// others as they are.
func atTheEndFirst(findings []hazard.Finding) []hazard.Finding {
	slices.SortStableFunc(findings, func(a, b hazard.Finding) int {
		return slices.Compare(stepsOf(b.Field), stepsOf(a.Field))
	})
	return findings
}

// verdict is what becomes of a request: which addresses are called, which policies refuse it.
func verdict(t *testing.T, s *cluster.Snapshot, r *scope.Request) []string {
	t.Helper()
	traces, err := s.Policies.Explain(context.Background(), r, s.Facts)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, trace := range traces {
		p := trace.Policy
		switch policy, ok := p.Source.(*v1.ValidatingAdmissionPolicy); {
		case trace.Outcome == scope.Excluded:
		case ok && trace.Outcome == scope.Included:
			as := scope.Matched{Resource: r.Resource, Kind: r.Kind}
			q := scope.Question{Input: scope.NewInput(r, s.Facts, p.Phase), Matched: as}
			if said := validate(policy, q); said != "" {
				all = append(all, p.ID()+" "+said)
			}
		default:
			all = append(all, addressOf(p)+" "+string(trace.Outcome)+" "+string(trace.Effect))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// addressOf is where a webhook is called, and the name of any other policy.
func addressOf(p *scope.Policy) string {
	if c, ok := p.Source.(*v1.ValidatingWebhookConfiguration); ok {
		for _, w := range c.Webhooks {
			if w.Name == p.Entry {
				return p.Kind + " " + w.ClientConfig.String()
			}
		}
	}
	return p.ID()
}

// validations has one compiler for all that is validated.
var validations = condition.NewCompiler()

// validate asks the validations of a policy: the first that is not true says what it is.
func validate(policy *v1.ValidatingAdmissionPolicy, q scope.Question) string {
	for _, x := range policy.Spec.Validations {
		c := validations.Compile([]v1.MatchCondition{{Name: "validation", Expression: x.Expression}}, "", false)
		if step := c.Decide(context.Background(), q); step.Outcome != scope.Match {
			return string(step.Outcome)
		}
	}
	return ""
}
