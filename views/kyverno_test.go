package views

import (
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	v1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
)

// teams are two policies that differ in the namespaces they select, as in kyverno/kyverno#15344.
var teams = []string{validatingPolicy("p-a", "team-a"), validatingPolicy("p-b", "team-b")}

func validatingPolicy(name, owner string) string {
	return `{"apiVersion": "policies.kyverno.io/v1", "kind": "ValidatingPolicy", "metadata": {"name": "` + name + `"}, "spec": {
	  "matchConstraints": {"namespaceSelector": {"matchLabels": {"owner": "` + owner + `"}},
	    "resourceRules": [{"apiGroups": [""], "apiVersions": ["v1"], "resources": ["configmaps"], "operations": ["CREATE"]}]},
	  "validations": [{"expression": "true"}]}}`
}

// kyvernoCatalog compiles policies and what configures Kyverno under a release, beside webhook configurations of the cluster.
func kyvernoCatalog(t *testing.T, under string, policies []string, configurations ...runtime.Object) *Catalog {
	t.Helper()
	r, err := release.Parse(under)
	if err != nil {
		t.Fatal(err)
	}
	o := scope.Objects{
		Of:       map[schema.GroupKind][]runtime.Object{},
		Complete: func(schema.GroupKind) bool { return true },
		Origin:   func(schema.GroupKind, string, string) string { return "" },
	}
	for _, written := range policies {
		u := read(t, written, &unstructured.Unstructured{})
		gk, object := u.GroupVersionKind().GroupKind(), runtime.Object(u)
		if gk.Kind == "ConfigMap" {
			object = read(t, written, &corev1.ConfigMap{})
		}
		o.Of[gk] = append(o.Of[gk], object)
	}
	for _, c := range configurations {
		gk := schema.GroupKind{Group: v1.GroupName, Kind: "ValidatingWebhookConfiguration"}
		o.Of[gk] = append(o.Of[gk], c)
	}
	return NewCatalog(kyverno.NewCompiler(r).Policies(o), nil)
}

func kyvernoDocument(t *testing.T, c *Catalog) (KyvernoPage, *goquery.Document) {
	t.Helper()
	page := NewKyvernoPage(c, "There are none.", nil)
	return page, rendered(t, Kyverno(Layout{Asset: func(name string) string { return name }}, page))
}

// The two suffixes are those that release 1.19.1 itself gave the two pairs of selectors.
func TestKyvernoShowsAGroupForEachPairOfSelectors(t *testing.T) {
	page, document := kyvernoDocument(t, kyvernoCatalog(t, "1.19.1", teams))
	cards := document.Find(".webhook-card")
	if cards.Length() != 2 {
		t.Fatalf("%d cards, want 2", cards.Length())
	}
	for _, want := range []struct{ suffix, member, namespaces string }{{"2e1b8aa9", "p-b", "owner is team-b"}, {"bd7219a9", "p-a", "owner is team-a"}} {
		card := document.Find(`.webhook-card[data-entry="vpol.validate.kyverno.svc-fail-` + want.suffix + `"]`)
		if text := card.Find(".members a").Text(); text != want.member {
			t.Errorf("the group %s has the members %q, want %q", want.suffix, text, want.member)
		}
		if text := text(card.Find(".chip").First()); text != want.namespaces {
			t.Errorf("the group %s is for %q, want %q", want.suffix, text, want.namespaces)
		}
		if text := card.Find(".moved").Text(); !strings.Contains(text, "vpol.validate.kyverno.svc-fail") {
			t.Errorf("the group %s does not say what it was called before the other came: %q", want.suffix, text)
		}
	}
	if len(page.Orders) != 0 {
		t.Errorf("outcomes that depend on an order: %v", page.Orders)
	}
}

// Before 1.19 the two share a webhook: whichever was written last, the other is silent.
func TestKyvernoShowsEachPossibleOverwrite(t *testing.T) {
	page, document := kyvernoDocument(t, kyvernoCatalog(t, "1.18.2", teams))
	if document.Find(".webhook-card").Length() != 1 {
		t.Errorf("%d cards, want 1", document.Find(".webhook-card").Length())
	}
	silent := map[string]string{}
	for _, o := range page.Orders {
		if len(o.Winners) != 1 || len(o.Silent) != 1 {
			t.Fatalf("the outcome %v has not one winner and one that is silent", o)
		}
		silent[o.Winners[0].Title] = o.Silent[0].Title
	}
	if len(silent) != 2 || silent["p-a"] != "p-b" || silent["p-b"] != "p-a" {
		t.Errorf("who is silent by who was last: %v", silent)
	}
}

func TestKyvernoShowsDrift(t *testing.T) {
	predicted := kyvernoCatalog(t, "1.19.1", teams).Kyverno().Predicted.Validating
	same := predicted.DeepCopy()
	_, document := kyvernoDocument(t, kyvernoCatalog(t, "1.19.1", teams, same))
	if n := document.Find(`[data-state="as predicted"]`).Length(); n != 2 {
		t.Errorf("%d of 2 webhooks are as predicted", n)
	}

	edited := predicted.DeepCopy()
	edited.Webhooks[0].NamespaceSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"owner": "nobody"}}
	edited.Webhooks = edited.Webhooks[:1]
	page, document := kyvernoDocument(t, kyvernoCatalog(t, "1.19.1", teams, edited))
	differs := document.Find(`[data-state="differs"]`)
	if name, _ := differs.Attr("data-entry"); name != edited.Webhooks[0].Name {
		t.Errorf("%q differs, want %q", name, edited.Webhooks[0].Name)
	}
	if text := differs.Find(".differs").Text(); !strings.Contains(text, "owner: nobody") || !strings.Contains(text, "owner: team-b") {
		t.Errorf("the difference says %q", text)
	}
	if name, _ := document.Find(`[data-state="not in the cluster"]`).Attr("data-entry"); name != predicted.Webhooks[1].Name {
		t.Errorf("%q is missing, want %q", name, predicted.Webhooks[1].Name)
	}
	if len(page.Unserved) != 1 || page.Unserved[0].Title != "p-a" {
		t.Errorf("unserved: %v, want p-a", page.Unserved)
	}
}

func TestKyvernoShowsAWebhookThatNothingPredicts(t *testing.T) {
	observed := kyvernoCatalog(t, "1.19.1", teams).Kyverno().Predicted.Validating.DeepCopy()
	stranger := observed.Webhooks[0].DeepCopy()
	stranger.Name = "vpol.validate.kyverno.svc-ignore"
	observed.Webhooks = append(observed.Webhooks, *stranger)
	_, document := kyvernoDocument(t, kyvernoCatalog(t, "1.19.1", teams, observed))
	if name, _ := document.Find(`[data-state="not predicted"]`).Attr("data-entry"); name != stranger.Name {
		t.Errorf("%q is not predicted, want %q", name, stranger.Name)
	}
}

func TestKyvernoWithoutPolicies(t *testing.T) {
	_, document := kyvernoDocument(t, kyvernoCatalog(t, "1.19.1", nil))
	if text := document.Find("main").Text(); !strings.Contains(text, "There are none.") {
		t.Errorf("the page says %q", text)
	}
}

func TestKyvernoPolicyShowsTwoRooms(t *testing.T) {
	c := kyvernoCatalog(t, "1.19.1", teams)
	document := rendered(t, Policy(Layout{Asset: func(name string) string { return name }}, NewPolicyPage(c, c.Group("ValidatingPolicy", "p-a"))))
	if rooms := document.Find("h2.room").Map(func(_ int, s *goquery.Selection) string { return s.Text() }); strings.Join(rooms, "|") != firstRoom+"|"+secondRoom {
		t.Errorf("rooms %q", rooms)
	}
	if href, _ := document.Find(`.served a:contains("fail-bd7219a9")`).Attr("href"); !strings.HasPrefix(href, "/kyverno#validating-") {
		t.Errorf("the webhook leads to %q", href)
	}
}
