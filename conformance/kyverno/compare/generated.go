package compare

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/ambit-k8s/ambit/conformance/kyverno/controller"
	"github.com/ambit-k8s/ambit/conformance/kyverno/generate"
	"github.com/ambit-k8s/ambit/conformance/kyverno/oracle"
	"github.com/ambit-k8s/ambit/conformance/kyverno/session"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
)

// running is a cluster with the controller.
type running struct{ *session.Session }

// outcome is what became of a state.
type outcome struct {
	world       world
	state       *controller.State
	differences []string
	// refused are policies that Kyverno did not take.
	refused []string
	// late says that the controller was not as settled as it looked.
	late bool
}

// bring brings a state about and compares.
func (s running) bring(ctx context.Context, batch generate.Batch, flags config.Flags) (outcome, error) {
	if err := s.Configure(ctx, batch.ConfigMap); err != nil {
		return outcome{}, err
	}
	refused, err := s.Replace(ctx, batch.Policies)
	if err != nil {
		return outcome{}, err
	}
	o, err := s.judge(ctx, flags)
	o.refused = refused
	return o, err
}

// attempts are how often the controller is asked to write its webhooks, where they are not as predicted. It leaves to chance
// which versions of a subresource get into a legacy webhook, so that one of its answers has to agree.
const attempts = 16

// judge waits until the controller has settled and compares what it wrote with what Ambit predicts from what is stored. A
// difference counts if it is still there a while later: a watch of the controller may have lagged behind.
func (s running) judge(ctx context.Context, flags config.Flags) (o outcome, err error) {
	for attempt := range attempts {
		if attempt > 0 {
			time.Sleep(time.Second / 2)
		}
		o.late = attempt > 0
		if err := s.look(ctx, &o, flags); err != nil {
			return o, err
		}
		if len(o.differences) == 0 {
			break
		}
	}
	return o, nil
}

func (s running) look(ctx context.Context, o *outcome, flags config.Flags) (err error) {
	if o.state, err = s.Settled(ctx); err != nil {
		return err
	}
	o.world = world{flags: flags, resources: s.Resources()}
	if o.world.policies, err = s.Policies(ctx); err != nil {
		return fmt.Errorf("read policies back: %w", err)
	}
	if o.world.configMap, err = s.ConfigMap(ctx); err != nil {
		return fmt.Errorf("read ConfigMap back: %w", err)
	}
	prediction, err := o.world.predict()
	if err != nil {
		return err
	}
	refused := finding(prediction, "refused") != nil || finding(prediction, "duplicate-name") != nil
	switch {
	case len(o.state.Refused) > 0 && !refused:
		o.differences = []string{fmt.Sprintf("the API server refuses what the controller writes, and Ambit does not say so: %v", o.state.Refused)}
	case len(o.state.Refused) > 0:
		o.differences = nil
	case refused:
		o.differences = []string{"Ambit says that the API server refuses what the controller writes, and it does not"}
	default:
		o.differences = comparison{stored: true, frozen: flags.NoAutoUpdateWebhooks}.differences(prediction, o.state.Validating, o.state.Mutating)
	}
	return nil
}

// said is a disagreement for people, with the policies that bring it about. Where Kyverno's code without the cluster
// disagrees, too, these are few.
func (s running) said(ctx context.Context, o outcome) string {
	asked, err := oracle.Start(ctx, oracle.Discovery(o.world.resources))
	if err == nil {
		defer asked.Stop()
		q := &questions{oracle: asked}
		if d, err := q.ask(o.world); err == nil && len(d) > 0 {
			return q.said(o.world, d)
		}
	}
	return strings.Join(o.differences, "\n") + "\n" + o.world.String()
}
