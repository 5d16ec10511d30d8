package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"strings"
)

// regenerate is the header field of a generated file.
const regenerate = "cd conformance/kubernetes && go run ./cmd/snapshot"

// section is one member of a data file: an object or array with one element a line, so that the difference between
// two versions of Kubernetes can be read.
type section struct {
	name    string
	open    string
	lines   []string
	closing string
}

// array makes a section from a slice.
func array[T any](name string, elements []T) (section, error) {
	s := section{name: name, open: "[", closing: "]"}
	for _, element := range elements {
		line, err := json.Marshal(element)
		if err != nil {
			return section{}, fmt.Errorf("write %s: %w", name, err)
		}
		s.lines = append(s.lines, string(line))
	}
	return s, nil
}

// object makes a section from a map, in the order of its keys.
func object[T any](name string, members map[string]T) (section, error) {
	s := section{name: name, open: "{", closing: "}"}
	for _, key := range slices.Sorted(maps.Keys(members)) {
		value, err := json.Marshal(members[key])
		if err != nil {
			return section{}, fmt.Errorf("write %s: %w", name, err)
		}
		s.lines = append(s.lines, fmt.Sprintf("%q: %s", key, value))
	}
	return s, nil
}

// writeFile writes a data file with a header that says where it comes from.
func writeFile(path string, sections ...section) error {
	version, err := kubernetesVersion()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n\"version\": %q,\n\"generatedBy\": %q", version, regenerate)
	for _, s := range sections {
		fmt.Fprintf(&b, ",\n%q: %s\n%s\n%s", s.name, s.open, strings.Join(s.lines, ",\n"), s.closing)
	}
	b.WriteString("\n}\n")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("write data file: %w", err)
	}
	return nil
}

// kubernetesVersion is the version of k8s.io/kubernetes that this command was built with. The server itself only
// knows the version that a release build stamps into it.
func kubernetesVersion() (string, error) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", fmt.Errorf("this binary says nothing about its modules")
	}
	for _, module := range info.Deps {
		if module.Path == "k8s.io/kubernetes" {
			return strings.TrimPrefix(module.Version, "v"), nil
		}
	}
	return "", fmt.Errorf("this binary was built without k8s.io/kubernetes")
}
