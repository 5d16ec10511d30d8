// Package release has the releases of Kyverno whose behaviour Ambit knows, and what changed between them as far as it
// decides scope.
package release

import (
	"fmt"
	"strconv"
	"strings"
)

// Release is a release of Kyverno.
type Release struct{ Major, Minor, Patch int }

// Default is the release that is meant where none is named.
var Default = Release{1, 19, 1}

// oldest and newest are the ends of what is supported.
var oldest, newest = Release{1, 16, 0}, Release{1, 19, 1}

// Parse reads a release: 1.19.1, v1.19.1, or 1.18 for the newest known patch of a minor release. The error is a
// sentence that says what is supported.
func Parse(text string) (Release, error) {
	parts := strings.Split(strings.TrimPrefix(strings.TrimSpace(text), "v"), ".")
	var numbers [3]int
	if len(parts) < 2 || len(parts) > 3 {
		return Release{}, unsupported(text)
	}
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 16)
		if err != nil {
			return Release{}, unsupported(text)
		}
		numbers[i] = int(n)
	}
	r := Release{numbers[0], numbers[1], numbers[2]}
	if len(parts) == 2 {
		r.Patch = latest[r.Minor]
	}
	if r.before(oldest) || newest.before(r) {
		return Release{}, unsupported(text)
	}
	return r, nil
}

// latest is the newest patch of each minor release that Ambit knows something of.
var latest = map[int]int{16: 4, 17: 2, 18: 2, 19: 1}

func unsupported(text string) error {
	const message = "%q is no release of Kyverno that Ambit knows: give one from %s to %s, such as %s"
	return fmt.Errorf(message, text, oldest, newest, Default)
}

// String is the release without a leading v.
func (r Release) String() string { return fmt.Sprintf("%d.%d.%d", r.Major, r.Minor, r.Patch) }

func (r Release) before(o Release) bool {
	switch {
	case r.Major != o.Major:
		return r.Major < o.Major
	case r.Minor != o.Minor:
		return r.Minor < o.Minor
	}
	return r.Patch < o.Patch
}

// AtLeast reports whether the release is this one or a later one.
func (r Release) AtLeast(major, minor, patch int) bool {
	return !r.before(Release{major, minor, patch})
}

// Grouped reports whether webhooks of policies that are written in CEL are grouped by their selectors
// (pkg/controllers/webhook, groupBySelectors). Before, all policies of a kind share one webhook, which carries the
// selectors of the one that was written last.
func (r Release) Grouped() bool { return r.AtLeast(1, 19, 0) }

// Sorted reports whether the rules and the webhooks of a configuration are sorted, and the names of webhooks for one
// policy have its namespace. The change is in 1.18 and was brought to the last patches of the releases before it: the
// sources of 1.17.1 and 1.17.2 differ in it; that 1.16.4 has it follows from reports of the crash that came with it.
func (r Release) Sorted() bool {
	switch r.Minor {
	case 16:
		return r.Patch >= 4
	case 17:
		return r.Patch >= 2
	}
	return true
}
