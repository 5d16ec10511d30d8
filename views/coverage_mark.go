package views

import (
	"strconv"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/coverage"
)

// markClass is the class of a mark, which gives it its shape.
func markClass(c coverage.Counts) string {
	switch mark := c.Mark(); mark {
	case coverage.NotApplicable:
		return "na"
	case coverage.Partial:
		return "some"
	default:
		return string(mark)
	}
}

// markSays says a mark with its numbers.
func markSays(c coverage.Counts) string {
	reached := int(c.Included + c.Error)
	switch c.Mark() {
	case coverage.Full:
		return "all " + count(reached)
	case coverage.Partial:
		s := "part: " + count(reached) + " of " + count(int(c.Applicable))
		if c.Unknown > 0 {
			s += ", " + count(int(c.Unknown)) + " unknown"
		}
		return s
	case coverage.None:
		return "none of " + count(int(c.Applicable))
	case coverage.NotKnown:
		return "cannot tell for " + count(int(c.Unknown)) + " of " + count(int(c.Applicable))
	}
	return "no object that it could see"
}

// cellClass is the class of the mark of a policy in a row, and cellSays says it with numbers.
func (r MatrixRow) cellClass(c coverage.Counts) string {
	if r.Empty {
		return "vacant"
	}
	return markClass(c)
}

func (r MatrixRow) cellSays(c coverage.Counts) string {
	if r.Empty {
		return "no objects known there"
	}
	return markSays(c)
}

// Mark is the mark of a policy in a row, in one word, for a file.
func (r MatrixRow) Mark(c coverage.Counts) string {
	if r.Empty {
		return "empty"
	}
	return string(c.Mark())
}

// level is how much of the objects a policy reaches, in tenths. A part is never drawn as
// all or nothing.
func level(c coverage.Counts) int {
	if c.Applicable == 0 {
		return 0
	}
	return min(9, max(1, int(10*(c.Included+c.Error)/c.Applicable)))
}

// levelClass is the class of a part by its level.
func levelClass(c coverage.Counts) string {
	if c.Mark() != coverage.Partial {
		return ""
	}
	return "p" + strconv.Itoa(level(c))
}

// markCode writes a mark as one letter, a part as its level.
func markCode(c coverage.Counts) byte {
	switch c.Mark() {
	case coverage.Full:
		return 'f'
	case coverage.Partial:
		return '0' + byte(level(c))
	case coverage.None:
		return 'n'
	case coverage.NotKnown:
		return 'u'
	}
	return '-'
}

// endingVerdict is how a policy ends for an object, for a table that has one column for it.
func endingVerdict(o scope.Outcome) Verdict {
	switch o {
	case scope.Included:
		return Verdict{"in", "reached"}
	case scope.Error:
		return Verdict{"err", "error"}
	case scope.Unknown:
		return Verdict{"unk", "cannot tell"}
	}
	return Verdict{"out", "excluded"}
}
