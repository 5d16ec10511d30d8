package cluster

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var (
	pods         = schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	secret       = schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
	inFull       = PopulationOptions{Depth: PopulationFull, LeaveOut: LeftOutByDefault}
	metadataOnly = PopulationOptions{Depth: PopulationMetadata}
)

const (
	limitMax = "{apiVersion: example.com/v1, kind: Limit, metadata: {name: max, namespace: team-a}}"
	token    = `{apiVersion: v1, kind: Secret, metadata: {name: token, namespace: team-a}, data: {key: c2VjcmV0}}`
	anEvent  = `{apiVersion: v1, kind: Event, metadata: {name: started, namespace: team-a}}`
)

func pod(name, labels, spec string) string {
	return fmt.Sprintf("{apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: team-a, labels: {%s}}, spec: {%s}}", name, labels, spec)
}

// populated is a cluster with objects of several kinds, more Pods than one page has among them.
func populated(t *testing.T) *fakeCluster {
	f := newFakeCluster(t, teamA, crd, limitMax, token, anEvent,
		pod("a", "app: web", "hostNetwork: true"), pod("b", "app: web", "hostNetwork: false"), pod("c", "", "hostNetwork: false"))
	f.serve("v1", discovered("bindings", "create"), discovered("componentstatuses", "get", "list"), discovered("oddities", "create", "list"))
	return f
}

func TestPopulation(t *testing.T) {
	onPopulated(t, inFull, func(t *testing.T, f *fakeCluster, l *live) {
		p := l.Snapshot().Population
		if p.Len() != 7 || !p.Complete() {
			t.Errorf("%d objects, complete %v: %+v", p.Len(), p.Complete(), p.Resources)
		}
		wantState(t, l, "pods", Read, 3)
		wantState(t, l, "secrets", Read, 1)
		wantState(t, l, "namespaces", Read, 1)
		wantState(t, l, "limits.example.com", Read, 1)
		wantState(t, l, "deployments.apps", Read, 0)
		wantState(t, l, "bindings", "", 0)
		wantState(t, l, "componentstatuses", "", 0)
		if why := wantState(t, l, "events", LeftOut, 0); why != "It is left out by the settings." {
			t.Error(why)
		}
		if why := wantState(t, l, "oddities", LeftOut, 0); why != "It can be listed but not watched, so it is left out." {
			t.Error(why)
		}
		if labels, _ := podLabels(l, "team-a", "a"); !maps.Equal(labels, map[string]string{"app": "web"}) {
			t.Errorf("labels are %v", labels)
		}
		for what := range f.asked {
			if strings.HasPrefix(what, "whole ") {
				t.Errorf("no policy looks into objects, and %s were read", what)
			}
		}
	}, populated)
}

func TestPopulationFollowsChanges(t *testing.T) {
	onPopulated(t, inFull, func(t *testing.T, f *fakeCluster, l *live) {
		before := l.Snapshot()
		f.create(pod("d", "app: new", ""))
		f.update(pod("a", "app: other", ""))
		f.delete(pod("b", "", ""))
		pass(time.Second)
		wantState(t, l, "pods", Read, 3)
		if labels, ok := podLabels(l, "team-a", "d"); !ok || labels["app"] != "new" {
			t.Errorf("labels of the new Pod are %v", labels)
		}
		if labels, _ := podLabels(l, "team-a", "a"); labels["app"] != "other" {
			t.Errorf("labels of the changed Pod are %v", labels)
		}
		if _, ok := podLabels(l, "team-a", "b"); ok {
			t.Error("the deleted Pod is still there")
		}
		if _, ok := before.Population.Find(pods, "team-a", "b"); !ok {
			t.Error("an older snapshot changed")
		}
		if age := time.Since(l.Snapshot().About.Read); age > time.Second {
			t.Errorf("the snapshot is %v old", age)
		}
		now := l.Snapshot()
		f.update(pod("a", "app: other", "nodeName: elsewhere"))
		pass(time.Second)
		if l.Snapshot() != now {
			t.Error("there is a new snapshot after a change that no layer reads")
		}
	}, populated)
}

func TestPopulationWithoutDefinition(t *testing.T) {
	onPopulated(t, inFull, func(t *testing.T, f *fakeCluster, l *live) {
		f.delete(crd)
		pass(time.Second)
		wantState(t, l, "limits.example.com", "", 0)
		if n := l.Snapshot().Population.Len(); n != 5 {
			t.Errorf("%d objects, want the 5 that are neither the definition nor of its kind", n)
		}
		f.create(crd)
		pass(10 * time.Second)
		wantState(t, l, "limits.example.com", Read, 1)
	}, populated)
}

func TestPopulationForbiddenAndSilent(t *testing.T) {
	onPopulated(t, inFull, func(t *testing.T, f *fakeCluster, l *live) {
		wantState(t, l, "deployments.apps", Reading, 0)
		wantState(t, l, "limits.example.com", Read, 1)
		pass(time.Minute)
		if why := wantState(t, l, "pods", Missing, 0); why != "It cannot be read: forbidden." {
			t.Error(why)
		}
		if why := wantState(t, l, "deployments.apps", Missing, 0); why != "It cannot be read: there is no answer within 30s." {
			t.Error(why)
		}
		wantState(t, l, "secrets", Read, 1)
		if l.Snapshot().Population.Complete() {
			t.Error("a population without Pods is said to be complete")
		}
		f.set(func() { clear(f.failing); clear(f.hanging) })
		pass(5 * time.Minute)
		wantState(t, l, "pods", Read, 3)
		wantState(t, l, "deployments.apps", Read, 0)
	}, func(t *testing.T) *fakeCluster {
		f := populated(t)
		f.failing["pods"] = forbidden("pods")
		f.hanging["deployments"] = true
		return f
	})
}

// More resources than lists that may be under way do not answer; the others are read all the same.
func TestPopulationManySilent(t *testing.T) {
	onPopulated(t, inFull, func(t *testing.T, f *fakeCluster, l *live) {
		pass(20 * time.Second)
		wantState(t, l, "pods", Read, 3)
		wantState(t, l, "silent7.example.org", Reading, 0)
	}, func(t *testing.T) *fakeCluster {
		f := populated(t)
		for i := range 2 * listsAtOnce {
			name := fmt.Sprintf("silent%d", i)
			f.serve("example.org/v1", discovered(name, "create", "list", "watch"))
			f.hanging[name] = true
		}
		return f
	})
}

func TestPopulationAfterBrokenWatch(t *testing.T) {
	onPopulated(t, inFull, func(t *testing.T, f *fakeCluster, l *live) {
		f.set(func() { f.failing["pods"] = unreachable })
		f.end("pods", unreachable)
		pass(time.Second)
		if why := wantState(t, l, "pods", Missing, 3); !strings.HasPrefix(why, "Changes have not been seen since ") || !strings.HasSuffix(why, "unable to handle the request.") {
			t.Error(why)
		}
		f.delete(pod("a", "", ""))
		f.set(func() { clear(f.failing) })
		pass(time.Minute)
		f.end("pods", apierrors.NewResourceExpired("too old resource version"))
		pass(10 * time.Second)
		wantState(t, l, "pods", Read, 2)
		if _, ok := podLabels(l, "team-a", "a"); ok {
			t.Error("an object that was deleted while nobody looked is still there")
		}
	}, populated)
}

// A list that takes too long for the server to keep its rest is read again from the start.
func TestPopulationListExpires(t *testing.T) {
	onPopulated(t, inFull, func(t *testing.T, f *fakeCluster, l *live) {
		wantState(t, l, "pods", Reading, 2)
		f.delete(pod("a", "", ""))
		pass(10 * time.Second)
		wantState(t, l, "pods", Read, 2)
		if _, ok := podLabels(l, "team-a", "a"); ok {
			t.Error("an object of the first attempt is still there")
		}
	}, func(t *testing.T) *fakeCluster {
		f := populated(t)
		f.expiring["pods"] = true
		return f
	})
}

// What a follower that was stopped still has in its hands does not come back.
func TestPopulationStoppedFollower(t *testing.T) {
	onPopulated(t, inFull, func(t *testing.T, f *fakeCluster, l *live) {
		w := l.filling.followers[pods]
		f.drop("pods")
		pass(2 * time.Minute)
		wantState(t, l, "pods", "", 0)
		w.filling.take(w, &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: "team-a", Name: "late"}})
		if p := l.filling.store.Snapshot(); p.Count(pods) != 0 {
			t.Errorf("%d Pods are back", p.Count(pods))
		}
	}, populated)
}

func TestPopulationOff(t *testing.T) {
	onFake(t, func(t *testing.T, f *fakeCluster, l *live) {
		if p := l.Snapshot().Population; p.Population != nil || len(p.Resources) > 0 || len(f.asked) > 0 {
			t.Errorf("population is %+v, asked for %v", p, f.asked)
		}
	}, populated)
}

func TestReadOnceWithPopulation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := populated(t)
		f.create(hostPolicy)
		f.failing["deployments"] = forbidden("deployments")
		s, err := readOnce(t.Context(), f.clients(), liveOptions{population: inFull})
		if err != nil {
			t.Fatal(err)
		}
		if s.Population.Len() != 8 || s.Population.Complete() {
			t.Errorf("%d objects, complete %v", s.Population.Len(), s.Population.Complete())
		}
		f.hanging["pods"] = true
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if _, err = readOnce(ctx, f.clients(), liveOptions{population: inFull}); err == nil || !strings.HasPrefix(err.Error(), "pods of cluster fake could not be read: ") {
			t.Errorf("error is %v", err)
		}
	})
}
