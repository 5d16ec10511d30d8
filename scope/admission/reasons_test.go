package admission_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	v1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	k8sadmission "k8s.io/apiserver/pkg/admission"
	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/admission"
)

// podIn is the creation of a pod by alice.
func podIn(namespace string, labels map[string]string) *scope.Request {
	return &scope.Request{
		Operation: k8sadmission.Create, Kind: gvk("", "v1", "Pod"), Resource: gvr("", "v1", "pods"), Name: "web", Namespace: namespace,
		Object: shapes[0].object("web", namespace, labels), User: &authenticationv1.UserInfo{Username: "alice", Groups: []string{"devs"}},
	}
}

func connect(subresource string) *scope.Request {
	r := podIn("prod", nil)
	r.Operation, r.Subresource, r.Kind = k8sadmission.Connect, subresource, gvk("", "v1", "PodExecOptions")
	r.Object = shapes[2].object("", "", nil)
	return r
}

func deployment(replicas int32) *scope.Request {
	r := podIn("prod", nil)
	o := shapes[3].object("web", "prod", nil).(*appsv1.Deployment)
	o.Spec.Replicas = &replicas
	r.Kind, r.Resource, r.Object = gvk("apps", "v1", "Deployment"), gvr("apps", "v1", "deployments"), o
	return r
}

// TestReasons holds the reason of each kind of decision: the requirement, where it
// stands, what was observed, and where that stands.
func TestReasons(t *testing.T) {
	const wide = "rules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*']}]\n"
	tests := []struct {
		name    string
		webhook string
		request *scope.Request
		layer   scope.LayerName
		want    []scope.Reason
	}{
		{"rule matches", "rules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}, {apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}]",
			podIn("prod", nil), scope.ResourceRules,
			[]scope.Reason{{Field: "webhooks[0].rules[1]", Want: "CREATE pods", Got: "CREATE pods", Outcome: scope.Match}}},
		{"operation fails in the nearest rule", "rules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}, {apiGroups: [''], apiVersions: [v1], operations: [UPDATE, DELETE], resources: [pods]}]",
			podIn("prod", nil), scope.ResourceRules,
			[]scope.Reason{{Field: "webhooks[0].rules[1].operations", Want: "UPDATE, DELETE", Got: "CREATE", Path: "request.operation", Outcome: scope.NoMatch}}},
		{"star has no subresources", "rules: [{apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: ['*']}]",
			connect("exec"), scope.ResourceRules,
			[]scope.Reason{{Field: "webhooks[0].rules[0].resources", Want: "*", Got: "pods/exec", Path: "request.resource", Outcome: scope.NoMatch}}},
		{"core is the empty group", "rules: [{apiGroups: [core], apiVersions: [v1], operations: ['*'], resources: [pods]}]",
			podIn("prod", nil), scope.ResourceRules,
			[]scope.Reason{{Field: "webhooks[0].rules[0].apiGroups", Want: "core", Got: `"" (core)`, Path: "request.resource", Outcome: scope.NoMatch}}},
		{"scope", "rules: [{apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [pods], scope: Cluster}]",
			podIn("prod", nil), scope.ResourceRules,
			[]scope.Reason{{Field: "webhooks[0].rules[0].scope", Want: "Cluster", Got: "Namespaced", Path: "request.namespace", Outcome: scope.NoMatch}}},
		{"version, equivalent", "rules: [{apiGroups: [autoscaling], apiVersions: [v2], operations: ['*'], resources: [horizontalpodautoscalers]}]",
			hpa(), scope.ResourceRules,
			[]scope.Reason{{Field: "webhooks[0].rules[0]", Want: "* horizontalpodautoscalers", Got: "CREATE horizontalpodautoscalers", Outcome: scope.Match,
				Message: "The rule names autoscaling/v2 horizontalpodautoscalers, which is the same object in another version (matchPolicy Equivalent)."}}},
		{"version, exact", "matchPolicy: Exact\nrules: [{apiGroups: [autoscaling], apiVersions: [v2], operations: ['*'], resources: [horizontalpodautoscalers]}]",
			hpa(), scope.ResourceRules,
			[]scope.Reason{{Field: "webhooks[0].rules[0].apiVersions", Want: "v2", Got: "v1", Path: "request.resource", Outcome: scope.NoMatch}}},
		{"namespace label differs", wide + "namespaceSelector: {matchLabels: {env: dev}, matchExpressions: [{key: tier, operator: Exists}]}",
			podIn("prod", nil), scope.NamespaceSelector,
			[]scope.Reason{
				{Field: `webhooks[0].namespaceSelector.matchLabels["env"]`, Want: "env In [dev]", Got: "env=prod", Path: "namespace/prod", Outcome: scope.NoMatch},
				{Field: "webhooks[0].namespaceSelector.matchExpressions[0]", Want: "tier Exists", Got: "tier=web", Path: "namespace/prod", Outcome: scope.Match},
			}},
		{"namespace lacks the label", wide + "namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [kube-system]}, {key: env, operator: NotIn, values: [dev]}]}",
			podIn("kube-system", nil), scope.NamespaceSelector,
			[]scope.Reason{
				{Field: "webhooks[0].namespaceSelector.matchExpressions[0]", Want: "kubernetes.io/metadata.name NotIn [kube-system]", Got: "kubernetes.io/metadata.name=kube-system", Path: "namespace/kube-system", Outcome: scope.NoMatch},
				{Field: "webhooks[0].namespaceSelector.matchExpressions[1]", Want: "env NotIn [dev]", Got: "no label env", Path: "namespace/kube-system", Outcome: scope.Match},
			}},
		{"object label", wide + "objectSelector: {matchExpressions: [{key: example.com/skip, operator: DoesNotExist}]}",
			podIn("prod", map[string]string{"example.com/skip": "true"}), scope.ObjectSelector,
			[]scope.Reason{{Field: "webhooks[0].objectSelector.matchExpressions[0]", Want: "example.com/skip DoesNotExist", Got: "example.com/skip=true", Path: `object.metadata.labels["example.com/skip"]`, Outcome: scope.NoMatch}}},
		{"no object labels", wide + "objectSelector: {matchLabels: {app: web}}",
			podIn("prod", nil), scope.ObjectSelector,
			[]scope.Reason{{Field: `webhooks[0].objectSelector.matchLabels["app"]`, Want: "app In [web]", Got: "no labels", Path: `object.metadata.labels["app"]`, Outcome: scope.NoMatch}}},
		{"object without metadata", wide + "objectSelector: {matchExpressions: [{key: example.com/skip, operator: DoesNotExist}]}",
			connect("exec"), scope.ObjectSelector,
			[]scope.Reason{{Field: "webhooks[0].objectSelector", Got: "PodExecOptions", Path: "object", Outcome: scope.NoMatch,
				Message: "A PodExecOptions has no metadata, so no selector that asks for anything matches it, not even DoesNotExist."}}},
		{"condition is false, with the value that decided", wide + "matchConditions: [{name: many, expression: 'has(object.spec.replicas) && object.spec.replicas > 1'}]",
			deployment(1), scope.MatchConditions,
			[]scope.Reason{{Field: "webhooks[0].matchConditions[0].expression", Want: "has(object.spec.replicas) && object.spec.replicas > 1", Got: "false", Outcome: scope.NoMatch, Values: []scope.Value{
				{Expression: "has(object.spec.replicas)", Value: "true", Start: 0, End: 25},
				{Expression: "object.spec.replicas", Value: "1", Start: 4, End: 24},
				{Expression: "object.spec.replicas > 1", Value: "false", Start: 29, End: 53},
			}}}},
		{"condition fails in the words of upstream", wide + "matchConditions: [{name: team, expression: \"object.metadata.labels.team == 'a'\"}]",
			podIn("prod", map[string]string{"app": "web"}), scope.MatchConditions,
			[]scope.Reason{{Field: "webhooks[0].matchConditions[0].expression", Want: "object.metadata.labels.team == 'a'", Got: "error", Outcome: scope.Failed,
				Message: "expression 'object.metadata.labels.team == 'a'' resulted in error: no such key: team",
				Values:  []scope.Value{{Expression: "object.metadata.labels.team", Value: "error: no such key: team", Start: 0, End: 27}}}}},
		{"condition is open", wide + "matchConditions: [{name: human, expression: \"!request.userInfo.username.startsWith('system:')\"}]",
			anonymous(), scope.MatchConditions,
			[]scope.Reason{{Field: "webhooks[0].matchConditions[0].expression", Want: "!request.userInfo.username.startsWith('system:')", Got: "cannot tell", Path: "request.userInfo", Outcome: scope.Open,
				Message: "It depends on who asks.",
				Values: []scope.Value{
					{Expression: "request.userInfo.username", Value: "not known", Start: 1, End: 26},
					{Expression: `request.userInfo.username.startsWith("system:")`, Value: "not known"},
				}}}},
		{"exemption", wide, customRequest("admissionregistration.k8s.io", "validatingwebhookconfigurations", "ValidatingWebhookConfiguration"), scope.Exemption,
			[]scope.Reason{{Got: "validatingwebhookconfigurations.admissionregistration.k8s.io", Path: "request.resource", Outcome: scope.NoMatch,
				Message: "Webhook configurations and admission policies are exempt from webhooks, so that no webhook can lock everybody out."}}},
	}
	compiler := admission.NewCompiler()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := v1.ValidatingWebhook{}
			if err := yaml.UnmarshalStrict([]byte("name: hook.example.com\n"+tt.webhook), &w); err != nil {
				t.Fatal(err)
			}
			facts := testFacts()
			traces, err := scope.NewSet(webhookPolicies(compiler, w)).Explain(context.Background(), tt.request, facts)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, reasonsOf(t, traces[0], tt.layer), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("reasons (-want +got):\n%s", diff)
			}
		})
	}
}

func reasonsOf(t *testing.T, trace *scope.Trace, layer scope.LayerName) []scope.Reason {
	t.Helper()
	for i, l := range trace.Policy.Layers {
		if l.Name() == layer {
			return trace.Reasons(context.Background(), i)
		}
	}
	t.Fatalf("there is no layer %s", layer)
	return nil
}

func hpa() *scope.Request {
	return customRequest("autoscaling", "horizontalpodautoscalers", "HorizontalPodAutoscaler")
}

func anonymous() *scope.Request {
	r := podIn("prod", nil)
	r.User = nil
	r.Open = []scope.Missing{{Path: "request.userInfo", Fact: "who asks"}}
	return r
}

func customRequest(group, resource, kind string) *scope.Request {
	r := podIn("prod", nil)
	r.Kind, r.Resource = gvk(group, "v1", kind), gvr(group, "v1", resource)
	r.Object = custom(r.Kind)("web", "prod", nil)
	if strings.HasPrefix(group, "admission") {
		r.Namespace = ""
	}
	return r
}
