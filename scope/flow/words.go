package flow

import (
	"fmt"
	"strings"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
)

// SubjectWords names a subject: "group devs", "user alice", "service account ops/robot",
// "every service account of ops".
func SubjectWords(s flowcontrolv1.Subject) string {
	switch {
	case !wellFormed(s):
		return fmt.Sprintf("a subject of kind %s without a name", s.Kind)
	case isEverybody(s):
		return "everybody"
	case s.Kind == flowcontrolv1.SubjectKindUser:
		return "user " + s.User.Name
	case s.Kind == flowcontrolv1.SubjectKindGroup:
		return "group " + s.Group.Name
	case s.ServiceAccount.Name == flowcontrolv1.NameAll:
		return "every service account of " + s.ServiceAccount.Namespace
	}
	return "service account " + s.ServiceAccount.Namespace + "/" + s.ServiceAccount.Name
}

func subjectsWords(subjects []flowcontrolv1.Subject) string {
	words := make([]string, len(subjects))
	for i, s := range subjects {
		words[i] = SubjectWords(s)
	}
	return list(words)
}

// list joins what a rule lists; an empty list names nothing.
func list(all []string) string {
	if len(all) == 0 {
		return "nothing"
	}
	return strings.Join(all, ", ")
}

// groups writes API groups, of which the core group has an empty name.
func groups(all []string) string {
	names := make([]string, len(all))
	for i, g := range all {
		names[i] = groupWord(g)
	}
	return list(names)
}

func groupWord(g string) string {
	if g == "" {
		return "core"
	}
	return g
}

// who names somebody who asks, with their groups.
func (a *asker) words() string {
	if a.unknown {
		return "not known"
	}
	name := a.name
	if name == "" {
		name = "a user without a name"
	}
	switch {
	case len(a.groups) == 0 && a.unlisted:
		return name + ", whose groups are not known"
	case len(a.groups) == 0:
		return name + ", in no group"
	case a.unlisted:
		return name + ", in " + strings.Join(a.groups, ", ") + " and maybe others"
	}
	return name + ", in " + strings.Join(a.groups, ", ")
}

// place is where a request is: a namespace, or none.
func (d *Digest) place() string {
	if d.Namespace == "" {
		return "no namespace"
	}
	return "namespace " + d.Namespace
}

// bypass is the sentence that says why a request passes flow control unclassified, or
// empty.
func (d *Digest) bypass() string {
	switch {
	case !d.bypasses():
		return ""
	case d.Path != "":
		return "Requests for profiles below /debug/pprof/ run long, and pass flow control unclassified."
	case d.Verb == "proxy":
		return "Proxied requests run as long as somebody uses them, and pass flow control unclassified."
	}
	return fmt.Sprintf("Requests to %s run as long as somebody uses them, and pass flow control unclassified.", d.fullResource())
}
