package kyverno_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/coverage"
	"github.com/ambit-k8s/ambit/scope/kyverno"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/scope/request"
)

// things are the objects of a small population, with the labels and fields that the fixtures' policies look at.
func things(t *testing.T) []manifest.Document {
	var text strings.Builder
	for _, namespace := range []string{"shop", "dev", "kube-system", "kyverno"} {
		for i, app := range []string{"web", "api"} {
			for _, kind := range []string{"v1 ConfigMap", "v1 Secret", "v1 Pod", "apps/v1 Deployment", "apps/v1 ReplicaSet", "batch/v1 CronJob"} {
				version, kind, _ := strings.Cut(kind, " ")
				fmt.Fprintf(&text, "---\napiVersion: %s\nkind: %s\nmetadata: {name: %s, namespace: %s, labels: {app: %s}}\n", version, kind, []string{"web", "token-1"}[i], namespace, app)
				pod := fmt.Sprintf("{hostNetwork: %v, containers: [{name: c, image: nginx}]}", i == 0)
				switch kind {
				case "Pod":
					fmt.Fprintf(&text, "spec: %s\n", pod)
				case "Deployment", "ReplicaSet":
					fmt.Fprintf(&text, "spec: {template: {spec: %s}}\n", pod)
				case "CronJob":
					fmt.Fprintf(&text, "spec: {jobTemplate: {spec: {template: {spec: %s}}}}\n", pod)
				}
			}
		}
		fmt.Fprintf(&text, "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: %s}\n", namespace)
	}
	documents, problems := manifest.Read("objects.yaml", []byte(text.String()), 0)
	for _, p := range problems {
		t.Fatal(p)
	}
	return documents
}

// Coverage asks a layer once for all objects that agree in what the layer reads. It must come to what a trace of each
// object comes to.
func TestCoverageAgreesWithExplain(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dev := &authenticationv1.UserInfo{Username: "dev-user", Groups: []string{"team-a", "system:authenticated"}}
	asks := []coverage.Ask{{Operation: admission.Create}, {Operation: admission.Create, User: dev}, {Operation: admission.Update, User: dev, DryRun: true}, {Operation: admission.Delete, User: dev}}
	counts := map[scope.Outcome]int{}
	documents := things(t)
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		compiler := kyverno.NewCompiler(release.Default)
		var c *cluster
		for _, f := range archive.Files {
			switch f.Name {
			case "cluster.yaml":
				c = load(t, string(f.Data))
			case "release":
				r, err := release.Parse(strings.TrimSpace(string(f.Data)))
				if err != nil {
					t.Fatal(err)
				}
				compiler = kyverno.NewCompiler(r)
			}
		}
		policies := compiler.Policies(c.objects)
		for _, ask := range asks {
			for outcome, n := range agree(t, c, policies, documents, ask) {
				counts[outcome] += n
			}
		}
	}
	t.Logf("%v", counts)
	for _, o := range []scope.Outcome{scope.Included, scope.Excluded, scope.Unknown, scope.Error} {
		if counts[o] < 20 {
			t.Errorf("only %d are %s", counts[o], o)
		}
	}
}

func agree(t *testing.T, c *cluster, policies []*scope.Policy, documents []manifest.Document, ask coverage.Ask) map[scope.Outcome]int {
	t.Helper()
	store := coverage.NewStore()
	projector := coverage.NewProjector(store, policies, c.facts)
	var objects []coverage.Object
	for _, d := range documents {
		typed, _ := d.Typed()
		accessor, err := meta.Accessor(typed)
		if err != nil {
			t.Fatal(err)
		}
		r, _ := c.facts.Resources.ForKind(d.Object.GroupVersionKind())
		o := coverage.Object{Resource: r.GroupVersionResource, Namespace: accessor.GetNamespace(), Name: accessor.GetName(), Labels: accessor.GetLabels()}
		o.Content = projector.Project(o.Resource, typed)
		store.Put(o)
		objects = append(objects, o)
	}
	result, err := coverage.NewEvaluator(ask).Update(t.Context(), store.Snapshot(), policies, c.facts)
	if err != nil {
		t.Fatal(err)
	}
	set, counts := scope.NewSet(policies), map[scope.Outcome]int{}
	for i, o := range objects {
		said := request.Ask{Operation: string(ask.Operation), User: ask.User, Namespace: o.Namespace, DryRun: &ask.DryRun}
		if ask.Operation == admission.Update {
			said.OldObject = &documents[i]
		}
		derived, problems := request.Derive(documents[i:i+1], said, c.facts)
		if derived == nil {
			t.Fatal(problems)
		}
		traces, err := set.Explain(t.Context(), derived.Request, c.facts)
		if err != nil {
			t.Fatal(err)
		}
		for k, tr := range traces {
			e, ok := result.At(k, o.Resource, o.Namespace, o.Name)
			if o.Resource.Resource == "secrets" && e.Outcome == scope.Unknown {
				continue
			}
			if !ok || e.Outcome != tr.Outcome || e.DecidedBy != tr.DecidedBy || e.Effect != tr.Effect {
				t.Fatalf("%s of %s %s in %s under %s: coverage says %s by %s, the trace %s by %s\n%s", ask.Operation, o.Resource.Resource, o.Name, o.Namespace, tr.Policy.ID(), e.Outcome, e.DecidedBy, tr.Outcome, tr.DecidedBy, words(t, tr))
			}
			counts[e.Outcome]++
		}
	}
	return counts
}
