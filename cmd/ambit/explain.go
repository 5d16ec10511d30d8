package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/scope/request"
)

// explain is one call of "ambit explain".
type explain struct {
	source   *source
	question question
	output   string
	verbose  bool
}

func newExplain(s *source) *cobra.Command {
	e := &explain{source: s}
	cmd := &cobra.Command{
		Use:   "explain REQUEST",
		Short: "Show which policies a request falls under and which layer decided it",
		Long: `Explain shows, for each policy of the cluster, whether it sees the request and which layer
decided that: first the FlowSchema that the request falls in, then the admission policies
and webhooks, if it is one that admission is asked about.

REQUEST is a file, or - for standard input. It holds an AdmissionReview, which says the
request whole, or a plain object, about which the flags say the rest. For flow control,
which sees every request, it may also hold a SubjectAccessReview, or one line as for
kubectl, which can stand in the place of the file, too. What nobody says is guessed and
told, or stays open.`,
		Example: `  ambit explain pod.yaml -f policies/
  kubectl get deployment web -o yaml | ambit explain - --operation UPDATE --as jane
  ambit explain "get pods -A --as system:serviceaccount:ops:robot"
  ambit explain "GET /healthz"`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("explain needs one REQUEST: a file with an AdmissionReview, a SubjectAccessReview or an object, - for standard input, or a line as for kubectl in quotes")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return e.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	s.addFlags(flags)
	e.question.addFlags(flags)
	flags.StringVarP(&e.output, "output", "o", "text", "text, json or yaml")
	flags.BoolVarP(&e.verbose, "verbose", "v", false, "show every policy and every layer")
	return cmd
}

func (e *explain) run(cmd *cobra.Command, path string) error {
	write, err := e.format(cmd.OutOrStdout())
	if err != nil {
		return err
	}
	if path == "-" && e.source.readsStandardInput() {
		return errors.New("the request and the cluster cannot both come from standard input; give one of them as a file")
	}
	stderr := cmd.ErrOrStderr()
	name, data, err := e.text(path, cmd.InOrStdin())
	if err != nil {
		return err
	}
	ask, problems, err := e.question.ask(cmd.Flags().Changed)
	report(stderr, problems)
	if err != nil {
		return err
	}
	snapshot, err := e.source.read(cmd.Context(), cmd.InOrStdin(), e.question.namespace)
	if err != nil {
		return err
	}
	report(stderr, snapshot.About.Problems)
	for _, gap := range snapshot.About.Gaps {
		fmt.Fprintln(stderr, "note: "+gap)
	}
	derived, problems := request.FromText(name, data, manifest.DefaultLimit, ask, snapshot.Facts)
	report(stderr, problems)
	if derived == nil {
		return fmt.Errorf("%s holds no request that can be explained", name)
	}
	traces, err := snapshot.Policies.Explain(cmd.Context(), derived.Request, snapshot.Facts)
	if err != nil {
		return fmt.Errorf("explain the request: %w", err)
	}
	if refused := scope.RefusedFirst(derived.Request, snapshot.Facts); refused != "" {
		fmt.Fprintln(stderr, "note: "+refused)
	}
	return write(cmd.Context(), answer{derived: derived, traces: traces, facts: snapshot.Facts, verbose: e.verbose})
}

// text returns the text that describes the request, and what it is called in sentences. A
// line may stand where a file is named, unless there is a file of that name.
func (e *explain) text(path string, stdin io.Reader) (name string, data []byte, err error) {
	data, err = readText(path, stdin)
	if errors.Is(err, fs.ErrNotExist) && strings.Contains(path, " ") && request.IsLine(path) {
		return "the request", []byte(path), nil
	}
	return sourceName(path), data, err
}

// answer is what there is to show.
type answer struct {
	derived *request.Derived
	traces  []*scope.Trace
	facts   *scope.Facts
	verbose bool
}

// report writes problems for a person to read.
func report(w io.Writer, problems []manifest.Problem) {
	for _, p := range problems {
		fmt.Fprintf(w, "%s: %s\n", p.Severity, p)
	}
}

// format returns the function that writes an answer in the format that was asked for.
func (e *explain) format(w io.Writer) (func(context.Context, answer) error, error) {
	switch e.output {
	case "text":
		return newText(w).write, nil
	case "json":
		return func(ctx context.Context, a answer) error { return writeJSON(ctx, w, a) }, nil
	case "yaml":
		return func(ctx context.Context, a answer) error { return writeYAML(ctx, w, a) }, nil
	}
	return nil, fmt.Errorf("-o %s: say text, json or yaml", e.output)
}
