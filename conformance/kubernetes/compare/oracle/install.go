package oracle

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	v1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	typed "k8s.io/client-go/kubernetes/typed/admissionregistration/v1"
	"k8s.io/client-go/rest"
)

// Oracle is one API server with a recorder behind its webhooks.
type Oracle struct {
	Client   *Client
	Recorder *Recorder

	policies typed.AdmissionregistrationV1Interface
	round    int
}

// New makes an oracle of an API server.
func New(config *rest.Config) (*Oracle, error) {
	config = rest.CopyConfig(config)
	config.WarningHandler = rest.NoWarnings{}
	set, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("make client: %w", err)
	}
	client, err := NewClient(config)
	if err != nil {
		return nil, err
	}
	return &Oracle{Client: client, Recorder: StartRecorder(), policies: set.AdmissionregistrationV1()}, nil
}

// Refusal is an object that the API server would not store.
type Refusal struct{ Name, Why string }

// Install replaces everything that was installed before, and returns once the API server acts on it. What it refuses to
// store is taken out of the policies and reported.
func (o *Oracle) Install(ctx context.Context, p *Policies) ([]Refusal, error) {
	o.round++
	if err := o.Remove(ctx); err != nil {
		return nil, err
	}
	o.point(p)
	refused, err := o.dropBadEntries(ctx, p)
	if err != nil {
		return nil, err
	}
	if err := o.store(ctx, len(p.MutatingPolicies) > 0, p, &refused); err != nil {
		return nil, err
	}
	return refused, o.waitActive(ctx, len(p.MutatingPolicies) > 0)
}

// point makes all webhooks call the recorder and labels all objects.
func (o *Oracle) point(p *Policies) {
	for _, object := range p.objects() {
		object.SetLabels(map[string]string{label: "yes"})
		object.SetResourceVersion("")
		object.SetUID("")
	}
	for _, c := range p.ValidatingWebhooks {
		for i := range c.Webhooks {
			c.Webhooks[i].ClientConfig = o.Recorder.Client(WebhookID(ValidatingWebhooks, c.Name, c.Webhooks[i].Name))
		}
	}
	for _, c := range p.MutatingWebhooks {
		for i := range c.Webhooks {
			c.Webhooks[i].ClientConfig = o.Recorder.Client(WebhookID(MutatingWebhooks, c.Name, c.Webhooks[i].Name))
		}
	}
}

// WebhookID names a webhook entry in the recorder.
func WebhookID(stage Stage, configuration, entry string) string {
	return string(stage) + "/" + configuration + "/" + entry
}

// dropBadEntries takes out the webhook entries that the API server refuses, which otherwise refuses all of them.
func (o *Oracle) dropBadEntries(ctx context.Context, p *Policies) ([]Refusal, error) {
	var refused []Refusal
	check := func(name string, create func() error) (bad bool, err error) {
		err = o.patiently(ctx, create)
		if apierrors.IsInvalid(err) || apierrors.IsBadRequest(err) || apierrors.IsForbidden(err) {
			refused = append(refused, Refusal{name, err.Error()})
			return true, nil
		}
		return false, err
	}
	dry := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}
	var failed error
	for _, c := range p.ValidatingWebhooks {
		c.Webhooks = slices.DeleteFunc(c.Webhooks, func(w v1.ValidatingWebhook) bool {
			bad, err := check(w.Name, func() error {
				_, err := o.policies.ValidatingWebhookConfigurations().Create(ctx, &v1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: "check"}, Webhooks: []v1.ValidatingWebhook{w}}, dry)
				return err
			})
			failed = firstOf(failed, err)
			return bad
		})
	}
	for _, c := range p.MutatingWebhooks {
		c.Webhooks = slices.DeleteFunc(c.Webhooks, func(w v1.MutatingWebhook) bool {
			bad, err := check(w.Name, func() error {
				_, err := o.policies.MutatingWebhookConfigurations().Create(ctx, &v1.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: "check"}, Webhooks: []v1.MutatingWebhook{w}}, dry)
				return err
			})
			failed = firstOf(failed, err)
			return bad
		})
	}
	return refused, failed
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// create stores an object. A webhook configuration passes admission policies, also those that were removed a moment
// ago, so a refusal in the name of one is tried again.
func (o *Oracle) create(ctx context.Context, object metav1.Object) error {
	return o.patiently(ctx, func() (err error) {
		switch object := object.(type) {
		case *v1.ValidatingWebhookConfiguration:
			_, err = o.policies.ValidatingWebhookConfigurations().Create(ctx, object, metav1.CreateOptions{})
		case *v1.MutatingWebhookConfiguration:
			_, err = o.policies.MutatingWebhookConfigurations().Create(ctx, object, metav1.CreateOptions{})
		case *v1.ValidatingAdmissionPolicy:
			_, err = o.policies.ValidatingAdmissionPolicies().Create(ctx, object, metav1.CreateOptions{})
		case *v1.ValidatingAdmissionPolicyBinding:
			_, err = o.policies.ValidatingAdmissionPolicyBindings().Create(ctx, object, metav1.CreateOptions{})
		case *v1.MutatingAdmissionPolicy:
			_, err = o.policies.MutatingAdmissionPolicies().Create(ctx, object, metav1.CreateOptions{})
		case *v1.MutatingAdmissionPolicyBinding:
			_, err = o.policies.MutatingAdmissionPolicyBindings().Create(ctx, object, metav1.CreateOptions{})
		}
		return err
	})
}

// patiently repeats what an admission policy refuses.
func (o *Oracle) patiently(ctx context.Context, do func() error) error {
	var last error
	err := wait.PollUntilContextTimeout(ctx, 200*time.Millisecond, 10*time.Second, true, func(context.Context) (bool, error) {
		last = do()
		return last == nil || !strings.Contains(last.Error(), "denied request"), nil
	})
	if last != nil {
		return last
	}
	return err
}

// Remove removes everything that was installed. Bindings and policies go first, because they may refuse the removal of
// webhook configurations.
func (o *Oracle) Remove(ctx context.Context) error {
	mine := metav1.ListOptions{LabelSelector: label}
	now := metav1.DeleteOptions{}
	for _, remove := range []func() error{
		func() error { return o.policies.ValidatingAdmissionPolicyBindings().DeleteCollection(ctx, now, mine) },
		func() error { return o.policies.ValidatingAdmissionPolicies().DeleteCollection(ctx, now, mine) },
		func() error { return o.policies.MutatingAdmissionPolicyBindings().DeleteCollection(ctx, now, mine) },
		func() error { return o.policies.MutatingAdmissionPolicies().DeleteCollection(ctx, now, mine) },
		func() error { return o.policies.ValidatingWebhookConfigurations().DeleteCollection(ctx, now, mine) },
		func() error { return o.policies.MutatingWebhookConfigurations().DeleteCollection(ctx, now, mine) },
	} {
		if err := o.patiently(ctx, remove); err != nil {
			return fmt.Errorf("remove policies: %w", err)
		}
	}
	return nil
}
