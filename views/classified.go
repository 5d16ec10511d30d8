package views

import (
	"context"
	"slices"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/flow"
)

// FlowControl is what it takes to say what flow control does with a request.
type FlowControl struct {
	Catalog *Catalog
	// Order is nil if it is not known which FlowSchemas there are; Gap says why.
	Order *flow.Order
	Gap   string
	Input *scope.Input
	// Traces are those of all policies; only those of FlowSchemas count here.
	Traces []*scope.Trace
	Lines  Lines
	Focus  string
}

// Classified is the first stop on a request's way: which FlowSchema it falls in.
type Classified struct {
	ID, Title, Counts string
	// Says is what becomes of the request, in one sentence for each verb that it may have.
	Says []Sentence
	// Rows are the schemas up to the one that takes the request, Fold those after it.
	Rows []Row
	Fold *Fold
	// Line is the request as one line, for asking about it without its object.
	Line string
	// Quiet says that there is nothing to be said, and why.
	Quiet string
}

// AddFlowControl puts the first stop before those of admission. A request that admission
// is not asked about gets its first sentence and all schemas with their reasons, any other
// the outcome and a list.
func (r *Result) AddFlowControl(ctx context.Context, f FlowControl) {
	alone := f.Input.Request.Operation == ""
	c := &Classified{ID: "phase-" + string(scope.FlowControl), Title: phaseTitle(scope.FlowControl)}
	r.FlowControl = c
	if f.Order == nil {
		if c.Quiet = f.Gap; alone {
			r.Lede = Sentence{}.plain("Which FlowSchema takes this request ").strong("is not known").plain(".").beyond(f.Input.Request)
		}
		return
	}
	all := classifications(f)
	says := fallsIn{href: func(s *flow.Schema) string { return schemaHref(s.Name) }}
	if alone {
		says = fallsIn{alone: true, href: func(s *flow.Schema) string { return "#row-FlowSchema/" + s.Name }}
	}
	c.Says = says.eachVerb(f.Input.Request.Access.Verbs, all)
	if all[0].Bypass == "" {
		c.schemas(ctx, f, forWhom(all), alone)
	}
	r.focusFlow(c)
	if !alone {
		c.Line = requestLine(f.Input.Request)
		return
	}
	r.Lede, c.Says = slices.Concat(joined(c.Says), Sentence{}.beyond(f.Input.Request)), nil
	if len(c.Rows) == 0 {
		r.FlowControl = nil
	}
}

// joined makes running text of sentences.
func joined(all []Sentence) Sentence {
	var text Sentence
	for i, s := range all {
		if i > 0 {
			text = text.plain(" ")
		}
		text = append(text, s...)
	}
	return text
}

// classifications asks for each verb that the request may have.
func classifications(f FlowControl) []flow.Classification {
	verbs := f.Input.Request.Access.Verbs
	all := make([]flow.Classification, len(verbs))
	for i, verb := range verbs {
		all[i] = f.Order.Classify(f.Input, verb)
	}
	return all
}

// forWhom says of each schema that a request may fall in for whom it does.
func forWhom(all []flow.Classification) map[*flow.Schema]Sentence {
	whom := map[*flow.Schema]Sentence{}
	if !agree(all) {
		return whom
	}
	for i, one := range all[0].Candidates {
		switch last := i == len(all[0].Candidates)-1; {
		case len(one.Subjects) > 0:
			whom[one.Schema] = Sentence{}.plain("For " + whomWords(one.Subjects, 3) + ".")
		case last:
			whom[one.Schema] = Sentence{}.plain("For everybody else.")
		}
	}
	return whom
}

// schemas makes the rows: all schemas up to the last one that may take the request, and a
// fold with the others. Where admission is what the answer is about, all of them are folded.
func (c *Classified) schemas(ctx context.Context, f FlowControl, whom map[*flow.Schema]Sentence, alone bool) {
	traces := slices.DeleteFunc(slices.Clone(f.Traces), func(t *scope.Trace) bool { return t.Policy.Phase != scope.FlowControl })
	last := -1
	for i, t := range traces {
		if t.Outcome == scope.Included || t.Outcome == scope.Unknown {
			last = i
		}
	}
	shown := last + 1
	c.Counts = flowCounts(traces, shown)
	if !alone {
		shown = 0
	}
	fold := &Fold{}
	for i, t := range traces {
		e := f.Catalog.Entry(t.Policy)
		if e == nil {
			continue
		}
		var row Row
		focused := f.Focus != "" && f.Focus == e.ID
		if i < shown {
			row, _ = newRow(ctx, t, e, f.Lines, focused)
		} else {
			row = baseRow(t, e)
			row.Why, _ = why(ctx, t, e, f.Lines)
			row.Focused = focused
		}
		row.place(t, whom)
		if i < shown {
			c.Rows = append(c.Rows, row)
		} else {
			fold.Rows, fold.Open = append(fold.Rows, row), fold.Open || focused
		}
	}
	switch {
	case len(fold.Rows) == 0:
		return
	case shown == 0:
		fold.Summary = "What each of the " + count(len(fold.Rows)) + " FlowSchemas says, in the order in which they are asked"
	default:
		fold.Summary = count(len(fold.Rows)) + plural(len(fold.Rows), " comes", " come") + " later"
	}
	c.Fold = fold
}

// flowCounts says how far a request gets.
func flowCounts(traces []*scope.Trace, shown int) string {
	var open, before int
	for _, t := range traces[:shown] {
		switch t.Outcome {
		case scope.Unknown:
			open++
		case scope.Excluded:
			before++
		}
	}
	if open > 0 {
		return count(open) + " of " + count(len(traces)) + " FlowSchemas may take it"
	}
	return "1 of " + count(len(traces)) + " FlowSchemas takes it, " + count(before) + plural(before, " is", " are") + " asked before"
}

// place says where in the order a schema stands, which priority level it leads to, and for
// whom it takes the request, where that decides.
func (row *Row) place(t *scope.Trace, whom map[*flow.Schema]Sentence) {
	s := schemaOf(t.Policy)
	row.Entry = "precedence " + precedence(s)
	if row.Chosen = t.Outcome == scope.Included; row.Chosen {
		row.Entry += ", priority level " + s.Spec.PriorityLevelConfiguration.Name
	}
	if sentence, ok := whom[s]; ok {
		row.Why = sentence
	}
}

// focusFlow says at once what became of the schema that the page was opened for.
func (r *Result) focusFlow(c *Classified) {
	rows := c.Rows
	if c.Fold != nil {
		rows = append(slices.Clone(rows), c.Fold.Rows...)
	}
	for _, row := range rows {
		if row.Focused {
			r.Focus = append(r.Focus, row)
		}
	}
}
