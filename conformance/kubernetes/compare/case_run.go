package compare

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/oracle"
	"github.com/ambit-k8s/ambit/scope"
)

// errNotReal says why a case cannot be had on a real API server.
type errNotReal struct{ why string }

func (e errNotReal) Error() string { return e.why }

// caseRun is one case on a real API server.
type caseRun struct {
	*session
	*caseFile
	call oracle.Call
	// created are the paths of what has to be removed again.
	created    []string
	namespaces []string
}

// run brings about what the case describes and returns what is wrong with it: a verdict that is not what the API
// server did. An errNotReal says that the case cannot be had.
func (s *session) runCase(ctx context.Context, c *caseFile) (wrong []string, err error) {
	r := &caseRun{session: s, caseFile: c}
	defer func() {
		// The next case starts with the sentinels alone.
		if _, failed := s.oracle.Install(ctx, &oracle.Policies{}); err == nil {
			err = failed
		}
		r.clean(ctx)
	}()
	if err := r.furnish(ctx); err != nil {
		return nil, err
	}
	if err := r.prepare(ctx); err != nil {
		return nil, err
	}
	base, err := r.again(ctx)
	if err != nil {
		return nil, err
	}
	if base.Before == nil && !base.Answer.OK() {
		return nil, errNotReal{"the request does not reach admission: " + base.Answer.Message()}
	}
	for _, w := range c.want {
		problem, err := r.judge(ctx, w)
		if err != nil {
			return nil, err
		}
		if problem != "" {
			wrong = append(wrong, problem)
		}
	}
	return wrong, nil
}

// furnish puts into the cluster what the case has in it.
func (r *caseRun) furnish(ctx context.Context) error {
	for _, u := range r.objects {
		object := u.DeepCopy()
		if err := r.apply(ctx, object); err != nil {
			return errNotReal{"the API server does not store an object: " + err.Error()}
		}
		mapping, err := r.resource(ctx, object.GroupVersionKind())
		if err != nil {
			return err
		}
		path := pathOfMapping(mapping, object)
		if u.GetKind() == "Namespace" && u.GroupVersionKind().Group == "" {
			live, err := r.oracle.Client.Get(ctx, path)
			if err != nil {
				return err
			}
			if got := (&unstructured.Unstructured{Object: live}).GetLabels(); !maps.Equal(got, u.GetLabels()) {
				return errNotReal{fmt.Sprintf("namespace %s has the labels %v, not %v", u.GetName(), got, u.GetLabels())}
			}
			r.namespaces = append(r.namespaces, u.GetName())
			r.waitOpen(ctx, path)
			continue
		}
		r.created = append(r.created, path)
	}
	return nil
}

func pathOfMapping(mapping *meta.RESTMapping, u *unstructured.Unstructured) string {
	path := "/apis/" + mapping.Resource.Group + "/" + mapping.Resource.Version
	if mapping.Resource.Group == "" {
		path = "/api/" + mapping.Resource.Version
	}
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		path += "/namespaces/" + u.GetNamespace()
	}
	return path + "/" + mapping.Resource.Resource + "/" + u.GetName()
}

// prepare makes the HTTP request.
func (r *caseRun) prepare(ctx context.Context) error {
	gvr := schema.GroupVersionResource(r.request.Resource)
	kind, err := r.mapper.KindFor(gvr)
	for tries := 0; err != nil && tries < 50; tries++ {
		time.Sleep(100 * time.Millisecond) // It may have been defined a moment ago.
		r.mapper.Reset()
		kind, err = r.mapper.KindFor(gvr)
	}
	if err != nil {
		return errNotReal{"the resource is not served: " + err.Error()}
	}
	mapping, err := r.resource(ctx, kind)
	if err != nil {
		return err
	}
	namespaced := mapping.Scope.Name() == meta.RESTScopeNameNamespace
	live, path, err := r.parent(ctx, r.request, namespaced)
	if err != nil {
		return errNotReal{err.Error()}
	}
	if path != "" {
		r.created = append(r.created, path)
	}
	if r.request.Name != "" {
		r.created = append(r.created, pathOf(r.request, namespaced, r.request.Name))
	}
	if r.call, err = callOf(r.request, namespaced, live); err != nil {
		return errNotReal{err.Error()}
	}
	// Nothing may be left of the request, because it is made several times.
	if r.request.Operation != admissionv1.Connect {
		r.call.Query.Set("dryRun", "All")
	}
	return nil
}

// again makes the request.
func (r *caseRun) again(ctx context.Context) (*oracle.Observation, error) {
	return r.oracle.Ask(ctx, r.call)
}

// clean removes what the case put into the cluster. The namespaces that a server has of its own stay.
func (r *caseRun) clean(ctx context.Context) {
	now := map[string][]string{"gracePeriodSeconds": {"0"}}
	for i := len(r.created) - 1; i >= 0; i-- {
		_, _ = r.oracle.Client.Do(ctx, oracle.Call{Method: http.MethodDelete, Path: r.created[i], Query: now})
	}
	for _, name := range r.namespaces {
		path := "/api/v1/namespaces/" + name
		if name == "default" || strings.HasPrefix(name, "kube-") {
			continue
		}
		_, _ = r.oracle.Client.Do(ctx, oracle.Call{Method: http.MethodDelete, Path: path})
		// No controller empties the namespace, so that it has to be let go by hand.
		body := `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"` + name + `"},"spec":{"finalizers":[]}}`
		_, _ = r.oracle.Client.Do(ctx, oracle.Call{Method: http.MethodPut, Path: path + "/finalize", Body: []byte(body)})
		r.waitGone(ctx, path)
	}
	for _, u := range r.objects {
		if u.GetKind() == "CustomResourceDefinition" {
			r.waitGone(ctx, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"+u.GetName())
			r.mapper.Reset()
		}
	}
}

// waitOpen waits until the API server lets objects into a namespace. One of the same name may just have been removed, of
// which the server's NamespaceLifecycle has not heard yet.
func (r *caseRun) waitOpen(ctx context.Context, path string) {
	probe := oracle.Call{Method: http.MethodPost, Path: path + "/configmaps", Query: map[string][]string{"dryRun": {"All"}},
		Body: []byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"probe"}}`)}
	for range 50 {
		answer, err := r.oracle.Client.Do(ctx, probe)
		if err != nil || !strings.Contains(answer.Message(), "being terminated") {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func (r *caseRun) waitGone(ctx context.Context, path string) {
	for range 100 {
		if object, err := r.oracle.Client.Get(ctx, path); err != nil || object == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// judge holds one expected verdict to the API server. What is only absent is told apart by a twin under Fail, which
// refuses the request if and only if there is an error.
func (r *caseRun) judge(ctx context.Context, w wanted) (problem string, err error) {
	policies := r.visible()
	if w.Outcome == scope.Error && w.Effect == scope.Rejected {
		policies = r.refusing(w, false)
	}
	t := &scope.Trace{Policy: &scope.Policy{Kind: w.Kind, Name: w.Name, Entry: w.Entry, FailurePolicy: failurePolicyOf(policies, w)}, Outcome: w.Outcome, Effect: w.Effect}
	seen, err := r.observe(ctx, policies)
	if err != nil {
		return "", err
	}
	if w.Outcome == scope.Error && w.Effect == scope.Rejected {
		return r.mustRefuse(w, seen, true), nil
	}
	s := view{Observation: seen, policies: policies}.of(t)
	if w.Effect == scope.NoEffect {
		t.Effect = map[sight]scope.Effect{included: scope.Called, absent: scope.Skipped, dropped: scope.Skipped}[s]
	}
	if !s.agrees(t) || s == unseen {
		return fmt.Sprintf("%s/%s/%s: the case says %s (%s), the API server: %s (%d %s)", w.Kind, w.Name, w.Entry, w.Outcome, w.Effect, s, seen.Answer.Code, seen.Answer.Message()), nil
	}
	if s != absent {
		return "", nil
	}
	if seen, err = r.observe(ctx, r.refusing(w, true)); err != nil {
		return "", err
	}
	return r.mustRefuse(w, seen, w.Outcome == scope.Error), nil
}

// mustRefuse says what is wrong with a request that was, or was not, refused.
func (r *caseRun) mustRefuse(w wanted, seen *oracle.Observation, want bool) string {
	refused := !seen.Answer.OK() && seen.After == nil
	if refused == want {
		return ""
	}
	return fmt.Sprintf("%s/%s/%s: the case says %s (%s), but refused is %v: %d %s", w.Kind, w.Name, w.Entry, w.Outcome, w.Effect, refused, seen.Answer.Code, seen.Answer.Message())
}

// observe installs policies and makes the request.
func (r *caseRun) observe(ctx context.Context, p *oracle.Policies) (*oracle.Observation, error) {
	refusals, err := r.oracle.Install(ctx, p)
	if err != nil {
		return nil, err
	}
	for _, refusal := range refusals {
		return nil, errNotReal{"the API server does not store the policy: " + refusal.Why}
	}
	return r.again(ctx)
}

// failurePolicyOf is the failure policy of a policy after defaulting.
func failurePolicyOf(p *oracle.Policies, w wanted) string {
	one := p.Single(w.Kind, w.Name, w.Entry)
	for _, c := range one.ValidatingWebhooks {
		if f := c.Webhooks[0].FailurePolicy; f != nil {
			return string(*f)
		}
	}
	for _, c := range one.MutatingWebhooks {
		if f := c.Webhooks[0].FailurePolicy; f != nil {
			return string(*f)
		}
	}
	for _, v := range one.ValidatingPolicies {
		if f := v.Spec.FailurePolicy; f != nil {
			return string(*f)
		}
	}
	for _, m := range one.MutatingPolicies {
		if f := m.Spec.FailurePolicy; f != nil {
			return string(*f)
		}
	}
	return "Fail"
}

// notReal returns why a case cannot be had, if that is what the error says.
func notReal(err error) (why string, ok bool) {
	var e errNotReal
	if errors.As(err, &e) {
		return e.why, true
	}
	return "", false
}
