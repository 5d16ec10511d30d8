package builtin

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// decode reads YAML the way the command line does, with int64 and float64 numbers.
func decode(t *testing.T, document string) map[string]any {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]any
	if err := json.Unmarshal(data, &object); err != nil {
		t.Fatal(err)
	}
	return object
}

// at goes down by field names and list indexes.
func at(value any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			object, _ := value.(map[string]any)
			value = object[step]
		case int:
			list, _ := value.([]any)
			if step >= len(list) {
				return nil
			}
			value = list[step]
		}
	}
	return value
}

type path = []any

func TestDefault(t *testing.T) {
	for _, tc := range []struct {
		name, kind, document string
		at                   path
		want                 any
	}{
		{"from the table", "v1/Pod", `spec: {containers: [{name: a}]}`, path{"spec", "restartPolicy"}, "Always"},
		{"zero counts as missing where Go cannot tell", "v1/Pod", `spec: {restartPolicy: ""}`, path{"spec", "restartPolicy"}, "Always"},
		{"zero stays where Go can tell", "apps/v1/Deployment", `spec: {replicas: 0}`, path{"spec", "replicas"}, int64(0)},
		{"null is missing", "apps/v1/Deployment", `spec: {replicas: null}`, path{"spec", "replicas"}, int64(1)},
		{"in a struct that was left out", "v1/PersistentVolumeClaim", `{}`, path{"status", "phase"}, "Pending"},
		{"an empty struct", "v1/Pod", `spec: {}`, path{"spec", "securityContext"}, map[string]any{}},
		{"below a list", "v1/Pod", `spec: {containers: [{ports: [{containerPort: 80}]}]}`, path{"spec", "containers", 0, "ports", 0, "protocol"}, "TCP"},
		{"for a pod", "v1/Pod", `spec: {}`, path{"spec", "enableServiceLinks"}, true},
		{"but not for a template", "apps/v1/Deployment", `spec: {template: {spec: {}}}`, path{"spec", "template", "spec", "enableServiceLinks"}, nil},
		{"for a job", "batch/v1/Job", `spec: {}`, path{"spec", "suspend"}, false},
		{"but not for the job of a cron job", "batch/v1/CronJob", `spec: {jobTemplate: {spec: {}}}`, path{"spec", "jobTemplate", "spec", "suspend"}, nil},

		{"image without tag", "v1/Pod", `spec: {containers: [{image: a.example:5000/b}]}`, path{"spec", "containers", 0, "imagePullPolicy"}, "Always"},
		{"image with tag", "v1/Pod", `spec: {initContainers: [{image: "b:1"}]}`, path{"spec", "initContainers", 0, "imagePullPolicy"}, "IfNotPresent"},
		{"requests from limits", "v1/Pod", `spec: {containers: [{resources: {limits: {cpu: 1}}}]}`, path{"spec", "containers", 0, "resources", "requests"}, map[string]any{"cpu": int64(1)}},
		{"not in a template", "v1/PodTemplate", `template: {spec: {containers: [{resources: {limits: {cpu: 1}}}]}}`, path{"template", "spec", "containers", 0, "resources", "requests"}, nil},
		{"host ports", "v1/Pod", `spec: {hostNetwork: true, containers: [{ports: [{containerPort: 80}]}]}`, path{"spec", "containers", 0, "ports", 0, "hostPort"}, int64(80)},
		{"service account", "v1/Pod", `spec: {serviceAccount: a}`, path{"spec", "serviceAccountName"}, "a"},
		{"volume without source", "v1/Pod", `spec: {volumes: [{name: a}]}`, path{"spec", "volumes", 0}, map[string]any{"name": "a", "emptyDir": map[string]any{}}},
		{"volume with source", "v1/Pod", `spec: {volumes: [{name: a, configMap: {name: b}}]}`, path{"spec", "volumes", 0, "emptyDir"}, nil},

		{"rolling update", "apps/v1/Deployment", `spec: {}`, path{"spec", "strategy"}, map[string]any{"type": "RollingUpdate", "rollingUpdate": map[string]any{"maxSurge": "25%", "maxUnavailable": "25%"}}},
		{"no rolling update", "apps/v1/Deployment", `spec: {strategy: {type: Recreate}}`, path{"spec", "strategy"}, map[string]any{"type": "Recreate"}},
		{"stateful rolling update", "apps/v1/StatefulSet", `spec: {updateStrategy: {type: RollingUpdate}}`, path{"spec", "updateStrategy"}, map[string]any{"type": "RollingUpdate"}},
		{"completions", "batch/v1/Job", `spec: {parallelism: 2}`, path{"spec", "completions"}, nil},
		{"labels of a job", "batch/v1/Job", `spec: {template: {metadata: {labels: {a: b}}}}`, path{"metadata", "labels"}, map[string]any{"a": "b"}},

		{"namespace label", "v1/Namespace", `metadata: {name: a}`, path{"metadata", "labels"}, map[string]any{"kubernetes.io/metadata.name": "a"}},
		{"secret", "v1/Secret", `{data: {a: eA==}, stringData: {b: "y"}}`, path{"data"}, map[string]any{"a": "eA==", "b": "eQ=="}},
		{"target port", "v1/Service", `spec: {ports: [{port: 80}]}`, path{"spec", "ports", 0, "targetPort"}, int64(80)},
		{"external name", "v1/Service", `spec: {type: ExternalName}`, path{"spec", "internalTrafficPolicy"}, nil},
		{"limit range", "v1/LimitRange", `spec: {limits: [{type: Container, max: {cpu: 2}, min: {cpu: 1, memory: 1}}]}`, path{"spec", "limits", 0, "defaultRequest"}, map[string]any{"cpu": int64(2), "memory": int64(1)}},

		{"policy types", "networking.k8s.io/v1/NetworkPolicy", `spec: {egress: [{}]}`, path{"spec", "policyTypes"}, []any{"Ingress", "Egress"}},
		{"subject", "rbac.authorization.k8s.io/v1/RoleBinding", `subjects: [{kind: Group, name: a}, {kind: ServiceAccount, name: a}]`, path{"subjects"}, []any{
			map[string]any{"kind": "Group", "name": "a", "apiGroup": "rbac.authorization.k8s.io"}, map[string]any{"kind": "ServiceAccount", "name": "a"}}},
		{"webhook", "admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration", `webhooks: [{rules: [{}]}]`, path{"webhooks", 0}, map[string]any{
			"failurePolicy": "Fail", "matchPolicy": "Equivalent", "namespaceSelector": map[string]any{}, "objectSelector": map[string]any{},
			"timeoutSeconds": int64(10), "rules": []any{map[string]any{"scope": "*"}}}},
		{"scaling up", "autoscaling/v2/HorizontalPodAutoscaler", `spec: {behavior: {scaleUp: {}}}`, path{"spec", "behavior", "scaleUp", "stabilizationWindowSeconds"}, int64(0)},
		{"scaling down", "autoscaling/v2/HorizontalPodAutoscaler", `spec: {behavior: {scaleDown: {}}}`, path{"spec", "behavior", "scaleDown", "stabilizationWindowSeconds"}, nil},
		{"custom resource", "apiextensions.k8s.io/v1/CustomResourceDefinition", `spec: {names: {kind: Foo}}`, path{"spec", "names"}, map[string]any{"kind": "Foo", "singular": "foo", "listKind": "FooList"}},
	} {
		t.Run(tc.kind+"/"+tc.name, func(t *testing.T) {
			object := decode(t, tc.document)
			if !Default(kind(t, tc.kind), object) {
				t.Fatal("the kind is not known")
			}
			if diff := cmp.Diff(tc.want, at(object, tc.at...)); diff != "" {
				t.Errorf("at %v (-want +got):\n%s", tc.at, diff)
			}
		})
	}
}

// kind finds a kind by its key in the table.
func kind(t *testing.T, key string) schema.GroupVersionKind {
	t.Helper()
	for _, r := range Resources() {
		if r.Kind.GroupVersion().String()+"/"+r.Kind.Kind == key {
			return r.Kind
		}
	}
	t.Fatalf("no resource has the kind %s", key)
	return schema.GroupVersionKind{}
}

func TestDefaultLeavesOtherKindsAlone(t *testing.T) {
	object := map[string]any{"spec": map[string]any{}}
	if Default(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Pod"}, object) {
		t.Error("example.com/v1 Pod is said to be known")
	}
	if diff := cmp.Diff(map[string]any{"spec": map[string]any{}}, object); diff != "" {
		t.Errorf("changed (-want +got):\n%s", diff)
	}
}

// What a user pastes may be of the wrong shape: defaulting leaves it for decoding to complain.
func TestDefaultSurvivesWrongShapes(t *testing.T) {
	for _, r := range Resources() {
		for _, document := range []string{
			`{metadata: 1, spec: 1, status: 1, webhooks: 1, subjects: 1, data: 1, stringData: {a: 1}, roleRef: a}`,
			`{metadata: {labels: 1, annotations: 1}, spec: {template: 1, containers: 1, ports: {a: 1}, limits: [1], names: 1}, webhooks: [1, {rules: 1}], subjects: [[]]}`,
			`{spec: {template: {spec: {containers: [{resources: {limits: 1, requests: 1}, ports: [1]}], volumes: [null]}, metadata: 1}}}`,
		} {
			Default(r.Kind, decode(t, document))
		}
	}
}

// Every default that depends on more than its own field has a rule. The clock and annotations that carry the fields of
// another version are the exceptions.
func TestRulesFillWhatTheTableLeavesOpen(t *testing.T) {
	exceptions := []string{"resource/v1.DeviceTaint timeAdded", "autoscaling/v1.HorizontalPodAutoscaler metadata.annotations"}
	filled := slices.Clone(exceptions)
	for _, rule := range rules {
		filled = append(filled, rule.fills...)
	}
	for name, typ := range loadTable().Types {
		for _, path := range typ.Rules {
			if !slices.Contains(filled, name+" "+path) {
				t.Errorf("no rule fills %s %s", name, path)
			}
		}
	}
}

func TestTableIsOfVersion(t *testing.T) {
	if got := loadTable().Version; got != Version {
		t.Errorf("defaults.json was written from Kubernetes %s, but Version is %s", got, Version)
	}
}
