package compare

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/conformance/kubernetes/apiserver"
	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/oracle"
	"github.com/ambit-k8s/ambit/scope"
)

// session is one API server, with Ambit watching it.
type session struct {
	server *apiserver.Server
	oracle *oracle.Oracle
	ambit  cluster.Source
	// leave makes Ambit stop watching.
	leave   context.CancelFunc
	dynamic dynamic.Interface
	mapper  *restmapper.DeferredDiscoveryRESTMapper
}

// start starts an API server below a folder, and Ambit.
func start(ctx context.Context, dir string) (_ *session, err error) {
	s := &session{}
	ctx, s.leave = context.WithCancel(ctx)
	// The server has a context of its own, so that it is always ended by stop, in order.
	if s.server, err = apiserver.Start(context.WithoutCancel(ctx), dir); err != nil {
		return nil, fmt.Errorf("start API server: %w", err)
	}
	defer func() {
		if err != nil {
			s.stop()
		}
	}()
	if s.oracle, err = oracle.New(s.server.Config); err != nil {
		return nil, err
	}
	quiet := rest.CopyConfig(s.server.Config)
	quiet.WarningHandler = rest.NoWarnings{}
	if s.dynamic, err = dynamic.NewForConfig(quiet); err != nil {
		return nil, fmt.Errorf("make client: %w", err)
	}
	found, err := discovery.NewDiscoveryClientForConfig(quiet)
	if err != nil {
		return nil, fmt.Errorf("make discovery client: %w", err)
	}
	s.mapper = restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(found))

	kubeconfig := filepath.Join(dir, "kubeconfig")
	if err := s.server.WriteKubeconfig(kubeconfig); err != nil {
		return nil, err
	}
	flags := genericclioptions.NewConfigFlags(true)
	flags.KubeConfig = &kubeconfig
	if s.ambit, err = cluster.WatchLive(ctx, flags); err != nil {
		return nil, fmt.Errorf("start Ambit: %w", err)
	}
	return s, nil
}

// stop ends the API server. A connection over which somebody watches would keep it for a minute.
func (s *session) stop() error {
	s.leave()
	if s.oracle != nil {
		s.oracle.Recorder.Stop()
	}
	return s.server.Stop()
}

// caughtUp waits until Ambit has seen all policies of a set and no others of those that are installed by rounds, and
// returns its snapshot.
func (s *session) caughtUp(ctx context.Context, p *oracle.Policies) (*cluster.Snapshot, error) {
	want := append(policyIDs(p), sentinelIDs(s.oracle.SentinelName(), p)...)
	slices.Sort(want)
	err := s.until(ctx, func(snapshot *cluster.Snapshot) error {
		missing, extra := unlike(want, snapshot)
		if len(missing)+len(extra)+len(snapshot.About.Syncing) > 0 || snapshot.About.Stale != "" {
			return fmt.Errorf("not what is installed: Ambit lacks %v, still has %v, syncing %v, %s", missing, extra, snapshot.About.Syncing, snapshot.About.Stale)
		}
		return nil
	})
	return s.ambit.Snapshot(), err
}

// until waits until Ambit's snapshot is as it should be.
func (s *session) until(ctx context.Context, wrong func(*cluster.Snapshot) error) error {
	changes, cancel := s.ambit.Subscribe()
	defer cancel()
	ctx, stop := context.WithTimeout(ctx, 30*time.Second)
	defer stop()
	for {
		err := wrong(s.ambit.Snapshot())
		if err == nil {
			return nil
		}
		select {
		case <-changes:
		case <-ctx.Done():
			return fmt.Errorf("wait for Ambit: %w", err)
		}
	}
}

// unlike compares the policies of a snapshot with those that are wanted. The objects that requests are about are
// policies, too; they are called as all of these objects.
func unlike(want []string, s *cluster.Snapshot) (missing, extra []string) {
	have := map[string]bool{}
	for _, p := range s.Policies.Policies() {
		if p.Phase == scope.FlowControl {
			continue // The server has FlowSchemas of its own; they are compared elsewhere.
		}
		have[p.ID()] = true
		if _, ok := slices.BinarySearch(want, p.ID()); !ok && !pooled(p.Name) {
			extra = append(extra, p.ID())
		}
	}
	for _, id := range want {
		if !have[id] {
			missing = append(missing, id)
		}
	}
	return missing, extra
}

// pooled reports whether a name is that of an object that requests are about.
func pooled(name string) bool {
	return name == "web" || name == "admin" || strings.HasPrefix(name, "fresh-") || strings.HasPrefix(name, "generated-")
}

// policyIDs returns the identifiers by which Ambit knows the policies.
func policyIDs(p *oracle.Policies) []string {
	var ids []string
	for _, c := range p.ValidatingWebhooks {
		for _, w := range c.Webhooks {
			ids = append(ids, string(oracle.ValidatingWebhooks)+"/"+c.Name+"/"+w.Name)
		}
	}
	for _, c := range p.MutatingWebhooks {
		for _, w := range c.Webhooks {
			ids = append(ids, string(oracle.MutatingWebhooks)+"/"+c.Name+"/"+w.Name)
		}
	}
	bound := map[string]bool{}
	for _, b := range p.ValidatingBindings {
		ids = append(ids, string(oracle.ValidatingPolicies)+"/"+b.Spec.PolicyName+"/"+b.Name)
		bound["v"+b.Spec.PolicyName] = true
	}
	for _, b := range p.MutatingBindings {
		ids = append(ids, string(oracle.MutatingPolicies)+"/"+b.Spec.PolicyName+"/"+b.Name)
		bound["m"+b.Spec.PolicyName] = true
	}
	for _, v := range p.ValidatingPolicies {
		if !bound["v"+v.Name] {
			ids = append(ids, string(oracle.ValidatingPolicies)+"/"+v.Name)
		}
	}
	for _, m := range p.MutatingPolicies {
		if !bound["m"+m.Name] {
			ids = append(ids, string(oracle.MutatingPolicies)+"/"+m.Name)
		}
	}
	return ids
}

func sentinelIDs(name string, p *oracle.Policies) []string {
	ids := []string{
		string(oracle.ValidatingWebhooks) + "/" + name + "/sentinel.ambit.invalid",
		string(oracle.MutatingWebhooks) + "/" + name + "/sentinel.ambit.invalid",
		string(oracle.ValidatingPolicies) + "/" + name + "/" + name,
	}
	if len(p.MutatingPolicies) > 0 {
		ids = append(ids, string(oracle.MutatingPolicies)+"/"+name+"/"+name)
	}
	return ids
}

// resource finds the resource of a kind, which may have been defined a moment ago.
func (s *session) resource(ctx context.Context, gvk schema.GroupVersionKind) (*meta.RESTMapping, error) {
	var last error
	for range 100 {
		mapping, err := s.mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
		if err == nil {
			return mapping, nil
		}
		last = err
		s.mapper.Reset()
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return nil, fmt.Errorf("find resource: %w", last)
}
