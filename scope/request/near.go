package request

import (
	"slices"
	"strings"
)

// near returns the few names that somebody who wrote a word may have meant, the likeliest
// first.
func near(word string, names []string) []string {
	const most = 3
	type guess struct {
		name string
		far  int
	}
	var all []guess
	for _, name := range names {
		far := distance(word, name)
		limit := max(1, len(word)/3)
		if strings.HasPrefix(name, word) && len(word) > 2 {
			far = min(far, limit)
		}
		if far <= limit {
			all = append(all, guess{name, far})
		}
	}
	slices.SortStableFunc(all, func(a, b guess) int { return a.far - b.far })
	var found []string
	for _, g := range all {
		if len(found) < most && !slices.Contains(found, g.name) {
			found = append(found, g.name)
		}
	}
	return found
}

// distance is the number of letters to add, drop, change or swap with the next one to turn
// one word into the other. Words that are too long to be names are far from everything.
func distance(a, b string) int {
	const longest = 64
	if len(a) > longest || len(b) > longest {
		return longest
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			changed := last[j-1]
			if a[i-1] != b[j-1] {
				changed++
			}
			row[j] = min(last[j]+1, row[j-1]+1, changed)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
