package live

import (
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope/coverage"
)

const (
	settings = `apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: team-a, labels: {tier: front}}
data: {mode: strict}`
	token = `apiVersion: v1
kind: Secret
metadata: {name: token, namespace: team-a, labels: {tier: front}}
stringData: {mode: strict}`
	strict = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: strict}
webhooks:
- name: strict.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: Ignore
  clientConfig: {url: "https://strict.example.com"}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps, secrets]}]
  matchConditions: [{name: strict, expression: "has(object.data) && 'mode' in object.data && object.data.mode == 'strict'"}]`
)

var (
	configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	secrets    = schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
	inFull     = cluster.WithPopulation(cluster.PopulationOptions{Depth: cluster.PopulationFull})
)

// resourceOf says how far a resource has been read, by the name that kubectl gives it.
func resourceOf(s *cluster.Snapshot, name string) cluster.PopulationResource {
	i := slices.IndexFunc(s.Population.Resources, func(r cluster.PopulationResource) bool { return r.GroupResource().String() == name })
	if i < 0 {
		return cluster.PopulationResource{}
	}
	return s.Population.Resources[i]
}

// labelled waits until the ConfigMap has a label.
func labelled(tier string) func(*cluster.Snapshot) bool {
	return func(s *cluster.Snapshot) bool {
		o, ok := s.Population.Find(configMaps, "team-a", "settings")
		return ok && o.Labels["tier"] == tier
	}
}

func population(t *testing.T, w *world, _ cluster.Source) {
	w.apply(t, teamA+"\n---\n"+settings+"\n---\n"+token)
	source := w.watch(t, "", inFull)
	s := eventually(t, source, "all objects", func(s *cluster.Snapshot) bool { return synced(s) && s.Population.Complete() })
	for _, r := range s.Population.Resources {
		if r.Resource == "leases" { // The server renews and removes its own.
			continue
		}
		l, err := w.client.Resource(r.GroupVersionResource).List(t.Context(), metav1.ListOptions{})
		if err != nil || len(l.Items) != r.Objects || r.State != cluster.Read {
			t.Errorf("%s: %d objects (%s %s), the server has %d, error %v", r.GroupVersionResource, r.Objects, r.State, r.Why, len(l.Items), err)
		}
	}
	if resourceOf(s, "pods").State != cluster.Read || resourceOf(s, "componentstatuses").State != "" || resourceOf(s, "events.events.k8s.io").State != "" {
		t.Errorf("resources are %+v", s.Population.Resources)
	}
	w.apply(t, strings.Replace(settings, "front", "back", 1))
	eventually(t, source, "another label", labelled("back"))
	w.delete(t, settings)
	eventually(t, source, "no ConfigMap", func(s *cluster.Snapshot) bool {
		_, ok := s.Population.Find(configMaps, "team-a", "settings")
		return !ok
	})
	w.apply(t, definition)
	w.apply(t, parameter)
	eventually(t, source, "a custom resource", func(s *cluster.Snapshot) bool {
		r := resourceOf(s, "limits.example.com")
		return r.State == cluster.Read && r.Objects == 1
	})
	w.delete(t, definition)
	eventually(t, source, "no custom resource", func(s *cluster.Snapshot) bool {
		return resourceOf(s, "limits.example.com").State == "" && s.Population.Count(schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "limits"}) == 0
	})
	w.delete(t, token)
}

// content has a policy that looks into ConfigMaps and Secrets: those are read, and these are not.
func content(t *testing.T, w *world, _ cluster.Source) {
	w.apply(t, settings+"\n---\n"+token+"\n---\n"+strict)
	source := w.watch(t, "", inFull)
	counts := func(s *cluster.Snapshot, gvr schema.GroupVersionResource) coverage.Counts {
		r, err := coverage.NewEvaluator(coverage.Ask{}).Update(t.Context(), s.Population.Population, s.Policies.Policies(), s.Facts)
		if err != nil {
			t.Fatal(err)
		}
		i := r.Index("ValidatingWebhookConfiguration/strict/strict.example.com")
		if i < 0 {
			return coverage.Counts{}
		}
		return r.Of(i, gvr)
	}
	s := eventually(t, source, "all objects", func(s *cluster.Snapshot) bool { return synced(s) && s.Population.Complete() })
	if c := counts(s, configMaps); c.Included != 1 || c.Unknown != 0 {
		t.Errorf("ConfigMaps: %+v", c)
	}
	if c := counts(s, secrets); c.Unknown != c.Applicable || c.Applicable == 0 {
		t.Errorf("Secrets: %+v", c)
	}
	w.apply(t, strings.Replace(settings, "strict", "lax", 1))
	eventually(t, source, "another content", func(s *cluster.Snapshot) bool { return counts(s, configMaps).Included == 0 })
	w.delete(t, settings+"\n---\n"+token+"\n---\n"+strict)
}

// refused has somebody who may read nothing but Namespaces.
func refused(t *testing.T, w *world, _ cluster.Source) {
	w.apply(t, readers)
	source := w.watch(t, "jane", inFull)
	s := eventually(t, source, "the Namespaces", func(s *cluster.Snapshot) bool {
		return resourceOf(s, "namespaces").State == cluster.Read && resourceOf(s, "pods").State == cluster.Missing
	})
	if why := resourceOf(s, "pods").Why; why != "It cannot be read: forbidden." || resourceOf(s, "namespaces").Objects == 0 {
		t.Errorf("resources are %+v", s.Population.Resources)
	}
}

// cutOff has the way to the server cut, and what changed meanwhile taken in afterwards.
func cutOff(t *testing.T, w *world, _ cluster.Source) {
	w.apply(t, settings)
	source := w.watch(t, "", inFull)
	eventually(t, source, "all objects", func(s *cluster.Snapshot) bool { return synced(s) && s.Population.Complete() })
	w.proxy.cut()
	s := eventually(t, source, "that nobody answers", func(s *cluster.Snapshot) bool { return resourceOf(s, "configmaps").State == cluster.Missing })
	if why := resourceOf(s, "configmaps").Why; !strings.HasPrefix(why, "Changes have not been seen since ") || !labelled("front")(s) {
		t.Errorf("ConfigMaps: %s", why)
	}
	w.apply(t, strings.Replace(settings, "front", "back", 1))
	w.proxy.restore(t)
	eventually(t, source, "what happened meanwhile", func(s *cluster.Snapshot) bool { return labelled("back")(s) && s.Population.Complete() })
	w.delete(t, settings)
}
