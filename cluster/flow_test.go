package cluster

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/flow"
)

const (
	slow = `
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: FlowSchema
metadata: {name: slow}
spec:
  matchingPrecedence: 700
  priorityLevelConfiguration: {name: bulk}
  rules:
  - subjects: [{kind: ServiceAccount, serviceAccount: {namespace: ci, name: gitops}}]
    resourceRules: [{verbs: [list], apiGroups: ["*"], resources: ["*"], namespaces: ["*"], clusterScope: true}]`
	bulk = `
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: PriorityLevelConfiguration
metadata: {name: bulk}
spec: {type: Limited, limited: {nominalConcurrencyShares: 5, limitResponse: {type: Reject}}}`
)

var (
	slowOnly  = []string{"FlowSchema/exempt", "FlowSchema/slow", "FlowSchema/catch-all"}
	mandatory = []string{"FlowSchema/exempt", "FlowSchema/catch-all"}
	// suggested are the FlowSchemas of an API server whose administrator changed nothing, in the order of their
	// precedences as the Kubernetes documentation has it.
	suggested = []string{
		"FlowSchema/exempt", "FlowSchema/probes", "FlowSchema/system-leader-election", "FlowSchema/system-node-high",
		"FlowSchema/system-nodes", "FlowSchema/kube-controller-manager", "FlowSchema/kube-scheduler",
		"FlowSchema/kube-system-service-accounts", "FlowSchema/service-accounts", "FlowSchema/global-default",
		"FlowSchema/catch-all",
	}
)

// flowKind is a kind of flow control that a test drops or serves otherwise.
func flowKind(name string) scope.ObjectKind {
	k, ok := kindOf(schema.GroupKind{Group: "flowcontrol.apiserver.k8s.io", Kind: name})
	if !ok {
		panic("there is no kind " + name)
	}
	return k
}

// wantLevel holds whether the priority level of a FlowSchema exists.
func wantLevel(t *testing.T, s *Snapshot, name string, want scope.Presence) {
	t.Helper()
	for _, one := range flow.OrderOf(s.Policies.Policies()).Schemas {
		if one.Name == name {
			if one.HasLevel != want {
				t.Errorf("presence of the level of %s is %v, want %v", name, one.HasLevel, want)
			}
			return
		}
	}
	t.Errorf("there is no FlowSchema %s", name)
}

func TestLiveFlowSchemas(t *testing.T) {
	onFake(t, func(t *testing.T, f *fakeCluster, l *live) {
		s := l.Snapshot()
		wantAll(t, "FlowSchemas", flowIDs(s), slowOnly...)
		wantAll(t, "gaps", s.About.Gaps)
		wantAll(t, "problems", problems(s))
		wantCount(t, s, "FlowSchemas", 1)
		wantCount(t, s, "PriorityLevelConfigurations", 1)
		if got := originOf(s, "FlowSchema/slow"); got != "cluster fake" {
			t.Errorf("origin is %q", got)
		}
		wantLevel(t, s, "slow", scope.Present)

		f.delete(bulk)
		pass(time.Second)
		wantLevel(t, l.Snapshot(), "slow", scope.Absent)
		f.delete(slow)
		pass(time.Second)
		wantAll(t, "FlowSchemas", flowIDs(l.Snapshot()), mandatory...)
		wantAll(t, "policies", ids(l.Snapshot()), ids(s)...)
	}, func(t *testing.T) *fakeCluster { return newFakeCluster(t, teamA, hook, slow, bulk) })
}

// A FlowSchema that is not known may take any request, so as long as there may be one, nothing is said about the others.
func TestLiveFlowSchemasUnread(t *testing.T) {
	for _, tc := range []struct {
		name    string
		why     error
		gaps    []string
		syncing []Progress
	}{
		{"forbidden", forbidden("flowschemas"), []string{"FlowSchemas cannot be read: forbidden; which of them a request falls in is not known."}, nil},
		{"still being read", unreachable, nil, []Progress{{"FlowSchemas", 0}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			onFake(t, func(t *testing.T, f *fakeCluster, l *live) {
				s := l.Snapshot()
				wantAll(t, "FlowSchemas", flowIDs(s))
				wantAll(t, "policies", ids(s), "ValidatingWebhookConfiguration/guard/pods.guard.example.com")
				wantAll(t, "gaps", s.About.Gaps, tc.gaps...)
				if len(s.About.Syncing) != len(tc.syncing) || len(tc.syncing) > 0 && s.About.Syncing[0] != tc.syncing[0] {
					t.Errorf("syncing %v, want %v", s.About.Syncing, tc.syncing)
				}
				f.set(func() { clear(f.failing) })
				pass(2 * time.Minute)
				s = l.Snapshot()
				wantAll(t, "FlowSchemas", flowIDs(s), slowOnly...)
				wantAll(t, "gaps", s.About.Gaps)
			}, func(t *testing.T) *fakeCluster {
				f := newFakeCluster(t, hook, slow, bulk)
				f.failing["flowschemas"] = tc.why
				return f
			})
		})
	}
}

// Without the priority levels only those are known that every API server keeps up itself.
func TestLivePriorityLevelsForbidden(t *testing.T) {
	onFake(t, func(t *testing.T, f *fakeCluster, l *live) {
		s := l.Snapshot()
		wantGap(t, s, "PriorityLevelConfigurations cannot be read: forbidden; ")
		wantAll(t, "FlowSchemas", flowIDs(s), slowOnly...)
		wantLevel(t, s, "slow", scope.NotKnown)
		wantLevel(t, s, "exempt", scope.Present)
	}, func(t *testing.T) *fakeCluster {
		f := newFakeCluster(t, slow, bulk)
		f.failing["prioritylevelconfigurations"] = forbidden("prioritylevelconfigurations")
		return f
	})
}

// Kubernetes 1.28 serves flow control in v1beta3 and not in v1.
func TestLiveFlowSchemasOfAnOlderServer(t *testing.T) {
	older := func(manifest string) string { return strings.Replace(manifest, "k8s.io/v1\n", "k8s.io/v1beta3\n", 1) }
	onFake(t, func(t *testing.T, f *fakeCluster, l *live) {
		s := l.Snapshot()
		wantAll(t, "FlowSchemas", flowIDs(s), slowOnly...)
		wantAll(t, "gaps", s.About.Gaps)
		wantAll(t, "problems", problems(s))
		wantLevel(t, s, "slow", scope.Present)
	}, func(t *testing.T) *fakeCluster {
		f := newFakeCluster(t, older(slow), older(bulk))
		for _, k := range []scope.ObjectKind{flowKind("FlowSchema"), flowKind("PriorityLevelConfiguration")} {
			f.drop(k.Resource)
			f.serve("flowcontrol.apiserver.k8s.io/v1beta3", metav1.APIResource{Name: k.Resource, Kind: k.Kind})
		}
		return f
	})
}

func TestManifestsFlowSchemas(t *testing.T) {
	for _, tc := range []struct {
		name          string
		files         string
		flow          []string
		read          int
		gaps          []string
		level, origin string
		presence      scope.Presence
	}{
		{
			name: "none", files: guard, flow: suggested, gaps: []string{noFlowSchemas},
			level: "global-default", presence: scope.Present, origin: "the defaults of Kubernetes 1.37.2",
		},
		{
			name: "only a level", files: "-- policies/level.yaml --" + bulk, flow: suggested, gaps: []string{noFlowSchemas},
			level: "catch-all", presence: scope.Present, origin: "the defaults of Kubernetes 1.37.2",
		},
		{
			name: "one and its level", files: "-- policies/flow.yaml --" + slow + "\n---" + bulk, flow: slowOnly, read: 1,
			level: "slow", presence: scope.Present, origin: "policies/flow.yaml, document 1, line 1",
		},
		{
			name: "one and another level", files: "-- policies/flow.yaml --" + slow + "\n---" + strings.Replace(bulk, "name: bulk", "name: other", 1), flow: slowOnly, read: 1,
			level: "slow", presence: scope.Absent, origin: "policies/flow.yaml, document 1, line 1",
		},
		{
			name: "one and no level", files: "-- policies/flow.yaml --" + slow, flow: slowOnly, read: 1,
			level: "slow", presence: scope.NotKnown, origin: "policies/flow.yaml, document 1, line 1",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			unpack(t, tc.files+"\n-- policies/namespace.yaml --"+teamA)
			s := load(t, "policies")
			wantAll(t, "FlowSchemas", flowIDs(s), tc.flow...)
			wantAll(t, "gaps", s.About.Gaps, tc.gaps...)
			wantCount(t, s, "FlowSchemas", tc.read)
			wantLevel(t, s, tc.level, tc.presence)
			if got := originOf(s, "FlowSchema/"+tc.level); got != tc.origin {
				t.Errorf("origin is %q, want %q", got, tc.origin)
			}
		})
	}
}
