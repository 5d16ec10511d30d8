package views

import (
	"testing"

	"github.com/ambit-k8s/ambit/scope"
)

// TestSpares has each layer that leaves out what it matches, with requirements of either sort.
func TestSpares(t *testing.T) {
	for _, c := range []struct {
		layer       scope.LayerName
		field, want string
		spares      bool
	}{
		{scope.ResourceFilters, "data.excludeGroups", "system:nodes", true},
		{scope.ResourceFilters, "data.resourceFilters", "[Node,*,*]", true},
		{scope.ResourceFilters, "", "CREATE, UPDATE or CONNECT", false},
		{scope.ResourceFilters, "data.excludeGroups", "", false},
		{scope.ExcludeBlock, "spec.rules[0].exclude.any[1].subjects", "group devs", true},
		{scope.ExcludeBlock, "spec.rules[0].match.any[0].resources.kinds", "Pod", false},
		{scope.Exceptions, "policyexception/ci/one-off.spec.policyRefs", "no exception", false},
		{scope.Exceptions, "policyexception/ci/one-off.spec.matchConditions[0]", "object.spec.suspend", true},
		{scope.Exceptions, "", "Job", true},
		{scope.MatchBlock, "spec.rules[0].match.any[0].subjects", "group devs", false},
		{scope.WebhookNamespaceSelector, "webhooks[0].namespaceSelector", "env In [prod]", false},
	} {
		if got := spares(c.layer, scope.Reason{Field: c.field, Want: c.want}); got != c.spares {
			t.Errorf("%s, %s: %q is said the wrong way round", c.layer, c.field, c.want)
		}
	}
}

// TestTrailOfLayersThatSpare reads gates aloud.
func TestTrailOfLayersThatSpare(t *testing.T) {
	for _, c := range []struct {
		layer            scope.LayerName
		outcome          scope.StepOutcome
		decides, stopped bool
		want             string
	}{
		{scope.ResourceFilters, scope.Match, false, false, "Resource filters does not leave it out"},
		{scope.ResourceFilters, scope.Match, false, true, "Resource filters would not leave it out"},
		{scope.ResourceFilters, scope.NoMatch, true, false, "Resource filters leaves it out, which decides"},
		{scope.ExcludeBlock, scope.Open, false, false, "Exclude cannot be told"},
		{scope.MatchBlock, scope.NoMatch, true, false, "Match does not match, which decides"},
		{scope.ObjectSelector, scope.Match, false, true, "Object selector would match"},
	} {
		if got := newGate(c.layer, c.outcome, c.decides, c.stopped).Label; got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
