package cluster

import (
	"context"
	"io"
	"reflect"
	"slices"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/manifest"
)

// Change is policies before a change and after it, each as the cluster that has them.
type Change struct {
	Before, After *Snapshot
	// FactsDiffer says that the two differ in more than policies.
	FactsDiffer bool
}

// LoadChange reads the policies before a change and after it, each from the manifests of one path. What lies in the paths
// beside them is the rest of both clusters: namespaces, parameters, definitions and other objects, but none of its policies.
// An object that lies in both is the one that lies with the policies.
func LoadChange(ctx context.Context, before, after string, beside []string, recursive bool, stdin io.Reader, opts Options) (*Change, error) {
	rest, err := newLoader(beside, recursive, stdin, opts)
	if err != nil {
		return nil, err
	}
	if _, err := rest.load(ctx); err != nil {
		return nil, err
	}
	c := &Change{}
	var facts [2][]manifest.Document
	for i, side := range []struct {
		path string
		to   **Snapshot
	}{{before, &c.Before}, {after, &c.After}} {
		l, err := newLoader([]string{side.path}, recursive, stdin, opts)
		if err != nil {
			return nil, err
		}
		if _, err := l.load(ctx); err != nil {
			return nil, err
		}
		l.compilers = rest.compilers
		if c.Before != nil {
			l.resources = c.Before.Facts.Resources
		}
		*side.to, facts[i] = l.snapshotBeside(rest)
	}
	c.FactsDiffer = !sameObjects(facts[0], facts[1])
	return c, nil
}

// snapshotBeside makes a snapshot of what was read last, and of what another loader read. It also returns the documents
// of which no policies are made.
func (l *loader) snapshotBeside(rest *loader) (s *Snapshot, facts []manifest.Document) {
	documents, problems := l.read()
	own := map[objectKey]bool{}
	for _, d := range documents {
		own[keyOf(d)] = true
	}
	around, more := rest.read()
	for _, d := range around {
		if !isPolicy(d) && !own[keyOf(d)] {
			documents = append(documents, d)
		}
	}
	for _, d := range documents {
		if !isPolicy(d) {
			facts = append(facts, d)
		}
	}
	return l.made(documents, append(problems, more...)), facts
}

// isPolicy reports whether policies are made of a document. The settings with which they are read are facts.
func isPolicy(d manifest.Document) bool {
	k, ok := kindOf(d.Object.GroupVersionKind().GroupKind())
	return ok && k.Named == "" && slices.ContainsFunc(policyKinds, func(p scope.ObjectKind) bool { return p.GroupKind == k.GroupKind })
}

// sameObjects reports whether two lists have the same objects, in any order; several of one name in the same one.
func sameObjects(a, b []manifest.Document) bool {
	byKey := func(documents []manifest.Document) map[objectKey][]map[string]any {
		objects := map[objectKey][]map[string]any{}
		for _, d := range documents {
			objects[keyOf(d)] = append(objects[keyOf(d)], d.Object.Object)
		}
		return objects
	}
	return reflect.DeepEqual(byKey(a), byKey(b))
}
