package compare

import (
	"context"
	"fmt"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/oracle"
)

// maxTries bounds how often one disagreement is tried in a smaller form; each try installs policies anew.
const maxTries = 15

// reproduceAll tries every disagreement again with its policy alone, and makes the policy smaller for as long as the
// two still disagree.
func (c *comparison) reproduceAll(ctx context.Context) error {
	for _, d := range c.report.Disagreements {
		if d.policies == nil {
			d.reproduced = "not tried alone: it is about several policies together"
			continue
		}
		again, err := c.again(ctx, d, d.policies)
		if err != nil {
			return err
		}
		if !again {
			d.reproduced = "NOT reproduced with this policy alone"
			continue
		}
		d.reproduced = "reproduced with this policy alone"
		for tries := 0; tries < maxTries; {
			smaller := -1
			candidates := smallerPolicies(d.policies)
			for i, candidate := range candidates {
				if tries++; tries > maxTries {
					break
				}
				if again, err := c.again(ctx, d, candidate); err != nil {
					return err
				} else if again {
					smaller = i
					break
				}
			}
			if smaller < 0 {
				break
			}
			d.policies = candidates[smaller]
		}
	}
	return nil
}

// again reports whether the two disagree about the request with these policies alone.
func (c *comparison) again(ctx context.Context, d *Disagreement, p *oracle.Policies) (bool, error) {
	p = p.DeepCopy()
	e := &exchange{lane: d.lane, request: d.request, policies: p}
	if refuses(d.lane) {
		if _, err := c.install(ctx, &oracle.Policies{}); err != nil {
			return false, err
		}
		rehearsal, err := c.oracle.Ask(ctx, d.request.Call)
		if err != nil {
			return false, err
		}
		e.rehearsal = rehearsal
	}
	snapshot, err := c.install(ctx, p)
	if err != nil {
		return false, err
	}
	if e.seen, err = c.oracle.Ask(ctx, d.request.Call); err != nil {
		return false, err
	}
	var said answers
	if d.mode == Pasted {
		said, _, err = askPasted(ctx, snapshot, d.request)
	} else {
		reviews, failed := wholeReviews(d.request, e.source())
		if failed != nil {
			return false, fmt.Errorf("reproduce: %w", failed)
		}
		said, err = askWhole(ctx, snapshot, reviews)
	}
	if err != nil {
		return false, err
	}
	found := false
	scratch := newReport(0)
	judgement{d.mode, d.request, e.view(), said, e.hidden}.count(ctx, scratch, func(again *Disagreement) {
		if again.id == d.id {
			found = true
			d.outcome, d.decidedBy, d.effect, d.steps = again.outcome, again.decidedBy, again.effect, again.steps
			d.seen, d.message = again.seen, again.message
		}
	})
	return found, nil
}
