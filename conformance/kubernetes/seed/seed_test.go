package seed

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestReadAndOrder(t *testing.T) {
	folder := fstest.MapFS{
		"1.yaml": {Data: []byte(`
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: last}
---
# A document that is only a comment is no object.
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: owner, namespace: a}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: owned, namespace: a}
`)},
		"2.yaml": {Data: []byte(`
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: named-by-others}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: second}
---
apiVersion: v1
kind: Namespace
metadata: {name: first}
`)},
		"examples/3.yaml": {Data: []byte("kind: AdmissionReview")},
		"README.md":       {Data: []byte("no manifest")},
	}
	objects, err := Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, object := range inOrder(objects) {
		names = append(names, object.GetName())
	}
	want := []string{"first", "second", "named-by-others", "owner", "owned", "last"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestReadNamesTheFile(t *testing.T) {
	_, err := Read(fstest.MapFS{"broken.yaml": {Data: []byte("a: [")}})
	if err == nil || !strings.Contains(err.Error(), "broken.yaml") {
		t.Errorf("error is %v", err)
	}
}
