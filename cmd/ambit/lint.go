package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/hazard"
	"github.com/ambit-k8s/ambit/scope/manifest"
)

// statusFound is the exit status of a command that found what it looks for.
const statusFound = 1

// foundError ends a command that found something. It is no failure of the command.
type foundError struct{ message string }

// Error implements error.
func (e foundError) Error() string { return e.message }

// lint is one call of "ambit lint".
type lint struct {
	source     *source
	population populationFlags
	output     string
}

func newLint(s *source) *cobra.Command {
	l := &lint{source: s}
	cmd := &cobra.Command{
		Use:   "lint",
		Short: "Find scopes that do not do what their author meant",
		Long: `Lint looks for admission policies and webhooks whose scope is not what it seems to be:
selectors that cannot narrow, rules that match nothing, bindings without a policy, match
conditions that refuse whole classes of requests, policies of Kyverno that no webhook serves.
It says where, why it matters, how many of the existing objects it concerns, and what to do.

The exit status is 1 if there is a finding, and 2 if something could not be read.`,
		Example: `  ambit lint -f policies/
  ambit lint -f policies/ -R -o sarif > ambit.sarif`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return l.run(cmd) },
	}
	flags := cmd.Flags()
	s.addFlags(flags)
	l.population.add(flags, cluster.PopulationMetadata)
	flags.StringVarP(&l.output, "output", "o", "text", "text, json, yaml, markdown, sarif or junit")
	return cmd
}

// lintFormats are the functions that write a report.
var lintFormats = map[string]func(io.Writer, lintReport) error{
	"text": writeLintText, "json": writeLintJSON, "yaml": writeLintYAML,
	"markdown": writeLintMarkdown, "sarif": writeSARIF, "junit": writeJUnit,
}

func (l *lint) run(cmd *cobra.Command) error {
	write, ok := lintFormats[l.output]
	if !ok {
		return fmt.Errorf("-o %s: say text, json, yaml, markdown, sarif or junit", l.output)
	}
	population, err := l.population.options()
	if err != nil {
		return err
	}
	snapshot, err := l.source.readPopulated(cmd.Context(), cmd.InOrStdin(), "", population)
	if err != nil {
		return err
	}
	stderr := cmd.ErrOrStderr()
	report(stderr, snapshot.About.Problems)
	for _, gap := range snapshot.About.Gaps {
		fmt.Fprintln(stderr, "note: "+gap)
	}
	findings := hazard.Find(cmd.Context(), snapshot.HazardInput())
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	if err := write(cmd.OutOrStdout(), newLintReport(snapshot, findings)); err != nil {
		return fmt.Errorf("write the findings: %w", err)
	}
	switch {
	case manifest.Failed(snapshot.About.Problems):
		return errors.New("not everything could be read, so there may be more to find")
	case len(findings) > 0:
		return foundError{summary(findings)}
	}
	return nil
}

// lintReport is what there is to write: the findings, and the policies that were looked at.
type lintReport struct {
	findings []hazard.Finding
	policies []*scope.Policy
	places   *places
}

func newLintReport(s *cluster.Snapshot, findings []hazard.Finding) lintReport {
	var policies []*scope.Policy
	for _, p := range s.Policies.Policies() {
		if p.Phase != scope.FlowControl {
			policies = append(policies, p)
		}
	}
	return lintReport{findings: findings, policies: policies, places: newPlaces(s.Policies.Policies())}
}

// summary counts findings in words.
func summary(findings []hazard.Finding) string {
	var words []string
	for _, s := range []hazard.Severity{hazard.Error, hazard.Warning, hazard.Info} {
		n := 0
		for _, f := range findings {
			if f.Severity == s {
				n++
			}
		}
		switch {
		case n == 0:
		case s == hazard.Info:
			words = append(words, fmt.Sprintf("%d info", n))
		default:
			words = append(words, count(n, string(s), string(s)+"s"))
		}
	}
	return count(len(findings), "finding", "findings") + ": " + strings.Join(words, ", ")
}

// policyTitle names the policy of a finding, and says how many others it is about.
func policyTitle(f hazard.Finding) string {
	title := refTitle(hazard.Ref{Kind: f.Kind, Namespace: f.Namespace, Name: f.Name})
	if len(f.Also) > 0 {
		title += fmt.Sprintf(" and %d more", len(f.Also))
	}
	if f.Entry != "" {
		title += " / " + f.Entry
	}
	return title
}

func refTitle(r hazard.Ref) string {
	if r.Namespace != "" {
		return r.Kind + " " + r.Namespace + "/" + r.Name
	}
	return r.Kind + " " + r.Name
}

// others names the other policies that a finding is about, and not more than anybody reads.
func others(f hazard.Finding) string {
	const most = 5
	var names []string
	for _, r := range f.Also[:min(len(f.Also), most)] {
		names = append(names, refTitle(r))
	}
	text := strings.Join(names, ", ")
	if more := len(f.Also) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// concerns says how many objects a finding is about, if that is known, and which other policies.
func concerns(f hazard.Finding) string {
	var all []string
	if f.Objects != nil {
		all = append(all, fmt.Sprintf("It concerns %s.", count(*f.Objects, "object", "objects")))
	}
	if len(f.Also) > 0 {
		all = append(all, fmt.Sprintf("It is about %s, too.", others(f)))
	}
	return strings.Join(all, " ")
}

// rulesOf are the rules that findings are of, in the order of the documentation.
func rulesOf(findings []hazard.Finding) []hazard.Rule {
	return slices.DeleteFunc(cluster.HazardRules(), func(r hazard.Rule) bool {
		return !slices.ContainsFunc(findings, func(f hazard.Finding) bool { return f.Rule == r.Name })
	})
}
