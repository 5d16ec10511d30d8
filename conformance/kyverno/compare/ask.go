package compare

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/conformance/kyverno/oracle"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
)

// questions are asked of Kyverno's code.
type questions struct {
	oracle  *oracle.Oracle
	schemas schemas
	// last is the last answer.
	last oracle.Answer
}

// ask compares Ambit with Kyverno's code and returns what differs. What crashes the controller must be a finding of
// Ambit's, and nothing else may be one. Kyverno walks through Go maps, so that it may give several answers; Ambit's must be
// one of them.
func (q *questions) ask(w world) (differences []string, err error) {
	prediction, err := w.predict()
	if err != nil {
		return nil, err
	}
	asked := oracle.Question{ConfigMap: w.configMap, Flags: w.flags}
	for _, p := range w.policies {
		asked.Policies = append(asked.Policies, q.schemas.defaulted(p))
	}
	for range 16 {
		answer, err := q.oracle.Ask(asked)
		if err != nil {
			return nil, err
		}
		differences = judge(prediction, answer)
		q.last = answer
		if len(differences) == 0 {
			break
		}
	}
	return differences, nil
}

// judge compares a prediction with one answer.
func judge(prediction *webhooks.Prediction, answer oracle.Answer) []string {
	crash := finding(prediction, "crashes-controller")
	switch {
	case answer.Unreadable != "":
		return nil
	case answer.Crash != "" && crash == nil:
		return []string{"the controller crashes, and Ambit does not say so: " + answer.Crash}
	case answer.Crash != "":
		return nil
	case crash != nil:
		return []string{"Ambit says that the controller crashes, and it does not: " + crash.Message}
	}
	return comparison{}.differences(prediction, answer.Validating, answer.Mutating)
}

// finding returns the first finding of a kind; nil if there is none.
func finding(p *webhooks.Prediction, kind string) *webhooks.Finding {
	for i := range p.Findings {
		if p.Findings[i].Kind == kind {
			return &p.Findings[i]
		}
	}
	return nil
}

// said is a disagreement for people, with the fewest policies that bring it about.
func (q *questions) said(w world, differences []string) string {
	few := w
	few.policies = smaller(w.policies, func(rest []*unstructured.Unstructured) bool {
		tried := w
		tried.policies = rest
		d, err := q.ask(tried)
		return err == nil && len(d) > 0
	})
	if d, err := q.ask(few); err == nil && len(d) > 0 {
		differences = d
	}
	return strings.Join(differences, "\n") + "\n" + few.String()
}

// String is the state as manifests, without who wrote which field.
func (w world) String() string {
	var b strings.Builder
	if w.configMap != nil {
		fmt.Fprintf(&b, "ConfigMap: %q\n", w.configMap.Data)
	}
	fmt.Fprintf(&b, "flags: %+v\n", w.flags)
	for _, p := range w.policies {
		p = p.DeepCopy()
		p.SetManagedFields(nil)
		text, err := yaml.Marshal(p.Object)
		if err != nil {
			text = []byte(err.Error())
		}
		fmt.Fprintf(&b, "---\n%s", text)
	}
	return b.String()
}
