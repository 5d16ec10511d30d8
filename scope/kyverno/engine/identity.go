package engine

import (
	"fmt"
	"slices"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
	"github.com/ambit-k8s/ambit/scope/kyverno/kind"
)

// identity is what the ConfigMap's lists say about who asks.
type identity struct {
	outcome scope.StepOutcome
	missing scope.Missing
	// field is the key of the ConfigMap, pattern what matched or may match, and got who asks.
	field, pattern, got string
}

// pattern is one pattern of identities under its key in the ConfigMap.
type pattern struct {
	field, text string
	what        aspect
}

// aspect is what of who asks a pattern is compared with.
type aspect int

const (
	username aspect = iota
	group
	role
)

// listed lists the patterns in the order in which Kyverno compares them (pkg/config/config.go, match.matches).
func listed(i config.Identities) []pattern {
	var all []pattern
	add := func(field string, what aspect, texts []string) {
		for _, text := range texts {
			all = append(all, pattern{field, text, what})
		}
	}
	add("excludeUsernames", username, i.Usernames)
	add("excludeGroups", group, i.Groups)
	add("excludeRoles", role, i.Roles)
	add("excludeClusterRoles", role, i.ClusterRoles)
	return all
}

// excludes says whether Kyverno lets a request pass because of who asks: somebody on the lists, unless an entry with an
// exclamation mark keeps them in.
func (l *Filters) excludes(q scope.Question) identity {
	excluded := among(listed(l.config.Excluded), q)
	if excluded.outcome == scope.NoMatch {
		return excluded
	}
	switch kept := among(listed(l.config.Included), q); kept.outcome {
	case scope.Match:
		return identity{outcome: scope.NoMatch}
	case scope.Open:
		return kept
	}
	return excluded
}

// among says whether one of several patterns matches who asks.
func among(patterns []pattern, q scope.Question) identity {
	who := identity{outcome: scope.NoMatch}
	for _, p := range patterns {
		switch outcome, got, missing := p.like(q); {
		case outcome == scope.Match:
			return identity{outcome: outcome, field: p.field, pattern: p.text, got: got}
		case outcome == scope.Open && who.outcome == scope.NoMatch:
			who = identity{outcome: outcome, missing: missing, field: p.field, pattern: p.text, got: "not known"}
		}
	}
	return who
}

// like compares a pattern with who asks. Which roles they have follows from RoleBindings, which a request does not
// carry.
func (p pattern) like(q scope.Question) (outcome scope.StepOutcome, got string, missing scope.Missing) {
	path := []string{"request", "userInfo", "username"}
	switch p.what {
	case group:
		path[2] = "groups"
	case role:
		path = path[:2]
	}
	for i, open := range q.OpenPaths() {
		if !scope.Overlap(open, path) {
			continue
		}
		if p.what == username && p.text == "*" {
			return scope.Match, "anybody", scope.Missing{}
		}
		return scope.Open, "", q.Open[i]
	}
	user := q.Request.User
	switch {
	case user == nil:
		return scope.Open, "", scope.Missing{Path: "request.userInfo", Fact: "who asks"}
	case p.what == role:
		return scope.Open, "", scope.Missing{Path: "request.userInfo", Fact: fmt.Sprintf("which roles %s has", user.Username)}
	case p.what == username && kind.Like(p.text, user.Username):
		return scope.Match, user.Username, scope.Missing{}
	case p.what == group:
		if i := slices.IndexFunc(user.Groups, func(g string) bool { return kind.Like(p.text, g) }); i >= 0 {
			return scope.Match, user.Groups[i], scope.Missing{}
		}
	}
	return scope.NoMatch, "", scope.Missing{}
}

// byRole reports whether roles may decide, which depend on the namespace.
func (l *Filters) byRole() bool {
	return slices.ContainsFunc(listed(l.config.Excluded), func(p pattern) bool { return p.what == role })
}
