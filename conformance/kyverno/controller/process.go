package controller

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// process is the running controller.
type process struct {
	command *exec.Cmd
	log     string
	done    chan struct{}
	ended   error
}

// environment is what the chart gives the controller.
var environment = []string{
	"INIT_CONFIG=kyverno", "METRICS_CONFIG=kyverno-metrics", "KYVERNO_NAMESPACE=" + Namespace,
	"KYVERNO_SERVICEACCOUNT_NAME=kyverno-admission-controller", "KYVERNO_ROLE_NAME=kyverno:admission-controller",
	"KYVERNO_DEPLOYMENT=kyverno-admission-controller", "KYVERNO_POD_NAME=kyverno-admission-controller-0",
	"KYVERNO_SVC=kyverno-svc", "POD_IP=127.0.0.1",
}

// launch starts the controller at a free port. What it logs goes to a file below dir.
func launch(ctx context.Context, binary, kubeconfig, dir string, flags []string) (*process, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(dir, "kyverno-*.log")
	if err != nil {
		return nil, fmt.Errorf("make log file: %w", err)
	}
	defer file.Close()
	p := &process{log: file.Name(), done: make(chan struct{})}
	p.command = exec.CommandContext(ctx, binary, append([]string{
		"--kubeconfig=" + kubeconfig, "--v=3", "--disableLogColor",
		"--caSecretName=kyverno-ca", "--tlsSecretName=kyverno-tls",
		"--metricsCASecretName=kyverno-metrics-ca", "--metricsTLSSecretName=kyverno-metrics-tls", "--disableMetrics",
		"--controllerRuntimeMetricsAddress=0", "--tlsKeyAlgorithm=ECDSA",
		"--backgroundServiceAccountName=system:serviceaccount:" + Namespace + ":kyverno-background-controller",
		"--reportsServiceAccountName=system:serviceaccount:" + Namespace + ":kyverno-background-controller",
		"--clientRateLimitQPS=1000", "--clientRateLimitBurst=2000",
		fmt.Sprintf("--serverIP=127.0.0.1:%d", port), fmt.Sprintf("--servicePort=%d", port),
		fmt.Sprintf("--webhookServerPort=%d", port), "--webhookServerHost=127.0.0.1",
	}, flags...)...)
	p.command.Env = append(os.Environ(), environment...)
	p.command.Dir = dir
	p.command.Stdout, p.command.Stderr = file, file
	// A controller that is asked to end writes nothing of worth any more, but it may take its time.
	p.command.Cancel = func() error { return p.command.Process.Signal(syscall.SIGTERM) }
	p.command.WaitDelay = 5 * time.Second
	if err := p.command.Start(); err != nil {
		return nil, fmt.Errorf("start controller: %w", err)
	}
	go func() {
		p.ended = p.command.Wait()
		close(p.done)
	}()
	return p, nil
}

// freePort finds a port that nobody listens at. Somebody else may take it before the controller does; it then ends, and
// its log says why.
func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// stop ends the process, and waits until it is gone.
func (p *process) stop() {
	if err := p.command.Process.Signal(syscall.SIGTERM); errors.Is(err, os.ErrProcessDone) {
		return
	}
	select {
	case <-p.done:
	case <-time.After(5 * time.Second):
		p.command.Process.Kill()
		<-p.done
	}
}

// alive returns an error once the process has ended.
func (p *process) alive() error {
	select {
	case <-p.done:
		return fmt.Errorf("the controller has ended: %v", p.ended)
	default:
		return nil
	}
}

// logSince returns what the controller has logged since the log had that length, and the length that it has now.
func (p *process) logSince(offset int64) (text []byte, length int64) {
	file, err := os.Open(p.log)
	if err != nil {
		return nil, offset
	}
	defer file.Close()
	var buffer bytes.Buffer
	if _, err := file.Seek(offset, 0); err != nil {
		return nil, offset
	}
	n, _ := buffer.ReadFrom(file)
	return buffer.Bytes(), offset + n
}

// tail returns the last lines of the log, for a message about a failure; of a crash, the first ones about it.
func (p *process) tail() string {
	text, _ := p.logSince(0)
	const most = 10
	if crash := bytes.LastIndex(text, []byte("\npanic: ")); crash >= 0 {
		lines := bytes.SplitN(text[crash+1:], []byte("\n"), most+1)
		return filepath.Base(p.log) + " says:\n" + string(bytes.Join(lines[:min(len(lines), most)], []byte("\n")))
	}
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	lines = lines[max(0, len(lines)-most):]
	for i, line := range lines {
		lines[i] = line[:min(len(line), 300)]
	}
	return filepath.Base(p.log) + " ends with:\n" + string(bytes.Join(lines, []byte("\n")))
}
