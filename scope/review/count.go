package review

import (
	"context"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/coverage"
)

// mostExamples bounds how many objects of one drop are named.
const mostExamples = 5

// count counts the objects that exist and are seen by one side only.
func (p *pair) count(ctx context.Context, c *Change) error {
	before, after := p.in.Before.Covered, p.in.After.Covered
	if before == nil || after == nil {
		return nil
	}
	var err error
	if c.Lost, err = c.drop(ctx, p.before, before, after, Lost); err != nil {
		return err
	}
	c.Gained, err = c.drop(ctx, p.after, after, before, Gained)
	return err
}

// drop goes through the objects that one side sees, and counts those that the other does not.
func (c *Change) drop(ctx context.Context, policy *scope.Policy, from, to *coverage.Result, direction Direction) (n int, err error) {
	if policy == nil {
		return 0, nil
	}
	there := to.Index(policy.ID())
	for o, e := range from.Objects(from.Index(policy.ID()), coverage.Which{}) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		other, exists := scope.Ending{Outcome: scope.Excluded, DecidedBy: absent}, true
		if there >= 0 {
			other, exists = to.At(there, o.Resource, o.Namespace, o.Name)
		}
		if !exists || !sees(e) || sees(other) || other.Outcome == scope.Unknown {
			continue
		}
		n++
		c.at(direction, other.DecidedBy).add(o)
	}
	return n, nil
}

// at is the drop at a layer, which is added if it is missing.
func (c *Change) at(direction Direction, layer scope.LayerName) *Drop {
	for i := range c.Drops {
		if d := &c.Drops[i]; d.Direction == direction && d.Layer == layer {
			return d
		}
	}
	c.Drops = append(c.Drops, Drop{Direction: direction, Layer: layer})
	return &c.Drops[len(c.Drops)-1]
}

func (d *Drop) add(o coverage.Object) {
	d.Objects++
	if len(d.Examples) < mostExamples {
		d.Examples = append(d.Examples, o.String())
	}
}
