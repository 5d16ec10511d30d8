package compare

import (
	"encoding/json"
	"fmt"
	"reflect"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/generate"
	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/oracle"
)

// halves are the AdmissionReviews that say one request whole: as the mutating policies saw it, as the mutating webhooks
// did, and as the validating half did, when names are generated and the API server has written its fields.
type halves map[oracle.Stage][]byte

// wholeReviews writes the request down whole. What admission is asked follows from what the client sent and from the
// live object; the objects, into which the API server writes defaults and system fields, come from what the sentinels
// saw. Some requests are exempt from webhooks, so that no sentinel saw them: then the objects are those that the client
// sent, and, in the validating half, the one that it got back.
func wholeReviews(r *generate.Request, seen *oracle.Observation) (halves, error) {
	composed, err := compose(r, r.Name, r.Object)
	if err != nil {
		return nil, err
	}
	after := composed
	if stored := seen.Answer.Object(); stored != nil && r.Object != nil && r.Operation != admission.Connect {
		name, _, _ := unstructured.NestedString(stored, "metadata", "name")
		if after, err = compose(r, name, stored); err != nil {
			return nil, err
		}
	}
	h := halves{oracle.MutatingPolicies: composed, oracle.MutatingWebhooks: composed, oracle.ValidatingPolicies: after, oracle.ValidatingWebhooks: after}
	if seen.Before != nil {
		h[oracle.MutatingWebhooks] = seen.Before.Raw
		if h[oracle.MutatingPolicies], err = oracle.Unmarked(seen.Before.Raw); err != nil {
			return nil, err
		}
		h[oracle.ValidatingPolicies], h[oracle.ValidatingWebhooks] = seen.Before.Raw, seen.Before.Raw
	}
	if seen.After != nil {
		h[oracle.ValidatingPolicies], h[oracle.ValidatingWebhooks] = seen.After.Raw, seen.After.Raw
	}
	return h, nil
}

// compose writes the request down from what the client knows.
func compose(r *generate.Request, name string, object map[string]any) ([]byte, error) {
	gvr := r.Resource
	request := map[string]any{
		"uid": "00000000-0000-0000-0000-000000000000", "operation": string(r.Operation), "dryRun": r.DryRun,
		"kind":     map[string]any{"group": r.Kind.Group, "version": r.Kind.Version, "kind": r.Kind.Kind},
		"resource": map[string]any{"group": gvr.Group, "version": gvr.Version, "resource": gvr.Resource},
		"object":   nil, "oldObject": nil, "userInfo": r.Call.User, "options": options(r),
	}
	for key, value := range map[string]string{"subResource": r.Subresource, "name": name, "namespace": r.Namespace} {
		if value != "" {
			request[key] = value
		}
	}
	if object != nil && r.Operation != admission.Delete {
		request["object"] = object
	}
	if r.OldObject != nil && (r.Operation == admission.Update || r.Operation == admission.Delete) {
		request["oldObject"] = r.OldObject
	}
	data, err := json.Marshal(map[string]any{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request})
	if err != nil {
		return nil, fmt.Errorf("write review: %w", err)
	}
	return data, nil
}

// options are the options that the operation has; null for CONNECT.
func options(r *generate.Request) any {
	kind := map[admission.Operation]string{admission.Create: "CreateOptions", admission.Update: "UpdateOptions", admission.Delete: "DeleteOptions"}[r.Operation]
	if kind == "" {
		return nil
	}
	o := map[string]any{"apiVersion": "meta.k8s.io/v1", "kind": kind}
	if r.DryRun {
		o["dryRun"] = []any{"All"}
	}
	if manager := r.Call.Query.Get("fieldManager"); manager != "" {
		o["fieldManager"] = manager
	}
	return o
}

// unexpected says in what the API server asked something else than what should follow from what the client sent.
func unexpected(r *generate.Request, seen *oracle.Observation) []string {
	var all []string
	check := func(what string, want, got any) {
		if !reflect.DeepEqual(want, got) {
			all = append(all, fmt.Sprintf("%s is %v, expected %v", what, got, want))
		}
	}
	review := seen.Before
	if review == nil {
		return nil
	}
	got := review.Request
	check("operation", string(r.Operation), string(got.Operation))
	check("kind", r.Kind, schema.GroupVersionKind(got.Kind))
	check("resource", r.Resource, schema.GroupVersionResource(got.Resource))
	check("subResource", r.Subresource, got.SubResource)
	check("namespace", r.Namespace, got.Namespace)
	check("name", r.Name, got.Name)
	check("dryRun", r.DryRun, got.DryRun != nil && *got.DryRun)
	check("username", r.Call.User.Username, got.UserInfo.Username)
	check("groups", r.Call.User.Groups, got.UserInfo.Groups)
	check("has object", r.Operation != admission.Delete, hasObject(got, false))
	check("has oldObject", r.Operation == admission.Update || r.Operation == admission.Delete, hasObject(got, true))
	if hasObject(got, true) && r.OldObject != nil {
		check("labels of oldObject", labelsIn(encoded(r.OldObject)), labelsIn(got.OldObject.Raw))
	}
	return all
}

func hasObject(r *admissionv1.AdmissionRequest, old bool) bool {
	raw := r.Object.Raw
	if old {
		raw = r.OldObject.Raw
	}
	return len(raw) > 0 && string(raw) != "null"
}

func encoded(object map[string]any) []byte {
	data, err := json.Marshal(object)
	if err != nil {
		return nil
	}
	return data
}

func labelsIn(raw []byte) any {
	var object struct {
		Metadata struct {
			Labels map[string]string `json:"labels"`
		} `json:"metadata"`
	}
	if err := utiljson.Unmarshal(raw, &object); err != nil {
		return err.Error()
	}
	return object.Metadata.Labels
}
