package views

// PopulationState says how far the objects that exist have been read.
type PopulationState struct {
	// None says that the source has no objects, or was not asked for them.
	None bool
	// Reading, Missing and LeftOut are names of resources: those that are still being read,
	// cannot be read, and were left out on purpose.
	Reading, Missing, LeftOut []string
	// Contents says that the objects can be had as a whole, to try them on the explore page.
	Contents bool
}

// notes are sentences about what the numbers of a page leave out.
func (s PopulationState) notes() []string {
	var notes []string
	if len(s.Reading) > 0 {
		notes = append(notes, "Still reading "+listSome(s.Reading, 6)+". Until then the numbers here are lower bounds.")
	}
	if len(s.Missing) > 0 {
		notes = append(notes, listSome(s.Missing, 6)+" cannot be read, so the numbers here are lower bounds.")
	}
	return notes
}

// aside is a sentence about what was left out on purpose.
func (s PopulationState) aside() string {
	if len(s.LeftOut) == 0 {
		return ""
	}
	return "Left out on purpose: " + listSome(s.LeftOut, 8) + "."
}

// whole reports whether everything has been read that was to be read.
func (s PopulationState) whole() bool { return !s.None && len(s.Reading)+len(s.Missing) == 0 }
