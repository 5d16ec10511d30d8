package flow

import (
	"fmt"
	"slices"
	"strings"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
)

// defect is something in a rule that can match nothing, whatever the other schemas are.
type defect struct {
	cause  Cause
	fields []string
	// why is a clause that a sentence can be made of.
	why string
}

// ruleDefects are those of a rule as a whole: a list that it lacks.
func ruleDefects(r *flowcontrolv1.PolicyRulesWithSubjects, field string) []defect {
	var all []defect
	if len(r.Subjects) == 0 {
		all = append(all, defect{CauseEmpty, []string{field + ".subjects"}, "a rule without subjects matches nobody"})
	}
	if len(r.ResourceRules) == 0 && len(r.NonResourceRules) == 0 {
		all = append(all, defect{CauseEmpty, []string{field}, "a rule without resourceRules and without nonResourceRules matches no request"})
	}
	return all
}

// resourceDefects are those of a resource rule.
func resourceDefects(r *flowcontrolv1.ResourcePolicyRule, field string) []defect {
	var d defects
	d.list(field+".verbs", r.Verbs, func(verb string) (Cause, string) {
		switch {
		case verb == "proxy":
			return CauseBypass, "requests with the verb %s pass flow control without being classified"
		case !slices.Contains(apiVerbs, verb):
			return CauseVerb, "no request for a resource has the verb %s"
		}
		return "", ""
	})
	d.list(field+".apiGroups", r.APIGroups, func(group string) (Cause, string) {
		if isGroupName(group) {
			return "", ""
		}
		return CausePattern, "API groups are compared by their whole name without a version, and none is called %s"
	})
	watches := listed(r.Verbs, "watch")
	d.list(field+".resources", r.Resources, func(resource string) (Cause, string) {
		switch {
		case !isResourceName(resource):
			return CausePattern, "resources and subresources are compared by their whole name, and none is called %s"
		case isLongRunning(resource) && watches:
			return CauseBypass, "requests to %s pass flow control without being classified unless they are watches"
		case isLongRunning(resource):
			return CauseBypass, "requests to %s pass flow control without being classified"
		}
		return "", ""
	})
	if len(r.Namespaces) == 0 && !r.ClusterScope {
		return append(d.all, defect{CauseScope, []string{field + ".namespaces"}, "a resource rule without namespaces and without clusterScope matches nothing anywhere"})
	}
	d.names(field+".namespaces", r.Namespaces, func(namespace string) (Cause, string) {
		if isNamespaceName(namespace) {
			return "", ""
		}
		return CausePattern, "namespaces are compared by their whole name, and none is called %s"
	})
	return d.all
}

// urlDefects are those of a rule for URLs.
func urlDefects(r *flowcontrolv1.NonResourcePolicyRule, field string) []defect {
	var d defects
	d.list(field+".verbs", r.Verbs, func(verb string) (Cause, string) {
		if slices.Contains(httpMethods, verb) {
			return "", ""
		}
		return CauseVerb, "the verb of a request to a URL that is no resource is its HTTP method in lower case, and HTTP knows none that makes it %s"
	})
	if len(r.NonResourceURLs) == 0 {
		d.list(field+".nonResourceURLs", nil, nil)
	}
	for i, url := range r.NonResourceURLs {
		if url != flowcontrolv1.NonResourceAll && len(pathsOf(url)) == 0 {
			cause, why := urlDefect(url)
			d.add(defect{cause, []string{fmt.Sprintf("%s.nonResourceURLs[%d]", field, i)}, fmt.Sprintf(why, quote(url))})
		}
	}
	return d.all
}

// urlDefect says why no path that is classified matches a URL of a rule.
func urlDefect(url string) (Cause, string) {
	switch {
	case !strings.HasPrefix(url, "/"):
		return CausePattern, "every path begins with a slash, and %s does not"
	case strings.HasPrefix(url, pprof):
		return CauseBypass, "requests to %s pass flow control without being classified, as all below /debug/pprof/ do"
	case strings.Contains(strings.TrimSuffix(url, "*"), "*"):
		return CausePattern, "a star counts only at the end of a URL, and no path is called %s"
	}
	return CausePath, "%s is the path of a resource, which only resourceRules can match"
}

// subjectDefect says why a subject matches nobody; it is empty if somebody can be it.
func subjectDefect(s flowcontrolv1.Subject) string {
	switch {
	case wellFormed(s):
		return nobody(s)
	case s.Kind == flowcontrolv1.SubjectKindUser:
		return "a subject of kind User needs the field user"
	case s.Kind == flowcontrolv1.SubjectKindGroup:
		return "a subject of kind Group needs the field group"
	case s.Kind == flowcontrolv1.SubjectKindServiceAccount:
		return "a subject of kind ServiceAccount needs the field serviceAccount"
	}
	return fmt.Sprintf("there are no subjects of kind %s", quote(string(s.Kind)))
}

// quote sets a word apart, so that an empty one can be seen.
func quote(s string) string { return `"` + s + `"` }

// defects collects defects; those of one list for the same reason are one.
type defects struct{ all []defect }

func (d *defects) add(more defect) { d.all = append(d.all, more) }

// list looks for defects in a list that must not be empty.
func (d *defects) list(field string, list []string, judge func(string) (Cause, string)) {
	if len(list) == 0 {
		name := field[strings.LastIndex(field, ".")+1:]
		d.add(defect{CauseEmpty, []string{field}, "a rule with an empty list of " + name + " matches nothing"})
		return
	}
	d.names(field, list, judge)
}

// names looks for defects in a list in which a star stands for everything only if it is
// alone.
func (d *defects) names(field string, list []string, judge func(string) (Cause, string)) {
	if isStar(list) {
		return
	}
	var found []defect
	var words [][]string
	for i, name := range list {
		cause, why := CausePattern, "a star stands for everything only where it is alone in its list"
		if name != "*" {
			cause, why = judge(name)
		}
		if cause == "" {
			continue
		}
		k := slices.IndexFunc(found, func(f defect) bool { return f.why == why })
		if k < 0 {
			k = len(found)
			found, words = append(found, defect{cause: cause, why: why}), append(words, nil)
		}
		found[k].fields = append(found[k].fields, fmt.Sprintf("%s[%d]", field, i))
		words[k] = append(words[k], quote(name))
	}
	for k, f := range found {
		if strings.Contains(f.why, "%s") {
			f.why = fmt.Sprintf(f.why, strings.Join(words[k], " or "))
		}
		d.add(f)
	}
}
