package flow

import (
	"slices"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"

	"github.com/ambit-k8s/ambit/scope"
)

// asker is who asks, as far as the question says.
type asker struct {
	name   string
	groups []string
	// missing says what is not known of them: nothing, their groups beside those above, or
	// everything.
	missing  []scope.Missing
	unknown  bool
	unlisted bool
}

const (
	userPath   = "request.userInfo"
	groupsPath = "request.userInfo.groups"
)

func newAsker(in *scope.Input) asker {
	var a asker
	if u := in.Request.User; u != nil {
		a.name, a.groups = u.Username, u.Groups
	} else {
		a.unknown, a.missing = true, []scope.Missing{{Path: userPath, Fact: "who asks"}}
	}
	for _, m := range in.Open {
		switch m.Path {
		case userPath, "request.userInfo.username":
			a.unknown, a.missing = true, []scope.Missing{m}
		case groupsPath:
			if a.unlisted = true; !a.unknown {
				a.missing = []scope.Missing{m}
			}
		}
	}
	return a
}

// subject says whether who asks is one of a rule's subjects. Somebody of whom nothing is
// known may be any subject there is, and is everybody.
func (a *asker) subject(s flowcontrolv1.Subject) scope.StepOutcome {
	known := Digest{User: a.name, Groups: a.groups}
	switch {
	case !wellFormed(s):
		return scope.NoMatch
	case isEverybody(s) || !a.unknown && known.isSubject(s):
		return scope.Match
	case a.unknown || a.unlisted && s.Kind == flowcontrolv1.SubjectKindGroup:
		return scope.Open
	}
	return scope.NoMatch
}

// among says whether who asks is one of several subjects. Every request comes from
// somebody authenticated or from somebody who is not, so both groups together are
// everybody (k8s.io/apiserver/pkg/authentication/group).
func (a *asker) among(subjects []flowcontrolv1.Subject) scope.StepOutcome {
	outcome := scope.NoMatch
	for _, s := range subjects {
		switch a.subject(s) {
		case scope.Match:
			return scope.Match
		case scope.Open:
			outcome = scope.Open
		}
	}
	if outcome == scope.Open && areEverybody(subjects) {
		return scope.Match
	}
	return outcome
}

// wellFormed reports whether a subject has the field of its kind. One that has not
// matches nobody.
func wellFormed(s flowcontrolv1.Subject) bool {
	switch s.Kind {
	case flowcontrolv1.SubjectKindUser:
		return s.User != nil
	case flowcontrolv1.SubjectKindGroup:
		return s.Group != nil
	case flowcontrolv1.SubjectKindServiceAccount:
		return s.ServiceAccount != nil
	}
	return false
}

func isEverybody(s flowcontrolv1.Subject) bool {
	return isUser(s, flowcontrolv1.NameAll) || isGroup(s, flowcontrolv1.NameAll)
}

func areEverybody(subjects []flowcontrolv1.Subject) bool {
	has := func(group string) bool {
		return slices.ContainsFunc(subjects, func(s flowcontrolv1.Subject) bool { return isGroup(s, group) })
	}
	return slices.ContainsFunc(subjects, isEverybody) || has(user.AllAuthenticated) && has(user.AllUnauthenticated)
}

func isUser(s flowcontrolv1.Subject, name string) bool {
	return s.Kind == flowcontrolv1.SubjectKindUser && s.User != nil && s.User.Name == name
}

func isGroup(s flowcontrolv1.Subject, name string) bool {
	return s.Kind == flowcontrolv1.SubjectKindGroup && s.Group != nil && s.Group.Name == name
}

// implied reports whether everybody who is the first subject is the second one, too. The
// groups that the API server puts service accounts into are no help: somebody who acts as
// one by impersonation may choose others.
func implied(s, by flowcontrolv1.Subject) bool {
	if isEverybody(by) {
		return true
	}
	name, one := userNamed(s)
	if by.Kind != flowcontrolv1.SubjectKindGroup && one {
		known := Digest{User: name}
		return known.isSubject(by)
	}
	return SubjectWords(s) == SubjectWords(by)
}

// userNamed returns the name of the only user that a subject stands for.
func userNamed(s flowcontrolv1.Subject) (name string, one bool) {
	switch {
	case s.Kind == flowcontrolv1.SubjectKindUser && s.User.Name != flowcontrolv1.NameAll:
		return s.User.Name, true
	case s.Kind == flowcontrolv1.SubjectKindServiceAccount && s.ServiceAccount.Name != flowcontrolv1.NameAll:
		return serviceaccount.MakeUsername(s.ServiceAccount.Namespace, s.ServiceAccount.Name), true
	}
	return "", false
}
