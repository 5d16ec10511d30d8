package requests

import (
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/oracle"
)

// warned and refused are how Kyverno names policies, those in CEL and the legacy ones.
var (
	warned  = regexp.MustCompile(`^(?:Policy ([a-z0-9-]+) failed: mark|policy ([a-z0-9-]+)\.(?:autogen-)?(?:cronjob-)?r: )`)
	refused = regexp.MustCompile(`(?m)Policy ([a-z0-9-]+) failed: mark|^([a-z0-9-]+):\n +(?:autogen-)?(?:cronjob-)?r: `)
)

// marks are the names of the policies that applied to a request, without their ending.
func marks(a oracle.Answer, ending string) []string {
	var found []string
	add := func(name string) {
		if name != "" {
			found = append(found, strings.TrimSuffix(name, ending))
		}
	}
	for _, w := range a.Warnings {
		if m := warned.FindStringSubmatch(w); m != nil {
			add(m[1] + m[2])
		}
	}
	if !a.OK() {
		for _, m := range refused.FindAllStringSubmatch(a.Message(), -1) {
			add(m[1] + m[2])
		}
	}
	if object := a.Object(); object != nil {
		for _, path := range [][]string{{}, {"spec", "template"}, {"spec", "jobTemplate", "spec", "template"}} {
			labels, _, _ := unstructured.NestedStringMap(object, append(path, "metadata", "labels")...)
			for name, value := range labels {
				if value == "mark" {
					add(strings.ReplaceAll(name, "_", "-")) // In CEL a field has no dash.
				}
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
