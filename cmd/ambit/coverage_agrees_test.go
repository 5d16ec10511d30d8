package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/coverage"
	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/scope/request"
)

// realPolicies is a folder of real policies and objects that lies beside the project.
const realPolicies = "../../../shared/corpus"

// writers are who writes: nobody said, somebody whose groups are known, somebody whose groups
// are not, and a service account, whose groups follow from its name.
var writers = []*authenticationv1.UserInfo{
	nil, {Username: "jane", Groups: []string{"devs"}}, {Username: "jane"},
	{Username: "system:serviceaccount:kube-system:replicaset-controller"},
}

// TestCoverageAgreesWithExplain holds what coverage says of an object to what explain says
// about a write of it: in the sample for every write and writer, and in the corpus, where it
// is there, for creations by nobody in particular and by somebody.
func TestCoverageAgreesWithExplain(t *testing.T) {
	sample := "../../cluster/sample"
	t.Run("sample", func(t *testing.T) {
		agrees(t, []string{sample}, []admission.Operation{admission.Create, admission.Update, admission.Delete}, writers)
	})
	t.Run("corpus", func(t *testing.T) {
		if _, err := os.Stat(realPolicies); err != nil {
			t.Skipf("the corpus is not here: %v", err)
		}
		paths := []string{filepath.Join(realPolicies, "admission"), filepath.Join(realPolicies, "objects"), sample}
		agrees(t, paths, []admission.Operation{admission.Create}, writers[:2])
	})
}

func agrees(t *testing.T, paths []string, operations []admission.Operation, writers []*authenticationv1.UserInfo) {
	t.Helper()
	snapshot, err := cluster.LoadManifests(t.Context(), paths, true, nil, cluster.Options{Population: true})
	if err != nil {
		t.Fatal(err)
	}
	x := &crossCheck{snapshot: snapshot, outcomes: map[scope.Outcome]int{}}
	objects := documentsOf(t, paths, snapshot)
	for _, operation := range operations {
		for _, user := range writers {
			x.compare(t, objects, operation, user)
		}
	}
	t.Logf("%d objects, %d policies, pairs by outcome %v, %d left out of Secrets", len(objects), len(snapshot.Policies.Policies()), x.outcomes, x.secrets)
	for _, o := range []scope.Outcome{scope.Included, scope.Excluded, scope.Error, scope.Unknown} {
		if x.outcomes[o] < 100 {
			t.Errorf("only %d pairs are %s", x.outcomes[o], o)
		}
	}
}

// existing is an object of the population beside its document.
type existing struct {
	coverage.Object
	document manifest.Document
}

// documentsOf finds the documents of the objects of a snapshot; the last of several counts.
func documentsOf(t *testing.T, paths []string, s *cluster.Snapshot) []existing {
	t.Helper()
	documents := map[string]manifest.Document{}
	for _, root := range paths {
		err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			read, _ := manifest.Read(path, data, 1<<30)
			for _, d := range read {
				d.Object = stored(d.Object)
				r, ok := s.Facts.Resources.ForKind(d.Object.GroupVersionKind())
				if !ok {
					continue
				}
				namespace := d.Object.GetNamespace()
				switch {
				case !r.Namespaced:
					namespace = ""
				case namespace == "":
					namespace = "default"
				}
				documents[fmt.Sprint(r.GroupResource(), "/", namespace, "/", d.Object.GetName())] = d
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var all []existing
	population := s.Population.Population
	for _, resource := range population.Resources() {
		for o := range population.Objects(resource) {
			d, ok := documents[fmt.Sprint(resource.GroupResource(), "/", o.Namespace, "/", o.Name)]
			if !ok {
				t.Errorf("%s %s/%s is in the population and in no document", resource, o.Namespace, o.Name)
				continue
			}
			all = append(all, existing{o, d})
		}
	}
	return all
}

// stored is an object in the version that Ambit reads it in: older policies are taken for v1.
func stored(u *unstructured.Unstructured) *unstructured.Unstructured {
	if gvk := u.GroupVersionKind(); gvk.Group == "admissionregistration.k8s.io" {
		u = u.DeepCopy()
		u.SetGroupVersionKind(gvk.GroupKind().WithVersion("v1"))
	}
	return u
}

// crossCheck compares what coverage says with what explain says.
type crossCheck struct {
	snapshot *cluster.Snapshot
	outcomes map[scope.Outcome]int
	secrets  int
}

// compare asks about one operation on all objects. What explain makes of the user is what
// the flags of coverage make of it.
func (x *crossCheck) compare(t *testing.T, objects []existing, operation admission.Operation, user *authenticationv1.UserInfo) {
	t.Helper()
	ask := coverage.Ask{Operation: operation}
	if user != nil {
		ask.User, ask.Open = request.Complete(user)
	}
	result, err := covered(t.Context(), x.snapshot, ask)
	if err != nil {
		t.Fatal(err)
	}
	index := map[*scope.Policy]int{}
	for i := range result.Len() {
		index[result.Policy(i)] = i
	}
	wrong := 0
	for _, o := range objects {
		said := request.Ask{Operation: string(ask.Operation), User: user, Namespace: o.Namespace}
		if ask.Operation == admission.Update {
			said.OldObject = &o.document
		}
		derived, problems := request.Derive([]manifest.Document{o.document}, said, x.snapshot.Facts)
		if derived == nil {
			t.Errorf("%s %s: %v", o.Resource, o.Name, problems)
			continue
		}
		traces, err := x.snapshot.Policies.Explain(t.Context(), derived.Request, x.snapshot.Facts)
		if err != nil {
			t.Fatal(err)
		}
		for _, trace := range traces {
			if trace.Policy.Phase == scope.FlowControl {
				continue
			}
			ending, ok := result.At(index[trace.Policy], o.Resource, o.Namespace, o.Name)
			switch {
			case o.Resource.Resource == "secrets" && ending.Outcome == scope.Unknown:
				x.secrets++
			case !ok || ending.Outcome != trace.Outcome || ending.DecidedBy != trace.DecidedBy || ending.Effect != trace.Effect:
				if wrong++; wrong <= 5 {
					t.Errorf("%s of %s %s/%s by %v under %s: coverage says %s by %q (%s), explain %s by %q (%s)", ask.Operation, o.Resource.Resource, o.Namespace, o.Name, user,
						trace.Policy.ID(), ending.Outcome, ending.DecidedBy, ending.Effect, trace.Outcome, trace.DecidedBy, trace.Effect)
				}
			default:
				x.outcomes[trace.Outcome]++
			}
		}
	}
	if wrong > 5 {
		t.Errorf("%d pairs disagree", wrong)
	}
	x.applicable(t, result)
}

// applicable checks the counts of a result against its own objects.
func (x *crossCheck) applicable(t *testing.T, result *coverage.Result) {
	t.Helper()
	reached := map[string]bool{}
	for i := range result.Len() {
		var got coverage.Counts
		for o, ending := range result.Objects(i, coverage.Which{}) {
			got.Applicable++
			switch ending.Outcome {
			case scope.Included:
				got.Included++
			case scope.Error:
				got.Error++
			case scope.Unknown:
				got.Unknown++
			}
			if ending.Outcome != scope.Excluded {
				reached[fmt.Sprint(o.Resource, o.Namespace, "/", o.Name)] = true
			}
		}
		if total := result.Total(i); got != total {
			t.Errorf("%s: the objects come to %+v, and the counts are %+v", result.Policy(i).ID(), got, total)
		}
		drops := result.Funnel(i)
		if n := len(drops); n > 0 && drops[n-1].Remaining != int(got.Applicable-got.Excluded()) {
			t.Errorf("%s: %d remain in the funnel of %+v", result.Policy(i).ID(), drops[n-1].Remaining, got)
		}
	}
	unreached := slices.Collect(result.Unreached())
	if want := result.Population().Len() - len(reached); len(unreached) != want || result.Reach().Unreached != want {
		t.Errorf("%d objects are listed as unreached and %d counted, and %d are", len(unreached), result.Reach().Unreached, want)
	}
	for _, o := range unreached {
		if reached[fmt.Sprint(o.Resource, o.Namespace, "/", o.Name)] {
			t.Errorf("%s %s is reached", o.Resource, o.Name)
		}
	}
}
