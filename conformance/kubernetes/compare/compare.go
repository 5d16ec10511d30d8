package compare

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/generate"
	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/oracle"
)

// Options say what to compare.
type Options struct {
	// Requests is how many requests are sent.
	Requests int
	Seed     uint64
	// Dir is where the API server keeps its files.
	Dir string
	// Corpus is a folder with real policies; it may be missing.
	Corpus string
	// Log takes what happens on the way.
	Log func(format string, args ...any)
}

// lanes says how many of a hundred requests each lane has, and how many requests a round of it.
var lanes = []struct {
	lane     generate.Lane
	share    int
	requests int
}{
	{generate.Watching, 62, 260},
	{generate.MarkingPolicies, 10, 120},
	{generate.EquivalentMarking, 3, 40},
	{generate.RefusingWebhooks, 12, 80},
	{generate.DenyingPolicies, 9, 50},
	{generate.RefusingMarking, 4, 50},
}

// comparison is a comparison in progress.
type comparison struct {
	*session
	options  Options
	requests *generate.Requests
	policies generate.Policies
	report   *Report
	sorts    map[string]int
}

// Run compares until all requests have been sent.
func Run(ctx context.Context, o Options) (*Report, error) {
	s, err := start(ctx, o.Dir)
	if err != nil {
		return nil, err
	}
	c := &comparison{session: s, options: o, report: newReport(o.Seed), sorts: map[string]int{}}
	err = c.run(ctx)
	if stopped := s.stop(); err == nil {
		err = stopped
	}
	return c.report, err
}

func (c *comparison) run(ctx context.Context) error {
	corpus, err := generate.ReadCorpus(c.options.Corpus)
	if err != nil {
		return err
	}
	c.report.Corpus[0], c.report.Corpus[1] = corpus.Len()
	live := func(path string) map[string]any {
		object, err := c.oracle.Client.Get(ctx, path)
		if err != nil {
			c.options.Log("read live object: %v", err)
		}
		return object
	}
	if c.requests, err = generate.NewRequests(rand.New(rand.NewPCG(c.options.Seed, 0)), live); err != nil {
		return err
	}
	if err := c.furnish(ctx, c.requests.Pool(), c.options.Log); err != nil {
		return err
	}
	c.policies.Corpus = corpus
	for _, l := range lanes {
		for quota := c.options.Requests * l.share / 100; quota > 0; quota -= l.requests {
			if err := c.round(ctx, l.lane, min(quota, l.requests)); err != nil {
				return fmt.Errorf("round %d (%s): %w", c.report.Rounds, l.lane, err)
			}
		}
	}
	return c.reproduceAll(ctx)
}

// round installs policies and sends requests. Every round starts from its own number, so that what it does does not
// depend on the rounds before it.
func (c *comparison) round(ctx context.Context, lane generate.Lane, requests int) error {
	c.report.Rounds++
	c.report.Lanes[lane] += requests
	random := rand.New(rand.NewPCG(c.options.Seed, uint64(c.report.Rounds)))
	c.requests.Seed(random)
	c.policies.Rand = random
	refusing := refuses(lane)
	c.requests.Real, c.requests.Ghosts = lane == generate.Watching, refusing
	policies := c.policies.Round(lane)

	var asked []*exchange
	if refusing {
		// The policies will hide how the API server would have asked, so that every request is rehearsed without them.
		if _, err := c.install(ctx, &oracle.Policies{}); err != nil {
			return err
		}
		for range requests {
			e, err := c.exchange(ctx)
			if err != nil {
				return err
			}
			asked = append(asked, e)
		}
	}
	snapshot, err := c.install(ctx, policies)
	if err != nil {
		return err
	}
	c.report.Policies += len(policyIDs(policies))
	if lane == generate.Watching {
		if snapshot, err = c.relabel(ctx); err != nil {
			return err
		}
	}
	for i := range requests {
		var e *exchange
		if refusing {
			e = asked[i]
			again, err := c.oracle.Ask(ctx, e.request.Call)
			if err != nil {
				return err
			}
			e.rehearsal, e.seen = e.seen, again
		} else if e, err = c.exchange(ctx); err != nil {
			return err
		}
		e.lane, e.policies = lane, policies
		if err := c.judge(ctx, snapshot, e, random); err != nil {
			return err
		}
	}
	return nil
}

// refuses reports whether the policies of a lane refuse requests.
func refuses(lane generate.Lane) bool {
	return lane == generate.RefusingWebhooks || lane == generate.DenyingPolicies || lane == generate.RefusingMarking
}

// relabel changes the labels of a namespace, and waits until Ambit has noticed. The policies must be such that neither
// refuse nor change it.
func (c *comparison) relabel(ctx context.Context) (*cluster.Snapshot, error) {
	call, namespace, labels := c.requests.Relabel()
	answer, err := c.oracle.Client.Do(ctx, call)
	if err != nil {
		return nil, err
	}
	if !answer.OK() {
		return nil, fmt.Errorf("relabel namespace %s: %s", namespace, answer.Message())
	}
	err = c.until(ctx, func(s *cluster.Snapshot) error {
		if ns, _ := s.Facts.Namespaces.Namespace(namespace); ns == nil || !maps.Equal(ns.Labels, labels) {
			return fmt.Errorf("namespace %s has other labels than %v", namespace, labels)
		}
		return nil
	})
	return c.ambit.Snapshot(), err
}

// install installs policies at the API server and waits until Ambit knows them.
func (c *comparison) install(ctx context.Context, p *oracle.Policies) (*cluster.Snapshot, error) {
	refusals, err := c.oracle.Install(ctx, p)
	if err != nil {
		return nil, err
	}
	for _, r := range refusals {
		c.report.NotStored++
		c.options.Log("not stored: %s: %s", r.Name, shorten(r.Why))
	}
	return c.caughtUp(ctx, p)
}

// exchange is a request and what the API server did with it.
type exchange struct {
	lane      generate.Lane
	request   *generate.Request
	policies  *oracle.Policies
	seen      *oracle.Observation
	rehearsal *oracle.Observation
}

// exchange makes up a request and sends it.
func (c *comparison) exchange(ctx context.Context) (*exchange, error) {
	for {
		r := c.requests.Next()
		if r == nil {
			continue
		}
		seen, err := c.oracle.Ask(ctx, r.Call)
		if err != nil {
			return nil, err
		}
		return &exchange{request: r, seen: seen}, nil
	}
}
