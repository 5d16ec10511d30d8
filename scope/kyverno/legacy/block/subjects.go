package block

import (
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/ambit-k8s/ambit/scope"
)

// roles lists roles, as namespace:name, or cluster roles, one of which the user must have.
type roles struct {
	written
	list       []string
	path, word string
}

func (r roles) ask(v *View, _ *Side) Answer { return v.user.roles(r.path, r.word) }

func (r roles) reasons(v *View, s *Side) []scope.Reason {
	reason := r.reason(strings.Join(r.list, ", "), "not known", r.path, r.ask(v, s))
	reason.Message = "Kyverno looks for the user in RoleBindings and ClusterRoleBindings."
	return []scope.Reason{reason}
}

func (roles) reads(*View, *reading) {}
func (roles) weight() int           { return 2 }

// subjects lists users, groups and service accounts, one of which the user must be.
type subjects struct {
	written
	list []rbacv1.Subject
}

func (r subjects) ask(v *View, _ *Side) Answer { return v.user.among(r.list) }

func (r subjects) reasons(v *View, s *Side) []scope.Reason {
	words := make([]string, len(r.list))
	for i, subject := range r.list {
		words[i] = strings.ToLower(subject.Kind) + " " + subject.Name
		if subject.Kind == rbacv1.ServiceAccountKind {
			words[i] = "service account " + subject.Namespace + "/" + subject.Name
		}
	}
	return []scope.Reason{r.reason(strings.Join(words, ", "), v.user.words(), userPath, r.ask(v, s))}
}

func (subjects) reads(*View, *reading) {}
func (subjects) weight() int           { return 2 }
