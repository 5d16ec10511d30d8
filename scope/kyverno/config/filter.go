package config

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/ambit-k8s/ambit/scope/kyverno/kind"
)

var bracketed = regexp.MustCompile(`\[[^\[\]]*\]`)

// filters reads resourceFilters: whatever stands in brackets, kind first, then namespace and name (pkg/config/types.go,
// parseKinds). What is missing is the empty text. With more parts than three Kyverno repeats the filter before it.
func (c *Config) filters(text string) []Filter {
	var all []Filter
	var last Filter
	for _, written := range bracketed.FindAllString(text, -1) {
		parts := strings.Split(strings.Trim(written, "[]"), ",")
		if len(parts) <= 3 {
			parts = append(parts, "", "")
			last = filter(parts[0], parts[1], parts[2])
		} else {
			c.Problems = append(c.Problems, fmt.Sprintf("data.resourceFilters: %s has more parts than kind, namespace and "+
				"name, so that the filter before it stands in its place", written))
		}
		last.Written = written
		all = append(all, last)
	}
	return all
}

func filter(selector, namespace, name string) Filter {
	if selector == "" {
		return Filter{}
	}
	k := kind.Parse(selector)
	return Filter{
		Group: k.Group, Version: k.Version, Kind: k.Kind, Subresource: k.Subresource, Namespace: namespace, Name: name,
	}
}
