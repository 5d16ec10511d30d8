package requests

import (
	"context"
	"fmt"
	"strings"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/oracle"
	"github.com/ambit-k8s/ambit/conformance/kyverno/controller"
	"github.com/ambit-k8s/ambit/conformance/kyverno/session"
)

// flags make the controller accept exceptions from all namespaces.
var flags = []string{"--enablePolicyException", "--exceptionNamespace=*"}

// world is a cluster with the policies that leave marks, and with a recorder that is asked beside Kyverno.
type world struct {
	*session.Session
	client   *oracle.Client
	recorder *oracle.Recorder
	ending   string
}

// start starts everything below a folder.
func start(ctx context.Context, dir string) (*world, error) {
	s, err := session.Start(ctx, dir, flags...)
	if err != nil {
		return nil, err
	}
	w := &world{Session: s, recorder: oracle.StartRecorder()}
	if w.client, err = oracle.NewClient(s.Config); err != nil {
		return w, err
	}
	return w, w.furnish(ctx)
}

// stop ends everything.
func (w *world) stop() error {
	w.recorder.Stop()
	return w.Stop()
}

// enforce replaces the policies, and waits until Kyverno, the API server and Ambit go by them.
func (w *world) enforce(ctx context.Context, r round) error {
	w.ending = r.ending
	if err := w.Configure(ctx, r.configMap); err != nil {
		return err
	}
	all, err := policies(r.deny, r.ending)
	if err != nil {
		return err
	}
	refused, err := w.Replace(ctx, all)
	if err != nil {
		return err
	}
	if len(refused) > 0 {
		return fmt.Errorf("Kyverno refuses policies: %v", refused)
	}
	state, err := w.Settled(ctx)
	if err != nil {
		return err
	}
	if len(state.Refused) > 0 {
		return fmt.Errorf("the API server refuses the webhooks: %v", state.Refused)
	}
	return w.Until(ctx, func(s *cluster.Snapshot) error { return lacking(s, state, r.ending) })
}

// lacking says what Ambit has not heard of yet.
func lacking(s *cluster.Snapshot, state *controller.State, ending string) error {
	have := map[string]bool{}
	marked := 0
	for _, p := range s.Policies.Policies() {
		have[p.Entry] = true
		if strings.HasSuffix(p.Name, ending) {
			marked++
		}
	}
	for _, wh := range state.Validating.Webhooks {
		if !have[wh.Name] {
			return fmt.Errorf("Ambit lacks the webhook %s", wh.Name)
		}
	}
	for _, wh := range state.Mutating.Webhooks {
		if !have[wh.Name] {
			return fmt.Errorf("Ambit lacks the webhook %s", wh.Name)
		}
	}
	if all, err := policies(false, ending); err != nil || marked < len(all)-1 { // The exception is no policy.
		return fmt.Errorf("Ambit has %d of %d policies: %v", marked, len(all)-1, err)
	}
	return nil
}

// send sends a request.
func (w *world) send(ctx context.Context, r request) (oracle.Answer, error) {
	call, err := r.call()
	if err != nil {
		return oracle.Answer{}, err
	}
	return w.client.Do(ctx, call)
}
