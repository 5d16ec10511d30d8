package views

import (
	"testing"

	"github.com/PuerkitoBio/goquery"
	corev1 "k8s.io/api/core/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/scope/request"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// namespaces are all namespaces of a story.
type namespaces map[string]map[string]string

func (n namespaces) Namespace(name string) (*corev1.Namespace, scope.Presence) {
	labels, ok := n[name]
	if !ok {
		return nil, scope.Absent
	}
	ns := &corev1.Namespace{}
	ns.Name, ns.Labels = name, labels
	return ns, scope.Present
}

const storyPod = `apiVersion: v1
kind: Pod
metadata:
  name: web
  namespace: shop
  labels:
    app: web
    exempt: "true"
spec: {containers: [{name: web, image: web}]}
`

// story explains a pod to a webhook and renders the answer.
func story(t *testing.T, fields string, ask request.Ask) *goquery.Document {
	t.Helper()
	pods := resource.Resource{Kind: corev1.SchemeGroupVersion.WithKind("Pod"), Namespaced: true, Served: true}
	pods.Version, pods.Resource = "v1", "pods"
	facts := &scope.Facts{
		Namespaces: namespaces{"shop": {"env": "dev", "kubernetes.io/metadata.name": "shop"}},
		Resources:  resource.NewSet([]resource.Resource{pods}, nil),
	}
	documents, problems := manifest.Read("", []byte(storyPod), 0)
	derived, more := request.Derive(documents, ask, facts)
	if derived == nil {
		t.Fatal(problems, more)
	}
	policies := compile(t, webhook(fields))
	traces, err := scope.NewSet(policies).Explain(t.Context(), derived.Request, facts)
	if err != nil {
		t.Fatal(err)
	}
	return rendered(t, ResultSection(NewResult(t.Context(), NewCatalog(policies, nil), traces, LinesOf(derived), policies[0].ID())))
}

// TestRows renders every state that a row can be in, and reads it aloud.
func TestRows(t *testing.T) {
	yes := true
	for _, c := range []struct {
		name, fields                 string
		ask                          request.Ask
		class, word, why, trail, lit string
	}{
		{
			name: "called", fields: podRules,
			class: "in", word: "called",
			trail: "Resource rules matches; Namespace selector matches; Object selector matches; Match conditions matches",
		}, {
			name: "excluded by rules", fields: "rules: [{operations: [CREATE], apiGroups: [''], apiVersions: [v1], resources: [pods/exec]}]",
			class: "out", word: "excluded", why: "The rules need pods/exec, the request has pods.",
			trail: "Resource rules does not match, which decides; Namespace selector would match; Object selector would match; Match conditions would match",
		}, {
			name: "excluded by the namespace", fields: podRules + "namespaceSelector: {matchLabels: {env: prod}}",
			class: "out", word: "excluded", why: "Namespace shop has env=dev, and the namespace selector asks for env In [prod].",
			trail: "Resource rules matches; Namespace selector does not match, which decides; Object selector would match; Match conditions would match",
		}, {
			name: "excluded by the object", fields: podRules + "objectSelector: {matchExpressions: [{key: exempt, operator: DoesNotExist}]}",
			class: "out", word: "excluded", lit: "8",
			why:   "The object has exempt=true (line 8), and the object selector asks for exempt DoesNotExist. Whoever submits the object writes its labels.",
			trail: "Resource rules matches; Namespace selector matches; Object selector does not match, which decides; Match conditions would match",
		}, {
			name: "excluded by a condition", fields: podRules + "matchConditions: [{name: not-web, expression: \"object.metadata.labels.app != 'web'\"}]",
			class: "out", word: "excluded", lit: "7", why: `Condition not-web is false: object.metadata.labels.app is "web".`,
			trail: "Resource rules matches; Namespace selector matches; Object selector matches; Match conditions does not match, which decides",
		}, {
			name: "refused", fields: podRules + "matchConditions: [{name: team, expression: \"object.metadata.labels.team == 'a'\"}]",
			class: "err", word: "refused",
			why:   "Condition team fails: expression 'object.metadata.labels.team == 'a'' resulted in error: no such key: team. failurePolicy is Fail, so the request is refused.",
			trail: "Resource rules matches; Namespace selector matches; Object selector matches; Match conditions fails, which decides",
		}, {
			name: "skipped", fields: podRules + "failurePolicy: Ignore\nmatchConditions: [{name: team, expression: \"object.metadata.labels.team == 'a'\"}]",
			class: "err", word: "skipped",
			why:   "Condition team fails: expression 'object.metadata.labels.team == 'a'' resulted in error: no such key: team. The policy is skipped and the request goes on.",
			trail: "Resource rules matches; Namespace selector matches; Object selector matches; Match conditions fails, which decides",
		}, {
			name: "cannot tell", fields: podRules + "matchConditions: [{name: people, expression: \"request.userInfo.username != 'bot'\"}]",
			class: "unk", word: "cannot tell", why: "It depends on who asks.",
			trail: "Resource rules matches; Namespace selector matches; Object selector matches; Match conditions cannot be told, which decides",
		}, {
			name: "refused for a dry run", fields: podRules + "sideEffects: Some", ask: request.Ask{DryRun: &yes},
			class: "err", word: "refused", why: "The webhook has side effects, and a dry run must not call one that has. The request is refused.",
			trail: "Resource rules matches; Namespace selector matches; Object selector matches; Match conditions matches",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			document := story(t, c.fields, c.ask)
			row := document.Find("details.row")
			if row.Length() != 1 || !row.HasClass(c.class) || !row.HasClass("focused") {
				t.Fatalf("%d rows, of class %q", row.Length(), row.AttrOr("class", ""))
			}
			for _, same := range []struct{ what, got, want string }{
				{"verdict", text(row.Find("summary .verdict")), c.word},
				{"why", text(row.Find("summary .why")), c.why},
				{"trail", row.Find(".trail").AttrOr("aria-label", ""), c.trail},
				{"line", row.AttrOr("data-line", ""), c.lit},
			} {
				if same.got != same.want {
					t.Errorf("%s\ngot  %s\nwant %s", same.what, same.got, same.want)
				}
			}
			stops := row.Find(".trail .stop")
			if want := row.Find(".steps .decides").Length(); c.word != "called" && c.ask.DryRun == nil && (stops.Length() != 1 || want == 0) {
				t.Errorf("%d stops in the trail and %d deciding steps", stops.Length(), want)
			}
		})
	}
}

func TestValuesStandBehindTheirExpressions(t *testing.T) {
	document := story(t, podRules+"matchConditions: [{name: not-web, expression: \"object.metadata.labels.app != 'web'\"}]", request.Ask{})
	want := document.Find(".steps .decides .want")
	if got := text(want); got != `object.metadata.labels.app"web" != 'web'` {
		t.Errorf("the expression reads %q", got)
	}
	if got := text(want.Find(".val")); got != `"web"` {
		t.Errorf("the value is %q", got)
	}
}

func TestLedeCountsWhatOneLabelWouldChange(t *testing.T) {
	for fields, want := range map[string]string{
		"objectSelector: {matchExpressions: [{key: exempt, operator: DoesNotExist}]}":                               "0 of 1 policy sees this request. 1 more would, without the label exempt.",
		"objectSelector: {matchExpressions: [{key: exempt, operator: NotIn, values: ['true']}]}":                    "0 of 1 policy sees this request. 1 more would, without the label exempt=true.",
		"objectSelector: {matchLabels: {app: api}}":                                                                 "0 of 1 policy sees this request. 1 more would, with the label app=api.",
		"objectSelector: {matchExpressions: [{key: team, operator: Exists}]}":                                       "0 of 1 policy sees this request. 1 more would, with the label team.",
		"objectSelector: {matchLabels: {app: api, team: a}}":                                                        "0 of 1 policy sees this request.",
		"objectSelector: {matchLabels: {app: api}}\nnamespaceSelector: {matchLabels: {env: prod}}":                  "0 of 1 policy sees this request.",
		"objectSelector: {matchLabels: {app: api}}\nmatchConditions: [{name: never, expression: '1 > 2'}]":          "0 of 1 policy sees this request.",
		"objectSelector: {matchLabels: {app: web}}\nmatchConditions: [{name: always, expression: '\"a\" < \"b\"'}]": "1 of 1 policy sees this request.",
	} {
		if got := text(story(t, podRules+fields, request.Ask{}).Find(".lede")); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", fields, got, want)
		}
	}
}
