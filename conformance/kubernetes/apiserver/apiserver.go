// Package apiserver runs a real kube-apiserver and its etcd inside this process, so that what Ambit says can be
// held to what Kubernetes does.
package apiserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/runtime"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/client-go/rest"
	aggregator "k8s.io/kube-aggregator/pkg/apiserver"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
)

// Server is a running kube-apiserver.
type Server struct {
	// Config is the client configuration of a member of system:masters.
	Config *rest.Config

	recorder recorder
	kube     runtime.EquivalentResourceMapper
	cancel   context.CancelFunc
	stopEtcd func()
	done     chan error
}

// Start starts etcd and kube-apiserver on free loopback ports and returns once the server is ready. Files, the logs
// among them, go below dir. Further kube-apiserver flags may be given; they win over Start's own. The log of klog,
// which is one for the whole process, is redirected to dir/apiserver.log.
func Start(ctx context.Context, dir string, flags ...string) (_ *Server, err error) {
	if err := redirectLog(filepath.Join(dir, "apiserver.log")); err != nil {
		return nil, err
	}
	creds, err := newCredentials(dir)
	if err != nil {
		return nil, err
	}
	endpoint, stopEtcd, err := startEtcd(ctx, dir)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &Server{cancel: cancel, stopEtcd: stopEtcd, done: make(chan error, 1)}
	defer func() {
		if err != nil {
			cancel()
			stopEtcd()
		}
	}()

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	completed, err := completeOptions(ctx, listener, dir, slices.Concat(serverFlags(creds, endpoint), flags))
	if err != nil {
		return nil, err
	}
	chain, err := s.chain(completed)
	if err != nil {
		return nil, fmt.Errorf("create server: %w", err)
	}
	go func() {
		prepared, err := chain.PrepareRun()
		if err == nil {
			err = prepared.Run(ctx)
		}
		s.done <- err
	}()

	ca, err := os.ReadFile(completed.SecureServing.ServerCert.CertKey.CertFile)
	if err != nil {
		return nil, fmt.Errorf("read serving certificate: %w", err)
	}
	s.Config = adminConfig("https://"+listener.Addr().String(), ca, creds.adminToken)
	if err := s.waitReady(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// serverFlags are the flags that differ from a default server: those that it cannot start without, and no
// ServiceAccount admission, because no controller makes the service accounts that it waits for.
func serverFlags(c credentials, etcd string) []string {
	return []string{
		"--etcd-servers=" + etcd,
		"--service-cluster-ip-range=10.0.0.0/16",
		"--endpoint-reconciler-type=none",
		"--authorization-mode=RBAC",
		"--token-auth-file=" + c.tokenFile,
		"--service-account-issuer=https://conformance.ambit.invalid",
		"--service-account-key-file=" + c.serviceAccountKey,
		"--service-account-signing-key-file=" + c.serviceAccountKey,
		"--disable-admission-plugins=ServiceAccount",
	}
}

// completeOptions does what app.NewAPIServerCommand does between the command line and the start.
func completeOptions(ctx context.Context, listener net.Listener, dir string, args []string) (options.CompletedOptions, error) {
	none := options.CompletedOptions{}
	o := options.NewServerRunOptions()
	flags := pflag.NewFlagSet("kube-apiserver", pflag.ContinueOnError)
	for _, set := range o.Flags().FlagSets {
		flags.AddFlagSet(set)
	}
	if err := flags.Parse(args); err != nil {
		return none, fmt.Errorf("parse flags: %w", err)
	}
	address := listener.Addr().(*net.TCPAddr)
	o.SecureServing.Listener = listener
	o.SecureServing.BindPort = address.Port
	o.SecureServing.ExternalAddress = address.IP
	o.SecureServing.ServerCert.CertDirectory = dir

	if err := o.GenericServerRunOptions.ComponentGlobalsRegistry.Set(); err != nil {
		return none, fmt.Errorf("set feature gates: %w", err)
	}
	completed, err := o.Complete(ctx)
	if err != nil {
		return none, fmt.Errorf("complete options: %w", err)
	}
	if err := utilerrors.NewAggregate(completed.Validate()); err != nil {
		return none, fmt.Errorf("validate options: %w", err)
	}
	return completed, nil
}

// chain does what app.Run does before it serves, and listens in on the registration of resources of all three
// servers of the chain.
func (s *Server) chain(o options.CompletedOptions) (*aggregator.APIAggregator, error) {
	config, err := app.NewConfig(o)
	if err != nil {
		return nil, err
	}
	completed, err := config.Complete()
	if err != nil {
		return nil, err
	}
	extensions := completed.ApiExtensions.GenericConfig
	extensions.EquivalentResourceRegistry = recordingRegistry{extensions.EquivalentResourceRegistry, &s.recorder}
	kube := completed.KubeAPIs.ControlPlane.Generic
	s.kube = kube.EquivalentResourceRegistry
	kube.EquivalentResourceRegistry = recordingRegistry{kube.EquivalentResourceRegistry, &s.recorder}
	aggregation := completed.Aggregator.GenericConfig
	aggregation.EquivalentResourceRegistry = recordingRegistry{aggregation.EquivalentResourceRegistry, &s.recorder}
	return app.CreateServerChain(completed)
}

// Stop ends the server and its etcd, and returns what the server ended with.
func (s *Server) Stop() error {
	s.cancel()
	err := <-s.done
	s.stopEtcd()
	if err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("stop server: %w", err)
	}
	return nil
}
