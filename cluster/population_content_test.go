package cluster

import (
	"strings"
	"testing"
	"time"

	"github.com/ambit-k8s/ambit/scope/coverage"
)

// hostPolicy looks into Pods and Secrets.
const hostPolicy = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: host}
webhooks:
- name: host.example.com
  rules: [{apiGroups: ["*"], apiVersions: ["*"], operations: [CREATE], resources: [pods, secrets]}]
  matchConditions: [{name: host, expression: "has(object.spec) && object.spec.hostNetwork || has(object.data) && 'key' in object.data"}]`

// included says how many objects the only policy reaches, and of how many that is not known.
func included(t *testing.T, l *live) (included, unknown int) {
	t.Helper()
	s := l.Snapshot()
	r, err := coverage.NewEvaluator(coverage.Ask{}).Update(t.Context(), s.Population.Population, s.Policies.Policies(), s.Facts)
	if err != nil {
		t.Fatal(err)
	}
	c := r.Of(0, pods)
	return int(c.Included), int(c.Unknown + r.Of(0, secret).Unknown)
}

// Where match conditions look into objects, these are read as a whole, but for Secrets.
func TestPopulationContent(t *testing.T) {
	onPopulated(t, inFull, func(t *testing.T, f *fakeCluster, l *live) {
		f.create(hostPolicy)
		pass(time.Second)
		wantState(t, l, "pods", Read, 3)
		if in, unknown := included(t, l); in != 1 || unknown != 1 {
			t.Errorf("%d Pods are included and %d objects unknown, want the one on the host network and the Secret", in, unknown)
		}
		if !f.asked["whole pods"] || f.asked["whole secrets"] || f.asked["whole deployments"] {
			t.Errorf("asked for %v", f.asked)
		}
		f.update(pod("b", "app: web", "hostNetwork: true"))
		pass(time.Second)
		if in, _ := included(t, l); in != 2 {
			t.Errorf("%d Pods are included after another one went onto the host network", in)
		}
		f.update(strings.Replace(hostPolicy, "hostNetwork", "hostPID", 1))
		pass(time.Second)
		if in, unknown := included(t, l); in != 0 || unknown != 1 {
			t.Errorf("%d Pods are included and %d objects unknown after the condition reads another field", in, unknown)
		}
	}, populated)
}

func TestPopulationMetadataOnly(t *testing.T) {
	onPopulated(t, metadataOnly, func(t *testing.T, f *fakeCluster, l *live) {
		if why := wantState(t, l, "pods", Read, 3); why != "Only the metadata are read; what match conditions read beside them is not known." {
			t.Error(why)
		}
		wantState(t, l, "events", Read, 1)
		if _, unknown := included(t, l); unknown != 4 || f.asked["whole pods"] {
			t.Errorf("%d objects are unknown, want all; asked for %v", unknown, f.asked)
		}
	}, func(t *testing.T) *fakeCluster {
		f := populated(t)
		f.create(hostPolicy)
		return f
	})
}
