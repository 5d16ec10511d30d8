package views

// Example is a text to start from.
type Example struct{ ID, Title, Text string }

// ExplorePage is the page on which somebody asks about an object.
type ExplorePage struct {
	Text     string
	Policy   string
	Examples []Example
	Ask      Ask
	Result   Result
	Problems []Problem
}

// Problem is something about the pasted text that its author should know.
type Problem struct {
	Line    int
	Message string
	Warning bool
}
