// Command cluster runs a real API server that holds the built-in sample, until it is interrupted, so that anyone can
// try Ambit against a live cluster without Docker.
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
	"github.com/ambit-k8s/ambit/conformance/kubernetes/seed"
)

// flags are what this cluster needs beside what every server here needs.
var flags = []string{
	// The network agent of the sample is privileged.
	"--allow-privileged=true",
	// With this the server looks for endpoints of a webhook's service, finds none and says so at once. Without it, it
	// tries the service's address, which may be anything in the network of whoever runs this, until a timeout.
	"--enable-aggregator-routing=true",
	// Ambit watches. Without this an interrupt waits a minute for watches to end that never do.
	"--shutdown-watch-termination-grace-period=1s",
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "write the administrator's kubeconfig to this file (default: bin/cluster.kubeconfig in Ambit's tree)")
	empty := flag.Bool("empty", false, "leave the cluster as a new one is, without the sample")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *kubeconfig, *empty); err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

// run serves until ctx ends, and leaves nothing behind: neither data nor a kubeconfig that leads nowhere.
func run(ctx context.Context, kubeconfig string, empty bool) (err error) {
	if kubeconfig == "" {
		if kubeconfig, err = inTree("bin", "cluster.kubeconfig"); err != nil {
			return err
		}
	}
	if kubeconfig, err = filepath.Abs(kubeconfig); err != nil {
		return fmt.Errorf("find the place of the kubeconfig: %w", err)
	}
	dir, err := os.MkdirTemp("", "ambit-cluster-")
	if err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	defer os.RemoveAll(dir)
	fmt.Println("Starting a Kubernetes API server ...")
	// The server gets a context of its own, so that an interrupt ends it through Stop, in order.
	server, err := apiserver.Start(context.WithoutCancel(ctx), dir, flags...)
	if err != nil {
		return err
	}
	err = serve(ctx, server, kubeconfig, empty)
	if ctx.Err() != nil {
		err = nil // An interrupt is how this ends, also while the sample is being put in.
	}
	if stopped := server.Stop(); err == nil {
		err = stopped
	}
	return err
}

// serve fills the cluster, tells where it is, and waits.
func serve(ctx context.Context, server *apiserver.Server, kubeconfig string, empty bool) error {
	guide := emptyGuide
	if !empty {
		guide = sampleGuide
		if err := putSample(ctx, server); err != nil {
			return err
		}
	}
	if err := server.WriteKubeconfig(kubeconfig); err != nil {
		return err
	}
	defer os.Remove(kubeconfig)
	fmt.Printf(guide, kubeconfig)
	<-ctx.Done()
	return nil
}

// putSample puts the built-in sample into the cluster.
func putSample(ctx context.Context, server *apiserver.Server) error {
	folder, err := inTree("cluster", "sample")
	if err != nil {
		return err
	}
	objects, err := seed.Read(os.DirFS(folder))
	if err != nil {
		return err
	}
	fmt.Printf("Putting the %d objects of the sample into it ...\n", len(objects))
	return seed.Apply(ctx, server.Config, objects)
}
