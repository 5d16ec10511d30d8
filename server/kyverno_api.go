package server

import (
	"net/http"

	"github.com/ambit-k8s/ambit/scope/kyverno"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
)

// apiKyverno is the answer of the API about the webhooks of Kyverno, beside the configurations themselves.
type apiKyverno struct {
	// Unknown says why there are none.
	Unknown  string     `json:"unknown,omitempty"`
	Release  string     `json:"release,omitempty"`
	Observed bool       `json:"observed"`
	Entries  []apiEntry `json:"entries"`
	// Differences are what sets the cluster's webhooks apart from the predicted ones.
	Differences []apiDifference `json:"differences"`
	Findings    []apiTrouble    `json:"findings"`
	// Orders are the possible outcomes where policies overwrite each other's selectors, which they do before release 1.19.
	Orders []apiOrder `json:"orders"`
}

// apiEntry is a predicted webhook and the policies that it serves.
type apiEntry struct {
	Configuration string         `json:"configuration"`
	Name          string         `json:"name"`
	Path          string         `json:"path"`
	Members       []webhooks.Ref `json:"members"`
}

type apiDifference struct {
	Kind          kyverno.DifferenceKind `json:"kind"`
	Configuration string                 `json:"configuration,omitempty"`
	Entry         string                 `json:"entry,omitempty"`
	Field         string                 `json:"field,omitempty"`
	Predicted     string                 `json:"predicted,omitempty"`
	Observed      string                 `json:"observed,omitempty"`
	Policies      []webhooks.Ref         `json:"policies,omitempty"`
	Message       string                 `json:"message"`
}

// apiTrouble is something about the webhooks that nobody meant.
type apiTrouble struct {
	Rule     string            `json:"rule"`
	Severity webhooks.Severity `json:"severity"`
	Entry    string            `json:"entry,omitempty"`
	Policies []webhooks.Ref    `json:"policies"`
	Message  string            `json:"message"`
	Fix      string            `json:"fix,omitempty"`
}

func (s *server) apiKyverno(w http.ResponseWriter, _ *http.Request) error {
	now := s.current()
	answer := apiKyverno{Entries: []apiEntry{}, Differences: []apiDifference{}, Findings: []apiTrouble{}, Orders: []apiOrder{}}
	known := now.Catalog.Kyverno()
	if known == nil {
		answer.Unknown = kyvernoUnknown(now.About)
		writeJSON(w, http.StatusOK, answer)
		return nil
	}
	answer.Release, answer.Observed = known.Release.String(), known.Observed.Any()
	for _, e := range known.Predicted.Entries {
		answer.Entries = append(answer.Entries, apiEntry{configurationOf(e.Mutating), e.Name, e.Path, e.Members})
	}
	for _, d := range known.Differences {
		answer.Differences = append(answer.Differences, apiDifference(d))
	}
	for _, f := range known.Findings {
		answer.Findings = append(answer.Findings, apiTrouble{f.Kind, f.Severity, f.Entry, f.Policies, f.Message, f.Fix})
	}
	answer.Orders = apiOrders(known)
	writeJSON(w, http.StatusOK, answer)
	return nil
}

// apiWebhooks is the document of "ambit webhooks": the configurations that Kyverno would write.
func (s *server) apiWebhooks(w http.ResponseWriter, _ *http.Request) error {
	known := s.current().Catalog.Kyverno()
	if known == nil {
		return missing("There are no policies of Kyverno in what was read, so there are no webhooks to predict.")
	}
	writeJSON(w, http.StatusOK, known.Predicted.List())
	return nil
}
