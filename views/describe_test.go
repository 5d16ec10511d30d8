package views

import "testing"

const podRules = "rules: [{operations: [CREATE, UPDATE], apiGroups: [''], apiVersions: [v1], resources: [pods]}]\n"

func TestDescribeWebhook(t *testing.T) {
	for _, c := range []struct{ fields, want string }{
		{podRules, "Sees CREATE and UPDATE of pods; refuses on error."},
		{podRules + "failurePolicy: Ignore", "Sees CREATE and UPDATE of pods; is skipped on error."},
		{"failurePolicy: Fail", "Sees no request, for it has no rules; refuses on error."},
		{"rules: [{operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*']}]", "Sees every operation on every resource and subresource; refuses on error."},
		{"rules: [{operations: [DELETE], apiGroups: [apps, ''], apiVersions: [v1], resources: ['*'], scope: Namespaced}]", "Sees DELETE of every resource of apps and the core group that is in a namespace; refuses on error."},
		{"rules: [{operations: [CONNECT], apiGroups: [''], apiVersions: [v1], resources: ['pods/*', '*/scale']}]", "Sees CONNECT of pods with all subresources and every scale subresource of the core group; refuses on error."},
		{
			"rules: [{operations: [CREATE], apiGroups: [''], apiVersions: [v1], resources: [pods]}, {operations: [DELETE], apiGroups: [''], apiVersions: [v1], resources: [pods, services]}, {operations: [CREATE], apiGroups: [apps], apiVersions: [v1], resources: [deployments]}]",
			"Sees CREATE of pods and deployments, and DELETE of pods and services; refuses on error.",
		},
		{podRules + "namespaceSelector: {matchLabels: {env: prod}}", "Sees CREATE and UPDATE of pods in namespaces labelled env=prod; refuses on error."},
		{
			podRules + "namespaceSelector: {matchExpressions: [{key: env, operator: In, values: [prod, staging]}, {key: legacy, operator: DoesNotExist}, {key: kubernetes.io/metadata.name, operator: NotIn, values: [kube-system]}]}",
			"Sees CREATE and UPDATE of pods in namespaces labelled env=prod or staging and without label legacy, except in kube-system; refuses on error.",
		},
		{
			podRules + "namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: In, values: [shop]}, {key: env, operator: NotIn, values: [dev]}]}",
			"Sees CREATE and UPDATE of pods in shop, if the namespace is not labelled env=dev; refuses on error.",
		},
		{
			podRules + "objectSelector: {matchLabels: {app: web}, matchExpressions: [{key: exempt, operator: DoesNotExist}, {key: tier, operator: NotIn, values: [low]}]}",
			"Sees CREATE and UPDATE of pods, only objects labelled app=web, unless the object is labelled exempt or tier=low; refuses on error.",
		},
		{podRules + "matchConditions: [{name: by-people, expression: 'true'}]", "Sees CREATE and UPDATE of pods, when the condition by-people holds; refuses on error."},
		{podRules + "matchConditions: [{name: a, expression: 'true'}, {name: b, expression: 'true'}]", "Sees CREATE and UPDATE of pods, when 2 conditions hold; refuses on error."},
	} {
		entry := NewCatalog(compile(t, webhook(c.fields)), nil).Groups[0].Entries[0]
		if got := entry.Sentence.String(); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.fields, got, c.want)
		}
	}
}

func TestDescribePolicy(t *testing.T) {
	const policy = `
kind: ValidatingAdmissionPolicy
metadata: {name: limits}
spec:
  matchConstraints:
    resourceRules: [{operations: [CREATE], apiGroups: [apps], apiVersions: [v1], resources: [deployments]}]
    excludeResourceRules: [{operations: ['*'], apiGroups: [apps], apiVersions: [v1], resources: [deployments], resourceNames: [bootstrap]}]
`
	const binding = `
kind: ValidatingAdmissionPolicyBinding
metadata: {name: everywhere}
spec: {policyName: limits, validationActions: [Deny]}
`
	const narrow = `
kind: ValidatingAdmissionPolicyBinding
metadata: {name: prod}
spec: {policyName: limits, validationActions: [Deny], matchResources: {namespaceSelector: {matchLabels: {env: prod}}}}
`
	const scope = "Sees CREATE of deployments, but not every operation on deployments named bootstrap"
	for _, c := range []struct {
		documents []string
		want      string
	}{
		{[]string{policy, binding}, scope + "; refuses on error."},
		{[]string{policy, narrow}, scope + "; the binding narrows it to requests in namespaces labelled env=prod; refuses on error."},
		{[]string{policy}, scope + "; but no binding puts it to work."},
		{[]string{binding}, "A binding to the policy limits, which does not exist: it does nothing."},
	} {
		entry := NewCatalog(compile(t, c.documents...), nil).Groups[0].Entries[0]
		if got := entry.Sentence.String(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestRuleReaches(t *testing.T) {
	for _, c := range []struct {
		written, asked string
		want           bool
	}{
		{"pods", "pods", true}, {"pods", "po", true}, {"pods", "services", false}, {"pods", "pods/exec", false},
		{"*", "pods", true}, {"*", "pods/exec", false}, {"*/*", "pods/exec", true}, {"*/*", "pods", true},
		{"pods/*", "pods", true}, {"pods/*", "pods/exec", true}, {"*/scale", "deployments/scale", true}, {"*/scale", "deployments", false},
	} {
		if got := (Rule{Resources: []string{c.written}}).reaches(c.asked); got != c.want {
			t.Errorf("%s reaches %s: %v", c.written, c.asked, got)
		}
	}
}
