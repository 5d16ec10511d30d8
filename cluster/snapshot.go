// Package cluster says where a snapshot comes from: a real cluster that is watched, manifests on disk, or objects
// that are part of the program. Behind all of them stands one type, Snapshot, so that no page and no command needs to
// know which it is.
//
// Ambit only reads: get, list and watch, and the access reviews that answer what somebody may do.
package cluster

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/manifest"
)

// Snapshot is facts and compiled policies at one moment, with what is known about where they come from. It is
// immutable.
type Snapshot struct {
	Facts    *scope.Facts
	Policies *scope.Set
	// Namespaces are the namespaces that are known, sorted by name. Facts says whether there may be others.
	Namespaces []*corev1.Namespace
	// Identities are known in a snapshot that is followed or made of manifests; ReadOnce leaves them out.
	Identities Identities
	// Population has no objects where the source was not asked for them.
	Population Population
	About      About
}

// About says where a snapshot comes from, how old it is and what is missing in it.
type About struct {
	// Source names where the snapshot comes from, such as "cluster staging-eu" or "3 files in ./policies".
	Source string
	Kind   SourceKind
	// Version is the version of the API server whose behaviour is shown, such as v1.37.2.
	Version string
	// Read is when the snapshot last took something in: a change in the cluster, or the files.
	Read time.Time
	// Stale is a sentence that says since when the source cannot be followed and why. It is empty as long as every
	// change is seen.
	Stale string
	// Syncing lists what is still being read for the first time. The snapshot is partial until it is empty.
	Syncing []Progress
	// Gaps are sentences about what cannot be read and what that means.
	Gaps []string
	// Unread are the kinds of which a running cluster may have objects that are not in the snapshot: they cannot be
	// read, have not all been read yet, or could not be understood.
	Unread []schema.GroupKind
	// Undiscovered are the group versions of which the API server could not say which resources they have.
	Undiscovered []schema.GroupVersion
	// Problems are documents and fields that could not be understood.
	Problems []manifest.Problem
	// Counts says how many objects there are of each kind that matters here, in a fixed order.
	Counts []Count
}

// SourceKind tells the kinds of sources apart.
type SourceKind string

// A snapshot comes from a running cluster, from manifests, or from the sample that is part of the program.
const (
	Live      SourceKind = "live"
	Manifests SourceKind = "manifests"
	Sample    SourceKind = "sample"
)

// Progress says how much of something has been read so far.
type Progress struct {
	// Name is the plural of the kind: Namespaces.
	Name  string
	Count int
}

// Count says how many objects there are of a kind.
type Count struct {
	// Name is the plural of the kind: Namespaces.
	Name  string
	Count int
}

// Source gives snapshots and tells when there is a new one.
type Source interface {
	// Snapshot returns the newest snapshot, never nil. It may be partial as long as About.Syncing says so.
	Snapshot() *Snapshot
	// Subscribe returns a channel that gets a value when there is a newer snapshot than at the last receive. Changes
	// that come in faster than they are received become one. Cancel ends the subscription.
	Subscribe() (changes <-chan struct{}, cancel func())
}
