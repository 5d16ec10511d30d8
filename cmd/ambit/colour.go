package main

import "github.com/ambit-k8s/ambit/scope"

// style is an SGR code of a terminal. No verdict is told by its colour alone.
type style string

const (
	plain  style = ""
	bold   style = "1"
	faint  style = "2"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
	blue   style = "34"
)

var outcomes = map[scope.Outcome]style{scope.Included: green, scope.Excluded: blue, scope.Error: red, scope.Unknown: yellow}

var steps = map[scope.StepOutcome]style{scope.Match: plain, scope.NoMatch: blue, scope.Failed: red, scope.Open: yellow}

// paint writes text in a style, if the terminal shows styles.
func (t *text) paint(s style, text string) string {
	if !t.colour || s == plain {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}
