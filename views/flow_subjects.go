package views

import (
	"slices"
	"strings"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"
)

// anyone is whom a rule is for that takes everybody.
const anyone = "anyone"

// whom says who the subjects of one rule of a FlowSchema are.
func whom(subjects []flowcontrolv1.Subject) string {
	groups, users, accounts, inNamespaces := sortSubjects(subjects)
	signedIn, signedOut := slices.Contains(groups, user.AllAuthenticated), slices.Contains(groups, user.AllUnauthenticated)
	if slices.Contains(groups, flowcontrolv1.NameAll) || slices.Contains(users, flowcontrolv1.NameAll) || signedIn && signedOut {
		return anyone
	}
	var members, parts []string
	for _, g := range groups {
		switch {
		case g == user.AllAuthenticated:
			parts = append(parts, "everyone who is authenticated")
		case g == user.AllUnauthenticated:
			parts = append(parts, "everyone who is not authenticated")
		case g == serviceaccount.AllServiceAccountsGroup:
			parts = append(parts, "every service account")
		case strings.HasPrefix(g, serviceaccount.ServiceAccountGroupPrefix):
			inNamespaces = append(inNamespaces, strings.TrimPrefix(g, serviceaccount.ServiceAccountGroupPrefix))
		default:
			members = append(members, g)
		}
	}
	if len(members) > 0 {
		parts = append(parts, "members of "+listSome(members, 3))
	}
	if len(users) > 0 {
		parts = append(parts, plural(len(users), "user ", "users ")+listSome(users, 3))
	}
	if len(accounts) > 0 {
		parts = append(parts, plural(len(accounts), "service account ", "service accounts ")+listSome(accounts, 3))
	}
	if len(inNamespaces) > 0 {
		parts = append(parts, "service accounts in "+listSome(unique(inNamespaces), 3))
	}
	if len(parts) == 0 {
		return "nobody"
	}
	if len(parts) > 1 && strings.Contains(strings.Join(parts[:len(parts)-1], ""), " and ") {
		return strings.Join(parts[:len(parts)-1], ", ") + ", and " + parts[len(parts)-1]
	}
	return list(parts, "and")
}

// sortSubjects takes subjects apart by their kind. One whose field does not belong to its
// kind stands for nobody and is left out.
func sortSubjects(subjects []flowcontrolv1.Subject) (groups, users, accounts, inNamespaces []string) {
	for _, s := range subjects {
		switch {
		case s.Kind == flowcontrolv1.SubjectKindGroup && s.Group != nil:
			groups = append(groups, s.Group.Name)
		case s.Kind == flowcontrolv1.SubjectKindUser && s.User != nil:
			users = append(users, s.User.Name)
		case s.Kind == flowcontrolv1.SubjectKindServiceAccount && s.ServiceAccount != nil:
			if s.ServiceAccount.Name == flowcontrolv1.NameAll {
				inNamespaces = append(inNamespaces, s.ServiceAccount.Namespace)
			} else {
				accounts = append(accounts, s.ServiceAccount.Namespace+"/"+s.ServiceAccount.Name)
			}
		}
	}
	return groups, users, accounts, inNamespaces
}

// plural chooses the word for one or for more of something.
func plural(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// subjectChip is one subject in the shape of a requirement.
func subjectChip(s flowcontrolv1.Subject) Chip {
	switch {
	case s.Kind == flowcontrolv1.SubjectKindGroup && s.Group != nil:
		return Chip{Operator: "group", Values: s.Group.Name}
	case s.Kind == flowcontrolv1.SubjectKindUser && s.User != nil:
		return Chip{Operator: "user", Values: s.User.Name}
	case s.Kind == flowcontrolv1.SubjectKindServiceAccount && s.ServiceAccount != nil:
		return Chip{Operator: "service account", Values: s.ServiceAccount.Namespace + "/" + s.ServiceAccount.Name}
	}
	return Chip{Operator: "nobody: a subject without what its kind asks for,", Values: string(s.Kind)}
}
