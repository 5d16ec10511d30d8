package views

import (
	"strings"

	"github.com/ambit-k8s/ambit/scope"
)

// sparing reports whether a layer leaves a request out by matching it. In all other layers, a request goes on that matches.
func sparing(name scope.LayerName) bool {
	return name == scope.ResourceFilters || name == scope.ExcludeBlock || name == scope.Exceptions
}

// layerWord says in a word or two what a layer said, the right way round for those that leave out what they match.
func layerWord(name scope.LayerName, outcome scope.StepOutcome) string {
	switch {
	case sparing(name) && outcome == scope.Match:
		return "does not leave it out"
	case sparing(name) && outcome == scope.NoMatch:
		return "leaves it out"
	}
	return stepWord(outcome)
}

// spares reports whether a request that meets a requirement is left out. A layer that leaves out what it matches may have
// requirements of the other sort, too: what Kyverno asks for by itself stands in no ConfigMap, and an exclude block counts
// only for requests that the match block of its rule is for.
func spares(name scope.LayerName, r scope.Reason) bool {
	switch {
	case !sparing(name) || r.Want == "":
		return false
	case name == scope.ResourceFilters:
		return strings.HasPrefix(r.Field, "data.")
	case name == scope.Exceptions && (r.Field == "" || strings.Contains(r.Field, ".matchConditions")):
		// The requirements of an exception, which has no field in the policy.
		return true
	}
	return strings.Contains(r.Field, ".exclude")
}
