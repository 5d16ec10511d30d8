package manifest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

func typed(t *testing.T, data string) (runtime.Object, string) {
	t.Helper()
	documents, problems := Read("in.yaml", []byte(data), 0)
	if len(documents) != 1 {
		t.Fatal(problems)
	}
	object, more := documents[0].Typed()
	return object, lines(append(problems, more...), Problem.String)
}

func TestTypedWithDefaults(t *testing.T) {
	object, problems := typed(t, pod+"spec:\n  containers: [{name: a, image: b}]\n")
	if problems != "" {
		t.Fatal(problems)
	}
	p, ok := object.(*corev1.Pod)
	if !ok {
		t.Fatalf("%T", object)
	}
	if p.Kind != "Pod" || p.APIVersion != "v1" || p.Spec.RestartPolicy != corev1.RestartPolicyAlways || p.Spec.Containers[0].ImagePullPolicy != corev1.PullAlways {
		t.Errorf("%+v", p)
	}
}

func TestTypedProblems(t *testing.T) {
	for name, tc := range map[string]struct {
		data, want string
		nothing    bool
	}{
		"unknown field in a list": {
			data: pod + "spec:\n  containers:\n    - name: a\n    - name: b\n      imagee: c\n",
			want: "in.yaml, document 1, line 9: Pod has no field spec.containers[1].imagee, so it is dropped; check the spelling and the indentation.\n",
		},
		"field names are not the same in another case": {
			data: pod + "Spec: {}\n",
			want: "in.yaml, document 1, line 5: Pod has no field Spec, so it is dropped; check the spelling and the indentation.\n",
		},
		"text for a number": {
			data:    "apiVersion: apps/v1\nkind: Deployment\nspec:\n  replicas: \"3\"\n",
			want:    "in.yaml, document 1, line 4: spec.replicas of a Deployment must be a number, not text; correct the value or its indentation; text that looks like a number or a boolean needs quotes.\n",
			nothing: true,
		},
		"boolean in a map of texts": {
			data:    "apiVersion: v1\nkind: ConfigMap\ndata:\n  a: b\n  c: yes\n",
			want:    "in.yaml, document 1, line 5: data[\"c\"] of a ConfigMap must be text, not a boolean; correct the value or its indentation; text that looks like a number or a boolean needs quotes.\n",
			nothing: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			object, problems := typed(t, tc.data)
			if diff := cmp.Diff(tc.want, problems); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if (object == nil) != tc.nothing {
				t.Errorf("object %v", object)
			}
		})
	}
}

func TestTypedKinds(t *testing.T) {
	custom, _ := typed(t, "apiVersion: example.com/v1\nkind: Widget\nspec: {a: 5}\n")
	if u, ok := custom.(*unstructured.Unstructured); !ok || u.GetKind() != "Widget" {
		t.Errorf("%T", custom)
	}
	crd, _ := typed(t, "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n")
	if _, ok := crd.(*apiextensionsv1.CustomResourceDefinition); !ok {
		t.Errorf("%T", crd)
	}
}

// The document belongs to the caller and is not changed.
func TestTypedLeavesTheDocumentAlone(t *testing.T) {
	documents, _ := Read("", []byte(pod+"spec: {containers: [{name: a}]}\n"), 0)
	before := documents[0].Object.DeepCopy()
	documents[0].Typed()
	if diff := cmp.Diff(before, documents[0].Object); diff != "" {
		t.Error(diff)
	}
}
