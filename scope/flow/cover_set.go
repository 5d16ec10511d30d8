package flow

import "slices"

// tokens is a set of strings: those listed or, for except, all others.
type tokens struct {
	listed []string
	except bool
}

// everything is the set that a lone star in a rule stands for.
var everything = tokens{except: true}

// only returns the set of the strings.
func only(all ...string) tokens {
	sorted := slices.Clone(all)
	slices.Sort(sorted)
	return tokens{listed: slices.Compact(sorted)}
}

func (t tokens) empty() bool { return !t.except && len(t.listed) == 0 }

func (t tokens) has(s string) bool {
	_, listed := slices.BinarySearch(t.listed, s)
	return listed != t.except
}

// and returns what is in both sets.
func (t tokens) and(u tokens) tokens {
	switch {
	case t.except && u.except:
		return tokens{listed: only(slices.Concat(t.listed, u.listed)...).listed, except: true}
	case t.except:
		return u.and(t)
	}
	var both []string
	for _, s := range t.listed {
		if u.has(s) {
			both = append(both, s)
		}
	}
	return tokens{listed: both}
}

// meets reports whether the sets have something in common. There is always a name that two
// sets of all but a few have in common.
func (t tokens) meets(u tokens) bool {
	switch {
	case t.except && u.except:
		return true
	case t.except:
		return slices.ContainsFunc(u.listed, t.has)
	}
	return slices.ContainsFunc(t.listed, u.has)
}

// without returns what is in the first set and not in the second.
func (t tokens) without(u tokens) tokens { return t.and(tokens{listed: u.listed, except: !u.except}) }

// box is a set of requests: all combinations of what its dimensions hold. A request for a
// resource has all four; of a request to a URL, the path stands for the resource.
type box [4]tokens

// The dimensions of a box. A place is a namespace, or empty for a request without one.
const (
	inVerb = iota
	inGroup
	inResource
	inPlace
)

func (b box) empty() bool {
	return slices.ContainsFunc(b[:], tokens.empty)
}

func (b box) and(c box) box {
	for i := range b {
		b[i] = b[i].and(c[i])
	}
	return b
}

func (b box) meets(c box) bool {
	return b[inPlace].meets(c[inPlace]) && b[inVerb].meets(c[inVerb]) && b[inGroup].meets(c[inGroup]) && b[inResource].meets(c[inResource])
}

// without returns what is left of a box when another is taken out of it, in boxes that do
// not overlap: for each dimension, what the other lacks there and has in those before.
func (b box) without(c box) []box {
	if !b.meets(c) {
		return []box{b}
	}
	var rest []box
	for i := range b {
		piece := b
		if piece[i] = b[i].without(c[i]); !piece[i].empty() {
			rest = append(rest, piece)
		}
		b[i] = b[i].and(c[i])
	}
	return rest
}

// size measures the work of comparing two boxes.
func (b box) size() int {
	n := 1
	for _, t := range b {
		n += len(t.listed)
	}
	return n
}
