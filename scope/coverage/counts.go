package coverage

import "github.com/ambit-k8s/ambit/scope"

// Counts says what became of some objects under one policy.
type Counts struct {
	// Applicable is the number of objects whose resource some rule of the policy names. The
	// others are parts of it; what is missing was excluded.
	Applicable int32
	Included   int32
	Error      int32
	Unknown    int32
}

// Excluded is the number of applicable objects that the policy does not reach.
func (c Counts) Excluded() int32 { return c.Applicable - c.Included - c.Error - c.Unknown }

// Mark is how much of some objects a policy reaches, in one word.
type Mark string

// A policy reaches all of the objects that it could, some, or none; or that cannot be said
// for some of them; or its rules name none of them. An error counts as reached: the policy
// met the request, and its failure policy decides.
const (
	Full          Mark = "full"
	Partial       Mark = "part"
	None          Mark = "none"
	NotKnown      Mark = "unknown"
	NotApplicable Mark = ""
)

// Mark sums the counts up. Where it is known that some objects are reached and others are
// not, the unknown ones make no difference.
func (c Counts) Mark() Mark {
	reached := c.Included + c.Error
	switch {
	case c.Applicable == 0:
		return NotApplicable
	case reached == c.Applicable:
		return Full
	case c.Excluded() == c.Applicable:
		return None
	case reached > 0 && c.Excluded() > 0:
		return Partial
	}
	return NotKnown
}

// kind is an outcome as Counts tells it from others.
type kind uint8

const (
	excluded kind = iota
	included
	failed
	unknown
)

func kindOf(o scope.Outcome) kind {
	switch o {
	case scope.Included:
		return included
	case scope.Error:
		return failed
	case scope.Unknown:
		return unknown
	}
	return excluded
}

// add counts objects with an outcome; a negative number takes them away.
func (c *Counts) add(k kind, n int32) {
	c.Applicable += n
	switch k {
	case included:
		c.Included += n
	case failed:
		c.Error += n
	case unknown:
		c.Unknown += n
	}
}

// plus adds two counts.
func (c Counts) plus(d Counts) Counts {
	return Counts{c.Applicable + d.Applicable, c.Included + d.Included, c.Error + d.Error, c.Unknown + d.Unknown}
}
