package views

import (
	"strings"
	"testing"
)

// The wanted lines are those of "diff -U 5", whose marks for the places are an ellipsis here.
func TestDiffLines(t *testing.T) {
	far := "1\n2\n3\n4\n5\n6\n7\n"
	for _, c := range []struct{ name, first, second, want string }{
		{"nothing", "", "", ""},
		{"the same", "a\nb\n", "a\nb\n", "…"},
		{"added at the end", "a\n", "a\nb\n", " a|+b"},
		{"removed", "a\nb\nc\n", "a\nc\n", " a|-b| c"},
		{"changed", "a\nb\nc\n", "a\nx\nc\n", " a|-b|+x| c"},
		{"one side alone", "", "a\nb\n", "+a|+b"},
		{"far from what is the same", far + "a\n" + far, far + "b\n" + far, "…| 3| 4| 5| 6| 7|-a|+b| 1| 2| 3| 4| 5|…"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, l := range diffLines(c.first, c.second) {
				got = append(got, l.Sign+l.Text)
			}
			if strings.Join(got, "|") != c.want {
				t.Errorf("got %q, want %q", strings.Join(got, "|"), c.want)
			}
		})
	}
}
