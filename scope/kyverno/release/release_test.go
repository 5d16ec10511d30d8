package release_test

import (
	"strings"
	"testing"

	"github.com/ambit-k8s/ambit/scope/kyverno/release"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"1.19.1": "1.19.1", "v1.19.0": "1.19.0", " 1.16.0 ": "1.16.0", "1.18": "1.18.2", "1.19": "1.19.1", "1.18.9": "1.18.9",
		"1.15.3": "", "1.19.2": "", "1.20": "", "2.0": "", "": "", "latest": "", "1.19.1.0": "", "1.-1.0": "", "1.19.1-rc.1": "", "1": "",
	} {
		got, err := release.Parse(text)
		switch {
		case want == "" && err == nil:
			t.Errorf("%q: %s, want an error", text, got)
		case want == "" && !strings.Contains(err.Error(), "1.16.0 to 1.19.1"):
			t.Errorf("%q: %v", text, err)
		case want != "" && (err != nil || got.String() != want):
			t.Errorf("%q: %s, %v, want %s", text, got, err, want)
		}
	}
}

// What differs is from the sources of 1.17.1, 1.17.2, 1.18.2 and 1.19.0 (pkg/controllers/webhook).
func TestDifferences(t *testing.T) {
	for text, want := range map[string][2]bool{
		"1.16.3": {false, false}, "1.17.1": {false, false}, "1.17.2": {false, true}, "1.18.2": {false, true}, "1.19.0": {true, true},
	} {
		r, err := release.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]bool{r.Grouped(), r.Sorted()}; got != want {
			t.Errorf("%s: grouped and sorted are %v", text, got)
		}
	}
}
