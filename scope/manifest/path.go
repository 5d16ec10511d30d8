package manifest

import (
	"strconv"
	"strings"
)

// segment is one step of a path: a key of a mapping or an index of a list.
type segment struct {
	key     string
	index   int
	isIndex bool
}

// parsePath takes a path apart. Keys that are no plain words stand in brackets and
// quotes: metadata.labels["app.kubernetes.io/name"]. It returns the segments before the
// first thing that is no path, and false if there is such a thing.
func parsePath(path string) ([]segment, bool) {
	var segments []segment
	for path != "" {
		if path[0] == '[' {
			s, rest, ok := bracket(path)
			if !ok {
				return segments, false
			}
			segments, path = append(segments, s), rest
		} else {
			end := strings.IndexAny(path, ".[")
			if end < 0 {
				end = len(path)
			}
			if end == 0 {
				return segments, false
			}
			segments, path = append(segments, segment{key: path[:end]}), path[end:]
		}
		if rest, ok := strings.CutPrefix(path, "."); ok {
			if path = rest; path == "" {
				return segments, false
			}
		}
	}
	return segments, true
}

// bracket reads [0], ["key"] or ['key'] at the beginning of a path.
func bracket(path string) (s segment, rest string, ok bool) {
	path = path[1:]
	if path == "" {
		return s, "", false
	}
	switch path[0] {
	case '"':
		quoted, err := strconv.QuotedPrefix(path)
		if err != nil {
			return s, "", false
		}
		if s.key, err = strconv.Unquote(quoted); err != nil {
			return s, "", false
		}
		rest = path[len(quoted):]
	case '\'':
		s.key, rest, ok = strings.Cut(path[1:], "'")
		if !ok {
			return s, "", false
		}
	default:
		digits, after, ok := strings.Cut(path, "]")
		index, err := strconv.Atoi(digits)
		return segment{index: index, isIndex: true}, after, ok && err == nil && index >= 0
	}
	rest, ok = strings.CutPrefix(rest, "]")
	return s, rest, ok
}
