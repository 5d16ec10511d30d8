package rule

import (
	"math/rand/v2"
	"testing"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
)

// The words that rules are made of in these tests, and those that requests are made of:
// the literals and one word that no rule has.
var (
	ruleGroups      = []string{"*", "", "apps"}
	ruleVersions    = []string{"*", "v1", "v2"}
	ruleResources   = []string{"*", "*/*", "pods", "pods/", "pods/*", "pods/exec", "*/scale", "*/exec", "namespaces", "namespaces/*", "*/"}
	ruleOperations  = []v1.OperationType{"*", v1.Create, v1.Delete, v1.Connect, v1.Update, "create"}
	ruleNames       = []string{"a", "b"}
	ruleScopes      = []v1.ScopeType{v1.AllScopes, v1.NamespacedScope, v1.ClusterScope, "Other"}
	requestNames    = []string{"a", "b", "c"}
	requestSubs     = []string{"", "exec", "scale", "unheard"}
	requestPlurals  = []string{"pods", "namespaces", "unheard"}
	requestVersions = []string{"v1", "v2", "v3"}
	requestGroups   = []string{"", "apps", "unheard"}
)

// everyRequest is every request of a universe in which the rules can differ.
func everyRequest() []admission.Attributes {
	var all []admission.Attributes
	for _, group := range requestGroups {
		for _, version := range requestVersions {
			for _, resource := range requestPlurals {
				gvr := schema.GroupVersionResource{Group: group, Version: version, Resource: resource}
				for _, sub := range requestSubs {
					for _, operation := range everyOperation {
						for _, name := range requestNames {
							for _, namespace := range []string{"", "somewhere"} {
								all = append(all, admission.NewAttributesRecord(nil, nil, schema.GroupVersionKind{}, namespace, name, gvr, sub, admission.Operation(operation), nil, false, nil))
							}
						}
					}
				}
			}
		}
	}
	return all
}

func pick[T any](r *rand.Rand, from []T) []T {
	var all []T
	for range 1 + r.IntN(2) {
		all = append(all, from[r.IntN(len(from))])
	}
	return all
}

func someRule(r *rand.Rand) v1.NamedRuleWithOperations {
	var rule v1.NamedRuleWithOperations
	rule.APIGroups, rule.APIVersions, rule.Resources = pick(r, ruleGroups), pick(r, ruleVersions), pick(r, ruleResources)
	rule.Operations = pick(r, ruleOperations)
	if r.IntN(4) == 0 {
		rule.ResourceNames = pick(r, ruleNames)
	}
	if r.IntN(2) == 0 {
		rule.Scope = &ruleScopes[r.IntN(len(ruleScopes))]
	}
	if r.IntN(6) == 0 {
		rule.APIGroups, rule.APIVersions, rule.Resources = []string{""}, []string{"v1"}, []string{"namespaces"}
	}
	return rule
}

// What the algebra says of pairs of rules, and of a rule and two others, is what asking the
// API server's matcher about every request says; and what it shows as a witness is one.
func TestCoverAgainstEnumeration(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	requests := everyRequest()
	const n = 200
	list := make([]v1.NamedRuleWithOperations, n)
	matched := make([][]bool, n)
	for i := range list {
		list[i] = someRule(random)
		matched[i] = make([]bool, len(requests))
		some := false
		for k, attr := range requests {
			matched[i][k] = matches(list[i], attr) && named(list[i], attr.GetName())
			some = some || matched[i][k]
		}
		if Never(list[i]) != !some {
			t.Fatalf("%v never matches: %t", list[i], some)
		}
	}
	counts := map[string]int{}
	for i := range list {
		for j := range list {
			k := random.IntN(n)
			covered, common, coveredByTwo := true, false, true
			for q := range requests {
				covered = covered && (!matched[j][q] || matched[i][q])
				common = common || matched[i][q] && matched[j][q]
				coveredByTwo = coveredByTwo && (!matched[j][q] || matched[i][q] || matched[k][q])
			}
			covers, witness := Covers(list[i:i+1], list[j])
			checkCover(t, list[i:i+1], list[j], covers, covered, witness)
			two := []v1.NamedRuleWithOperations{list[i], list[k]}
			covers, witness = CoversAll(two, list[j:j+1])
			checkCover(t, two, list[j], covers, coveredByTwo, witness)
			if Disjoint(list[i], list[j]) == common {
				t.Fatalf("%v and %v have a request in common: %t", list[i], list[j], common)
			}
			if w, ok := Common(list[i], list[j]); ok && !(MatchesOne(list[i], w.Attributes()) && MatchesOne(list[j], w.Attributes())) {
				t.Fatalf("%v is no request of both %v and %v", w, list[i], list[j])
			}
			count(counts, "covered", covered)
			count(counts, "covered by two", coveredByTwo)
			count(counts, "in common", common)
		}
	}
	for _, word := range []string{"covered", "not covered", "covered by two", "not covered by two", "in common", "not in common"} {
		if counts[word] < n {
			t.Errorf("only %d pairs are %s", counts[word], word)
		}
	}
}

func count(counts map[string]int, word string, yes bool) {
	if !yes {
		word = "not " + word
	}
	counts[word]++
}

func checkCover(t *testing.T, rules []v1.NamedRuleWithOperations, r v1.NamedRuleWithOperations, got, want bool, witness Typical) {
	t.Helper()
	if got != want {
		t.Fatalf("%v covers %v: %t (witness %v)", rules, r, got, witness)
	}
	if got {
		return
	}
	attr := witness.Attributes()
	if !MatchesOne(r, attr) {
		t.Fatalf("the witness %v is no request of %v", witness, r)
	}
	for _, other := range rules {
		if MatchesOne(other, attr) {
			t.Fatalf("the witness %v is a request of %v", witness, other)
		}
	}
}

// The resource patterns of rules cover each other as the table of the API reference has it.
func TestResourcePatterns(t *testing.T) {
	of := func(resource string) v1.NamedRuleWithOperations {
		var r v1.NamedRuleWithOperations
		r.APIGroups, r.APIVersions, r.Operations, r.Resources = []string{""}, []string{"v1"}, []v1.OperationType{v1.Update}, []string{resource}
		return r
	}
	tests := []struct {
		wide, narrow string
		covers       bool
	}{
		{"*", "pods", true}, {"*", "pods/exec", false}, {"*", "pods/", true}, {"*/*", "*", true}, {"*", "*/*", false},
		{"pods/*", "pods", true}, {"pods/*", "pods/exec", true}, {"pods/*", "*/exec", false}, {"*/exec", "pods/exec", true},
		{"*/exec", "pods", false}, {"pods", "pods/", true}, {"pods/*", "deployments/scale", false},
	}
	for _, tt := range tests {
		if got, _ := Covers([]v1.NamedRuleWithOperations{of(tt.wide)}, of(tt.narrow)); got != tt.covers {
			t.Errorf("%s covers %s: %t", tt.wide, tt.narrow, got)
		}
	}
}
