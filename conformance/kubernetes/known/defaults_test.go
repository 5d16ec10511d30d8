package known

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	"sigs.k8s.io/randfill"

	"github.com/ambit-k8s/ambit/scope/admission"
	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/scope/webhook"
)

// fill applies Ambit's defaults of the admission kinds.
func fill(t *testing.T, o runtime.Object) {
	t.Helper()
	switch o := o.(type) {
	case *v1.ValidatingWebhookConfiguration:
		webhook.DefaultValidating(o)
	case *v1.MutatingWebhookConfiguration:
		webhook.DefaultMutating(o)
	case *v1.ValidatingAdmissionPolicy:
		admission.DefaultValidatingPolicy(o)
	case *v1.ValidatingAdmissionPolicyBinding:
		admission.DefaultValidatingBinding(o)
	case *v1.MutatingAdmissionPolicy:
		admission.DefaultMutatingPolicy(o)
	case *v1.MutatingAdmissionPolicyBinding:
		admission.DefaultMutatingBinding(o)
	default:
		t.Fatalf("no defaults for %T", o)
	}
}

// agree compares Ambit's defaults with the API server's.
func agree(t *testing.T, o runtime.Object) {
	t.Helper()
	ours, theirs := o.DeepCopyObject(), o.DeepCopyObject()
	fill(t, ours)
	legacyscheme.Scheme.Default(theirs)
	if diff := cmp.Diff(theirs, ours); diff != "" {
		t.Fatalf("%T (-server +ambit):\n%s", o, diff)
	}
}

// TestDefaultsOfRandomPolicies fills objects at random, with much left out, and compares.
func TestDefaultsOfRandomPolicies(t *testing.T) {
	kinds := []func() runtime.Object{
		func() runtime.Object { return &v1.ValidatingWebhookConfiguration{} },
		func() runtime.Object { return &v1.MutatingWebhookConfiguration{} },
		func() runtime.Object { return &v1.ValidatingAdmissionPolicy{} },
		func() runtime.Object { return &v1.ValidatingAdmissionPolicyBinding{} },
		func() runtime.Object { return &v1.MutatingAdmissionPolicy{} },
		func() runtime.Object { return &v1.MutatingAdmissionPolicyBinding{} },
	}
	filler := randfill.NewWithSeed(1).NilChance(0.5).NumElements(0, 3)
	for _, kind := range kinds {
		for range 500 {
			o := kind()
			filler.Fill(o)
			agree(t, o)
		}
	}
}

// TestDefaultsOfRealPolicies compares on the policies of the corpus, where it is there.
func TestDefaultsOfRealPolicies(t *testing.T) {
	files, err := filepath.Glob("../../../../shared/corpus/admission/*.yaml")
	if err != nil || len(files) == 0 {
		t.Skip("the corpus of real policies is not here")
	}
	compared := 0
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		documents, _ := manifest.Read(filepath.Base(f), data, 0)
		for _, d := range documents {
			o, err := legacyscheme.Scheme.New(d.Object.GroupVersionKind())
			if err != nil || d.Object.GroupVersionKind().GroupVersion() != v1.SchemeGroupVersion {
				continue
			}
			if runtime.DefaultUnstructuredConverter.FromUnstructured(d.Object.Object, o) != nil {
				continue
			}
			compared++
			agree(t, o)
		}
	}
	t.Logf("%d real objects", compared)
	if compared < 200 {
		t.Errorf("only %d objects of the corpus were compared", compared)
	}
}
