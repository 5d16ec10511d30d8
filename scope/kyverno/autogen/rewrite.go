package autogen

import (
	"bytes"
	"encoding/json"

	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
)

// rewriter turns what is said about a Pod into what is said about a Pod's template in a controller.
type rewriter func(derived string, spec *api.PolicySpec) ([]v1.MatchCondition, []v1.Variable)

// rewriterOf is nil for kinds that are not extended.
func rewriterOf(kind api.Kind, r release.Release) rewriter {
	switch kind {
	case api.ValidatingPolicy, api.NamespacedValidatingPolicy,
		api.ImageValidatingPolicy, api.NamespacedImageValidatingPolicy:
		return func(derived string, spec *api.PolicySpec) ([]v1.MatchCondition, []v1.Variable) {
			return inBytes(derived, r, spec.MatchConditions), inBytes(derived, r, spec.Variables)
		}
	case api.MutatingPolicy, api.NamespacedMutatingPolicy:
		return func(derived string, spec *api.PolicySpec) ([]v1.MatchCondition, []v1.Variable) {
			return inExpressions(derived, r, spec.MatchConditions), spec.Variables
		}
	}
	return nil
}

// place is where the Pod's template is in a controller, beginning at spec.
func place(derived string) string {
	switch derived {
	case Defaults:
		return "spec.template"
	case CronJobs:
		return "spec.jobTemplate.spec.template"
	}
	return ""
}

// inBytes rewrites the JSON of a list, as policies that validate are: every occurrence of object.spec and
// object.metadata, names of conditions and string literals included (pkg/cel/autogen/replacement.go).
func inBytes[T any](derived string, r release.Release, list []T) []T {
	to := place(derived)
	if to == "" || len(list) == 0 {
		return list
	}
	text, err := json.Marshal(list)
	if err != nil {
		return list
	}
	for _, field := range []string{"spec", "metadata"} {
		for _, object := range []string{"object.", "oldObject."} {
			text = replace(text, object+field, object+to+"."+field, r.Grouped())
		}
	}
	var rewritten []T
	if json.Unmarshal(text, &rewritten) != nil {
		return list
	}
	return rewritten
}

// replace leaves what .namespace follows as it is, since 1.19: the template of a Pod has no namespace, its owner has.
func replace(text []byte, from, to string, protect bool) []byte {
	if !protect {
		return bytes.ReplaceAll(text, []byte(from), []byte(to))
	}
	var out bytes.Buffer
	for {
		before, after, ok := bytes.Cut(text, []byte(from))
		out.Write(before)
		if !ok {
			return out.Bytes()
		}
		if namespaceFollows(after) {
			out.WriteString(from)
		} else {
			out.WriteString(to)
		}
		text = after
	}
}

// namespaceFollows reports whether the whole of the next word is .namespace.
func namespaceFollows(text []byte) bool {
	next, ok := bytes.CutPrefix(text, []byte(".namespace"))
	return ok && (len(next) == 0 || !wordByte(next[0]))
}

func wordByte(b byte) bool {
	return b == '_' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
}
