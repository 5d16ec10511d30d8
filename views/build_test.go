package views

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"
	v1 "k8s.io/api/admissionregistration/v1"
	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/admission"
)

// compile reads policies, one kind per argument, in the shape of admission.Objects.
func compile(t testing.TB, documents ...string) []*scope.Policy {
	t.Helper()
	var o admission.Objects
	for _, d := range documents {
		var kind struct{ Kind string }
		read(t, d, &kind)
		switch kind.Kind {
		case "ValidatingWebhookConfiguration":
			o.ValidatingWebhooks = append(o.ValidatingWebhooks, read(t, d, &v1.ValidatingWebhookConfiguration{}))
		case "ValidatingAdmissionPolicy":
			o.ValidatingPolicies = append(o.ValidatingPolicies, read(t, d, &v1.ValidatingAdmissionPolicy{}))
		case "ValidatingAdmissionPolicyBinding":
			o.ValidatingBindings = append(o.ValidatingBindings, read(t, d, &v1.ValidatingAdmissionPolicyBinding{}))
		default:
			t.Fatalf("no test needs the kind %q", kind.Kind)
		}
	}
	return admission.NewCompiler().Compile(o)
}

func read[T any](t testing.TB, document string, into *T) *T {
	t.Helper()
	if err := yaml.Unmarshal([]byte(document), into); err != nil {
		t.Fatal(err)
	}
	return into
}

// webhook is a configuration with one webhook, written as the fields of the webhook.
func webhook(fields string) string {
	return "kind: ValidatingWebhookConfiguration\nmetadata: {name: guard}\nwebhooks:\n- name: pods.guard.example.com\n  " +
		strings.ReplaceAll(strings.TrimSpace(fields), "\n", "\n  ")
}

// rendered is a component as a document to look into.
func rendered(t testing.TB, c templ.Component) *goquery.Document {
	t.Helper()
	var b bytes.Buffer
	if err := c.Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	document, err := goquery.NewDocumentFromReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// text is what a selection says, with white space as a browser shows it.
func text(s *goquery.Selection) string { return strings.Join(strings.Fields(s.Text()), " ") }
