package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope/coverage"
	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/scope/review"
)

// reviewing is one call of "ambit review".
type reviewing struct {
	source *source
	failOn string
	output string
}

func newReview(s *source) *cobra.Command {
	r := &reviewing{source: s}
	cmd := &cobra.Command{
		Use:   "review BEFORE AFTER",
		Short: "Show what a change of policies does to their coverage",
		Long: `Review compares policies before and after a change, each a file or a folder, and says of
every policy that is not written as it was whether it sees the same requests:

  identical        every request meets it as before; this is proven
  volumeOnly       Kyverno is called for other requests, and evaluates it for the same ones
  coverageChange   there are requests that one side sees and the other does not; one is shown
  undecided        neither is proven

BEFORE and AFTER are all the policies there are: one that is missing was removed. With -f come
the namespaces, the objects that exist and all else that a cluster has beside its policies;
policies in there do not count.

The exit status is 1 if the change comes to --fail-on or more, and 2 if something could not be
read.`,
		Example: `  ambit review main/policies policies
  ambit review before.yaml after.yaml -f cluster/ -R -o markdown`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return r.run(cmd, args[0], args[1]) },
	}
	flags := cmd.Flags()
	flags.StringArrayVarP(&s.paths, "filename", "f", nil, "manifests of what there is beside the policies: a file, a folder, or - for standard input (repeatable)")
	s.addReading(flags)
	flags.StringVar(&r.failOn, "fail-on", string(review.Undecided), "volumeOnly, undecided, coverageChange, or never")
	flags.StringVarP(&r.output, "output", "o", "text", "text, json, yaml, markdown, sarif or junit")
	return cmd
}

// never is the --fail-on of who only wants to see.
const never = "never"

// reviewFormats are the functions that write a review.
var reviewFormats = map[string]func(io.Writer, *review.Review) error{
	"text": writeReviewText, "json": writeReviewJSON, "yaml": writeReviewYAML,
	"markdown": writeReviewMarkdown, "sarif": writeReviewSARIF, "junit": writeReviewJUnit,
}

func (r *reviewing) run(cmd *cobra.Command, before, after string) error {
	write, ok := reviewFormats[r.output]
	if !ok {
		return fmt.Errorf("-o %s: say text, json, yaml, markdown, sarif or junit", r.output)
	}
	if r.failOn != never && (r.failOn == string(review.Identical) || !slices.Contains(review.Verdicts, review.Verdict(r.failOn))) {
		return fmt.Errorf("--fail-on %s: say volumeOnly, undecided, coverageChange or never", r.failOn)
	}
	if standardInputs(append([]string{before, after}, r.source.paths...)) > 1 {
		return errors.New("only one of BEFORE, AFTER and -f can come from standard input; give the others as files")
	}
	opts, err := r.source.manifestOptions()
	if err != nil {
		return err
	}
	opts.Population = len(r.source.paths) > 0
	change, err := cluster.LoadChange(cmd.Context(), before, after, r.source.paths, r.source.recursive, cmd.InOrStdin(), opts)
	if err != nil {
		return fmt.Errorf("read the manifests: %w", err)
	}
	problems := problemsOf(change)
	report(cmd.ErrOrStderr(), problems)
	in, err := reviewInput(cmd.Context(), change)
	if err != nil {
		return err
	}
	found, err := review.Compare(cmd.Context(), in)
	if err != nil {
		return err
	}
	if err := write(cmd.OutOrStdout(), found); err != nil {
		return fmt.Errorf("write the review: %w", err)
	}
	switch {
	case manifest.Failed(problems):
		return errors.New("not everything could be read, so there may be more changes")
	case r.failOn != never && found.Verdict.AtLeast(review.Verdict(r.failOn)):
		return foundError{reviewSummary(found)}
	}
	return nil
}

// problemsOf are what could not be understood on either side; what lies beside the policies is
// read for both, and its problems are told once.
func problemsOf(c *cluster.Change) []manifest.Problem {
	all := slices.Clone(c.Before.About.Problems)
	for _, p := range c.After.About.Problems {
		if !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return all
}

// reviewInput evaluates both sides over the objects that exist, as creations by anybody.
func reviewInput(ctx context.Context, c *cluster.Change) (review.Input, error) {
	in := review.Input{Namespaces: c.After.Namespaces, FactsDiffer: c.FactsDiffer}
	for _, side := range []struct {
		from *cluster.Snapshot
		to   *review.Side
	}{{c.Before, &in.Before}, {c.After, &in.After}} {
		*side.to = review.Side{Policies: side.from.Policies.Policies(), Facts: side.from.Facts}
		if side.from.Population.Population == nil {
			continue
		}
		result, err := covered(ctx, side.from, coverage.Ask{})
		if err != nil {
			return in, err
		}
		side.to.Covered = result
	}
	return in, nil
}

// reviewSummary counts the changes in words.
func reviewSummary(r *review.Review) string {
	var words []string
	for _, v := range slices.Backward(review.Verdicts) {
		n := 0
		for _, c := range r.Changes {
			if c.Verdict == v {
				n++
			}
		}
		if n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, v))
		}
	}
	return count(len(r.Changes), "policy changed", "policies changed") + ": " + strings.Join(words, ", ")
}
