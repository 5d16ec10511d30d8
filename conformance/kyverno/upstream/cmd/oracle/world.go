package main

import (
	"context"
	"fmt"
	"strconv"
	"time"
	"unsafe"

	"github.com/kyverno/kyverno/pkg/cel/autogen"
	kyvernofake "github.com/kyverno/kyverno/pkg/client/clientset/versioned/fake"
	kyvernoinformers "github.com/kyverno/kyverno/pkg/client/informers/externalversions"
	"github.com/kyverno/kyverno/pkg/clients/dclient"
	"github.com/kyverno/kyverno/pkg/config"
	"github.com/kyverno/kyverno/pkg/controllers/webhook"
	"github.com/kyverno/kyverno/pkg/toggle"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery/cached/memory"
	fakediscovery "k8s.io/client-go/discovery/fake"
	kubeinformers "k8s.io/client-go/informers"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/restmapper"
)

// world is a cluster as far as it does not change between questions.
type world struct {
	kube      *kubefake.Clientset
	discovery dclient.IDiscovery
}

// serving makes a world that serves some resources, and tells Kyverno's autogen of them as its engines do when they start.
func serving(ctx context.Context, resources []*metav1.APIResourceList) (*world, error) {
	kube := kubefake.NewSimpleClientset()
	kube.Discovery().(*fakediscovery.FakeDiscovery).Resources = resources
	client, err := dclient.NewClient(ctx, nil, kube, 24*time.Hour, false, nil)
	if err != nil {
		return nil, fmt.Errorf("make client: %w", err)
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(kube.Discovery()))
	autogen.BareNameResolver = autogen.RESTMapperBareNameResolver(mapper)
	autogen.KindResolver = autogen.RESTMapperKindResolver(mapper)
	return &world{kube: kube, discovery: client.Discovery()}, nil
}

// answer makes a controller that has seen the policies, and lets it build.
func (w *world) answer(ctx context.Context, q question) (a answer, err error) {
	if err := toggle.ForceFailurePolicyIgnore.Parse(strconv.FormatBool(q.Flags.ForceFailurePolicyIgnore)); err != nil {
		return answer{}, fmt.Errorf("set flag: %w", err)
	}
	configuration := config.NewDefaultConfiguration(false)
	configuration.Load(q.ConfigMap)

	kyverno := kyvernofake.NewSimpleClientset()
	informers := kyvernoinformers.NewSharedInformerFactory(kyverno, 0)
	kube := kubeinformers.NewSharedInformerFactory(w.kube, 0)
	controller := w.controller(q.Flags, kyverno, informers, kube, configuration)
	if err := informed(controller, informers, q.Policies); err != nil {
		return answer{Unreadable: err.Error()}, nil
	}
	lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{
		Name: "kyverno-health", Namespace: config.KyvernoNamespace(),
		Annotations: map[string]string{webhook.AnnotationLastRequestTime: time.Now().Format(time.RFC3339)},
	}}
	if err := kube.Coordination().V1().Leases().Informer().GetIndexer().Add(lease); err != nil {
		return answer{}, fmt.Errorf("add lease: %w", err)
	}

	defer func() {
		if r := recover(); r != nil {
			a = answer{Crash: fmt.Sprint(r)}
		}
	}()
	validating, mutating := buildValidating, buildMutating
	if q.Flags.NoAutoUpdateWebhooks {
		validating, mutating = buildDefaultValidating, buildDefaultMutating
	}
	if a.Validating, err = validating(controller, ctx, configuration, nil); err != nil {
		return answer{}, fmt.Errorf("build validating webhooks: %w", err)
	}
	if a.Mutating, err = mutating(controller, ctx, configuration, nil); err != nil {
		return answer{}, fmt.Errorf("build mutating webhooks: %w", err)
	}
	return a, nil
}

// controller makes one that is not running.
func (w *world) controller(f flags, client *kyvernofake.Clientset, informers kyvernoinformers.SharedInformerFactory, kube kubeinformers.SharedInformerFactory, configuration config.Configuration) unsafe.Pointer {
	if f.WebhookTimeout == 0 {
		f.WebhookTimeout = webhook.DefaultWebhookTimeout
	}
	policies := informers.Policies().V1beta1()
	made := webhook.NewController(
		w.discovery,
		w.kube.AdmissionregistrationV1().MutatingWebhookConfigurations(),
		w.kube.AdmissionregistrationV1().ValidatingWebhookConfigurations(),
		w.kube.CoordinationV1().Leases(config.KyvernoNamespace()),
		client,
		kube.Admissionregistration().V1().MutatingWebhookConfigurations(),
		kube.Admissionregistration().V1().ValidatingWebhookConfigurations(),
		informers.Kyverno().V1().ClusterPolicies(),
		informers.Kyverno().V1().Policies(),
		policies.ValidatingPolicies(), policies.NamespacedValidatingPolicies(),
		policies.GeneratingPolicies(), policies.NamespacedGeneratingPolicies(),
		policies.ImageValidatingPolicies(), policies.NamespacedImageValidatingPolicies(),
		policies.MutatingPolicies(), policies.NamespacedMutatingPolicies(),
		kube.Apps().V1().Deployments(),
		kube.Core().V1().Secrets(),
		kube.Coordination().V1().Leases(),
		kube.Rbac().V1().ClusterRoles(),
		"127.0.0.1", // The paths are then those of URLs; where the service is does not matter.
		f.WebhookTimeout,
		443,
		!f.NoAutoUpdateWebhooks,
		f.ExcludeBootstrapResources,
		!f.NoAdmissionReports,
		nil,
		configuration,
		"kyverno-ca",
		webhook.NewStateRecorder(nil),
	)
	return pointerIn(made)
}

// pointerIn returns the pointer that an interface value holds.
func pointerIn(value any) unsafe.Pointer {
	return (*[2]unsafe.Pointer)(unsafe.Pointer(&value))[1]
}
