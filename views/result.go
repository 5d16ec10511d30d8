package views

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
)

// Result is the answer of the explore page: a request's way through all policies.
type Result struct {
	Lede Sentence
	// Focus is the row of the policy that the page was opened for.
	Focus []Row
	// FlowControl is the first stop, and Phases are those of admission.
	FlowControl *Classified
	Phases      []ResultPhase
	Marks       []Mention
	// Problem says why there is no answer.
	Problem Sentence
	Notes   []string
}

// ResultPhase is one stop on the way.
type ResultPhase struct {
	ID, Title, Counts string
	Rows              []Row
	Fold              *Fold
}

// Row is one policy and what it does with the request.
type Row struct {
	ID, Href, Name, Entry string
	Verdict               Verdict
	Trail                 Trail
	Why                   Sentence
	Steps                 []Step
	// Open shows the reasons, Focused marks the row that the page was opened for, and Chosen
	// the FlowSchema that takes the request.
	Open, Focused, Chosen bool
	// Line is the line in the pasted text that decided, or 0.
	Line int
}

// Fold is the policies that have nothing to do with the request, counted.
type Fold struct {
	Summary string
	Rows    []Row
	Open    bool
}

// Mention is a line of the pasted text that something in the answer speaks about.
type Mention struct {
	Line int
	Kind string
	Text string
}

// far are the layers that exclude a request for what it is and not for what stands in it.
var far = map[scope.LayerName]string{
	scope.Exemption: "exempt", scope.WebhookExemption: "exempt",
	scope.ResourceRules: "by resource rules", scope.WebhookResourceRules: "by resource rules",
	scope.Binding: "without a binding or a policy",
}

// NewResult shows what admission does. Focus is the ID of a policy, or of the object that
// holds it. What flow control does before is for AddFlowControl.
func NewResult(ctx context.Context, c *Catalog, traces []*scope.Trace, lines Lines, focus string) Result {
	traces = inAdmission(traces)
	r := Result{Lede: resultLede(ctx, c, traces)}
	byPhase := map[scope.Phase]*phaseBuilder{}
	for _, phase := range scope.Phases() {
		byPhase[phase] = &phaseBuilder{phase: phase, because: map[string]int{}}
	}
	mentions := &mentions{byLine: map[int]*mentioned{}}
	for _, t := range traces {
		e := c.Entry(t.Policy)
		b := byPhase[t.Policy.Phase]
		if e == nil || b == nil {
			continue
		}
		focused := focus != "" && (focus == e.ID || focus == t.Policy.Kind+"/"+PolicyName(t.Policy))
		word, folded := far[t.DecidedBy]
		if folded && t.Outcome == scope.Excluded && !focused {
			b.fold(newFoldRow(ctx, t, e), word)
			continue
		}
		row, reason := newRow(ctx, t, e, lines, focused)
		b.add(t, row)
		mentions.add(t, row, reason)
		if focused {
			r.Focus = append(r.Focus, row)
		}
	}
	for _, phase := range scope.Phases() {
		if p := byPhase[phase].done(); p != nil {
			r.Phases = append(r.Phases, *p)
		}
	}
	r.Marks = mentions.all()
	if focus != "" && len(r.Focus) == 0 && !c.holds(focus) {
		r.Notes = append(r.Notes, "There is no policy "+focus+" here. It may have been deleted since the link was made.")
	}
	return r
}

// inAdmission leaves out the traces of flow control.
func inAdmission(traces []*scope.Trace) []*scope.Trace {
	kept := make([]*scope.Trace, 0, len(traces))
	for _, t := range traces {
		if t.Policy.Phase != scope.FlowControl {
			kept = append(kept, t)
		}
	}
	return kept
}

// holds reports whether an ID names a policy of the catalog, or an object that holds some.
func (c *Catalog) holds(id string) bool {
	for _, g := range c.Groups {
		if id == g.ID() || slices.ContainsFunc(g.Entries, func(e *Entry) bool { return e.ID == id }) {
			return true
		}
	}
	return false
}

func newRow(ctx context.Context, t *scope.Trace, e *Entry, lines Lines, focused bool) (Row, *Reason) {
	row := baseRow(t, e)
	row.Open, row.Focused = focused, focused
	row.Trail = NewTrail(ctx, t, e.asks())
	var reason *Reason
	row.Why, reason = why(ctx, t, e, lines)
	if reason != nil {
		row.Line = reason.Line
	}
	rooms, room := isKyverno(t.Policy), ""
	for i, step := range t.Steps(ctx) {
		name := t.Policy.Layers[i].Name()
		if step.Aside || (name == scope.Exemption || name == scope.WebhookExemption || name == scope.Binding) && step.Outcome == scope.Match {
			continue
		}
		s := newStep(ctx, t, i, e, lines)
		if rooms && roomOf(name) != room {
			room = roomOf(name)
			s.Room = room
		}
		if rooms {
			s.Title = inRoom(s.Title)
		}
		row.Steps = append(row.Steps, s)
	}
	return row, reason
}

// newFoldRow says what a policy asks for that has nothing to do with the request. There
// are many of these and few look at them, so no reasons are worked out where the rules
// say enough.
func newFoldRow(ctx context.Context, t *scope.Trace, e *Entry) Row {
	row := baseRow(t, e)
	if (t.DecidedBy == scope.ResourceRules || t.DecidedBy == scope.WebhookResourceRules) && e.rules != "" {
		row.Why = Sentence{}.plain("sees " + e.rules)
	} else {
		row.Why, _ = why(ctx, t, e, func(string) (int, bool) { return 0, false })
	}
	return row
}

func baseRow(t *scope.Trace, e *Entry) Row {
	row := Row{ID: "row-" + e.ID, Href: e.Href, Name: PolicyName(t.Policy), Verdict: NewVerdict(t)}
	row.Entry = entryName(t.Policy)
	return row
}

// asks says which layers of an entry narrow at all.
func (e *Entry) asks() map[scope.LayerName]bool {
	asks := map[scope.LayerName]bool{}
	for _, layers := range [][]Layer{e.Own, e.Bound} {
		for _, l := range layers {
			asks[l.Name] = l.Narrows
		}
	}
	return asks
}

// phaseBuilder collects the rows of a phase and counts them.
type phaseBuilder struct {
	phase                        scope.Phase
	rows, folded                 []Row
	in, out, refused, skip, open int
	because                      map[string]int
}

func (b *phaseBuilder) add(t *scope.Trace, row Row) {
	b.rows = append(b.rows, row)
	switch {
	case t.Effect == scope.Rejected:
		b.refused++
	case t.Outcome == scope.Error:
		b.skip++
	case t.Outcome == scope.Unknown:
		b.open++
	case t.Outcome == scope.Included:
		b.in++
	default:
		b.out++
	}
}

func (b *phaseBuilder) fold(row Row, because string) {
	b.folded = append(b.folded, row)
	b.because[because]++
	b.out++
}

func (b *phaseBuilder) done() *ResultPhase {
	if len(b.rows)+len(b.folded) == 0 {
		return nil
	}
	parts := []string{count(b.in) + " " + takesPart(b.phase)}
	for _, p := range []struct {
		n    int
		word string
	}{{b.refused, "refused"}, {b.skip, "skipped on error"}, {b.open, "cannot tell"}, {b.out, "not"}} {
		if p.n > 0 {
			parts = append(parts, count(p.n)+" "+p.word)
		}
	}
	p := &ResultPhase{ID: "phase-" + string(b.phase), Title: phaseTitle(b.phase), Counts: strings.Join(parts, ", "), Rows: b.rows}
	if len(b.folded) > 0 {
		p.Fold = &Fold{Summary: b.summary(), Rows: b.folded}
	}
	return p
}

// summary says how many policies are folded away and why.
func (b *phaseBuilder) summary() string {
	s := fmt.Sprintf("%s not %s", count(len(b.folded)), takesPart(b.phase))
	words := slices.Sorted(maps.Keys(b.because))
	slices.SortStableFunc(words, func(a, c string) int { return b.because[c] - b.because[a] })
	if len(words) == 1 {
		return s + ", " + words[0]
	}
	parts := make([]string, len(words))
	for i, w := range words {
		parts[i] = count(b.because[w]) + " " + w
	}
	return s + ": " + strings.Join(parts, ", ")
}
