package main

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// inTree returns a path in the tree of Ambit's main module, which this module replaces by the one next to it.
func inTree(elements ...string) (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/ambit-k8s/ambit").Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			err = errors.New(strings.TrimSpace(string(failed.Stderr)))
		}
		return "", fmt.Errorf("find Ambit's tree from here, which works inside it only: %w", err)
	}
	return filepath.Join(append([]string{strings.TrimSpace(string(out))}, elements...)...), nil
}
