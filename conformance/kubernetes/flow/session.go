package flow

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/kubernetes"
	flowcontrolclient "k8s.io/client-go/kubernetes/typed/flowcontrol/v1"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/conformance/kubernetes/apiserver"
)

// session is one API server, with Ambit watching it.
type session struct {
	server *apiserver.Server
	client *client
	kube   kubernetes.Interface
	api    flowcontrolclient.FlowcontrolV1Interface
	ambit  cluster.Source
	// leave makes Ambit stop watching.
	leave  context.CancelFunc
	people people
	// installed counts the sets, so that each has a marker of its own.
	installed int
}

// patience is how long the API server and Ambit may take to notice something.
const patience = 30 * time.Second

// start starts an API server below a folder, and Ambit.
func start(ctx context.Context, dir string) (_ *session, err error) {
	s := &session{}
	ctx, s.leave = context.WithCancel(ctx)
	// The server has a context of its own, so that it is always ended by stop, in order.
	if s.server, err = apiserver.Start(context.WithoutCancel(ctx), dir); err != nil {
		return nil, fmt.Errorf("start API server: %w", err)
	}
	defer func() {
		if err != nil {
			s.stop()
		}
	}()
	if s.client, err = newClient(s.server.Config); err != nil {
		return nil, err
	}
	if s.kube, err = kubernetes.NewForConfig(s.server.Config); err != nil {
		return nil, fmt.Errorf("make client: %w", err)
	}
	s.api = s.kube.FlowcontrolV1()
	if s.people, err = newPeople(ctx, s.server.Config, s.kube); err != nil {
		return nil, err
	}
	kubeconfig := filepath.Join(dir, "kubeconfig")
	if err := s.server.WriteKubeconfig(kubeconfig); err != nil {
		return nil, err
	}
	flags := genericclioptions.NewConfigFlags(true)
	flags.KubeConfig = &kubeconfig
	if s.ambit, err = cluster.WatchLive(ctx, flags); err != nil {
		return nil, fmt.Errorf("start Ambit: %w", err)
	}
	return s, nil
}

// stop ends the API server. A connection over which somebody watches would keep it for a minute.
func (s *session) stop() error {
	s.leave()
	return s.server.Stop()
}

// until waits until Ambit's snapshot is as it should be, and returns it.
func (s *session) until(ctx context.Context, wrong func(*cluster.Snapshot) error) (*cluster.Snapshot, error) {
	changes, cancel := s.ambit.Subscribe()
	defer cancel()
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	for {
		snapshot := s.ambit.Snapshot()
		err := wrong(snapshot)
		if err == nil {
			return snapshot, nil
		}
		select {
		case <-changes:
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for Ambit: %w", err)
		}
	}
}
