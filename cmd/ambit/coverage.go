package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/coverage"
	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/scope/request"
)

// covering is one call of "ambit coverage".
type covering struct {
	source     *source
	population populationFlags
	operation  string
	namespace  string
	as         string
	asGroups   []string
	output     string
	verbose    bool
}

func newCoverage(s *source) *cobra.Command {
	c := &covering{source: s}
	cmd := &cobra.Command{
		Use:   "coverage",
		Short: "Show what each policy reaches of the objects that exist",
		Long: `Coverage shows, for each admission policy and webhook, how many of the existing objects it
would see if somebody wrote them now, at which layer the others fall out, and which objects
no policy reaches at all.

It asks about a CREATE of each object; --operation asks about another write. Who writes
stays open unless --as says so, and a policy that asks for it is then counted as unknown.

Where some objects could not be read, standard error says which; all numbers are then lower
bounds.`,
		Example: `  ambit coverage -f cluster/ -R
  ambit coverage --operation DELETE --as jane --as-group devs
  ambit coverage -o csv > coverage.csv`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd) },
	}
	flags := cmd.Flags()
	s.addFlags(flags)
	c.population.add(flags, cluster.PopulationFull)
	flags.StringVar(&c.operation, "operation", "CREATE", "CREATE, UPDATE or DELETE; an UPDATE leaves the object as it is")
	flags.StringVarP(&c.namespace, "namespace", "n", "", "namespace of the objects in manifests that do not name theirs; left out, it is default")
	flags.StringVar(&c.as, "as", "", "user who writes; left out, who writes stays open")
	flags.StringArrayVar(&c.asGroups, "as-group", nil, "group of the user who writes (repeatable)")
	flags.StringVarP(&c.output, "output", "o", "text", "text, json, yaml or csv")
	flags.BoolVarP(&c.verbose, "verbose", "v", false, "name every object that no policy reaches")
	return cmd
}

func (c *covering) run(cmd *cobra.Command) error {
	write, ok := coverageFormats[c.output]
	if !ok {
		return fmt.Errorf("-o %s: say text, json, yaml or csv", c.output)
	}
	ask, err := c.ask()
	if err != nil {
		return err
	}
	population, err := c.population.options()
	if err != nil {
		return err
	}
	if population.Depth == cluster.PopulationOff {
		return errors.New("--population off: coverage is about the objects that exist; say full or metadata")
	}
	snapshot, err := c.source.readPopulated(cmd.Context(), cmd.InOrStdin(), c.namespace, population)
	if err != nil {
		return err
	}
	stderr := cmd.ErrOrStderr()
	report(stderr, snapshot.About.Problems)
	for _, gap := range snapshot.About.Gaps {
		fmt.Fprintln(stderr, "note: "+gap)
	}
	reportUnread(stderr, snapshot.Population)
	result, err := covered(cmd.Context(), snapshot, ask)
	if err != nil {
		return err
	}
	if err := write(cmd.Context(), cmd.OutOrStdout(), coverageAnswer{result, snapshot.Facts, c.verbose}); err != nil {
		return fmt.Errorf("write the coverage: %w", err)
	}
	if manifest.Failed(snapshot.About.Problems) {
		return errors.New("not everything could be read, so there may be more objects and policies")
	}
	return nil
}

// covered evaluates the policies of a snapshot over its objects.
func covered(ctx context.Context, s *cluster.Snapshot, ask coverage.Ask) (*coverage.Result, error) {
	result, err := coverage.NewEvaluator(ask).Update(ctx, s.Population.Population, s.Policies.Policies(), s.Facts)
	if err != nil {
		return nil, fmt.Errorf("evaluate the policies: %w", err)
	}
	return result, nil
}

// ask turns the flags into what is asked about every object.
func (c *covering) ask() (coverage.Ask, error) {
	ask := coverage.Ask{Operation: admission.Operation(strings.ToUpper(c.operation))}
	if !slices.Contains([]admission.Operation{admission.Create, admission.Update, admission.Delete}, ask.Operation) {
		return ask, fmt.Errorf("--operation %s: say CREATE, UPDATE or DELETE; these are the writes of whole objects", c.operation)
	}
	if c.as == "" && len(c.asGroups) == 0 {
		return ask, nil
	}
	ask.User, ask.Open = request.Complete(&authenticationv1.UserInfo{Username: c.as, Groups: c.asGroups})
	return ask, nil
}

// coverageAnswer is what there is to show.
type coverageAnswer struct {
	*coverage.Result
	facts   *scope.Facts
	verbose bool
}

// coverageFormats are the functions that write an answer.
var coverageFormats = map[string]func(context.Context, io.Writer, coverageAnswer) error{
	"text": writeCoverageText, "json": writeCoverageJSON, "yaml": writeCoverageYAML, "csv": writeCoverageCSV,
}
