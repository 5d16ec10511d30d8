// Command apiserver runs a kube-apiserver with its etcd until it is interrupted. Arguments after -- are further flags
// of kube-apiserver, such as --runtime-config=api/all=true.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/apiserver"
)

func main() {
	kubeconfig := flag.String("kubeconfig-out", "", "write the administrator's kubeconfig to this file (default: kubeconfig in a new temporary folder)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *kubeconfig, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "apiserver:", err)
		os.Exit(1)
	}
}

// run serves until ctx ends. The path of the kubeconfig on standard output says that the server is ready.
func run(ctx context.Context, kubeconfig string, flags []string) error {
	dir, err := os.MkdirTemp("", "ambit-apiserver-")
	if err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	defer os.RemoveAll(dir)
	if kubeconfig == "" {
		kubeconfig = filepath.Join(dir, "kubeconfig")
	}
	// The server gets a context of its own, so that an interrupt ends it through Stop, in order.
	server, err := apiserver.Start(context.WithoutCancel(ctx), dir, flags...)
	if err != nil {
		return err
	}
	if err := server.WriteKubeconfig(kubeconfig); err != nil {
		return err
	}
	fmt.Println(kubeconfig)
	<-ctx.Done()
	return server.Stop()
}
