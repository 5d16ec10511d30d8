package flow

import (
	"context"
	"fmt"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/flow/generate"
)

// Options say what to compare.
type Options struct {
	// Requests is how many requests are sent.
	Requests int
	Seed     uint64
	// Dir is where the API server keeps its files.
	Dir string
	// Log takes what happens on the way.
	Log func(format string, args ...any)
}

const (
	// perRound is how many requests are sent to one set of schemas.
	perRound = 250
	// shown is how many disagreements, of a sort each, are made smaller and shown.
	shown = 6
	// repeats is how often a round is repeated whose schemas changed meanwhile.
	repeats = 3
)

// Run compares until all requests have been sent.
func Run(ctx context.Context, o Options) (*Report, error) {
	s, err := start(ctx, o.Dir)
	if err != nil {
		return nil, err
	}
	report := newReport(o.Seed)
	for left := o.Requests; left > 0 && err == nil; left -= perRound {
		err = s.round(ctx, o, report, min(left, perRound))
	}
	for _, d := range report.Disagreements {
		if err == nil {
			err = s.shrink(ctx, d)
		}
	}
	if stopped := s.stop(); err == nil {
		err = stopped
	}
	return report, err
}

// round installs a set of schemas and sends requests. Every round starts from its own number, so that what it does does
// not depend on the rounds before it.
func (s *session) round(ctx context.Context, o Options, report *Report, requests int) error {
	report.Rounds++
	g := generate.New(o.Seed, uint64(report.Rounds))
	set := g.Set()
	var calls []*generate.Call
	for range requests {
		calls = append(calls, g.Call(set.Schemas))
	}
	in, exchanges, repeated, err := s.undisturbed(ctx, set, calls)
	if err != nil {
		return fmt.Errorf("round %d: %w", report.Rounds, err)
	}
	report.Again += repeated
	report.Schemas += len(set.Schemas)
	report.NotStored += len(in.Refused)
	for _, why := range in.Refused {
		o.Log("not stored: %s", why)
	}
	for _, e := range exchanges {
		report.countAnswer(in, e)
		if err := s.compare(ctx, in, set, e, report); err != nil {
			return fmt.Errorf("round %d: %w", report.Rounds, err)
		}
	}
	return nil
}

// undisturbed installs a set and sends requests, again and again until the schemas are the same before and after.
func (s *session) undisturbed(ctx context.Context, set *generate.Set, calls []*generate.Call) (in *Installed, exchanges []*exchange, repeated int, err error) {
	for repeated = range repeats {
		if in, err = s.install(ctx, set); err != nil {
			return nil, nil, repeated, err
		}
		exchanges = nil
		for _, call := range calls {
			e, err := s.exchange(ctx, call)
			if err != nil {
				return nil, nil, repeated, err
			}
			exchanges = append(exchanges, e)
		}
		if same, err := s.stillThere(ctx, in); err != nil || same {
			return in, exchanges, repeated, err
		}
	}
	return nil, nil, repeats, fmt.Errorf("the API server changed its schemas in each of %d attempts", repeats)
}

// exchange sends a request, and also in the other ways in which the same object could be written.
func (s *session) exchange(ctx context.Context, call *generate.Call) (*exchange, error) {
	info, err := call.Info()
	if err != nil {
		return nil, err
	}
	e := &exchange{call: call, info: info, by: map[string]answer{}}
	if e.who, err = s.people.who(ctx, call.Who); err != nil {
		return nil, err
	}
	verbs := []string{info.Verb}
	if _, ok := written(info, call.Who); ok {
		verbs = sentAs(info.Verb)
	}
	for _, verb := range verbs {
		one := call
		if verb != info.Verb {
			one = call.With(verb)
		}
		if e.by[verb], err = s.client.send(ctx, one); err != nil {
			return nil, fmt.Errorf("as %s: %w", call.Who, err)
		}
	}
	return e, nil
}

// compare asks Ambit about a request in every form in which it can be said.
func (s *session) compare(ctx context.Context, in *Installed, set *generate.Set, e *exchange, report *Report) error {
	all, err := sayings(e)
	if err != nil {
		return err
	}
	for _, w := range all {
		said, err := ask(ctx, in.Snapshot, w)
		if err != nil {
			return err
		}
		if said.refused != "" && e.info.Verb == "" {
			// Nobody can say this: the API server knows no verb for the method.
			report.Tallies[w.mode].NotSaid++
			continue
		}
		j := judge(in, e, said)
		report.count(j)
		if len(j.wrong) > 0 && report.Sorts[j.sort] == 1 && len(report.Disagreements) < shown {
			report.Disagreements = append(report.Disagreements, newDisagreement(set, j))
		}
	}
	return nil
}
