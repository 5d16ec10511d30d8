// Command snapshot writes what a real API server serves and fills in to the data files of scope/builtin. Run it in
// conformance/kubernetes: go run ./cmd/snapshot
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/apiserver"
	"github.com/ambit-k8s/ambit/conformance/kubernetes/defaulting"
	"github.com/ambit-k8s/ambit/scope/builtin"
)

func main() {
	out := flag.String("out", filepath.FromSlash("../../scope/builtin"), "the folder of package builtin")
	flag.Parse()
	if err := run(context.Background(), *out); err != nil {
		fmt.Fprintln(os.Stderr, "snapshot:", err)
		os.Exit(1)
	}
}

// run starts a server with its default runtime configuration and writes resources.json from what it serves, and
// defaults.json from what it fills into the kinds that it serves.
func run(ctx context.Context, out string) error {
	dir, err := os.MkdirTemp("", "ambit-snapshot-")
	if err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	defer os.RemoveAll(dir)
	server, err := apiserver.Start(ctx, dir)
	if err != nil {
		return err
	}
	defer server.Stop()

	resources, err := builtinResources(server)
	if err != nil {
		return err
	}
	if err := writeResources(filepath.Join(out, "resources.json"), resources, cohabiting(server)); err != nil {
		return err
	}
	return writeDefaults(filepath.Join(out, "defaults.json"), resources)
}

func writeResources(path string, resources []builtin.Resource, cohabiting [][]schema.GroupResource) error {
	sets, err := array("cohabiting", cohabiting)
	if err != nil {
		return err
	}
	list, err := array("resources", resources)
	if err != nil {
		return err
	}
	return writeFile(path, sets, list)
}

func writeDefaults(path string, resources []builtin.Resource) error {
	table, err := defaulting.Derive(kindsOf(resources))
	if err != nil {
		return fmt.Errorf("derive defaults: %w", err)
	}
	kinds, err := object("kinds", table.Kinds)
	if err != nil {
		return err
	}
	types, err := object("types", table.Types)
	if err != nil {
		return err
	}
	return writeFile(path, kinds, types)
}

// kindsOf returns the kinds of all requests to the resources, each once.
func kindsOf(resources []builtin.Resource) []schema.GroupVersionKind {
	var kinds []schema.GroupVersionKind
	for _, r := range resources {
		if !slices.Contains(kinds, r.Kind) {
			kinds = append(kinds, r.Kind)
		}
	}
	return kinds
}
