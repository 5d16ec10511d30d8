package defaulting

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope/builtin"
)

// kinds are the kinds of all requests to built-in resources.
func kinds() map[string]schema.GroupVersionKind {
	all := map[string]schema.GroupVersionKind{}
	for _, r := range builtin.Resources() {
		all[r.Kind.GroupVersion().String()+"/"+r.Kind.Kind] = r.Kind
	}
	return all
}

// The probes that the table was derived from also hold the table, together with the rules of package builtin, to the
// server. They are many, and each differs from the others in one or two fields.
func TestDefaultAgreesWithServerOnProbes(t *testing.T) {
	for name, kind := range kinds() {
		t.Run(name, func(t *testing.T) {
			for probe := range Probes(kind) {
				if fields, err := View(probe); err != nil {
					t.Fatal(err)
				} else if !beyondDefault(kind, fields) {
					expectEqual(t, kind, fields)
				}
			}
		})
	}
}

// What an author leaves out altogether also gets its defaults, such as the phase of a status.
func TestDefaultAgreesWithServerOnEmptyObjects(t *testing.T) {
	for name, kind := range kinds() {
		t.Run(name, func(t *testing.T) {
			version, kindName := kind.ToAPIVersionAndKind()
			expectEqual(t, kind, map[string]any{"apiVersion": version, "kind": kindName})
		})
	}
}

// The pull policy depends on how the server reads the name of an image.
func TestDefaultAgreesWithServerOnImages(t *testing.T) {
	hash := strings.Repeat("0123456789abcdef", 4)
	for _, host := range []string{"", "a/", "A/", "a.b/", "a_b/", "a:1/", "a:b/", "-a/", "localhost/", "[::1]:1/", "a..b/", "/"} {
		for _, path := range []string{"", "a", "A", "a/b", "a/B", "a--b", "a__b", "a___b", "a.", "a//b", "{{a}}", "$(A)", hash, "a b"} {
			for _, tag := range []string{"", ":", ":1", ":latest", ":LATEST", ":-", ":a/b", ":" + strings.Repeat("a", 129)} {
				for _, digest := range []string{"", "@", "@sha256:" + hash, "@sha256:abc", "@sha1:" + hash, "@sha512:" + hash + hash} {
					container := map[string]any{"name": "a", "image": host + path + tag + digest}
					expectEqual(t, schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, map[string]any{
						"apiVersion": "v1", "kind": "Pod", "spec": map[string]any{"containers": []any{container}},
					})
				}
			}
		}
	}
}

func expectEqual(t *testing.T, kind schema.GroupVersionKind, fields map[string]any) {
	t.Helper()
	diff, err := Compare(kind, fields)
	if err != nil {
		t.Error(err)
	}
	if diff != "" {
		t.Errorf("-server +Ambit, after defaulting to %v:\n%s", fields, diff)
	}
}

// beyondDefault says that a probe is about one of the few things that builtin.Default does not do.
func beyondDefault(kind schema.GroupVersionKind, fields map[string]any) bool {
	switch kind.Kind {
	case "HorizontalPodAutoscaler":
		// Version 1 carries what only version 2 has in annotations.
		return kind.Version == "v1" && contains(fields, "currentCPUUtilizationPercentage")
	case "CustomResourceDefinition":
		// The conversion drops a webhook without a client configuration, which is invalid anyway.
		return contains(fields, "webhook") && !contains(fields, "clientConfig")
	}
	return false
}

// contains says whether a field is somewhere in an object.
func contains(value any, field string) bool {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			if name == field || contains(inner, field) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(value, func(inner any) bool { return contains(inner, field) })
	}
	return false
}
