package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope/kyverno"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
	"github.com/ambit-k8s/ambit/scope/manifest"
)

// predicting is one call of "ambit webhooks".
type predicting struct {
	source    *source
	namespace string
	output    string
	diff      bool
}

func newWebhooks(s *source) *cobra.Command {
	p := &predicting{source: s}
	cmd := &cobra.Command{
		Use:   "webhooks",
		Short: "Print the webhook configurations that Kyverno would write for its policies",
		Long: `Webhooks predicts the two configurations by which Kyverno has itself called for the objects
that its policies are about: which entries there are, what they are called, which selectors
and rules they have, and which policies each of them serves. What is wrong with them goes to
standard error.

What is printed can be applied. It has no caBundle and no owner, which only the running
Kyverno knows.

With --diff it says how the configurations of the cluster differ from that; the exit status
is then 1 if they do.`,
		Example: `  ambit webhooks -f policies/
  ambit webhooks -f policies/ --kyverno-version 1.18 -o text
  ambit webhooks --diff`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.run(cmd) },
	}
	flags := cmd.Flags()
	s.addFlags(flags)
	flags.StringVarP(&p.namespace, "namespace", "n", "",
		"namespace of the policies in manifests that do not name theirs; left out, it is default")
	flags.StringVarP(&p.output, "output", "o", "",
		"yaml or json for a List, text for people; left out, two YAML documents")
	flags.BoolVar(&p.diff, "diff", false, "say how the configurations of the cluster differ from the predicted ones")
	return cmd
}

// webhookFormats are the functions that write a prediction.
var webhookFormats = map[string]func(io.Writer, *webhooks.Prediction) error{
	"": writeWebhookDocuments, "yaml": writeWebhookYAML, "json": writeWebhookJSON, "text": writeWebhookText,
}

func (p *predicting) run(cmd *cobra.Command) error {
	write, ok := webhookFormats[p.output]
	switch {
	case !ok:
		return fmt.Errorf("-o %s: say yaml, json or text", p.output)
	case p.diff && p.output != "" && p.output != "text":
		return fmt.Errorf("-o %s: the differences of --diff are written as text", p.output)
	}
	snapshot, err := p.source.read(cmd.Context(), cmd.InOrStdin(), p.namespace)
	if err != nil {
		return err
	}
	stderr := cmd.ErrOrStderr()
	report(stderr, snapshot.About.Problems)
	for _, gap := range snapshot.About.Gaps {
		fmt.Fprintln(stderr, "note: "+gap)
	}
	known, err := p.report(stderr, kyverno.ReportOf(snapshot.Policies.Policies()))
	if err != nil {
		return err
	}
	// What is printed may be applied, and then a policy that was not read would lose its webhook.
	switch {
	case manifest.Failed(snapshot.About.Problems) || len(known.Unreadable) > 0:
		return errors.New("not everything could be read, and with other policies there are other webhooks")
	case unread(snapshot.About) || !known.ConfigKnown:
		return clusterError{errors.New("what Kyverno's webhooks follow from could not all be read, so they are not known")}
	case p.diff && !known.Observed.Any():
		return errors.New("--diff: there is nothing to compare with, because no configuration of Kyverno's is there")
	}
	var found error
	if p.diff {
		found, err = writeDifferences(cmd.OutOrStdout(), known)
	} else {
		err = write(cmd.OutOrStdout(), known.Predicted)
	}
	if err != nil {
		return fmt.Errorf("write the webhooks: %w", err)
	}
	return found
}

// unread reports whether there may be policies of Kyverno that are not in a snapshot. Exceptions make no difference to
// webhooks.
func unread(about cluster.About) bool {
	return slices.ContainsFunc(about.Unread, func(kind schema.GroupKind) bool {
		return (kind.Group == api.Group || kind.Group == api.LegacyGroup) && kind.Kind != string(api.ExceptionKind)
	})
}

// report says aloud what the prediction is not sure of, and what is wrong. Without policies Kyverno writes the two
// configurations all the same, without entries.
func (p *predicting) report(stderr io.Writer, known *kyverno.Report) (*kyverno.Report, error) {
	if known == nil {
		asked, err := p.source.kyvernoRelease()
		if err != nil {
			return nil, err
		}
		fmt.Fprintln(stderr, "note: There are no policies of Kyverno.")
		nothing := webhooks.Predict(webhooks.Input{Release: asked})
		return &kyverno.Report{Release: asked, ConfigKnown: true, Predicted: nothing}, nil
	}
	for _, sentence := range known.Unreadable {
		fmt.Fprintln(stderr, "error: "+oneLine(sentence))
	}
	reportOrders(stderr, known)
	reportFindings(stderr, known.Findings)
	return known, nil
}
