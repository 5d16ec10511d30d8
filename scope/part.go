package scope

import (
	"maps"
	"slices"
	"strconv"
)

// Part is a part of an object, as a tree of its fields. Of each place in the tree it is
// known whether something is there, of what sort, whether it is null, and whether it is
// empty. A value that is neither a mapping nor a list is known whole.
type Part struct {
	// Whole says that everything below is in the part.
	Whole bool
	// Tests are asked of a text here; if Whole is not set, nothing else is learnt of it.
	Tests []Test
	// Keys says that a list here is in the part as a whole; a mapping is not.
	Keys bool
	// Fields are the fields of a mapping here, and Items what is in the part of each item of
	// a list. Where Items is set, a mapping is in the part as a whole.
	Fields map[string]*Part
	Items  *Part
}

// Field returns the part at a field, which it adds if it is missing.
func (p *Part) Field(name string) *Part {
	if p.Fields == nil {
		p.Fields = map[string]*Part{}
	}
	if p.Fields[name] == nil {
		p.Fields[name] = &Part{}
	}
	return p.Fields[name]
}

// Item returns the part of each item of a list, which it adds if it is missing.
func (p *Part) Item() *Part {
	if p.Items == nil {
		p.Items = &Part{}
	}
	return p.Items
}

// At returns the part at a path, which it adds if it is missing.
func (p *Part) At(path ...string) *Part {
	for _, name := range path {
		p = p.Field(name)
	}
	return p
}

// Add puts another part into this one. Nil is nothing.
func (p *Part) Add(other *Part) {
	if other == nil {
		return
	}
	p.Whole = p.Whole || other.Whole
	for _, t := range other.Tests {
		if !slices.Contains(p.Tests, t) {
			p.Tests = append(slices.Clip(p.Tests), t)
		}
	}
	p.Keys = p.Keys || other.Keys
	for name, field := range other.Fields {
		p.Field(name).Add(field)
	}
	if other.Items != nil {
		p.Item().Add(other.Items)
	}
}

// Touches reports whether the part has anything to do with a path: something of the part
// lies at it, below it, or holds it.
func (p *Part) Touches(path []string) bool {
	for i, name := range path {
		switch {
		case p == nil:
			return false
		case p.Whole || p.Keys || p.Items != nil:
			return true
		case p.Fields[name] == nil:
			return i > 0 && len(p.Fields) == 0
		}
		p = p.Fields[name]
	}
	return p != nil
}

// String writes the part so that parts which hold the same of an object are written alike.
func (p *Part) String() string { return string(p.write(nil)) }

func (p *Part) write(b []byte) []byte {
	if p == nil {
		return append(b, '-')
	}
	if p.Whole {
		return append(b, '*')
	}
	if p.Keys {
		b = append(b, '?')
	}
	if p.Items != nil {
		b = p.Items.write(append(b, '['))
		b = append(b, ']')
	}
	if len(p.Fields) > 0 {
		b = append(b, '{')
		for _, name := range slices.Sorted(maps.Keys(p.Fields)) {
			b = strconv.AppendQuote(b, name)
			b = p.Fields[name].write(b)
		}
		b = append(b, '}')
	}
	return b
}
