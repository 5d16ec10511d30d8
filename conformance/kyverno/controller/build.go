package controller

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// upstream is the folder of the module that pins Kyverno. Kyverno needs other releases of the Kubernetes modules than
// Ambit, so that no program can have both.
func upstream() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "upstream")
}

// Tool builds a program of the module that pins Kyverno and returns its path. The go command keeps what it has built: the
// first time takes some minutes, any other none.
func Tool(ctx context.Context, name string) (string, error) {
	return inUpstream(ctx, "tool", "-n", name)
}

// source returns the folder with Kyverno's source.
func source(ctx context.Context) (string, error) {
	return inUpstream(ctx, "list", "-m", "-f", "{{.Dir}}", "github.com/kyverno/kyverno")
}

// inUpstream runs the go command and returns what it prints.
func inUpstream(ctx context.Context, args ...string) (string, error) {
	command := exec.CommandContext(ctx, "go", args...)
	command.Dir = upstream()
	var errors bytes.Buffer
	command.Stderr = &errors
	printed, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, errors.String())
	}
	return strings.TrimSpace(string(printed)), nil
}
