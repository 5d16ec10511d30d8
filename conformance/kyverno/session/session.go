// Package session runs a cluster with Kyverno's controller and lets Ambit watch it, as its users do.
package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/conformance/kyverno/controller"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// Namespaces are those that the cluster has beside its own, with their labels.
var Namespaces = map[string]map[string]string{
	"team-a": {"env": "prod", "tier": "1"}, "team-b": {"env": "dev"}, "team-c": nil,
}

// Session is a cluster with Kyverno's controller, and Ambit watching it.
type Session struct {
	*controller.Cluster
	Ambit cluster.Source
	// leave makes Ambit stop watching.
	leave context.CancelFunc
}

// Start starts everything below a folder. The flags are further ones of the controller.
func Start(ctx context.Context, dir string, flags ...string) (_ *Session, err error) {
	s := &Session{}
	if s.Cluster, err = controller.Start(ctx, dir, flags...); err != nil {
		return nil, err
	}
	ctx, s.leave = context.WithCancel(ctx)
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Stop())
		}
	}()
	for name, labels := range Namespaces {
		namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
		if _, err := s.Client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
			return nil, fmt.Errorf("make namespace: %w", err)
		}
	}
	getter := genericclioptions.NewConfigFlags(true)
	getter.KubeConfig = &s.Kubeconfig
	if s.Ambit, err = cluster.WatchLive(ctx, getter); err != nil {
		return nil, fmt.Errorf("start Ambit: %w", err)
	}
	return s, s.Until(ctx, func(snapshot *cluster.Snapshot) error {
		if len(snapshot.About.Syncing) > 0 || snapshot.About.Stale != "" {
			return fmt.Errorf("syncing %v, %s", snapshot.About.Syncing, snapshot.About.Stale)
		}
		return nil
	})
}

// Stop ends everything. A connection over which somebody watches would keep the server for a minute.
func (s *Session) Stop() error {
	s.leave()
	return s.Cluster.Stop()
}

// Until waits until Ambit's snapshot is as it should be.
func (s *Session) Until(ctx context.Context, wrong func(*cluster.Snapshot) error) error {
	changes, cancel := s.Ambit.Subscribe()
	defer cancel()
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	for {
		err := wrong(s.Ambit.Snapshot())
		if err == nil {
			return nil
		}
		select {
		case <-changes:
		case <-ctx.Done():
			return fmt.Errorf("wait for Ambit: %w", err)
		}
	}
}

// Resources are what Ambit knows the cluster to serve.
func (s *Session) Resources() *resource.Set { return s.Ambit.Snapshot().Facts.Resources }
