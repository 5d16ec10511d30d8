package flow

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/ambit-k8s/ambit/scope"
)

// Report is the result of a comparison.
type Report struct {
	Seed     uint64
	Rounds   int
	Requests int
	Schemas  int
	// NotStored counts the schemas that the API server refused to store, Again the rounds that had to be repeated because
	// the API server restored its own schemas meanwhile.
	NotStored, Again int
	Tallies          map[Mode]*Tally
	// Taken counts requests by what the API server made of them, Codes by its answer, and Verbs by what they were.
	Taken, Codes, Verbs map[string]int
	// Layers counts the excluded schemas by the layer that Ambit says decided it.
	Layers map[scope.LayerName]int
	// Sorts counts the disagreements of each sort. Disagreements has the first of each, with a reproduction.
	Sorts         map[string]int
	Disagreements []*Disagreement
}

// Tally counts requests in one mode.
type Tally struct {
	Agreed, Disagreed int
	// Unknown are those of which Ambit says rightly that it depends on who asks, or on the verb. Split are those of them of
	// which the API server itself takes one verb for one schema and one for another.
	Unknown, Split int
	// NotSaid are those that cannot be said in this mode.
	NotSaid int
}

func newReport(seed uint64) *Report {
	r := &Report{Seed: seed, Tallies: map[Mode]*Tally{}, Taken: map[string]int{}, Codes: map[string]int{}, Verbs: map[string]int{}, Layers: map[scope.LayerName]int{}, Sorts: map[string]int{}}
	for _, mode := range modes {
		r.Tallies[mode] = &Tally{}
	}
	return r
}

// Print writes the report as text.
func (r *Report) Print(w io.Writer) {
	fmt.Fprintf(w, "seed %d: %d requests in %d rounds (%d repeated), %d schemas (%d not stored)\n", r.Seed, r.Requests, r.Rounds, r.Again, r.Schemas, r.NotStored)
	for _, mode := range modes {
		t := r.Tallies[mode]
		fmt.Fprintf(w, "%s: %d agreed, %d disagreed, %d unknown with the right one among the candidates (%d because of the verb), %d without a verb\n", mode, t.Agreed, t.Disagreed, t.Unknown, t.Split, t.NotSaid)
	}
	printCounts(w, "taken by", r.Taken)
	printCounts(w, "answer", r.Codes)
	printCounts(w, "verb", r.Verbs)
	printCounts(w, "excluded by", r.Layers)
	printCounts(w, "disagreed", r.Sorts)
	for _, d := range r.Disagreements {
		fmt.Fprintf(w, "\n%s", d)
	}
}

func printCounts[K ~string](w io.Writer, title string, counts map[K]int) {
	for _, key := range slices.SortedFunc(maps.Keys(counts), func(a, b K) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	}) {
		fmt.Fprintf(w, "  %s: %6d %s\n", title, counts[key], key)
	}
}

// Agreed reports whether there was no disagreement.
func (r *Report) Agreed() bool {
	for _, t := range r.Tallies {
		if t.Disagreed > 0 {
			return false
		}
	}
	return true
}

// count writes down a judgement.
func (r *Report) count(j *judgement) {
	t := r.Tallies[j.said.mode]
	switch {
	case len(j.wrong) > 0:
		t.Disagreed++
		r.Sorts[j.sort]++
	case j.unknown:
		t.Unknown++
	default:
		t.Agreed++
	}
	if j.split {
		t.Split++
	}
	for _, trace := range j.said.traces {
		if trace.DecidedBy != "" {
			r.Layers[trace.DecidedBy]++
		}
	}
}

// countAnswer writes down what the API server made of a request.
func (r *Report) countAnswer(in *Installed, e *exchange) {
	r.Requests++
	r.Codes[fmt.Sprint(e.got().Code)]++
	if info, err := e.call.Info(); err == nil {
		kind := "resource"
		if !info.IsResourceRequest {
			kind = "URL"
		}
		r.Verbs[kind+" "+info.Verb]++
	}
	r.Taken[in.taker(e.got())]++
}

// What takes a request that is not one of the server's own schemas.
const (
	round    = "a schema of the round"
	nobody   = "nothing: it passed unclassified"
	imagined = "a mandatory schema that nobody stored"
)

// taker says what took a request, all schemas of a round taken together.
func (in *Installed) taker(got answer) string {
	if !got.Classified {
		return nobody
	}
	if got.Schema == "" {
		return imagined
	}
	for name := range in.Schemas {
		switch {
		case !in.took(got, name):
		case in.isMarked(name):
			return round
		default:
			return name
		}
	}
	return "a schema that is not there"
}
