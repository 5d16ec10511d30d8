package request

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ambit-k8s/ambit/scope/manifest"
)

func derive(t *testing.T, data string, ask Ask) *Derived {
	t.Helper()
	documents, problems := manifest.Read("in.yaml", []byte(data), 0)
	derived, more := Derive(documents, ask, facts(widgets()))
	for _, p := range append(problems, more...) {
		t.Error(p)
	}
	if derived == nil {
		t.Fatal("no request")
	}
	return derived
}

const template = `
    metadata:
      labels: {app: web}
      annotations: {team: shop}
    spec:
      containers: [{name: app, image: nginx}]
`

// Each controller creates its objects as its own service account, with the labels of the
// template and not its own.
func TestOffers(t *testing.T) {
	workload := func(apiVersion, kind, indented string) string {
		return "apiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata: {name: web, namespace: shop, labels: {own: x}, managedFields: []}\nspec:\n" + indented
	}
	plain := "  selector: {matchLabels: {app: web}}\n  template:" + template
	for kind, tc := range map[string]struct {
		data string
		want []string
	}{
		"Deployment": {workload("apps/v1", "Deployment", plain), []string{
			"ReplicaSet shop/ generate= labels=app=web owner=Deployment/web by deployment-controller",
			"Pod shop/ generate=web- labels=app=web owner=ReplicaSet/ by replicaset-controller",
		}},
		"ReplicaSet": {workload("apps/v1", "ReplicaSet", plain), []string{
			"Pod shop/ generate=web- labels=app=web owner=ReplicaSet/web by replicaset-controller",
		}},
		"DaemonSet": {workload("apps/v1", "DaemonSet", plain), []string{
			"Pod shop/ generate=web- labels=app=web owner=DaemonSet/web by daemon-set-controller",
		}},
		"StatefulSet": {workload("apps/v1", "StatefulSet", plain), []string{
			"Pod shop/web-0 generate= labels=app=web,apps.kubernetes.io/pod-index=0,statefulset.kubernetes.io/pod-name=web-0 owner=StatefulSet/web by statefulset-controller",
		}},
		"ReplicationController": {workload("v1", "ReplicationController", "  template:"+template), []string{
			"Pod shop/ generate=web- labels=app=web owner=ReplicationController/web by replication-controller",
		}},
		"Job": {workload("batch/v1", "Job", "  template:"+template+"      restartPolicy: Never\n"), []string{
			"Pod shop/ generate=web- labels=app=web,batch.kubernetes.io/job-name=web,job-name=web owner=Job/web by job-controller",
		}},
		"CronJob": {workload("batch/v1", "CronJob", "  schedule: '@daily'\n  jobTemplate:\n    metadata: {labels: {job: x}}\n    spec:\n      template:"+strings.ReplaceAll(template, "\n", "\n    ")), []string{
			"Job shop/ generate= labels=job=x owner=CronJob/web by cronjob-controller",
			"Pod shop/ generate=web- labels=app=web owner=Job/ by job-controller",
		}},
		"PodTemplate": {"apiVersion: v1\nkind: PodTemplate\nmetadata: {name: web, namespace: shop}\ntemplate:" + template, []string{
			"Pod shop/ generate=web- labels=app=web owner= by ",
		}},
		"ConfigMap": {"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: shop}\n", nil},
	} {
		t.Run(kind, func(t *testing.T) {
			var got []string
			for _, offer := range derive(t, tc.data, Ask{}).Offers {
				got = append(got, offered(t, offer))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// offered sums up an offer, after deriving a request from it as if it had been pasted.
func offered(t *testing.T, offer Offer) string {
	t.Helper()
	made := derive(t, offer.Manifest, Ask{User: offer.User})
	u := made.Document.Object
	account, owner := "", ""
	if offer.User != nil {
		account = strings.TrimPrefix(offer.User.Username, "system:serviceaccount:kube-system:")
	}
	if references, ok := u.Object["metadata"].(map[string]any)["ownerReferences"].([]any); ok {
		reference := references[0].(map[string]any)
		name, _ := reference["name"].(string)
		owner = reference["kind"].(string) + "/" + name
	}
	labels := strings.TrimPrefix(describe(u), "namespace=shop labels=")
	return u.GetKind() + " shop/" + u.GetName() + " generate=" + u.GetGenerateName() + " labels=" + labels + " owner=" + owner + " by " + account
}

// What is open is absent from the review, what is certainly nothing is null.
func TestReviewTellsOpenFromNull(t *testing.T) {
	derived := derive(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n", Ask{Operation: "UPDATE"})
	var got map[string]any
	if err := json.Unmarshal(derived.Review, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"kind":     map[string]any{"group": "", "version": "v1", "kind": "ConfigMap"},
		"resource": map[string]any{"group": "", "version": "v1", "resource": "configmaps"},
		"name":     "a", "namespace": "b", "operation": "UPDATE", "dryRun": false,
		"object": map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "a", "namespace": "b"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	created := derive(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n", Ask{})
	if !strings.Contains(string(created.Review), `"oldObject":null`) {
		t.Errorf("%s", created.Review)
	}
}

// Paths of the request lead back to where they were pasted.
func TestLineOf(t *testing.T) {
	plain := derive(t, "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels:\n    app: web\n", Ask{Operation: "DELETE"})
	review := derive(t, `apiVersion: admission.k8s.io/v1
kind: AdmissionReview
request:
  kind: {group: "", version: v1, kind: ConfigMap}
  resource: {group: "", version: v1, resource: configmaps}
  operation: CREATE
  userInfo: {username: jane}
  name: a
  object:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: a
      labels: {app: web}
`, Ask{})
	for _, tc := range []struct {
		derived *Derived
		path    string
		line    int
		ok      bool
	}{
		{plain, `oldObject.metadata.labels["app"]`, 6, true},
		{plain, `oldObject.metadata.labels["tier"]`, 5, false},
		{plain, "request.name", 4, true},
		{plain, "request.namespace", 3, false},
		{plain, "request.userInfo.username", 1, false},
		{review, `object.metadata.labels["app"]`, 14, true},
		{review, "object.spec", 9, false},
		{review, "request.userInfo.username", 7, true},
		{review, "oldObject.metadata", 3, false},
	} {
		if _, line, ok := tc.derived.LineOf(tc.path); line != tc.line || ok != tc.ok {
			t.Errorf("%s: line %d, %t; want %d, %t", tc.path, line, ok, tc.line, tc.ok)
		}
	}
}
