package compare

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/generate"
	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/oracle"
	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/scope/request"
)

// answers are what Ambit says about one request, by the identifier of the policy.
type answers map[string]*scope.Trace

// askWhole asks Ambit about the AdmissionReviews of a request. Each policy is judged by the review of its own half.
func askWhole(ctx context.Context, snapshot *cluster.Snapshot, h halves) (answers, error) {
	all := answers{}
	asked := map[string]answers{}
	for stage, review := range h {
		said, ok := asked[string(review)]
		if !ok {
			derived, err := derive(review, request.Ask{}, snapshot)
			if err != nil {
				return nil, err
			}
			if said, err = explain(ctx, snapshot, derived); err != nil {
				return nil, err
			}
			asked[string(review)] = said
		}
		for id, trace := range said {
			if trace.Policy.Kind == string(stage) {
				all[id] = trace
			}
		}
	}
	return all, nil
}

// askPasted asks Ambit about a plain manifest and what somebody would say beside it. The second result is why Ambit
// cannot make a request of that.
func askPasted(ctx context.Context, snapshot *cluster.Snapshot, r *generate.Request) (answers, string, error) {
	ask := request.Ask{
		Operation: string(r.Operation), Subresource: r.Subresource, Namespace: r.Namespace, User: r.Call.User,
		DryRun: &r.DryRun, Collection: r.Collection,
	}
	if r.PastedOld != nil {
		ask.OldObject = &manifest.Document{Source: "old.yaml", Index: 1, Line: 1, Object: &unstructured.Unstructured{Object: r.PastedOld}}
	}
	if _, named, _ := unstructured.NestedString(r.Pasted, "metadata", "name"); !named && !r.Collection {
		ask.Name = r.Name
	}
	derived, err := derive(encoded(r.Pasted), ask, snapshot)
	if err != nil {
		return nil, err.Error(), nil
	}
	said, err := explain(ctx, snapshot, derived)
	return said, "", err
}

func derive(text []byte, ask request.Ask, snapshot *cluster.Snapshot) (*request.Derived, error) {
	documents, problems := manifest.Read("request.json", text, 0)
	derived, more := request.Derive(documents, ask, snapshot.Facts)
	if derived == nil {
		return nil, fmt.Errorf("no request for Ambit in it: %v %v", problems, more)
	}
	return derived, nil
}

func explain(ctx context.Context, snapshot *cluster.Snapshot, derived *request.Derived) (answers, error) {
	traces, err := snapshot.Policies.Explain(ctx, derived.Request, snapshot.Facts)
	if err != nil {
		return nil, fmt.Errorf("explain: %w", err)
	}
	all := answers{}
	for _, t := range traces {
		if t.Policy.Phase != scope.FlowControl {
			all[t.Policy.ID()] = t
		}
	}
	return all, nil
}

// rejects reports whether Ambit says that some policy refuses the request because of an error.
func (a answers) rejects() bool {
	for _, t := range a {
		if t.Outcome == scope.Error && t.Effect == scope.Rejected {
			return true
		}
	}
	return false
}

func stageOf(t *scope.Trace) oracle.Stage { return oracle.Stage(t.Policy.Kind) }
