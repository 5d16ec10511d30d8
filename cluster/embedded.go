package cluster

import (
	"fmt"
	"io/fs"
	"time"

	"github.com/ambit-k8s/ambit/scope/manifest"
)

// FromFS reads the manifests in the root of a file system that is part of a program, and treats them as the cluster as
// LoadManifests does. Name and kind say what to call it.
func FromFS(files fs.FS, name string, kind SourceKind, opts Options) (*Snapshot, error) {
	paths, err := fs.Glob(files, "*.yaml")
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", name, err)
	}
	var documents []manifest.Document
	var problems []manifest.Problem
	for _, path := range paths {
		data, err := fs.ReadFile(files, path)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		found, wrong := manifest.Read(path, data, fileLimit)
		documents, problems = append(documents, found...), append(problems, wrong...)
	}
	opts = opts.complete()
	s := newManifests(documents, opts, nil).snapshot(newCompilers(opts.Kyverno))
	s.About.Source, s.About.Kind, s.About.Read = name, kind, time.Now()
	s.About.Problems = append(problems, s.About.Problems...)
	return s, nil
}
