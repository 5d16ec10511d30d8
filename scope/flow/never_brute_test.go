package flow

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apiserver/pkg/util/flowcontrol"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/flow/upstream"
)

// falls says by the API server's own matcher whether a schema, or the part of one, gets a
// request if the schemas before it may take it.
type falls map[string]bool

// tried asks what becomes of each request. Schemas of which it is not known whether they
// exist are taken to do so or not, as present says; the others behind them are asked too.
func tried(o *Order, requests []flowcontrol.RequestDigest, present func(*Schema) bool) falls {
	got := falls{}
	pending := map[*Schema]map[string]*flowcontrolv1.FlowSchema{}
	for _, s := range o.Schemas {
		pending[s] = partsOf(s.FlowSchema)
	}
	for _, d := range requests {
		for _, s := range o.Schemas {
			exists := present(s)
			if !exists && got[s.Name] || !upstream.Matches(d, s.FlowSchema) {
				continue
			}
			got[s.Name] = true
			if !exists {
				continue
			}
			for path, part := range pending[s] {
				if upstream.Matches(d, part) {
					got[s.Name+" "+path] = true
					delete(pending[s], path)
				}
			}
			break
		}
	}
	return got
}

// partsOf cuts a schema into schemas of one rule, of one rule with one subject, and of one
// rule with one resourceRule or nonResourceRule.
func partsOf(s *flowcontrolv1.FlowSchema) map[string]*flowcontrolv1.FlowSchema {
	all := map[string]*flowcontrolv1.FlowSchema{}
	add := func(path string, rule flowcontrolv1.PolicyRulesWithSubjects) {
		all[path] = &flowcontrolv1.FlowSchema{Spec: flowcontrolv1.FlowSchemaSpec{Rules: []flowcontrolv1.PolicyRulesWithSubjects{rule}}}
	}
	for i, rule := range s.Spec.Rules {
		path := fmt.Sprintf("spec.rules[%d]", i)
		add(path, rule)
		for j := range rule.Subjects {
			one := rule
			one.Subjects = rule.Subjects[j : j+1]
			add(fmt.Sprintf("%s.subjects[%d]", path, j), one)
		}
		for k := range rule.ResourceRules {
			one := rule
			one.ResourceRules, one.NonResourceRules = rule.ResourceRules[k:k+1], nil
			add(fmt.Sprintf("%s.resourceRules[%d]", path, k), one)
		}
		for k := range rule.NonResourceRules {
			one := rule
			one.NonResourceRules, one.ResourceRules = rule.NonResourceRules[k:k+1], nil
			add(fmt.Sprintf("%s.nonResourceRules[%d]", path, k), one)
		}
	}
	return all
}

// said reports whether a finding of an extent stands at a path.
func said(all []Never, extent Extent, path string) bool {
	return slices.ContainsFunc(all, func(n Never) bool {
		return n.Extent == extent && len(n.Open) == 0 && (n.Fields[0] == path || strings.HasPrefix(n.Fields[0], path+"."))
	})
}

// TestNeverAgainstEveryRequest tries every request, and asks the API server's own matcher
// what becomes of it. What is said never to get one must get none, and what gets none must
// be said so: of schemas, and within those that are reached, of rules and their parts.
func TestNeverAgainstEveryRequest(t *testing.T) {
	const orders = 3_000
	g := dense{rand.New(rand.NewPCG(11, 37))}
	requests := everyRequest()
	never, together, parts := 0, 0, 0
	for range orders {
		o := g.order(false)
		got := tried(o, requests, func(s *Schema) bool { return !s.Dangling() })
		for _, reach := range o.Reaches() {
			s := reach.Schema
			if s.isFallback() {
				continue
			}
			whole := slices.IndexFunc(reach.Never, func(n Never) bool { return n.Whole() })
			if gets := got[s.Name] && !s.Dangling(); gets == (whole >= 0) {
				t.Fatalf("%s gets a request: %v, and we say %v\n%s", s.Name, gets, reach.Never, written(o))
			} else if gets {
				checkWitness(t, o, &reach)
				parts += checkParts(t, o, &reach, got)
				continue
			}
			if never++; reach.Never[whole].Cause == CauseShadowed && reach.Never[whole].By == nil {
				together++
			}
		}
	}
	if never < orders/2 || together < orders/10 || parts < orders/4 {
		t.Errorf("%d schemas get nothing, of which %d are taken by several together, and %d parts: too few to be a test", never, together, parts)
	}
}

func checkWitness(t *testing.T, o *Order, reach *Reach) {
	t.Helper()
	if reach.Witness == nil || reach.Witness.bypasses() {
		t.Fatalf("%s gets requests, and %v is to show it\n%s", reach.Schema.Name, reach.Witness, written(o))
	}
	if got := o.firstUpstream(reach.Witness); got != reach.Schema.Name {
		t.Fatalf("%+v falls in %s, and is to show that %s is reached\n%s", *reach.Witness, got, reach.Schema.Name, written(o))
	}
}

// checkParts compares what is said of the rules of a schema that is reached, and of the
// parts of the rules that are. It counts those that get nothing.
func checkParts(t *testing.T, o *Order, reach *Reach, got falls) int {
	t.Helper()
	s, nothing := reach.Schema, 0
	for path := range partsOf(s.FlowSchema) {
		rule := path[:strings.Index(path, "]")+1]
		extent := RulePart
		if rule == path {
			extent = WholeRule
		} else if !got[s.Name+" "+rule] {
			continue
		}
		gets := got[s.Name+" "+path]
		if says := said(reach.Never, extent, path); gets == says {
			t.Fatalf("%s of %s gets a request: %v, and we say %v\n%s", path, s.Name, gets, reach.Never, written(o))
		}
		if !gets {
			nothing++
		}
	}
	return nothing
}

// TestNeverWhereLevelsAreNotKnown does the same for schemas of which it is not known
// whether their priority level exists. What is said for sure holds even if they take
// nothing; what is open holds only if they do.
func TestNeverWhereLevelsAreNotKnown(t *testing.T) {
	g := dense{rand.New(rand.NewPCG(5, 51))}
	requests := everyRequest()
	sure, open := 0, 0
	for range 500 {
		o := g.order(true)
		least := tried(o, requests, func(s *Schema) bool { return s.HasLevel == scope.Present })
		most := tried(o, requests, func(*Schema) bool { return true })
		for _, reach := range o.Reaches() {
			s := reach.Schema
			if s.isFallback() {
				continue
			}
			got := ""
			for _, n := range reach.Never {
				if n.Extent == WholeSchema && n.Cause != CauseDangling {
					got = fmt.Sprint("never, open: ", len(n.Open) > 0)
				}
			}
			want := ""
			switch {
			case !least[s.Name]:
				want, sure = "never, open: false", sure+1
			case !most[s.Name]:
				want, open = "never, open: true", open+1
			}
			if got != want {
				t.Fatalf("%s: want %q, got %q from %v\n%s", s.Name, want, got, reach.Never, written(o))
			}
		}
	}
	if sure < 200 || open < 30 {
		t.Errorf("%d for sure and %d open are too few to be a test", sure, open)
	}
}

func written(o *Order) string {
	var b strings.Builder
	for _, s := range o.Schemas {
		fmt.Fprintf(&b, "%s at %d, level %v\n", s.Name, s.Spec.MatchingPrecedence, s.HasLevel)
		for _, rule := range s.Spec.Rules {
			fmt.Fprintf(&b, "  from %s\n", subjectsWords(rule.Subjects))
			for _, r := range rule.ResourceRules {
				fmt.Fprintf(&b, "    %q %q %q %q %v\n", r.Verbs, r.APIGroups, r.Resources, r.Namespaces, r.ClusterScope)
			}
			for _, r := range rule.NonResourceRules {
				fmt.Fprintf(&b, "    %q %q\n", r.Verbs, r.NonResourceURLs)
			}
		}
	}
	return b.String()
}
