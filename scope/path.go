package scope

import (
	"strconv"
	"strings"
)

// SplitPath takes a path such as object.metadata.labels["app"] apart into its names.
func SplitPath(path string) []string {
	var names []string
	for path != "" {
		if rest, ok := strings.CutPrefix(path, "["); ok {
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return append(names, path)
			}
			name, err := strconv.Unquote(quoted)
			if err != nil {
				return append(names, path)
			}
			names = append(names, name)
			path = strings.TrimPrefix(strings.TrimPrefix(rest[len(quoted):], "]"), ".")
			continue
		}
		end := strings.IndexAny(path, ".[")
		if end < 0 {
			return append(names, path)
		}
		names = append(names, path[:end])
		path = strings.TrimPrefix(path[end:], ".")
	}
	return names
}

// Overlap reports whether one path leads to the other: what is said of the shorter one
// then concerns the longer one.
func Overlap(a, b []string) bool {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
