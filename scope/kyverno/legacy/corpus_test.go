package legacy_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/legacy"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/scope/request"
	"github.com/ambit-k8s/ambit/scope/resource"
)

const corpus = "../../../../shared/corpus"

// stride is one in how many policies an object meets; each policy meets as many objects.
const stride = 64

var (
	served = resource.NewSet(resource.Builtin(), nil)
	facts  = &scope.Facts{Resources: served}
	alice  = &authenticationv1.UserInfo{Username: "alice", Groups: []string{"devs", "system:authenticated"}}
)

// TestCorpus asks real policies about real objects: nothing panics, whatever is not known names the fact, and every
// answer has its reasons.
func TestCorpus(t *testing.T) {
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("the corpus is not beside the project: real policies are not tested")
	}
	policies, exceptions := corpusPolicies(t)
	requests := corpusRequests(t)
	ctx := context.Background()
	rooms := make([][]scope.Layer, len(policies))
	for i, p := range policies {
		rooms[i] = legacy.Layers(p, legacy.Engine{Release: release.Default, Exceptions: legacy.Exceptions{All: exceptions}, Stage: scope.StageEngine})
	}
	counts := map[scope.LayerName]map[scope.StepOutcome]int{}
	for i, r := range requests {
		in := scope.NewInput(r, facts, scope.ValidatingWebhooks)
		q := scope.Question{Input: in, Matched: scope.Matched{Resource: r.Resource, Kind: r.Kind}}
		for j := i % stride; j < len(rooms); j += stride {
			for _, layer := range rooms[j] {
				step := layer.Decide(ctx, q)
				if counts[layer.Name()] == nil {
					counts[layer.Name()] = map[scope.StepOutcome]int{}
				}
				counts[layer.Name()][step.Outcome]++
				tells(t, policies[j], r, layer, q, step)
			}
		}
	}
	t.Logf("%d policies, %d exceptions, %d requests: %v", len(policies), len(exceptions), len(requests), counts)
	if len(policies) < 1000 || len(requests) < 4000 || counts[scope.MatchBlock][scope.Match] < 1000 || counts[scope.ExcludeBlock][scope.NoMatch] < 100 {
		t.Error("the corpus does not reach far enough")
	}
}

// tells checks that a step is of an outcome that a layer may have, and says why.
func tells(t *testing.T, p *api.Legacy, r *scope.Request, layer scope.Layer, q scope.Question, step scope.Step) {
	t.Helper()
	where := p.Name + ": " + string(layer.Name()) + " of " + string(r.Operation) + " " + r.Kind.Kind + " " + r.Name
	if (step.Outcome == scope.Open) != (len(step.Missing) > 0) {
		t.Fatalf("%s: %s with %d missing facts", where, step.Outcome, len(step.Missing))
	}
	for _, m := range step.Missing {
		if m.Fact == "" || m.Path == "" {
			t.Fatalf("%s: a missing fact has no words: %+v", where, m)
		}
	}
	reasons, same := layer.Explain(context.Background(), q, step), false
	for _, reason := range reasons {
		same = same || reason.Outcome == step.Outcome
	}
	if !same {
		t.Fatalf("%s: no reason for %s: %+v", where, step.Outcome, reasons)
	}
}

func corpusPolicies(t *testing.T) ([]*api.Legacy, []*api.LegacyException) {
	t.Helper()
	var policies []*api.Legacy
	var exceptions []*api.LegacyException
	for _, o := range corpusDocuments(t, "kyverno") {
		switch kind := o.Object.GetKind(); {
		case kind == string(api.ClusterPolicy) || kind == string(api.LegacyPolicy):
			if p, err := api.DecodeLegacy(o.Object); err == nil {
				policies = append(policies, p)
			}
		case kind == string(api.ExceptionKind) && o.Object.GroupVersionKind().Group == api.LegacyGroup:
			if e, err := api.DecodeLegacyException(o.Object); err == nil {
				exceptions = append(exceptions, e)
			}
		}
	}
	return policies, exceptions
}

// corpusRequests creates, updates and deletes the objects, by somebody and by nobody in particular.
func corpusRequests(t *testing.T) []*scope.Request {
	t.Helper()
	var all []*scope.Request
	for i, d := range corpusDocuments(t, "objects") {
		ask := request.Ask{Operation: []string{"CREATE", "UPDATE", "DELETE"}[i%3]}
		if i%2 == 0 {
			ask.User = alice
		}
		if derived, _ := request.Derive([]manifest.Document{d}, ask, facts); derived != nil {
			all = append(all, derived.Request)
		}
	}
	return all
}

func corpusDocuments(t *testing.T, folder string) []manifest.Document {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(corpus, folder, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var all []manifest.Document
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		documents, _ := manifest.Read(file, data, 0)
		all = append(all, documents...)
	}
	return all
}

// object reads a manifest of one object.
func object(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	documents, problems := manifest.Read("test", []byte(yaml+text), 0)
	if len(documents) != 1 {
		t.Fatalf("%d documents: %v", len(documents), problems)
	}
	return documents[0].Object
}
