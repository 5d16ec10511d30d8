package autogen

import (
	"fmt"
	"slices"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
)

// Wrap makes conditions of a derived policy hold for everything but its targets, so that those of several can stand
// side by side in one webhook. The name is empty for the policy as it is written. There are none for Extract: they are
// written for Pods, and would be asked about the controller (pkg/cel/autogen/match.go, CreateMatchConditions).
func Wrap(name string, targets []Target, conditions []v1.MatchCondition) []v1.MatchCondition {
	if name == Extract {
		return nil
	}
	var kinds []string
	for _, t := range targets {
		version := t.Version
		if t.Group != "" {
			version = t.Group + "/" + version
		}
		// The missing space is Kyverno's: the text is compared with what a cluster has.
		kinds = append(kinds, fmt.Sprintf("(object.apiVersion == '%s' && object.kind =='%s')", version, t.Kind))
	}
	slices.Sort(kinds)
	is := strings.Join(slices.Compact(kinds), " || ")
	prefix := "autogen-"
	if name != "" {
		prefix += name + "-"
	}
	var wrapped []v1.MatchCondition
	for _, c := range conditions {
		c.Name, c.Expression = prefix+c.Name, fmt.Sprintf("!(%s) || (%s)", is, c.Expression)
		wrapped = append(wrapped, c)
	}
	return wrapped
}
