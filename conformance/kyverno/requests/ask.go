package requests

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/manifest"
	derive "github.com/ambit-k8s/ambit/scope/request"
)

// said is what Ambit says about one request: the names of the policies, without their ending, by what becomes of them.
type said struct {
	included, unknown, failed []string
	// rejected says that an error of one of them refuses the request.
	rejected bool
	traces   map[string]*scope.Trace
}

// kinds are those whose policies leave marks.
var kinds = []api.Kind{
	api.ValidatingPolicy, api.NamespacedValidatingPolicy, api.MutatingPolicy, api.NamespacedMutatingPolicy, api.ClusterPolicy, api.LegacyPolicy,
}

// ask asks Ambit about the AdmissionReviews of one request: policies that mutate are called with the one, all others with
// the other.
func ask(ctx context.Context, snapshot *cluster.Snapshot, mutating, validating []byte, ending string) (said, error) {
	s := said{traces: map[string]*scope.Trace{}}
	for _, half := range []struct {
		review   []byte
		mutating bool
	}{{mutating, true}, {validating, false}} {
		documents, problems := manifest.Read("review.json", half.review, 0)
		derived, more := derive.Derive(documents, derive.Ask{}, snapshot.Facts)
		if derived == nil {
			return s, fmt.Errorf("no request for Ambit in it: %v %v", problems, more)
		}
		traces, err := snapshot.Policies.Explain(ctx, derived.Request, snapshot.Facts)
		if err != nil {
			return s, fmt.Errorf("explain: %w", err)
		}
		for _, t := range traces {
			if slices.Contains(kinds, api.Kind(t.Policy.Kind)) && strings.Contains(t.Policy.Kind, "MutatingPolicy") == half.mutating {
				s.add(t, strings.TrimSuffix(t.Policy.Name, ending))
			}
		}
	}
	for _, list := range []*[]string{&s.included, &s.unknown, &s.failed} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return s, nil
}

func (s *said) add(t *scope.Trace, name string) {
	s.traces[t.Policy.ID()] = t
	switch t.Outcome {
	case scope.Included:
		s.included = append(s.included, name)
	case scope.Unknown:
		s.unknown = append(s.unknown, name)
	case scope.Error:
		s.failed = append(s.failed, name)
		s.rejected = s.rejected || t.Effect == scope.Rejected
	}
}
