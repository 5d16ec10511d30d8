package controller

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/apiserver"
)

// Cluster is a kube-apiserver with Kyverno's admission controller.
type Cluster struct {
	// Config is that of a member of system:masters.
	Config     *rest.Config
	Kubeconfig string
	Client     kubernetes.Interface
	Dynamic    dynamic.Interface

	server  *apiserver.Server
	process *process
	binary  string
	dir     string
	// frozen says that the controller was told not to change its webhooks.
	frozen bool
	asked  int
	// written are the policies that Replace has written.
	written []object
	// replaced is how long the log was when Replace was called.
	replaced int64
	// batch counts the ConfigMaps, so that each can be told from the one before.
	batch int
}

// Start starts both below a folder and returns once the webhooks for policies answer. The flags are further ones of the
// controller.
func Start(ctx context.Context, dir string, flags ...string) (_ *Cluster, err error) {
	c := &Cluster{dir: dir, Kubeconfig: filepath.Join(dir, "kubeconfig")}
	if c.binary, err = Tool(ctx, "kyverno"); err != nil {
		return nil, fmt.Errorf("build Kyverno's controller: %w", err)
	}
	// The server has a context of its own, so that it is always ended by Stop, in order.
	if c.server, err = apiserver.Start(context.WithoutCancel(ctx), dir); err != nil {
		return nil, fmt.Errorf("start API server: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Stop())
		}
	}()
	c.Config = rest.CopyConfig(c.server.Config)
	// Kyverno warns of every legacy policy that its kind will go.
	c.Config.WarningHandler = rest.NoWarnings{}
	if c.Client, err = kubernetes.NewForConfig(c.Config); err != nil {
		return nil, fmt.Errorf("make client: %w", err)
	}
	if c.Dynamic, err = dynamic.NewForConfig(c.Config); err != nil {
		return nil, fmt.Errorf("make client: %w", err)
	}
	if err := c.server.WriteKubeconfig(c.Kubeconfig); err != nil {
		return nil, err
	}
	if err := c.install(ctx); err != nil {
		return nil, err
	}
	return c, c.run(ctx, flags)
}

// Restart ends the controller, forgets the webhooks that it wrote, and starts it with other flags.
func (c *Cluster) Restart(ctx context.Context, flags ...string) error {
	c.process.stop()
	c.replaced = 0
	webhooks := c.Client.AdmissionregistrationV1()
	err := errors.Join(
		webhooks.ValidatingWebhookConfigurations().DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}),
		webhooks.MutatingWebhookConfigurations().DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}),
	)
	if err != nil {
		return fmt.Errorf("remove webhooks: %w", err)
	}
	// Nobody else asks to lead, so that there is no need to wait until the lease has run out. The API server goes on for a
	// moment to ask the webhooks, behind which there is nobody.
	err = wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, patience, true, func(ctx context.Context) (bool, error) {
		err = c.Client.CoordinationV1().Leases(Namespace).Delete(ctx, "kyverno", metav1.DeleteOptions{})
		return err == nil || apierrors.IsNotFound(err), nil
	})
	if err != nil {
		return fmt.Errorf("take the lead from the controller: %w", err)
	}
	return c.run(ctx, flags)
}

// run starts the controller and waits until it serves.
func (c *Cluster) run(ctx context.Context, flags []string) (err error) {
	if c.process, err = launch(context.WithoutCancel(ctx), c.binary, c.Kubeconfig, c.dir, flags); err != nil {
		return err
	}
	c.frozen = false
	for _, flag := range flags {
		c.frozen = c.frozen || flag == "--autoUpdateWebhooks=false"
	}
	err = c.until(ctx, 2*time.Minute, c.serves)
	if err != nil {
		return fmt.Errorf("wait for the controller: %w", err)
	}
	return nil
}

// Stop ends both.
func (c *Cluster) Stop() error {
	if c.process != nil {
		c.process.stop()
	}
	return c.server.Stop()
}

// until waits until nothing is missing any more. A controller that has ended, and one that takes longer than its time, is
// an error with the end of its log.
func (c *Cluster) until(ctx context.Context, patience time.Duration, missing func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var last error
	for {
		err := missing(ctx)
		if err == nil {
			return nil
		}
		if ctx.Err() == nil || last == nil {
			last = err // Otherwise it is about the time alone.
		}
		if err := c.process.alive(); err != nil {
			return fmt.Errorf("%w\n%s", err, c.process.tail())
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("%w\n%s", last, c.process.tail())
		}
	}
}

// serves returns what is missing until the controller has written its webhooks and answers at them.
func (c *Cluster) serves(ctx context.Context) error {
	configurations := c.Client.AdmissionregistrationV1().ValidatingWebhookConfigurations()
	for _, name := range []string{"kyverno-policy-validating-webhook-cfg", "kyverno-cel-exception-validating-webhook-cfg", ValidatingName} {
		if _, err := configurations.Get(ctx, name, metav1.GetOptions{}); err != nil {
			return err
		}
	}
	if _, err := c.Client.AdmissionregistrationV1().MutatingWebhookConfigurations().Get(ctx, MutatingName, metav1.GetOptions{}); err != nil {
		return err
	}
	probe := policyNamed("probe")
	_, err := c.Dynamic.Resource(probe.resource).Create(ctx, probe.manifest, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}
