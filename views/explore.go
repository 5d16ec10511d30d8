package views

// Example is a text to start from.
type Example struct{ ID, Title, Text string }

// ExplorePage is the page on which somebody asks about an object or a request.
type ExplorePage struct {
	Text     string
	Policy   string
	Examples []Example
	// Line is a request line to start from.
	Line     string
	Ask      Ask
	Result   Result
	Problems []Problem
	// Users and Resources are what the fields of these names offer.
	Users, Resources []string
}

// The IDs of the lists that fields offer.
const (
	usersList     = "known-users"
	resourcesList = "known-resources"
)

// object is the text to start from that is about an object.
func (p ExplorePage) object() string {
	if len(p.Examples) == 0 {
		return ""
	}
	return p.Examples[0].Text
}

// Problem is something about the pasted text that its author should know.
type Problem struct {
	Line    int
	Message string
	Warning bool
}
