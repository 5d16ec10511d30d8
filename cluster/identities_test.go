package cluster

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

const (
	accounts = `
apiVersion: v1
kind: ServiceAccount
metadata: {name: runner, namespace: team-a}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: gitops, namespace: ci}`
	clusterBinding = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: viewers}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
subjects:
- {apiGroup: rbac.authorization.k8s.io, kind: Group, name: ops}
- {apiGroup: rbac.authorization.k8s.io, kind: Group, name: devs}
- {apiGroup: rbac.authorization.k8s.io, kind: User, name: "system:serviceaccount:ci:nobody"}
- {kind: ServiceAccount, namespace: ci, name: gitops}`
	roleBinding = `
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: viewers, namespace: team-a}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
subjects:
- {apiGroup: rbac.authorization.k8s.io, kind: User, name: jane}
- {apiGroup: rbac.authorization.k8s.io, kind: User, name: alex}
- {apiGroup: rbac.authorization.k8s.io, kind: Group, name: devs}`
	nobody = `
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: nobody, namespace: team-a}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}`
)

// wantIdentities holds who is known, each list written with spaces between.
func wantIdentities(t *testing.T, s *Snapshot, accounts, users, groups string) {
	t.Helper()
	var names []string
	for _, a := range s.Identities.ServiceAccounts {
		names = append(names, a.String())
	}
	wantAll(t, "service accounts", names, strings.Fields(accounts)...)
	wantAll(t, "users", s.Identities.Users, strings.Fields(users)...)
	wantAll(t, "groups", s.Identities.Groups, strings.Fields(groups)...)
}

func TestManifestsIdentities(t *testing.T) {
	unpack(t, "-- a.yaml --"+accounts+"\n---"+clusterBinding+"\n---"+roleBinding+"\n---"+nobody+`
-- b.yaml --
apiVersion: v1
kind: ServiceAccount
metadata: {name: runner, namespace: team-a}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: placed}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: broken}
subjects: [text, {kind: Group}, {kind: User, name: 7}]
-- c.yaml --
apiVersion: example.com/v1
kind: ServiceAccount
metadata: {name: of-another-group, namespace: team-a}
`)
	s := load(t, "a.yaml", "b.yaml", "c.yaml")
	wantIdentities(t, s, "ci/gitops default/placed team-a/runner", "alex jane", "devs ops")
	wantCount(t, s, "ServiceAccounts", 3)
}

func TestLiveIdentities(t *testing.T) {
	onFake(t, func(t *testing.T, f *fakeCluster, l *live) {
		s := l.Snapshot()
		wantIdentities(t, s, "ci/gitops team-a/runner", "alex jane", "devs ops")
		wantAll(t, "gaps", s.About.Gaps)
		wantCount(t, s, "ServiceAccounts", 2)

		f.update(strings.Replace(roleBinding, "name: jane", "name: zoe", 1))
		f.delete(clusterBinding)
		f.create("{apiVersion: v1, kind: ServiceAccount, metadata: {name: a, namespace: z}}")
		pass(time.Second)
		wantIdentities(t, l.Snapshot(), "ci/gitops team-a/runner z/a", "alex zoe", "devs")
		wantIdentities(t, s, "ci/gitops team-a/runner", "alex jane", "devs ops")
	}, func(t *testing.T) *fakeCluster {
		return newFakeCluster(t, accounts, clusterBinding, roleBinding, nobody)
	})
}

func TestLiveIdentitiesForbidden(t *testing.T) {
	onFake(t, func(t *testing.T, f *fakeCluster, l *live) {
		s := l.Snapshot()
		wantIdentities(t, s, "", "", "devs ops")
		wantAll(t, "gaps", s.About.Gaps,
			"RoleBindings cannot be read: forbidden; the users and groups that they name are not listed.",
			"ServiceAccounts cannot be read: forbidden; in which FlowSchemas they fall is not listed.")
		if len(s.About.Syncing) > 0 || len(ids(s)) != 1 {
			t.Errorf("policies are %q, about is %+v", ids(s), s.About)
		}
	}, func(t *testing.T) *fakeCluster {
		f := newFakeCluster(t, hook, accounts, clusterBinding, roleBinding)
		for _, r := range []string{"serviceaccounts", "rolebindings"} {
			f.failing[r] = forbidden(r)
		}
		return f
	})
}

// Role bindings, of which there may be tens of thousands, are kept by their names alone, and gathered again only when one of them changes.
func TestLiveManyRoleBindings(t *testing.T) {
	const many = 2000
	onFake(t, func(t *testing.T, f *fakeCluster, l *live) {
		before := l.Snapshot()
		if got := len(before.Identities.Users); got != many {
			t.Fatalf("%d users", got)
		}
		f.update(strings.Replace(teamA, "env: prod", "env: test", 1))
		pass(time.Second)
		after := l.Snapshot()
		if after == before || &after.Identities.Users[0] != &before.Identities.Users[0] {
			t.Error("the identities were gathered anew after a namespace changed")
		}
		for _, i := range l.itemsOf(roleBindingKind) {
			if i.object != nil || i.meta.GetAnnotations() != nil {
				t.Fatalf("%s is kept whole", i.meta.GetName())
			}
		}
		f.delete(nobody)
		pass(time.Second)
		if last := l.Snapshot(); &last.Identities.Users[0] == &before.Identities.Users[0] {
			t.Error("the identities were not gathered anew after a role binding went away")
		}
	}, func(t *testing.T) *fakeCluster {
		f := newFakeCluster(t, teamA, nobody)
		for i := range many {
			f.create(fmt.Sprintf(`{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding,
				metadata: {name: b%d, namespace: team-a, annotations: {note: long}}, subjects: [{kind: User, name: u%d}]}`, i, i))
		}
		return f
	})
}

// Whoever asks once waits for nobody's names, and is told nothing about them.
func TestReadOnceLeavesOutIdentities(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFakeCluster(t, hook, accounts, clusterBinding)
		f.failing["rolebindings"] = unreachable
		s, err := readOnce(t.Context(), f.clients(), liveOptions{})
		if err != nil {
			t.Fatal(err)
		}
		wantIdentities(t, s, "", "", "")
		wantAll(t, "gaps", s.About.Gaps)
		wantAll(t, "policies", ids(s), "ValidatingWebhookConfiguration/guard/pods.guard.example.com")
	})
}
