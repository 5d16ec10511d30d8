package request

import (
	"bytes"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/manifest"
)

// FromText works out the request that a text describes: manifests, a review, or one line
// as for kubectl, such as "get pods -A --as system:serviceaccount:a:b". The source names
// the text in problems, and at most limit bytes of it are read.
func FromText(source string, data []byte, limit int64, ask Ask, facts *scope.Facts) (*Derived, []manifest.Problem) {
	if limit <= 0 || int64(len(data)) <= limit {
		if line, ok := lineIn(data); ok {
			return fromLine(source, line, ask, facts)
		}
	}
	if len(bytes.TrimSpace(data)) == 0 && (ask.Verb != "" || ask.Resource != "" || ask.Path != "") {
		return fromAsk(source, ask, facts)
	}
	documents, problems := manifest.Read(source, data, limit)
	if len(documents) == 0 && len(problems) > 0 {
		return nil, problems
	}
	derived, more := Derive(documents, ask, facts)
	return derived, append(problems, more...)
}

// fromAsk derives a request for flow control that was said without any text.
func fromAsk(source string, ask Ask, facts *scope.Facts) (*Derived, []manifest.Problem) {
	d := newDraft(madeReview(source, 0), ask, facts)
	d.isAccess, d.place = true, d.placeInReview
	review := d.finishAccess(attributes{})
	if d.failed() {
		return nil, d.problems
	}
	return d.derived(review), d.problems
}
