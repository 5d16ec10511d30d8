// Package sample is a cluster that is part of the program: policies, namespaces and kinds of an invented company, so
// that everything Ambit does can be seen before it is pointed at a cluster of one's own.
package sample

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
)

//go:embed *.yaml
var objects embed.FS

//go:embed examples/*
var examples embed.FS

// Source returns the sample as a source that never changes.
func Source() (cluster.Source, error) { return Under(release.Default) }

// Under returns the sample as it would be under another release of Kyverno.
func Under(r release.Release) (cluster.Source, error) {
	s, err := cluster.FromFS(objects, "the built-in sample", cluster.Sample, cluster.Options{Population: true, Kyverno: r})
	if err != nil {
		return nil, err
	}
	return cluster.Fixed(s), nil
}

// Example is a request that shows something in the sample.
type Example struct {
	// Name names the example in a URL: pod-in-production.
	Name string
	// Title says what the example shows; it is the first line of the text, which is a comment.
	Title string
	// Text is what to paste.
	Text string
}

// Examples returns the examples in the order in which they should be offered.
func Examples() ([]Example, error) {
	files, err := fs.Glob(examples, "examples/*")
	if err != nil {
		return nil, fmt.Errorf("list the examples: %w", err)
	}
	all := make([]Example, 0, len(files))
	for _, file := range files {
		data, err := examples.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read an example: %w", err)
		}
		text := string(data)
		first, _, _ := strings.Cut(text, "\n")
		title, ok := strings.CutPrefix(first, "# ")
		if !ok {
			return nil, fmt.Errorf("the first line of %s is no comment", file)
		}
		all = append(all, Example{Name: nameOf(file), Title: title, Text: text})
	}
	return all, nil
}

// nameOf leaves out the folder, the number that orders the files and the extension.
func nameOf(file string) string {
	_, name, _ := strings.Cut(strings.TrimSuffix(file, path.Ext(file)), "-")
	return name
}
