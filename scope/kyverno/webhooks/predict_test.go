package webhooks_test

import (
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
)

// TestPredict holds the prediction to what Kyverno does, field by field.
func TestPredict(t *testing.T) {
	for _, f := range fixtures(t) {
		t.Run(f.Name, func(t *testing.T) {
			in := f.input(t)
			p := webhooks.Predict(in)
			if f.Want != nil {
				slices.SortStableFunc(f.Want, func(a, b webhook) int { return strings.Compare(a.Name, b.Name) })
				got, want := text(t, webhooksOf(p)), text(t, f.Want)
				if len(f.Want)+len(p.Entries) > 0 && got != want && !f.Crashes {
					t.Errorf("got:\n%s\nwant:\n%s", got, want)
				}
			}
			crash := func(f webhooks.Finding) bool { return f.Kind == "crashes-controller" }
			if crashes := slices.ContainsFunc(p.Findings, crash); crashes != f.Crashes {
				t.Errorf("crashes: %v, want %v", crashes, f.Crashes)
			}
			checkFindings(t, p, f.Findings)
			checkOrders(t, p, f.Orders)
			for _, m := range f.Moved {
				checkMoved(t, p, m)
			}
		})
	}
}

func text(t *testing.T, v any) string {
	t.Helper()
	b, err := yaml.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// checkFindings wants these findings and, if there are any, no others of the same severity.
func checkFindings(t *testing.T, p *webhooks.Prediction, want []finding) {
	t.Helper()
	for _, w := range want {
		if !slices.ContainsFunc(p.Findings, func(f webhooks.Finding) bool {
			return f.Kind == w.Kind && f.Severity == w.Severity && slices.Equal(words(f.Policies), w.Policies) &&
				strings.Contains(f.Message, w.Says)
		}) {
			t.Errorf("no finding %+v", w)
		}
	}
	for _, f := range p.Findings {
		if want != nil && !slices.ContainsFunc(want, func(w finding) bool { return w.Kind == f.Kind }) {
			t.Errorf("unexpected finding %s", f.Kind)
		}
		if f.Message == "" || f.Why == "" || f.Fix == "" || f.Severity == "" {
			t.Errorf("finding %s says too little: %+v", f.Kind, f)
		}
		if t.Failed() {
			t.Logf("%s %s %v %q: %s", f.Severity, f.Kind, words(f.Policies), f.Entry, f.Message)
		}
	}
}

func checkOrders(t *testing.T, p *webhooks.Prediction, want []order) {
	t.Helper()
	var got []order
	for _, o := range p.Orders {
		got = append(got, order{words(o.Winners), words(o.Silent), words(o.Narrowed)})
		if len(o.Entries) == 0 {
			t.Errorf("no entries for %v", o.Winners)
		}
	}
	if want != nil && len(got)+len(want) > 0 && text(t, got) != text(t, want) {
		t.Errorf("orders:\n%s\nwant:\n%s", text(t, got), text(t, want))
	}
}

func checkMoved(t *testing.T, p *webhooks.Prediction, want moved) {
	t.Helper()
	kind, name, _ := strings.Cut(want.By, " ")
	ref := webhooks.Ref{Kind: api.Kind(kind), Name: name}
	if namespace, name, ok := strings.Cut(name, "/"); ok {
		ref.Namespace, ref.Name = namespace, name
	}
	var got []string
	for _, m := range p.Moved(ref) {
		got = append(got, m.Policy.String()+": "+strings.Join(m.Before, ", ")+" -> "+strings.Join(m.After, ", "))
	}
	if !slices.Equal(got, want.Policies) {
		t.Errorf("moved by %s: %q, want %q", want.By, got, want.Policies)
	}
}
