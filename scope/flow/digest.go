package flow

import (
	"slices"
	"strings"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
)

// Digest is a request of which everything is known that flow control looks at
// (k8s.io/apiserver/pkg/util/flowcontrol, RequestDigest).
type Digest struct {
	User   string
	Groups []string
	Verb   string
	// Path is the URL path of a request that is not for a resource; empty for one that is.
	Path                                       string
	APIGroup, Resource, Subresource, Namespace string
}

// First returns the schema that classifies a request, or nil if the request passes flow
// control unclassified, as long-running requests do.
func (o *Order) First(d *Digest) *Schema {
	if d.bypasses() {
		return nil
	}
	var catchAll *Schema
	for _, s := range o.Schemas {
		switch {
		case s.Dangling():
		case s.Matches(d):
			return s
		case s.isFallback():
			catchAll = s
		}
	}
	return catchAll
}

// Matches reports whether one of the rules of a FlowSchema matches a request, whatever
// its precedence and its priority level.
func (s *Schema) Matches(d *Digest) bool {
	for i := range s.Spec.Rules {
		rule := &s.Spec.Rules[i]
		if slices.ContainsFunc(rule.Subjects, d.isSubject) && d.covered(rule) {
			return true
		}
	}
	return false
}

// covered reports whether a rule covers what the request is for, whoever asks.
func (d *Digest) covered(rule *flowcontrolv1.PolicyRulesWithSubjects) bool {
	if d.Path == "" {
		return slices.ContainsFunc(rule.ResourceRules, d.resourceCovered)
	}
	return slices.ContainsFunc(rule.NonResourceRules, d.pathCovered)
}

func (d *Digest) isSubject(s flowcontrolv1.Subject) bool {
	switch {
	case s.Kind == flowcontrolv1.SubjectKindUser && s.User != nil:
		return s.User.Name == flowcontrolv1.NameAll || s.User.Name == d.User
	case s.Kind == flowcontrolv1.SubjectKindGroup && s.Group != nil:
		return s.Group.Name == flowcontrolv1.NameAll || slices.Contains(d.Groups, s.Group.Name)
	case s.Kind == flowcontrolv1.SubjectKindServiceAccount && s.ServiceAccount != nil:
		// The user name of a service account has three parts after two fixed ones; a colon ends
		// the namespace, so that kube does not match an account of kube-system.
		name, ok := strings.CutPrefix(d.User, "system:serviceaccount:"+s.ServiceAccount.Namespace+":")
		return ok && (s.ServiceAccount.Name == flowcontrolv1.NameAll || name == s.ServiceAccount.Name)
	}
	return false
}

func (d *Digest) resourceCovered(r flowcontrolv1.ResourcePolicyRule) bool {
	return listed(r.Verbs, d.Verb) && listed(r.Resources, d.fullResource()) && listed(r.APIGroups, d.APIGroup) && d.inScope(r)
}

// fullResource is the resource as rules write it: a subresource is part of the name.
func (d *Digest) fullResource() string {
	if d.Subresource == "" {
		return d.Resource
	}
	return d.Resource + "/" + d.Subresource
}

// inScope asks for clusterScope where the request has no namespace, and for the namespace
// where it has one.
func (d *Digest) inScope(r flowcontrolv1.ResourcePolicyRule) bool {
	if d.Namespace == "" {
		return r.ClusterScope
	}
	return listed(r.Namespaces, d.Namespace)
}

func (d *Digest) pathCovered(r flowcontrolv1.NonResourcePolicyRule) bool {
	covers := func(url string) bool { return urlCovers(url, d.Path) }
	return listed(r.Verbs, d.Verb) && slices.ContainsFunc(r.NonResourceURLs, covers)
}

// urlCovers reports whether a URL of a rule covers a path: itself, and everything below
// it, whether or not the URL ends in a star.
func urlCovers(url, path string) bool {
	if url == flowcontrolv1.NonResourceAll || url == path {
		return true
	}
	below := strings.TrimSuffix(url, "*")
	if !strings.HasSuffix(below, "/") {
		below += "/"
	}
	return strings.HasPrefix(path, below)
}

// listed reports whether a list has a value. A star stands for all values only where it
// is alone; beside others it is a value like them.
func listed(list []string, value string) bool {
	return len(list) == 1 && list[0] == "*" || slices.Contains(list, value)
}

// longRunning are the subresources whose requests stay open as long as somebody uses
// them (k8s.io/kubernetes/pkg/controlplane/apiserver/config.go).
var longRunning = []string{"attach", "exec", "proxy", "log", "portforward"}

// bypasses reports whether a request passes flow control unclassified: one that is
// long-running and no watch (k8s.io/apiserver/pkg/server/filters/priority-and-fairness.go).
func (d *Digest) bypasses() bool {
	switch {
	case d.Verb == "watch":
		return false
	case d.Verb == "proxy":
		return true
	case d.Path != "":
		return strings.HasPrefix(d.Path, "/debug/pprof/")
	}
	return slices.Contains(longRunning, d.Subresource)
}
