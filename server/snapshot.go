package server

import (
	"runtime"
	"time"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/views"
)

// described is a snapshot with its policies put into words, and with what was found out about
// its population, which goes when it does.
type described struct {
	*cluster.Snapshot
	Catalog *views.Catalog
	results recent[*sharedResult]
}

// current returns the newest snapshot. The policies are put into words once per snapshot
// and not once per page.
func (s *server) current() *described {
	now := s.Source.Snapshot()
	if d := s.catalog.Load(); d != nil && d.Snapshot == now {
		return d
	}
	s.describes.Lock()
	defer s.describes.Unlock()
	if d := s.catalog.Load(); d != nil && d.Snapshot == now {
		return d
	}
	d := &described{Snapshot: now}
	if last := s.catalog.Load(); last != nil && last.Policies == now.Policies && sameNamespaces(last.Snapshot, now) {
		d.Catalog = last.Catalog
	} else {
		d.Catalog = views.NewCatalog(now.Policies.Policies(), now.Namespaces)
	}
	s.catalog.Store(d)
	return d
}

// sameNamespaces reports whether two snapshots hold the very same namespaces.
func sameNamespaces(a, b *cluster.Snapshot) bool {
	if len(a.Namespaces) != len(b.Namespaces) {
		return false
	}
	for i := range a.Namespaces {
		if a.Namespaces[i] != b.Namespaces[i] {
			return false
		}
	}
	return true
}

// fresh says where the facts of a snapshot come from and how old they are.
func fresh(a cluster.About) views.Fresh {
	f := views.Fresh{
		Source: a.Source, Kind: string(a.Kind), Version: a.Version, Read: a.Read, Now: time.Now(),
		Stale: a.Stale, Gaps: len(a.Gaps) + len(a.Problems),
	}
	for _, p := range a.Syncing {
		f.Syncing = append(f.Syncing, views.Counted{Name: p.Name, Count: p.Count})
	}
	return f
}

// parallelEvaluations leaves a processor for everything else.
func parallelEvaluations() int { return max(1, runtime.GOMAXPROCS(0)-1) }
