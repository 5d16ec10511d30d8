package compare

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"
	defaults "k8s.io/kubernetes/pkg/apis/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/conformance/kyverno/controller"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
)

// comparison compares two pairs of configurations.
type comparison struct {
	// stored says that the real ones come from an API server, which has filled in its defaults.
	stored bool
	// frozen says that the controller does not update what it once wrote: the labels are those of the first ConfigMap.
	frozen bool
}

// differences says what differs, in words and by webhook; none is agreement. Names, order, paths, selectors, rules and
// everything else count, except for where the service is, and what the API server fills in.
func (c comparison) differences(p *webhooks.Prediction, validating *v1.ValidatingWebhookConfiguration, mutating *v1.MutatingWebhookConfiguration) []string {
	var all []string
	if real, predicted := c.validating(validating), c.validating(sent(p.Validating)); !cmp.Equal(real, predicted) {
		all = append(all, names("validating", validatingNames(real), validatingNames(predicted)))
		for i := range min(len(real.Webhooks), len(predicted.Webhooks)) {
			if d := cmp.Diff(real.Webhooks[i], predicted.Webhooks[i]); d != "" && real.Webhooks[i].Name == predicted.Webhooks[i].Name {
				all = append(all, fmt.Sprintf("%s, real (-) and predicted (+):\n%s", real.Webhooks[i].Name, d))
			}
		}
		real.Webhooks, predicted.Webhooks = nil, nil
		all = append(all, cmp.Diff(real, predicted))
	}
	if real, predicted := c.mutating(mutating), c.mutating(sent(p.Mutating)); !cmp.Equal(real, predicted) {
		all = append(all, names("mutating", mutatingNames(real), mutatingNames(predicted)))
		for i := range min(len(real.Webhooks), len(predicted.Webhooks)) {
			if d := cmp.Diff(real.Webhooks[i], predicted.Webhooks[i]); d != "" && real.Webhooks[i].Name == predicted.Webhooks[i].Name {
				all = append(all, fmt.Sprintf("%s, real (-) and predicted (+):\n%s", real.Webhooks[i].Name, d))
			}
		}
		real.Webhooks, predicted.Webhooks = nil, nil
		all = append(all, cmp.Diff(real, predicted))
	}
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

// sent is a configuration after it went over the wire, which does not tell an empty list from none.
func sent[T any](configuration *T) *T {
	text, err := json.Marshal(configuration)
	if err != nil {
		panic(err) // It is made of texts and numbers.
	}
	received := new(T)
	if err := json.Unmarshal(text, received); err != nil {
		panic(err) // It was written from the same type.
	}
	return received
}

// names says which webhooks only one side has.
func names(which string, real, predicted []string) string {
	if slices.Equal(real, predicted) {
		return ""
	}
	return fmt.Sprintf("%s webhooks, real (-) and predicted (+):\n%s", which, cmp.Diff(real, predicted))
}

func validatingNames(c *v1.ValidatingWebhookConfiguration) []string {
	var all []string
	for _, w := range c.Webhooks {
		all = append(all, w.Name)
	}
	return all
}

func mutatingNames(c *v1.MutatingWebhookConfiguration) []string {
	var all []string
	for _, w := range c.Webhooks {
		all = append(all, w.Name)
	}
	return all
}

// validating makes a configuration comparable.
func (c comparison) validating(from *v1.ValidatingWebhookConfiguration) *v1.ValidatingWebhookConfiguration {
	into := &v1.ValidatingWebhookConfiguration{}
	if !c.frozen {
		into.Labels = from.Labels
	}
	for _, w := range from.DeepCopy().Webhooks {
		w.ClientConfig = onlyPath(w.ClientConfig)
		if strings.HasPrefix(*w.ClientConfig.URL, "/nivpol/validate/") {
			// These rules stand in the order of a Go map, and the lists in them are as written or sorted, depending on
			// what the controller did before.
			w.Rules = controller.SortRules(w.Rules)
		}
		into.Webhooks = append(into.Webhooks, w)
	}
	sortNamesakes(into.Webhooks, func(w v1.ValidatingWebhook) string { return w.Name }, func(w v1.ValidatingWebhook) string { return *w.ClientConfig.URL })
	if c.stored {
		setDefaults(into)
	}
	return into
}

// mutating makes a configuration comparable.
func (c comparison) mutating(from *v1.MutatingWebhookConfiguration) *v1.MutatingWebhookConfiguration {
	into := &v1.MutatingWebhookConfiguration{}
	if !c.frozen {
		into.Labels = from.Labels
	}
	for _, w := range from.DeepCopy().Webhooks {
		w.ClientConfig = onlyPath(w.ClientConfig)
		into.Webhooks = append(into.Webhooks, w)
	}
	sortNamesakes(into.Webhooks, func(w v1.MutatingWebhook) string { return w.Name }, func(w v1.MutatingWebhook) string { return *w.ClientConfig.URL })
	if c.stored {
		setDefaults(into)
	}
	return into
}

// sortNamesakes sorts webhooks with one name by their paths. The API server refuses such, and their order is what an
// unstable sort leaves.
func sortNamesakes[T any](webhooks []T, name, path func(T) string) {
	for from := 0; from < len(webhooks); {
		to := from + 1
		for to < len(webhooks) && name(webhooks[to]) == name(webhooks[from]) {
			to++
		}
		slices.SortFunc(webhooks[from:to], func(a, b T) int { return strings.Compare(path(a), path(b)) })
		from = to
	}
}

// onlyPath leaves of an address what depends on the policies.
func onlyPath(c v1.WebhookClientConfig) v1.WebhookClientConfig {
	path := ""
	switch {
	case c.URL != nil:
		parsed, err := url.Parse(*c.URL)
		if err != nil {
			path = *c.URL
		} else {
			path = parsed.Path
		}
	case c.Service != nil && c.Service.Path != nil:
		path = *c.Service.Path
	}
	return v1.WebhookClientConfig{URL: &path}
}

// setDefaults fills in what the API server fills in, with its own code.
func setDefaults(object runtime.Object) { scheme.Default(object) }

var scheme = func() *runtime.Scheme {
	s := runtime.NewScheme()
	if err := defaults.AddToScheme(s); err != nil {
		panic(err) // The types are those of the package.
	}
	return s
}()
