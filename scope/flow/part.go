package flow

import (
	"fmt"
	"slices"
	"strings"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"

	"github.com/ambit-k8s/ambit/scope"
)

// part is one resourceRule or nonResourceRule of a rule.
type part interface {
	covers(d *Digest) bool
	words() string
	// judge says how near the part comes to covering a request, and what fails.
	judge(d *Digest, field string) (score int, failed []scope.Reason)
}

type resourcePart struct {
	flowcontrolv1.ResourcePolicyRule
}

type urlPart struct {
	flowcontrolv1.NonResourcePolicyRule
}

// parts counts the rules of a rule that the layer looks at.
func (l *Rules) parts(rule *flowcontrolv1.PolicyRulesWithSubjects) int {
	if l.NonResource {
		return len(rule.NonResourceRules)
	}
	return len(rule.ResourceRules)
}

func (l *Rules) part(rule *flowcontrolv1.PolicyRulesWithSubjects, i int) part {
	if l.NonResource {
		return urlPart{rule.NonResourceRules[i]}
	}
	return resourcePart{rule.ResourceRules[i]}
}

// list is the name of the list that the layer looks at.
func (l *Rules) list() string {
	if l.NonResource {
		return "nonResourceRules"
	}
	return "resourceRules"
}

func (l *Rules) field(rule, part int) string {
	return fmt.Sprintf("spec.rules[%d].%s[%d]", rule, l.list(), part)
}

func (p resourcePart) covers(d *Digest) bool { return d.resourceCovered(p.ResourcePolicyRule) }

func (p urlPart) covers(d *Digest) bool { return d.pathCovered(p.NonResourcePolicyRule) }

func (p resourcePart) words() string {
	words := list(p.Verbs) + " " + list(p.Resources)
	if !slices.Equal(p.APIGroups, []string{"*"}) {
		words += " of " + groups(p.APIGroups)
	}
	return words + ", " + p.scope()
}

// scope says where the resources of a rule may be.
func (p resourcePart) scope() string {
	everywhere := slices.Equal(p.Namespaces, []string{"*"})
	switch {
	case everywhere && p.ClusterScope:
		return "in any namespace or none"
	case everywhere:
		return "in any namespace, but not in all at once"
	case len(p.Namespaces) == 0 && p.ClusterScope:
		return "in no namespace, or in all at once"
	case len(p.Namespaces) == 0:
		return "nowhere"
	case p.ClusterScope:
		return "in " + list(p.Namespaces) + ", or in no namespace"
	}
	return "in " + list(p.Namespaces)
}

func (p urlPart) words() string { return list(p.Verbs) + " " + list(p.NonResourceURLs) }

// The parts of a rule in the order of their weight: a rule for another verb on the same
// resource is nearer than one for another resource.
const (
	weightTarget = 16
	weightGroup  = 8
	weightVerb   = 4
	weightScope  = 2
)

func (p resourcePart) judge(d *Digest, field string) (score int, failed []scope.Reason) {
	check := func(ok bool, weight int, r scope.Reason) {
		if ok {
			score += weight
			return
		}
		r.Field, r.Outcome = field+r.Field, scope.NoMatch
		failed = append(failed, r)
	}
	check(listed(p.Resources, d.fullResource()), weightTarget, scope.Reason{
		Field: ".resources", Want: list(p.Resources), Got: d.fullResource(), Path: "request.resource", Message: hintOnResources(p.Resources, d),
	})
	check(listed(p.APIGroups, d.APIGroup), weightGroup, scope.Reason{
		Field: ".apiGroups", Want: groups(p.APIGroups), Got: groupWord(d.APIGroup), Path: "request.resource", Message: hintOnStar(p.APIGroups),
	})
	check(listed(p.Verbs, d.Verb), weightVerb, scope.Reason{
		Field: ".verbs", Want: list(p.Verbs), Got: d.Verb, Path: verbPath, Message: hintOnStar(p.Verbs),
	})
	inScope := scope.Reason{Field: ".namespaces", Want: list(p.Namespaces), Got: d.place(), Path: "request.namespace", Message: hintOnStar(p.Namespaces)}
	if d.Namespace == "" {
		inScope.Field, inScope.Want = ".clusterScope", "clusterScope: true"
		inScope.Message = "A request without a namespace, or to all namespaces at once, needs clusterScope; namespaces do not count for it."
	}
	check(d.inScope(p.ResourcePolicyRule), weightScope, inScope)
	return score, failed
}

func (p urlPart) judge(d *Digest, field string) (score int, failed []scope.Reason) {
	if slices.ContainsFunc(p.NonResourceURLs, func(url string) bool { return urlCovers(url, d.Path) }) {
		score += weightTarget
	} else {
		failed = append(failed, scope.Reason{
			Field: field + ".nonResourceURLs", Want: list(p.NonResourceURLs), Got: d.Path, Path: "request.path", Outcome: scope.NoMatch, Message: hintOnURLs(p.NonResourceURLs, d.Path),
		})
	}
	if listed(p.Verbs, d.Verb) {
		return score + weightVerb, failed
	}
	r := scope.Reason{Field: field + ".verbs", Want: list(p.Verbs), Got: d.Verb, Path: verbPath, Outcome: scope.NoMatch, Message: hintOnStar(p.Verbs)}
	if r.Message == "" {
		r.Message = "The verb of a request for such a URL is its HTTP method."
	}
	return score, append(failed, r)
}

// hintOnStar explains a star that does not do what people expect of it.
func hintOnStar(list []string) string {
	if len(list) > 1 && slices.Contains(list, "*") {
		return "A star stands for everything only where it is alone in the list."
	}
	return ""
}

// hintOnResources explains what people write in admission rules and what is no pattern
// here.
func hintOnResources(list []string, d *Digest) string {
	if hint := hintOnStar(list); hint != "" {
		return hint
	}
	for _, r := range list {
		name, sub, _ := strings.Cut(r, "/")
		meant := (name == "*" || name == d.Resource) && (sub == "*" || sub == d.Subresource)
		if meant && d.Subresource != "" && strings.Contains(r, "*") {
			return r + " is no pattern here: a subresource has to be named, as in pods/status."
		}
	}
	if d.Subresource != "" && slices.Contains(list, d.Resource) {
		return "A resource does not cover its subresources."
	}
	return ""
}

// hintOnURLs explains a URL whose star leaves out the URL itself.
func hintOnURLs(list []string, path string) string {
	for _, url := range list {
		if url == path+"/*" {
			return url + " covers what is below " + path + ", not " + path + " itself."
		}
	}
	return ""
}

// words says what a request is for.
func (d *Digest) words() string {
	if d.Path != "" {
		return d.Verb + " " + d.Path
	}
	words := d.Verb + " " + d.fullResource()
	if d.APIGroup != "" {
		words += "." + d.APIGroup
	}
	return words + " in " + d.place()
}

func pathOfTarget(d *Digest) string {
	if d.Path != "" {
		return "request.path"
	}
	return "request.resource"
}
