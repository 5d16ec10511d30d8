package manifest

import "testing"

const positions = `# a comment
---
apiVersion: v1
kind: Pod
metadata:
  labels:
    app.kubernetes.io/name: web
    on: "x"
  name: web
spec:
  <<: {hostNetwork: true}
  containers:
    - name: a
      image: b
    - {name: c,
       image: d}
---
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ConfigMap
  data: {a: b}
- apiVersion: v1
  kind: ConfigMap
  data:
    a: b
---
{
  "apiVersion": "v1", "kind": "List", "items": [
    {"apiVersion": "v1", "kind": "ConfigMap",
      "data": {
        "a\/b": "c"}}
  ]
}
`

func TestLineOf(t *testing.T) {
	documents, problems := Read("", []byte(positions), 0)
	if len(documents) != 4 || len(problems) != 0 {
		t.Fatal(len(documents), problems)
	}
	for _, tc := range []struct {
		document int
		path     string
		line     int
		ok       bool
	}{
		{0, "", 3, true},
		{0, "kind", 4, true},
		{0, `metadata.labels["app.kubernetes.io/name"]`, 7, true},
		{0, `metadata.labels['app.kubernetes.io/name']`, 7, true},
		{0, `metadata.labels["true"]`, 8, true},
		{0, `metadata.labels["tier"]`, 6, false},
		{0, "spec.hostNetwork", 11, true},
		{0, "spec.containers[0].image", 14, true},
		{0, "spec.containers[1].image", 16, true},
		{0, "spec.containers[2].image", 12, false},
		{0, "spec.containers.image", 12, false},
		{0, "spec.containers[0].image.tag", 14, false},
		{0, "status.phase", 3, false},
		{0, "spec..x", 10, false},
		{0, "spec[", 10, false},
		{0, "[1]", 3, false},
		{1, "data.a", 23, true},
		{2, "data.a", 27, true},
		{2, "metadata.name", 24, false},
		{3, `data["a/b"]`, 33, true},
		{3, "kind", 31, true},
	} {
		if line, ok := documents[tc.document].LineOf(tc.path); line != tc.line || ok != tc.ok {
			t.Errorf("document %d, %s: line %d, %t; want %d, %t", tc.document, tc.path, line, ok, tc.line, tc.ok)
		}
	}
}
