package compare

import (
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/oracle"
	"github.com/ambit-k8s/ambit/conformance/kubernetes/seed"
)

// everybody may do everything in the cases, so that it is admission that decides.
const everybody = `{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"everybody"},
"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"cluster-admin"},
"subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"Group","name":"system:authenticated"}]}`

// Every case of the main module that a client can cause has the answer of a real API server.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("../../../scope/testdata/cases/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	s := startSession(t)
	objects, err := seed.Documents([]byte(everybody))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.apply(t.Context(), &unstructured.Unstructured{Object: objects[0].Object}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.oracle.Install(t.Context(), &oracle.Policies{}); err != nil {
		t.Fatal(err)
	}
	about, held := 0, 0
	for _, file := range files {
		c, err := readCase(file)
		if err != nil {
			t.Fatal(err)
		}
		if c == nil {
			continue
		}
		about++
		wrong, err := s.runCase(t.Context(), c)
		if why, ok := notReal(err); ok {
			t.Logf("%s cannot be had: %s", c.name, why)
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		held++
		for _, problem := range wrong {
			t.Errorf("%s: %s", c.name, problem)
		}
	}
	t.Logf("%d cases are about admission, %d of them were held to the API server", about, held)
	if held < 115 {
		t.Errorf("only %d cases were held to the API server", held)
	}
}
