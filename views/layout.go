package views

import "time"

// Layout is what every page carries around its content.
type Layout struct {
	Title string
	// Here is the path of the navigation entry that the page belongs to.
	Here  string
	Fresh Fresh
	// Nonce allows the styles that the editor makes at run time.
	Nonce string
	// Asset gives the address of a built file; Script is the page's own.
	Asset  func(name string) string
	Script string
	// Version is Ambit's.
	Version string
	// Snapshot is the number of the snapshot that the page was rendered from, and Findings that
	// of the findings, on a page that shows some.
	Snapshot, Findings string
}

// Fresh says where facts come from and how old they are.
type Fresh struct {
	Source  string
	Kind    string
	Version string
	Read    time.Time
	Now     time.Time
	// Stale is why the facts are not followed any more; Syncing is what is still being read.
	Stale   string
	Syncing []Counted
	// Gaps is the number of things that could not be read.
	Gaps int
}

// Counted is a number of something.
type Counted struct {
	Name  string
	Count int
}

// state is the word for the facts as a whole, with the class that colours it.
func (f Fresh) state() (word, class string) {
	switch {
	case f.Stale != "":
		return "stale", "err"
	case len(f.Syncing) > 0:
		return "reading", "unk"
	case f.Kind == "live":
		return "live", "in"
	}
	return "read", "in"
}

// reading says how far the first read has come.
func (f Fresh) reading() string {
	parts := make([]string, 0, len(f.Syncing))
	for _, c := range f.Syncing {
		parts = append(parts, count(c.Count)+" "+c.Name)
	}
	return list(parts, "and")
}

// age is how old the facts are.
func (f Fresh) age() string { return age(f.Now.Sub(f.Read)) }

type navigation struct{ href, title string }

var sections = []navigation{
	{"/policies", "Policies"}, {"/coverage", "Coverage"}, {"/groups", "Selector groups"},
	{"/kyverno", "Kyverno"}, {"/flow", "Flow"}, {"/explore", "Explore"}, {"/about", "About this view"},
}
