package main

import (
	"context"
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/coverage"
)

// writeCoverageJSON writes the document of the contract as JSON.
func writeCoverageJSON(_ context.Context, w io.Writer, a coverageAnswer) error {
	return encodeJSON(w, coverage.NewDocument(a.Result))
}

// writeCoverageYAML writes the document of the contract as YAML.
func writeCoverageYAML(_ context.Context, w io.Writer, a coverageAnswer) error {
	data, err := yaml.Marshal(coverage.NewDocument(a.Result))
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

// writeCoverageCSV writes a line for each policy. Policies have different layers, so every
// layer that occurs has its column; it is empty for a policy without that layer.
func writeCoverageCSV(_ context.Context, w io.Writer, a coverageAnswer) error {
	d := coverage.NewDocument(a.Result)
	layers := layersOf(d)
	head := []string{"kind", "namespace", "name", "entry", "applicable", "included", "excluded", "error", "unknown"}
	for _, layer := range layers {
		head = append(head, "remaining after "+string(layer))
	}
	out := csv.NewWriter(w)
	if err := out.Write(head); err != nil {
		return err
	}
	for _, p := range d.Policies {
		line := []string{p.Kind, p.Namespace, p.Name, p.Entry}
		for _, n := range []int{p.Applicable, p.Included, p.Applicable - p.Included - p.Error - p.Unknown, p.Error, p.Unknown} {
			line = append(line, strconv.Itoa(n))
		}
		remaining := make([]string, len(layers))
		for _, f := range p.Funnel {
			remaining[slices.Index(layers, f.Layer)] = strconv.Itoa(f.Remaining)
		}
		if err := out.Write(append(line, remaining...)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// layersOf lists the layers of all policies, each where it comes among those of its policy.
func layersOf(d coverage.Document) []scope.LayerName {
	var all []scope.LayerName
	for _, p := range d.Policies {
		next := 0
		for _, f := range p.Funnel {
			at := slices.Index(all, f.Layer)
			if at < 0 {
				at = next
				all = slices.Insert(all, at, f.Layer)
			}
			next = at + 1
		}
	}
	return all
}
