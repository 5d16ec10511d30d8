package fill

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope"
)

// rounds is how often each way is measured; the middle one counts.
const rounds = 5

// reading is how one process read a cluster.
type reading struct {
	Objects int
	// Bare is the time of the bare lists, and Filled that of Ambit from nothing to the whole population.
	Bare, Filled time.Duration
	// Heap is what the process holds on to for the snapshots, in bytes.
	Heap int64
}

// read reads the cluster of a kubeconfig in both ways, in turn.
func read(ctx context.Context, kubeconfig string) (reading, error) {
	flags := genericclioptions.NewConfigFlags(false)
	flags.KubeConfig = &kubeconfig
	config, err := flags.ToRESTConfig()
	if err != nil {
		return reading{}, err
	}
	config.QPS, config.WarningHandler = -1, rest.NoWarnings{}
	var r reading
	var bare, filled []time.Duration
	for range rounds {
		before := heap()
		began := time.Now()
		s, stop, err := fill(ctx, flags)
		if err != nil {
			return reading{}, err
		}
		filled = append(filled, time.Since(began))
		r.Objects, r.Heap = s.Population.Len(), heap()-before
		runtime.KeepAlive(s)
		stop()

		began = time.Now()
		if err := list(ctx, config, s.Population, looksInside(s)); err != nil {
			return reading{}, err
		}
		bare = append(bare, time.Since(began))
	}
	slices.Sort(bare)
	slices.Sort(filled)
	r.Bare, r.Filled = bare[rounds/2], filled[rounds/2]
	return r, nil
}

// heap is what lives after a collection.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// fill follows the cluster until its whole population is there.
func fill(ctx context.Context, flags *genericclioptions.ConfigFlags) (*cluster.Snapshot, func(), error) {
	ctx, stop := context.WithCancel(ctx)
	source, err := cluster.WatchLive(ctx, flags, cluster.WithPopulation(cluster.PopulationOptions{Depth: cluster.PopulationFull, LeaveOut: cluster.LeftOutByDefault}))
	if err != nil {
		stop()
		return nil, nil, err
	}
	changes, end := source.Subscribe()
	defer end()
	late := time.After(10 * time.Minute)
	for {
		if s := source.Snapshot(); len(s.About.Syncing) == 0 && s.Population.Complete() {
			return s, stop, nil
		}
		select {
		case <-changes:
		case <-late:
			stop()
			return nil, nil, fmt.Errorf("the population is not complete: %+v", source.Snapshot().Population.Resources)
		}
	}
}

// list lists the same objects page by page, as many resources at the same time as Ambit does: the metadata, and of Pods
// the whole objects where there is a policy that looks into them.
func list(ctx context.Context, config *rest.Config, p cluster.Population, looksInside bool) error {
	partial, err := metadata.NewForConfig(config)
	if err != nil {
		return err
	}
	whole, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	slots := make(chan struct{}, 4)
	errs := make(chan error, len(p.Resources))
	var all sync.WaitGroup
	for _, r := range p.Resources {
		if r.State != cluster.Read {
			continue
		}
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			next := func(o metav1.ListOptions) (metav1.ListInterface, error) {
				return partial.Resource(r.GroupVersionResource).List(ctx, o)
			}
			if r.Resource == "pods" && looksInside {
				next = func(o metav1.ListOptions) (metav1.ListInterface, error) {
					return whole.Resource(r.GroupVersionResource).List(ctx, o)
				}
			}
			errs <- pages(next)
		})
	}
	all.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// pages lists one resource to the end.
func pages(next func(metav1.ListOptions) (metav1.ListInterface, error)) error {
	o := metav1.ListOptions{Limit: 500}
	for {
		l, err := next(o)
		if err != nil || l.GetContinue() == "" {
			return err
		}
		o.Continue = l.GetContinue()
	}
}

// looksInside reports whether there is the policy that looks into Pods.
func looksInside(s *cluster.Snapshot) bool {
	for _, p := range s.Policies.Policies() {
		if p.Phase != scope.FlowControl {
			return true
		}
	}
	return false
}
