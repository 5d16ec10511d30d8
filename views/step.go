package views

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/request"
)

// Lines finds the line of the pasted text in which a path of the request stands. It
// returns false with the nearest line where the path itself is absent.
type Lines func(path string) (line int, ok bool)

// LinesOf finds paths in the text that a request was derived from. A fact stands in no
// text, and what was made up, or stands in the text of the old object, has no line there.
func LinesOf(d *request.Derived) Lines {
	return func(path string) (line int, ok bool) {
		root, _, _ := strings.Cut(path, ".")
		if root != "object" && root != "oldObject" && root != "request" {
			return 0, false
		}
		document, line, ok := d.LineOf(path)
		if document.Source != d.Document.Source || !ok && root == "request" {
			return 0, false
		}
		return line, ok
	}
}

// Step is what one layer said about a request, opened to its reasons.
type Step struct {
	// Room is where the layer stands, for policies that are asked in two places, on the first layer of each.
	Room         string
	Title, Class string
	Decides      bool
	Reasons      []Reason
}

// Reason is one requirement beside what was observed.
type Reason struct {
	Sign, Class string
	// Name is the condition's name; Code its expression with the values that decided.
	Name string
	Code []Token
	// Values are the innermost sub-expressions that decided; Elsewhere are those of them
	// that could not be set into Code.
	Values, Elsewhere []scope.Value
	Want              string
	Got               string
	// Spares says that a request is left out if it has what is wanted.
	Spares bool
	// Message is a sentence where want and got are not enough.
	Message string
	// Line is where the observation stands in the pasted text, 0 if it does not stand
	// there; Exact says that it stands on that very line.
	Line  int
	Exact bool
	// Where names the fact that was read, for what does not stand in the text; Field is the
	// place of the requirement in the policy.
	Where, Field string
}

// newStep opens one layer of a trace.
func newStep(ctx context.Context, t *scope.Trace, i int, e *Entry, lines Lines) Step {
	layer, outcome := t.Policy.Layers[i].Name(), t.Steps(ctx)[i].Outcome
	s := Step{Title: titles[layer], Class: stepClass(outcome), Decides: layer == t.DecidedBy}
	if s.Title == "" {
		s.Title = string(layer)
	}
	for _, r := range t.Reasons(ctx, i) {
		reason := newReason(r, e, lines)
		reason.Spares = spares(layer, r)
		s.Reasons = append(s.Reasons, reason)
	}
	return s
}

func newReason(r scope.Reason, e *Entry, lines Lines) Reason {
	v := Reason{Sign: stepSign(r.Outcome), Class: stepClass(r.Outcome), Want: r.Want, Got: r.Got, Message: r.Message, Field: r.Field}
	v.Line, v.Exact = lines(r.Path)
	if name, fact := factName(r.Path); fact {
		v.Where = name
	}
	if c := e.condition(r.Field); c != nil {
		v.Name, v.Values = c.Name, telling(r.Values)
		v.Code, v.Elsewhere = withValues(c.Code, v.Values)
		if v.Line == 0 {
			v.Line, v.Exact = valueLine(r.Values, lines)
		}
	}
	return v
}

// condition finds a match condition by its field.
func (e *Entry) condition(field string) *Condition {
	for i := range e.Own {
		for j := range e.Own[i].Conditions {
			if c := &e.Own[i].Conditions[j]; c.Field == field {
				return c
			}
		}
	}
	return nil
}

// factName names a fact in words; it returns false for what is part of the request.
func factName(path string) (name string, fact bool) {
	kind, rest, found := strings.Cut(path, "/")
	switch {
	case found && kind == "namespace":
		return "namespace " + rest, true
	case found && kind == "params":
		return "parameter " + rest, true
	}
	return "", false
}

// withValues sets values behind the sub-expressions that have them, and returns those
// whose place in the source is not known.
func withValues(code []Token, values []scope.Value) (shown []Token, elsewhere []scope.Value) {
	ends := make(map[int]string, len(values))
	for _, v := range values {
		if v.End == 0 {
			elsewhere = append(elsewhere, v)
			continue
		}
		ends[v.End] = v.Value
	}
	for _, t := range code {
		shown = append(shown, t)
		end := t.Start + len(t.Text)
		if value, ok := ends[end]; ok {
			shown = append(shown, Token{Text: shorten(value, 60), Class: "val", Start: end})
		}
	}
	return shown, elsewhere
}

// telling keeps the values that say something: not whole maps and lists, and of the rest
// those in which no other value stands. What is around them follows from these.
func telling(values []scope.Value) []scope.Value {
	var short []scope.Value
	for _, v := range values {
		structured := strings.HasPrefix(v.Value, "{") || strings.HasPrefix(v.Value, "[")
		if v.Expression != v.Value && (!structured || len(v.Value) <= 40) {
			short = append(short, v)
		}
	}
	var kept []scope.Value
	for _, v := range short {
		around := slices.ContainsFunc(short, func(o scope.Value) bool {
			return len(o.Expression) < len(v.Expression) && strings.Contains(v.Expression, o.Expression)
		})
		if !around {
			kept = append(kept, v)
		}
	}
	return kept
}

// valueLine finds the first value that is a plain path into the pasted object.
func valueLine(values []scope.Value, lines Lines) (line int, ok bool) {
	for _, v := range values {
		if !strings.HasPrefix(v.Expression, "object.") && !strings.HasPrefix(v.Expression, "oldObject.") {
			continue
		}
		if line, ok = lines(v.Expression); ok {
			return line, true
		}
	}
	return 0, false
}

// unknown reports whether nothing was observed.
func (r Reason) unknown() bool { return r.Got == "not known" }

// got is the observation with its line.
func (r Reason) got() string {
	if r.Exact && r.Line > 0 && !r.unknown() {
		return fmt.Sprintf("%s (line %d)", r.Got, r.Line)
	}
	return r.Got
}
