package flow

import (
	"flag"
	"os"
	"testing"

	"github.com/ambit-k8s/ambit/scope"
)

var (
	requests = flag.Int("requests", 5000, "how many requests to send")
	fromSeed = flag.Uint64("seed", 1, "what the schemas and requests are made up from")
)

// Ambit names the schema and the priority level that the API server names.
func TestFlow(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	report, err := Run(t.Context(), Options{Requests: *requests, Seed: *fromSeed, Dir: t.TempDir(), Log: t.Logf})
	if report != nil {
		report.Print(os.Stdout)
	}
	if err != nil {
		t.Fatal(err)
	}
	if !report.Agreed() {
		t.Error("Ambit and the API server disagree")
	}
	// What follows makes sure that there was something to disagree about.
	for what, part := range map[string]int{round: 40, nobody: 5} {
		if report.Taken[what]*100 < part*report.Requests {
			t.Errorf("%d of %d requests were taken by %s, less than %d in 100", report.Taken[what], report.Requests, what, part)
		}
	}
	for _, layer := range []scope.LayerName{scope.Exemption, scope.Subjects, scope.ResourceRules, scope.NonResourceRules, scope.Precedence} {
		if report.Layers[layer] < report.Requests {
			t.Errorf("%s excluded only %d schemas", layer, report.Layers[layer])
		}
	}
	for _, mode := range modes {
		if said := report.Tallies[mode]; said.Agreed*25 < report.Requests {
			t.Errorf("of %d requests, only %d were said and decided in the mode %s", report.Requests, said.Agreed, mode)
		}
	}
}
