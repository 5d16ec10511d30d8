package cluster

import (
	"context"
	"fmt"
	"io"
	"time"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/ambit-k8s/ambit/scope/builtin"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// Options are what manifests leave open.
type Options struct {
	// Version is the version of the API server whose behaviour is wanted; nil is builtin.Version.
	Version *version.Version
	// Kyverno is the release of Kyverno whose behaviour is wanted; nothing is release.Default.
	Kyverno release.Release
	// Namespace is where a namespaced object without a namespace goes; empty is default.
	Namespace string
	// Population takes the documents for the objects that exist, too. It is of use where coverage is asked for, and costs
	// the time to look into each of them.
	Population bool
}

func (o Options) complete() Options {
	if o.Version == nil {
		o.Version = version.MustParseGeneric(builtin.Version)
	}
	if o.Kyverno == (release.Release{}) {
		o.Kyverno = release.Default
	}
	if o.Namespace == "" {
		o.Namespace = "default"
	}
	return o
}

// fileLimit is the size of the largest file that is read. The whole population of a cluster may be in one.
const fileLimit = 1 << 30

// LoadManifests reads manifests once and treats them as the cluster: if there is a Namespace among them, these are all
// that exist. A path that cannot be read is an error; what cannot be understood in a file is a problem of the
// snapshot.
func LoadManifests(ctx context.Context, paths []string, recursive bool, stdin io.Reader, opts Options) (*Snapshot, error) {
	l, err := newLoader(paths, recursive, stdin, opts)
	if err != nil {
		return nil, err
	}
	if _, err := l.load(ctx); err != nil {
		return nil, err
	}
	return l.snapshot(), nil
}

// loader reads the manifests of some paths, again and again if need be. It remembers files and compiled expressions.
type loader struct {
	paths     []string
	recursive bool
	opts      Options
	compilers compilers
	// input is what came from standard input, which can be read once only.
	input   *file
	listing listing
	files   map[string]*file
	// resources are those of the last snapshot.
	resources *resource.Set
}

func newLoader(paths []string, recursive bool, stdin io.Reader, opts Options) (*loader, error) {
	opts = opts.complete()
	l := &loader{paths: paths, recursive: recursive, opts: opts, compilers: newCompilers(opts.Kyverno), files: map[string]*file{}}
	for _, path := range paths {
		if path != standardInput || l.input != nil {
			continue
		}
		data, err := io.ReadAll(io.LimitReader(stdin, fileLimit+1))
		if err != nil {
			return nil, fmt.Errorf("standard input cannot be read: %w", err)
		}
		l.input = &file{}
		l.input.documents, l.input.problems = manifest.Read("standard input", data, fileLimit)
	}
	return l, nil
}

// load reads the files that are new or have changed, and reports whether there were any or some went away.
func (l *loader) load(ctx context.Context) (changed bool, err error) {
	found, err := list(l.paths, l.recursive)
	if err != nil {
		return false, err
	}
	files := make(map[string]*file, len(found.files))
	for _, path := range found.files {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		before := l.files[path]
		now := readFile(path, before)
		if before == nil && now.err != nil && found.named[path] {
			return false, now.err
		}
		changed = changed || now != before
		files[path] = now
	}
	changed = changed || len(files) != len(l.files)
	l.listing, l.files = found, files
	return changed, nil
}

// snapshot makes a snapshot of what was read last.
func (l *loader) snapshot() *Snapshot { return l.made(l.read()) }

// read returns what was read last.
func (l *loader) read() (documents []manifest.Document, problems []manifest.Problem) {
	add := func(f *file) {
		documents = append(documents, f.documents...)
		problems = append(problems, f.problems...)
	}
	if l.input != nil {
		add(l.input)
	}
	for _, path := range l.listing.files {
		add(l.files[path])
	}
	return documents, problems
}

// made makes a snapshot of documents.
func (l *loader) made(documents []manifest.Document, problems []manifest.Problem) *Snapshot {
	m := newManifests(documents, l.opts, l.resources)
	l.resources = m.resources
	s := m.snapshot(l.compilers)
	s.About.Source = sourceName(l.paths, len(l.listing.files))
	s.About.Problems = append(problems, s.About.Problems...)
	s.About.Read = time.Now()
	return s
}
