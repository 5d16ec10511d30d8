package compare

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/generate"
)

// Mode is in which form Ambit was asked.
type Mode string

// Ambit is asked about an AdmissionReview, which says the request whole, or about a plain manifest, which leaves things
// open.
const (
	Whole  Mode = "whole"
	Pasted Mode = "pasted"
)

// Tally counts verdicts in one mode. A verdict is what Ambit says about one policy and one request.
type Tally struct {
	Agreed, Disagreed, Unknown int
	// Unseen were not judged, because something else hid what the policy did.
	Unseen int
	// Outcomes counts the agreements by what was seen.
	Outcomes map[sight]int
	// Reasons counts the unknown verdicts by the fact that is missing.
	Reasons map[string]int
}

// Judged is the number of verdicts that could be compared.
func (t *Tally) Judged() int { return t.Agreed + t.Disagreed + t.Unknown }

// Report is the result of a comparison.
type Report struct {
	Seed     uint64
	Requests int
	Rounds   int
	Policies int
	// Corpus is how many real policies and webhooks there were to draw from.
	Corpus [2]int
	// Reached counts the requests that reached admission; the others were refused before.
	Reached int
	// Ways and Resources count the requests that reached admission by how they were made and by what they were about.
	Ways, Resources map[string]int
	// NotReached counts the requests that did not, by what they did and why.
	NotReached map[string]int
	// Lanes counts requests by lane.
	Lanes map[generate.Lane]int
	// NotStored counts the policies that the API server refused to store.
	NotStored int
	// NotDerived counts the manifests that Ambit makes no request of, by what it says.
	NotDerived map[string]int
	Tallies    map[Mode]*Tally
	// Unexpected are requests about which the API server asked something else than expected.
	Unexpected map[string]int
	// Disagreements are the first of each sort, with a reproduction.
	Disagreements []*Disagreement
}

func newReport(seed uint64) *Report {
	r := &Report{Seed: seed, Ways: map[string]int{}, Resources: map[string]int{}, NotReached: map[string]int{}, Lanes: map[generate.Lane]int{}, NotDerived: map[string]int{}, Tallies: map[Mode]*Tally{}, Unexpected: map[string]int{}}
	for _, mode := range []Mode{Whole, Pasted} {
		r.Tallies[mode] = &Tally{Outcomes: map[sight]int{}, Reasons: map[string]int{}}
	}
	return r
}

// Print writes the report as text.
func (r *Report) Print(w io.Writer) {
	fmt.Fprintf(w, "seed %d: %d requests in %d rounds, %d policies (%d not stored); %d requests reached admission\n", r.Seed, r.Requests, r.Rounds, r.Policies, r.NotStored, r.Reached)
	if r.Corpus[0]+r.Corpus[1] == 0 {
		fmt.Fprintln(w, "no corpus of real policies was there to draw from")
	} else {
		fmt.Fprintf(w, "corpus: %d policies and %d webhooks to draw from\n", r.Corpus[0], r.Corpus[1])
	}
	for _, mode := range []Mode{Whole, Pasted} {
		t := r.Tallies[mode]
		fmt.Fprintf(w, "%s: %d verdicts judged: %d agreed, %d disagreed, %d unknown (%.3f per cent); %d could not be seen\n", mode, t.Judged(), t.Agreed, t.Disagreed, t.Unknown, percent(t.Unknown, t.Judged()), t.Unseen)
		printCounts(w, "agreed on", t.Outcomes, 10)
		printCounts(w, "unknown because of", t.Reasons, 25)
	}
	printCounts(w, "way", r.Ways, 30)
	printCounts(w, "resource", r.Resources, 100)
	printCounts(w, "lane", r.Lanes, 10)
	printCounts(w, "did not reach admission", r.NotReached, 40)
	printCounts(w, "Ambit made no request of", r.NotDerived, 20)
	printCounts(w, "the API server asked something unexpected", r.Unexpected, 20)
	for _, d := range r.Disagreements {
		fmt.Fprintf(w, "\n%s", d)
	}
}

func percent(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}

// printCounts prints the largest counts.
func printCounts[K ~string](w io.Writer, title string, counts map[K]int, most int) {
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b K) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(string(a), string(b)))
	})
	for i, key := range keys {
		if i == most {
			fmt.Fprintf(w, "  %s: %d more\n", title, len(keys)-most)
			return
		}
		fmt.Fprintf(w, "  %s: %6d %s\n", title, counts[key], key)
	}
}

// Agreed reports whether there was no disagreement.
func (r *Report) Agreed() bool {
	if r == nil {
		return false
	}
	for _, t := range r.Tallies {
		if t.Disagreed > 0 {
			return false
		}
	}
	return len(r.Unexpected) == 0
}
