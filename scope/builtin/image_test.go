package builtin

import (
	"strings"
	"testing"
)

func TestPullPolicy(t *testing.T) {
	sha256 := "sha256:" + strings.Repeat("a", 64)
	for image, want := range map[string]string{
		"nginx":                                "Always",
		"nginx:latest":                         "Always",
		"nginx:1.27":                           "IfNotPresent",
		"nginx@" + sha256:                      "IfNotPresent",
		"nginx:latest@" + sha256:               "Always",
		"registry.example:5000/team/app":       "Always",
		"registry.example:5000/team/app:1.0-b": "IfNotPresent",
		"[2001:db8::1]:5000/app":               "Always",
		"localhost/app":                        "Always",
		"Registry/app":                         "Always", // An upper-case first part is a host.
		"team/App":                             "IfNotPresent",
		"NGINX":                                "IfNotPresent",
		"":                                     "IfNotPresent",
		"{{ image }}":                          "IfNotPresent",
		"nginx:":                               "IfNotPresent",
		"nginx@sha256:abc":                     "IfNotPresent",
		strings.Repeat("a", 64):                "IfNotPresent",
	} {
		if got := pullPolicy(image); got != want {
			t.Errorf("pull policy of %q: got %s, want %s", image, got, want)
		}
	}
}
