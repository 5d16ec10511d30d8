package views

// AboutPage says where the facts come from, what is missing in them, and how a verdict is
// decided.
type AboutPage struct {
	Fresh    Fresh
	Lede     Sentence
	Counts   []Counted
	Gaps     []string
	Problems []string
	Version  string
}

// NewAboutPage puts the state of the facts into a sentence.
func NewAboutPage(f Fresh, counts []Counted, gaps, problems []string, version string) AboutPage {
	p := AboutPage{Fresh: f, Counts: counts, Gaps: gaps, Problems: problems, Version: version}
	s := Sentence{}.plain("Everything here comes from ").strong(f.Source)
	if f.Version != "" {
		s = s.plain(" and is shown as Kubernetes ").strong(f.Version).plain(" would decide it")
	}
	s = s.plain(". ")
	switch {
	case f.Stale != "":
		s = s.plain(f.Stale)
	case len(f.Syncing) > 0:
		s = s.plain("It is still being read for the first time, so pages are not complete yet.")
	case f.Kind == "live":
		s = s.plain("It is watched: a change in the cluster is on the page about a second later.")
	case f.Kind == "manifests":
		s = s.plain("The files are read again when they change.")
	default:
		s = s.plain("It is part of Ambit and never changes.")
	}
	p.Lede = s
	return p
}

// blind is what Ambit cannot see on any cluster, and what follows from that.
var blind = []struct{ What, Why string }{
	{"Policies from files on the API server", "An API server can load webhooks and admission policies from a directory of its own (on by default from 1.37). The API does not list them, so a request may meet more policies than Ambit shows."},
	{"Built-in admission plugins", "LimitRanger, ServiceAccount, PodSecurity, NamespaceLifecycle and others run in the same chain, before or between the policies. They can change or refuse a request, and have no scope that Ambit could read."},
	{"What earlier policies change", "Mutating policies and webhooks may add a label that a later policy selects by. Ambit shows the request as it was sent and does not run them."},
	{"Aggregated APIs", "A request to an aggregated API is decided by the server behind it. Whether that one asks these policies is its own business."},
	{"What a webhook answers", "Ambit says whether a webhook is called. What it then says, only its server knows."},
}

// ErrorPage is what a page shows in place of itself.
type ErrorPage struct {
	Status  int
	Title   string
	Message string
}
