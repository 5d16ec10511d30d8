package generate

import (
	"net/http"
	"slices"
	"strings"

	authorizationv1 "k8s.io/api/authorization/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
)

// Call makes up a request: most of them aim at a rule of some schema, and a third of these miss it by one thing.
func (g *Generator) Call(schemas []*flowcontrolv1.FlowSchema) *Call {
	for {
		a := &authorizationv1.SubjectAccessReviewSpec{}
		who := g.persona()
		if !g.once(4) {
			who = g.aim(a, pick(g, schemas), who)
		}
		if a.ResourceAttributes == nil && a.NonResourceAttributes == nil {
			g.target(a)
		}
		if c, err := CallFor(a); err == nil {
			c.Who = who
			g.vary(c)
			return c
		}
	}
}

// target makes up what a request is for.
func (g *Generator) target(a *authorizationv1.SubjectAccessReviewSpec) {
	if g.once(3) {
		a.NonResourceAttributes = &authorizationv1.NonResourceAttributes{Verb: strings.ToLower(pick(g, methods)), Path: pick(g, paths)}
		return
	}
	r := pick(g, resources)
	a.ResourceAttributes = g.attributes(r, pick(g, append([]string{""}, r.subresources...)), pick(g, verbs))
	if g.once(30) {
		a.ResourceAttributes.Verb = ""
	}
}

// attributes completes a request for a resource in a way that some URL has.
func (g *Generator) attributes(r resource, subresource, verb string) *authorizationv1.ResourceAttributes {
	a := &authorizationv1.ResourceAttributes{Verb: verb, Group: r.group, Version: r.version, Resource: r.name, Subresource: subresource}
	collection := slices.Contains([]string{"list", "create", "deletecollection"}, verb) || verb == "watch" && !g.once(4)
	if collection && subresource != "" {
		// A subresource is that of one object, of which there are no collections.
		a.Verb, collection = "get", false
	}
	if verb == "create" && subresource != "" {
		a.Verb = "create"
	}
	if !collection {
		a.Name = pick(g, []string{"web", "web-2", "*"})
	}
	switch {
	case r.name == namespaces && r.group == "":
		if !collection {
			a.Name = pick(g, namespaceNames)
			a.Namespace = a.Name
		}
	case r.namespaced && (!collection || !g.once(3)):
		a.Namespace = pick(g, namespaceNames)
	case !r.namespaced && g.once(20):
		// The URL of something that is in no namespace may name one; flow control does not know better.
		a.Namespace = pick(g, namespaceNames)
	}
	return a
}

// persona makes up who asks.
func (g *Generator) persona() Persona {
	p := Persona{User: pick(g, users)}
	switch g.IntN(12) {
	case 0:
		return Persona{Nobody: true}
	case 1:
		// How a node without groups is completed depends on what was impersonated before.
		return Persona{User: "system:node:n1", Groups: []string{"system:nodes"}}
	case 2, 3, 4, 5:
		p.Groups = few(g, 3, groups)
	}
	if slices.Contains(p.Groups, "system:masters") && !g.once(6) {
		p.Groups = []string{"devs"}
	}
	return p
}

// aim makes up a request that a rule of a schema matches, and makes a third of them miss by one thing. It does nothing to
// a schema without rules.
func (g *Generator) aim(a *authorizationv1.SubjectAccessReviewSpec, s *flowcontrolv1.FlowSchema, who Persona) Persona {
	if len(s.Spec.Rules) == 0 {
		return who
	}
	rule := pick(g, s.Spec.Rules)
	misses := -1
	if g.once(3) {
		misses = g.IntN(5)
	}
	if misses != 0 {
		who = g.subjectOf(pick(g, rule.Subjects), who)
	}
	if n := g.IntN(1 + len(rule.ResourceRules) + len(rule.NonResourceRules)); n < len(rule.ResourceRules) {
		g.aimAtResource(a, &rule.ResourceRules[n], misses)
	} else if n -= len(rule.ResourceRules); n < len(rule.NonResourceRules) {
		g.aimAtURL(a, &rule.NonResourceRules[n], misses)
	}
	return who
}

// subjectOf returns somebody who is the subject.
func (g *Generator) subjectOf(s flowcontrolv1.Subject, who Persona) Persona {
	open := func(name string) bool { return name == "*" && !g.once(4) }
	switch {
	case s.User != nil && !open(s.User.Name):
		return Persona{User: s.User.Name, Groups: who.Groups}
	case s.Group != nil && !open(s.Group.Name):
		if s.Group.Name == "system:masters" && !g.once(6) {
			return who
		}
		if who.Nobody {
			who = Persona{User: "alice"}
		}
		return Persona{User: who.User, Groups: []string{s.Group.Name}}
	case s.ServiceAccount != nil:
		name := s.ServiceAccount.Name
		if open(name) {
			name = "robot"
		}
		return Persona{User: "system:serviceaccount:" + s.ServiceAccount.Namespace + ":" + name, Groups: who.Groups}
	}
	return who
}

func (g *Generator) aimAtResource(a *authorizationv1.SubjectAccessReviewSpec, rule *flowcontrolv1.ResourcePolicyRule, misses int) {
	r := pick(g, resources)
	name, subresource, _ := strings.Cut(pick(g, rule.Resources), "/")
	if name == "*" && subresource == "" && !g.once(4) {
		name, subresource = r.name, pick(g, append([]string{""}, r.subresources...))
	}
	group := pick(g, rule.APIGroups)
	if found, ok := known(group, name); ok {
		r = found
	} else {
		r = resource{version: "v1", name: name, namespaced: true}
	}
	if group != "*" || g.once(4) {
		r.group = group
	}
	verb := pick(g, rule.Verbs)
	if verb == "*" {
		verb = pick(g, verbs)
	}
	switch misses {
	case 1:
		verb = pick(g, verbs)
	case 2:
		r.name = pick(g, resources).name
	case 3:
		subresource = pick(g, []string{"", "status", "scale", "log"})
	}
	to := g.attributes(r, subresource, verb)
	if to.Namespace != "" && r.name != namespaces && len(rule.Namespaces) > 0 && misses != 4 {
		if to.Namespace = pick(g, rule.Namespaces); to.Namespace == "*" && !g.once(4) {
			to.Namespace = pick(g, namespaceNames)
		}
	}
	a.ResourceAttributes = to
}

func (g *Generator) aimAtURL(a *authorizationv1.SubjectAccessReviewSpec, rule *flowcontrolv1.NonResourcePolicyRule, misses int) {
	verb, path := strings.ToLower(pick(g, methods)), pick(g, rule.NonResourceURLs)
	if v := pick(g, rule.Verbs); v != "*" && misses != 1 {
		verb = v
	}
	switch {
	case path == "*":
		path = pick(g, paths)
	case misses == 2 && path != "/*":
		path = strings.TrimSuffix(path, "/*")
	case g.once(2):
		path = strings.TrimSuffix(strings.TrimSuffix(path, "*"), "/") + pick(g, []string{"/", "/more", "/more/of/it", "z", "?"})
		path = "/" + strings.TrimPrefix(path, "/")
	}
	a.NonResourceAttributes = &authorizationv1.NonResourceAttributes{Verb: verb, Path: path}
}

// vary says the same in another way where HTTP has several.
func (g *Generator) vary(c *Call) {
	info, err := c.Info()
	if err != nil || !info.IsResourceRequest {
		if g.once(6) {
			c.Query = map[string][]string{"verbose": {""}}
		}
		return
	}
	switch {
	case info.Verb == "patch":
		c.ContentType = pick(g, []string{"application/json-patch+json", "application/merge-patch+json", "application/strategic-merge-patch+json", "application/apply-patch+yaml"})
		if c.ContentType == "application/apply-patch+yaml" {
			c.Query.Set("fieldManager", "conformance")
		}
	case c.Method == http.MethodGet && info.Verb != "watch" && info.Verb != "proxy" && g.once(5):
		c.Method = http.MethodHead
	case info.Verb == "list" && g.once(4):
		c.Query.Set("fieldSelector", "metadata.name="+pick(g, namespaceNames))
	case info.Verb == "watch" && info.Name == "" && g.once(2):
		c.Query.Set("watch", pick(g, []string{"1", "true"}))
	}
}
