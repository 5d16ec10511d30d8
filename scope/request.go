package scope

import (
	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
)

// Request is what the API server would ask its policies: flow control by its Access,
// admission by all the rest.
type Request struct {
	// Access is the request before admission. A request without verbs is one that only
	// admission is asked about.
	Access Access
	// Operation is empty for a request that never reaches admission, such as a list.
	Operation   admission.Operation
	Kind        schema.GroupVersionKind
	Resource    schema.GroupVersionResource
	Subresource string
	Namespace   string
	Name        string
	// Object and OldObject are nil where admission gets null: Object on DELETE, OldObject
	// on CREATE and CONNECT. A built-in kind is decoded to its Go type, any other kind is
	// unstructured.
	Object    runtime.Object
	OldObject runtime.Object
	Options   runtime.Object
	DryRun    bool
	// User is who asks; nil leaves it open.
	User *authenticationv1.UserInfo
	// Open lists the parts that the question leaves open, as CEL paths: request.userInfo,
	// request.options, oldObject, object.metadata.uid. What stands there is not a fact.
	Open []Missing
	// OpenValidating lists what is open only in the validating half of admission, because
	// the API server fills it between the halves: a generated name, the uid.
	OpenValidating []Missing
}

// Access is a request as flow control and authorization see it: what the API server reads
// from its method and URL (k8s.io/apiserver/pkg/endpoints/request, RequestInfo). Who asks
// is the User of the Request.
type Access struct {
	// Verbs are the verbs that the request may have: one, or several where the question
	// leaves open which, as a write of an existing object is an update or a patch.
	Verbs []string
	// Path is the URL path of a request that is not for a resource. The fields below are
	// empty then.
	Path        string
	APIGroup    string
	Resource    string
	Subresource string
	// Namespace is empty for a request to all namespaces, or to a resource that is in none.
	// It is the name for a request to one Namespace by its name.
	Namespace string
}

// ForResource reports whether the request is for a resource and not for another URL.
func (a *Access) ForResource() bool { return a.Path == "" }

// Reaches reports whether the policies of a phase are asked about the request at all.
func (r *Request) Reaches(phase Phase) bool {
	if phase == FlowControl {
		return len(r.Access.Verbs) > 0
	}
	return r.Operation != ""
}

// OpenIn returns what the request leaves open in a phase.
func (r *Request) OpenIn(phase Phase) []Missing {
	if !phase.Mutated() || len(r.OpenValidating) == 0 {
		return r.Open
	}
	return append(append([]Missing{}, r.Open...), r.OpenValidating...)
}

// Attributes is the request in the form in which the API server's packages take it.
func (r *Request) Attributes() admission.Attributes {
	var who user.Info
	if r.User != nil {
		extra := make(map[string][]string, len(r.User.Extra))
		for key, values := range r.User.Extra {
			extra[key] = values
		}
		who = &user.DefaultInfo{Name: r.User.Username, UID: r.User.UID, Groups: r.User.Groups, Extra: extra}
	}
	return admission.NewAttributesRecord(r.Object, r.OldObject, r.Kind, r.Namespace, r.Name, r.Resource, r.Subresource, r.Operation, r.Options, r.DryRun, who)
}
