package block

import (
	"maps"
	"slices"
	"strconv"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/kind"
)

// annotation is one annotation that the object must have. Key and value are patterns
// (pkg/utils/match/annotations.go, CheckAnnotations).
type annotation struct {
	written
	key, value string
}

func newAnnotations(field string, all map[string]string) []requirement {
	var list []requirement
	for _, key := range slices.Sorted(maps.Keys(all)) {
		list = append(list, annotation{written{field + "[" + strconv.Quote(key) + "]"}, key, all[key]})
	}
	return list
}

func (r annotation) ask(_ *View, s *Side) Answer { return s.annotations.like(r.key, r.value) }

func (r annotation) reasons(v *View, s *Side) []scope.Reason {
	return []scope.Reason{s.annotations.reason(r.written, r.key, r.value, "annotation", r.ask(v, s))}
}

func (r annotation) reads(_ *View, in *reading) { in.entry("annotations", r.key, r.value) }
func (annotation) weight() int                  { return 1 }

// like asks whether some entry has a key and a value that are like two patterns.
func (m stringMap) like(key, value string) Answer {
	for k, v := range m.values {
		if len(m.missing(k)) == 0 && kind.Like(key, k) && kind.Like(value, v) {
			return Yes
		}
	}
	missing := m.missing(key)
	if kind.HasWildcard(key) {
		missing = m.anyMissing()
	}
	if len(missing) > 0 {
		return Open(missing...)
	}
	return No
}

// reason sets a pattern of an entry beside what was observed; word is label or annotation.
func (m stringMap) reason(w written, key, value, word string, a Answer) scope.Reason {
	got, at := m.observed(key, word)
	if a.Outcome == scope.Match {
		for _, k := range slices.Sorted(maps.Keys(m.values)) {
			if kind.Like(key, k) && kind.Like(value, m.values[k]) {
				got, at = k+"="+m.values[k], k
				break
			}
		}
	}
	if a.Outcome == scope.Open {
		got = "not known"
	}
	return w.reason(key+"="+value, got, m.at(at), a)
}

// observed writes what there is under a key that may be a pattern, and which key that is.
func (m stringMap) observed(key, word string) (got, at string) {
	for _, k := range slices.Sorted(maps.Keys(m.values)) {
		if kind.Like(key, k) {
			return k + "=" + m.values[k], k
		}
	}
	if len(m.values) == 0 {
		return "no " + word + "s", ""
	}
	if kind.HasWildcard(key) {
		return "no " + word + " like " + key, ""
	}
	return "no " + word + " " + key, key
}
