package flow

import (
	"fmt"
	"slices"
	"strings"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"
)

// What proofs assume about groups. The API server adds these groups itself
// (k8s.io/apiserver/pkg/authentication/group, .../serviceaccount and
// pkg/endpoints/filters/impersonation), but who impersonates may name groups of their own.
const (
	AssumeEverybody = "Every request comes from system:anonymous, who is in the group system:unauthenticated and in no other, or from somebody in the group system:authenticated. Only impersonation can ask for something else."
	AssumeAccounts  = "A service account is in the groups system:serviceaccounts, system:serviceaccounts:<its namespace> and system:authenticated, and nobody else is in the first two. Only impersonation can ask for something else."
)

// persona is somebody whom a subject matches, with no more groups than they must have.
// More groups can only make more schemas match, so what is taken from the personas of a
// subject is taken from all whom it matches.
type persona struct {
	Digest
	subject flowcontrolv1.Subject
	// words name whom the persona stands for, and assumption says what is taken for granted
	// about their groups.
	words, assumption string
}

// key tells personas apart that different schemas match.
func (p *persona) key() string { return p.User + "\x00" + strings.Join(p.Groups, "\x00") }

// among returns the first of the subjects that matches the persona, and the assumption
// that this rests on. A subject that rests on none is preferred.
func (p *persona) among(subjects []flowcontrolv1.Subject) (index int, assumption string) {
	index = -1
	for i, s := range subjects {
		switch {
		case !wellFormed(s) || !p.isSubject(s):
		case p.surely(s):
			return i, ""
		case index < 0:
			index, assumption = i, p.assumption
		}
	}
	return index, assumption
}

// surely reports whether a subject that matches the persona matches everybody whom the
// persona's own subject matches, whatever groups they are in.
func (p *persona) surely(s flowcontrolv1.Subject) bool {
	switch {
	case isEverybody(s):
		return true
	case isEverybody(p.subject):
		return false
	case p.subject.Kind == flowcontrolv1.SubjectKindGroup:
		return isGroup(s, p.subject.Group.Name)
	}
	return s.Kind != flowcontrolv1.SubjectKindGroup
}

// strangers makes up names that no schema of an order mentions.
type strangers struct {
	user, namespace string
}

func (o *Order) strangers() strangers {
	named := map[string]bool{}
	for _, s := range o.Schemas {
		for _, subject := range s.subjects() {
			switch {
			case !wellFormed(subject):
			case subject.Kind == flowcontrolv1.SubjectKindUser:
				named[subject.User.Name] = true
				if namespace, name, err := serviceaccount.SplitUsername(subject.User.Name); err == nil {
					named[namespace], named[name] = true, true
				}
			case subject.Kind == flowcontrolv1.SubjectKindGroup:
				named[strings.TrimPrefix(subject.Group.Name, serviceaccount.ServiceAccountGroupPrefix)] = true
			default:
				named[subject.ServiceAccount.Namespace], named[subject.ServiceAccount.Name] = true, true
			}
		}
	}
	unused := func(name string) string {
		for i := 2; named[name]; i++ {
			name = fmt.Sprintf("%s-%d", strings.TrimRight(name, "-0123456789"), i)
		}
		return name
	}
	return strangers{user: unused("somebody"), namespace: unused("some-namespace")}
}

// personas returns those who stand for all whom a subject matches; none if it matches
// nobody.
func (n strangers) personas(s flowcontrolv1.Subject) []persona {
	if subjectDefect(s) != "" {
		return nil
	}
	words := SubjectWords(s)
	switch {
	case isEverybody(s):
		return []persona{n.loggedIn(s, "everybody who is logged in", n.user), anonymous(s, "everybody who is not logged in")}
	case s.Kind == flowcontrolv1.SubjectKindServiceAccount && s.ServiceAccount.Name == flowcontrolv1.NameAll:
		return []persona{account(s, words, s.ServiceAccount.Namespace, n.user)}
	case s.Kind == flowcontrolv1.SubjectKindServiceAccount:
		return []persona{account(s, words, s.ServiceAccount.Namespace, s.ServiceAccount.Name)}
	case s.Kind == flowcontrolv1.SubjectKindUser:
		return []persona{n.named(s, words)}
	case isGroup(s, user.AllUnauthenticated):
		return []persona{anonymous(s, words)}
	case isGroup(s, user.AllAuthenticated):
		return []persona{n.loggedIn(s, words, n.user)}
	case isGroup(s, serviceaccount.AllServiceAccountsGroup):
		return []persona{account(s, words, n.namespace, n.user)}
	}
	if namespace, ok := strings.CutPrefix(s.Group.Name, serviceaccount.ServiceAccountGroupPrefix); ok {
		return []persona{account(s, words, namespace, n.user)}
	}
	return []persona{n.loggedIn(s, words, n.user, s.Group.Name)}
}

// named is a user of a known name, which may be that of a service account.
func (n strangers) named(s flowcontrolv1.Subject, words string) persona {
	if s.User.Name == user.Anonymous {
		return anonymous(s, words)
	}
	if namespace, name, err := serviceaccount.SplitUsername(s.User.Name); err == nil {
		return account(s, words, namespace, name)
	}
	return n.loggedIn(s, words, s.User.Name)
}

// loggedIn is one user who is logged in and in the groups given.
func (strangers) loggedIn(s flowcontrolv1.Subject, words, name string, groups ...string) persona {
	return persona{
		Digest:  Digest{User: name, Groups: append(slices.Clip(groups), user.AllAuthenticated)},
		subject: s, words: words, assumption: AssumeEverybody,
	}
}

func anonymous(s flowcontrolv1.Subject, words string) persona {
	return persona{
		Digest:  Digest{User: user.Anonymous, Groups: []string{user.AllUnauthenticated}},
		subject: s, words: words, assumption: AssumeEverybody,
	}
}

func account(s flowcontrolv1.Subject, words, namespace, name string) persona {
	return persona{
		Digest:  Digest{User: serviceaccount.MakeUsername(namespace, name), Groups: accountGroups(namespace)},
		subject: s, words: words, assumption: AssumeAccounts,
	}
}

func accountGroups(namespace string) []string {
	return append(serviceaccount.MakeGroupNames(namespace), user.AllAuthenticated)
}
