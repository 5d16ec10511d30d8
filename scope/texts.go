package scope

import (
	"strings"
	"unicode/utf8"
)

// Test is a question about a text whose answer is all that somebody learns of it.
type Test struct {
	Kind TestKind
	Text string
}

// TestKind is the way in which a text is compared with another.
type TestKind int

// A text is the other one, begins or ends with it, or contains it. In CEL, what it costs to
// compare two texts and to search one depends on their lengths; a selector has no costs.
const (
	TestValue TestKind = iota
	TestEqual
	TestPrefix
	TestSuffix
	TestContains
)

// perCost is the number of characters that a unit of cost is for
// (github.com/google/cel-go/common, StringTraversalCostFactor).
const perCost = 10

// Answer is what the test says of a text: equal answers mean equal results and costs.
func (t Test) Answer(text string) uint8 {
	holds, cost := false, 0
	switch t.Kind {
	case TestValue:
		holds = text == t.Text
	case TestEqual:
		holds = text == t.Text
		cost = (min(utf8.RuneCountInString(text), utf8.RuneCountInString(t.Text)) + perCost - 1) / perCost
	case TestPrefix:
		holds = strings.HasPrefix(text, t.Text)
	case TestSuffix:
		holds = strings.HasSuffix(text, t.Text)
	case TestContains:
		holds = strings.Contains(text, t.Text)
		cost = (utf8.RuneCountInString(text) + perCost - 1) / perCost
	}
	answer := uint8(min(cost, 127)) << 1
	if holds {
		answer |= 1
	}
	return answer
}
