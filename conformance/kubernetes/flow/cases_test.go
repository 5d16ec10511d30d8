package flow

import (
	"context"
	"path/filepath"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/flow/generate"
	"github.com/ambit-k8s/ambit/scope"
)

// notReal are the cases that no client can bring about, and why.
var notReal = map[string]string{
	"e70-flow-star-not-alone":    "the API refuses a star beside other verbs",
	"f03-rule-without-any-scope": "the API refuses a rule with neither namespaces nor clusterScope",
}

// Every case of the main module that a client can cause has the answer of a real API server.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("../../../scope/testdata/cases/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	s := startSession(t)
	held := 0
	for _, file := range files {
		c, err := readCase(file)
		if err != nil {
			t.Fatal(err)
		}
		if c == nil {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			why, cannot := notReal[c.name]
			if real := s.holdCase(t, c); real == cannot {
				t.Errorf("that the case can be brought about is %v; a reason against it: %q", real, why)
			}
		})
		held++
	}
	t.Logf("%d cases are about flow control, %d of them were held to the API server", held, held-len(notReal))
	if held < 28 {
		t.Errorf("only %d cases are about flow control", held)
	}
}

func startSession(t *testing.T) *session {
	t.Helper()
	if testing.Short() {
		t.Skip("starts an API server")
	}
	s, err := start(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// holdCase brings about what a case describes and compares both the case and Ambit with the API server. It reports
// whether that is possible at all.
func (s *session) holdCase(t *testing.T, c *caseFile) bool {
	call, err := generate.CallFor(&c.request)
	if err != nil {
		t.Fatal(err)
	}
	call.Who = generate.Persona{User: c.request.User, Groups: c.request.Groups}
	in, e := s.classify(t, c.set, call)
	for name, why := range in.Refused {
		t.Logf("the API server does not store %s: %s", name, why)
		return false
	}
	if asked := (&authenticationv1.UserInfo{Username: c.request.User, Groups: c.request.Groups}); !isUser(asked, e.who, false) {
		t.Fatalf("the API server takes %v for %v", asked, e.who)
	}
	for _, w := range c.want {
		if took := in.took(e.got(), w.Name); took != (w.Outcome == scope.Included) {
			t.Errorf("the case says that %s is %s; that the API server took it is %v", w.Name, w.Outcome, took)
		}
		if mandatory := e.got().Schema == string(in.Schemas["exempt"].UID); w.Outcome == scope.Excluded && in.isMarked(w.Name) && !mandatory {
			s.holdReason(t, c, w, call)
		}
	}
	all, err := sayings(e)
	if err != nil {
		t.Fatal(err)
	}
	said, err := ask(t.Context(), in.Snapshot, all[0])
	if err != nil || said.refused != "" {
		t.Fatalf("ask Ambit: %v %s", err, said.refused)
	}
	for _, sentence := range judge(in, e, said).wrong {
		t.Error(sentence)
	}
	return true
}

// holdReason tries why a schema did not take a request: alone it takes it if and only if it was the order that decided,
// and with rules that cover everything unless it was the subjects.
func (s *session) holdReason(t *testing.T, c *caseFile, w wanted, call *generate.Call) {
	t.Helper()
	for _, try := range []struct {
		what       string
		everything bool
		want       bool
	}{
		{"alone", false, w.DecidedBy == scope.Precedence},
		{"alone, with rules that cover everything,", true, w.DecidedBy != scope.Subjects},
	} {
		in, e := s.classify(t, c.alone(w.Name, try.everything), call)
		if took := in.took(e.got(), w.Name); took != try.want {
			t.Errorf("%s is excluded by %s; %s it took the request is %v, want %v", w.Name, w.DecidedBy, try.what, took, try.want)
		}
	}
}

// classify sends a request to a set of schemas that does not change meanwhile.
func (s *session) classify(t *testing.T, set *generate.Set, call *generate.Call) (*Installed, *exchange) {
	t.Helper()
	in, exchanges, _, err := s.undisturbed(context.WithoutCancel(t.Context()), set, []*generate.Call{call})
	if err != nil {
		t.Fatal(err)
	}
	return in, exchanges[0]
}
