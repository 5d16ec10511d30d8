package autogen

import (
	"regexp"

	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope/kyverno/release"
)

// inExpressions rewrites the expressions alone, as policies that mutate are (pkg/cel/policies/mpol/autogen,
// convertPodToTemplateExpression). Of the metadata only labels and annotations move. What Kyverno does beyond that is
// for expressions that construct an object, as no condition does that compiles.
func inExpressions(derived string, r release.Release, conditions []v1.MatchCondition) []v1.MatchCondition {
	to := place(derived)
	if to == "" {
		return conditions
	}
	var rewritten []v1.MatchCondition
	for _, c := range conditions {
		c.Expression = inTemplate(c.Expression, to, r.Grouped())
		rewritten = append(rewritten, c)
	}
	return rewritten
}

// Since 1.19 the object must be a word of its own; before, myobject.spec was rewritten as well.
var (
	specWord     = regexp.MustCompile(`\b(object|oldObject|Object)\.spec`)
	specText     = regexp.MustCompile(`(object|Object)\.spec`)
	metadataWord = regexp.MustCompile(`\b(object|oldObject|Object)\.metadata\.(labels|annotations)`)
	metadataText = regexp.MustCompile(`(object|Object)\.metadata\.(labels|annotations)`)
)

func inTemplate(expression, to string, words bool) string {
	spec, metadata := specText, metadataText
	if words {
		spec, metadata = specWord, metadataWord
	}
	expression = spec.ReplaceAllString(expression, "${1}."+to+".spec")
	return metadata.ReplaceAllString(expression, "${1}."+to+".metadata.${2}")
}
