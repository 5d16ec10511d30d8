package flow

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/flow/upstream"
)

// first finds the schema of a request by the API server's own matcher alone.
func (o *Order) firstUpstream(d *Digest) string {
	for _, s := range o.Schemas {
		if !s.Dangling() && upstream.Matches(upstreamDigest(d), s.FlowSchema) {
			return s.Name
		}
	}
	return flowcontrolv1.FlowSchemaNameCatchAll
}

// TestKnownRequests explains generated requests of which everything is known: exactly the
// schema that the API server's matcher finds first classifies them.
func TestKnownRequests(t *testing.T) {
	g := &generator{rand.New(rand.NewPCG(1, 9))}
	beside := 0
	for range 3_000 {
		o := g.order()
		for range 8 {
			d := g.digest()
			want := o.firstUpstream(d)
			if d.bypasses() {
				want = ""
			}
			for _, trace := range explain(t, o, d, nil, d.Verb) {
				outcome := scope.Excluded
				if trace.Policy.Name == want {
					outcome = scope.Included
				}
				if trace.Outcome != outcome {
					t.Fatalf("%s is %s by %q, want %s, for %+v", trace.Policy.Name, trace.Outcome, trace.DecidedBy, outcome, *d)
				}
			}
			if s := o.First(d); want != "" && s.Name != want {
				t.Fatalf("First says %s, want %s, for %+v", s.Name, want, *d)
			}
			if want != flowcontrolv1.FlowSchemaNameCatchAll {
				beside++
			}
		}
	}
	if beside < 5_000 {
		t.Errorf("only %d requests fall in another schema than catch-all", beside)
	}
}

// TestOpenRequests leaves open who asks, or in which groups they are, or whether a write
// is an update or a patch. Whatever is said for sure must then hold for everybody who
// could ask, and what is not said must mostly be open in truth.
func TestOpenRequests(t *testing.T) {
	g := &generator{rand.New(rand.NewPCG(3, 3))}
	sure, open, idle := 0, 0, 0
	for range 2_500 {
		o := g.order()
		d := g.digest()
		known := g.asker()
		verbs := []string{d.Verb}
		if g.IntN(2) == 0 {
			verbs = []string{"update", "patch"}
		}
		classes := map[string]bool{}
		for _, who := range completions(known) {
			for _, verb := range verbs {
				c := *d
				c.User, c.Groups, c.Verb = who.name, who.groups, verb
				if c.bypasses() {
					classes["unclassified"] = true
				} else {
					classes[o.firstUpstream(&c)] = true
				}
			}
		}
		for _, trace := range explain(t, o, d, known, verbs...) {
			possible, only := classes[trace.Policy.Name], len(classes) == 1
			switch trace.Outcome {
			case scope.Included:
				sure++
				if !possible || !only {
					t.Fatalf("%s is included, but the request may fall in %v", trace.Policy.Name, classes)
				}
			case scope.Excluded:
				sure++
				if possible {
					t.Fatalf("%s is excluded by %s, but the request may fall in it: %s\nasked by %+v with %v: %+v", trace.Policy.Name, trace.DecidedBy, dump(o), *known, verbs, *d)
				}
			case scope.Unknown:
				open++
				if len(trace.Missing()) == 0 {
					t.Fatalf("%s is unknown for no reason", trace.Policy.Name)
				}
				if !possible || only {
					idle++
				}
			default:
				t.Fatalf("%s is %s", trace.Policy.Name, trace.Outcome)
			}
		}
	}
	t.Logf("%d sure, %d open, of which %d needlessly", sure, open, idle)
	if open < 300 || sure < 300 {
		t.Errorf("%d answers are sure and %d are open; that is no test of both", sure, open)
	}
	if idle*5 > open {
		t.Errorf("%d of %d open answers need not be open", idle, open)
	}
}

// asker makes somebody of whom nothing is known, or a person whose groups are not.
func (g *generator) asker() *asker {
	if g.IntN(2) == 0 {
		return &asker{unknown: true}
	}
	return &asker{name: "alice", groups: []string{"system:authenticated"}, unlisted: true}
}

// completions are those who could ask: everybody is in one of two groups, a service
// account that comes with its token is in its own, and who acts as somebody else chooses.
func completions(known *asker) []asker {
	chosen := subsets([]string{"devs", "ops", "system:masters", "system:serviceaccounts", "system:serviceaccounts:kube", ""})
	var all []asker
	if !known.unknown {
		for _, more := range chosen {
			all = append(all,
				asker{name: known.name, groups: append(slices.Clone(known.groups), more...)},
				asker{name: known.name, groups: append(append(slices.Clone(known.groups), more...), "system:unauthenticated")})
		}
		return all
	}
	for _, name := range append(slices.Clone(someUsers), "somebody-else") {
		if namespace, _, err := serviceaccount.SplitUsername(name); err == nil {
			all = append(all, asker{name: name, groups: append(serviceaccount.MakeGroupNames(namespace), "system:authenticated")})
		}
		for _, more := range chosen {
			all = append(all, asker{name: name, groups: append(slices.Clone(more), "system:authenticated")})
		}
		all = append(all, asker{name: name, groups: []string{"system:unauthenticated"}})
	}
	return all
}

func subsets(of []string) [][]string {
	all := [][]string{nil}
	for _, one := range of {
		for _, s := range slices.Clone(all) {
			all = append(all, append(slices.Clone(s), one))
		}
	}
	return all
}

// explain asks the policies of an order about a request.
func explain(t *testing.T, o *Order, d *Digest, who *asker, verbs ...string) []*scope.Trace {
	t.Helper()
	r := &scope.Request{Access: scope.Access{
		Verbs: verbs, Path: d.Path, APIGroup: d.APIGroup, Resource: d.Resource, Subresource: d.Subresource, Namespace: d.Namespace,
	}}
	switch {
	case who == nil:
		r.User = &authenticationv1.UserInfo{Username: d.User, Groups: d.Groups}
	case who.unknown:
		r.Open = []scope.Missing{{Path: "request.userInfo", Fact: "who asks"}}
	default:
		r.User = &authenticationv1.UserInfo{Username: who.name, Groups: who.groups}
		r.Open = []scope.Missing{{Path: "request.userInfo.groups", Fact: "the groups of alice"}}
	}
	traces := tracesOf(t, o, r)
	for _, trace := range traces {
		for i, step := range trace.Steps(t.Context()) {
			if reasons := trace.Reasons(t.Context(), i); len(reasons) == 0 && step.Outcome != scope.Match {
				t.Fatalf("%s says %s without a reason", trace.Policy.Layers[i].Name(), step.Outcome)
			}
		}
	}
	return traces
}

// dump writes the schemas of an order as one line each.
func dump(o *Order) string {
	var b strings.Builder
	for _, s := range o.Schemas {
		data, _ := json.Marshal(s.Spec)
		fmt.Fprintf(&b, "\n%s %s", s.Name, data)
	}
	return b.String()
}
