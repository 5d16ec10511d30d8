package request

import (
	"fmt"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope/manifest"
)

// isAccessReview reports whether a kind is one of those that ask what somebody may do. A
// request that is asked about in this way is all that flow control needs to know.
func isAccessReview(kind schema.GroupVersionKind) bool {
	if kind.Group != authorizationv1.GroupName {
		return false
	}
	switch kind.Kind {
	case "SubjectAccessReview", "LocalSubjectAccessReview", "SelfSubjectAccessReview":
		return true
	}
	return false
}

// fromAccessReview reads a SubjectAccessReview and its kin.
func (d *draft) fromAccessReview() attributes {
	d.isAccess, d.place = true, d.placeInReview
	kind := d.document.Object.GroupVersionKind()
	if kind.Version != authorizationv1.SchemeGroupVersion.Version {
		d.fail("apiVersion", fmt.Sprintf("a %s of version %s is not read here", kind.Kind, kind.Version), "write it as authorization.k8s.io/v1, whose list of groups is called groups")
		return attributes{}
	}
	object, problems := d.document.Typed()
	if d.problems = append(d.problems, problems...); d.failed() {
		return attributes{}
	}
	var spec authorizationv1.SubjectAccessReviewSpec
	switch review := object.(type) {
	case *authorizationv1.SubjectAccessReview:
		spec = review.Spec
	case *authorizationv1.LocalSubjectAccessReview:
		spec = review.Spec
		d.local(review.Namespace, &spec)
	case *authorizationv1.SelfSubjectAccessReview:
		spec.ResourceAttributes, spec.NonResourceAttributes = review.Spec.ResourceAttributes, review.Spec.NonResourceAttributes
	}
	d.request.User = userOf(&spec)
	return d.reviewed(&spec)
}

// placeInReview makes a problem about a part of a review.
func (d *draft) placeInReview(severity manifest.Severity, part, message, hint string) manifest.Problem {
	return d.document.Problem(severity, accessPath(d.document, part), message, hint)
}

// accessPath is where a part of the request stands in a review.
func accessPath(review manifest.Document, part string) string {
	attributes := "spec.resourceAttributes"
	if spec, ok := review.Object.Object["spec"].(map[string]any); ok && spec["nonResourceAttributes"] != nil && spec["resourceAttributes"] == nil {
		attributes = "spec.nonResourceAttributes"
	}
	field, ok := strings.CutPrefix(part, "request.")
	switch {
	case !ok:
		return "spec." + part
	case field == "userInfo" || field == "userInfo.username":
		return "spec.user"
	case strings.HasPrefix(field, "userInfo."):
		return "spec." + strings.TrimPrefix(field, "userInfo.")
	case field == "subResource":
		field = "subresource"
	case field == "apiGroup" || field == "resource.group":
		field = "group"
	}
	return attributes + "." + field
}

func userOf(spec *authorizationv1.SubjectAccessReviewSpec) *authenticationv1.UserInfo {
	u := &authenticationv1.UserInfo{Username: spec.User, UID: spec.UID, Groups: spec.Groups}
	for key, values := range spec.Extra {
		if u.Extra == nil {
			u.Extra = map[string]authenticationv1.ExtraValue{}
		}
		u.Extra[key] = authenticationv1.ExtraValue(values)
	}
	return u
}

// local holds a LocalSubjectAccessReview to the namespace that it is in
// (k8s.io/kubernetes/pkg/apis/authorization/validation).
func (d *draft) local(namespace string, spec *authorizationv1.SubjectAccessReviewSpec) {
	a := spec.ResourceAttributes
	switch {
	case spec.NonResourceAttributes != nil:
		d.fail("spec.nonResourceAttributes", "a LocalSubjectAccessReview is for resources in its namespace only", "write a SubjectAccessReview")
	case a == nil || namespace == a.Namespace:
	case a.Namespace == "":
		a.Namespace = namespace
		d.guess("request.namespace", namespace, "a LocalSubjectAccessReview is for the namespace that it is in")
	case namespace != "":
		d.fail("spec.resourceAttributes.namespace", fmt.Sprintf("a LocalSubjectAccessReview in the namespace %s cannot be for the namespace %s", namespace, a.Namespace), "say the same namespace in both places")
	}
}

// reviewed takes the attributes of a review as they are written.
func (d *draft) reviewed(spec *authorizationv1.SubjectAccessReviewSpec) attributes {
	r, u := spec.ResourceAttributes, spec.NonResourceAttributes
	said := d.ask.Resource != "" || d.ask.Path != ""
	switch {
	case r != nil && u != nil:
		d.fail("spec.nonResourceAttributes", "a request is either for a resource or for another URL path, and the review has both", "leave out resourceAttributes or nonResourceAttributes")
	case u != nil:
		return d.reviewedPath(u, said)
	case r != nil:
		return d.reviewedResource(r, said)
	case !said:
		d.fail("spec", "the review does not say what the request is for", "write spec.resourceAttributes, or spec.nonResourceAttributes for a URL path")
	}
	return attributes{}
}

// reviewedPath takes a request that is not for a resource; said says that something else
// goes before the path that is written.
func (d *draft) reviewedPath(u *authorizationv1.NonResourceAttributes, said bool) attributes {
	a := attributes{path: u.Path, literal: true, verbs: d.written(u.Verb)}
	switch {
	case said:
	case u.Path == "":
		d.complain("request.path", "the review does not say the URL path", "write spec.nonResourceAttributes.path, such as /healthz")
	case u.Path[0] != '/':
		d.complain("request.path", fmt.Sprintf("%q is not a URL path", u.Path), "begin it with /; a star stands for many paths in authorization only")
	case strings.ContainsAny(u.Path, "*?"):
		d.warn("request.path", "a request is for one path, without a star and without the query behind a question mark", "say the path of the request")
	}
	return a
}

// written is the verb of a review, unless another was said.
func (d *draft) written(verb string) []string {
	switch {
	case verb != "":
		return []string{verb}
	case d.ask.Verb == "":
		d.complain("request.verb", "the review does not say the verb", "write it, such as verb: get")
	}
	return nil
}

func (d *draft) reviewedResource(r *authorizationv1.ResourceAttributes, said bool) attributes {
	a := attributes{
		resource:    schema.GroupVersionResource{Group: r.Group, Version: r.Version, Resource: r.Resource},
		subresource: r.Subresource, name: r.Name, namespace: r.Namespace, namespaceSaid: true, literal: true,
		verbs: d.written(r.Verb),
	}
	if r.Resource == "" && !said {
		d.complain("request.resource", "the review does not say the resource", "write it, such as resource: pods")
	}
	for _, field := range []struct {
		name  string
		there bool
	}{{"fieldSelector", r.FieldSelector != nil}, {"labelSelector", r.LabelSelector != nil}} {
		if field.there {
			d.warn("request."+field.name, fmt.Sprintf("flow control does not look at the %s, so it is ignored", field.name), "leave it out")
		}
	}
	return a
}
