package main

import (
	"context"
	"unsafe"

	"github.com/kyverno/kyverno/pkg/config"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

// The methods that the controller calls when it works out its webhooks. Its type is not exported, so that the receiver is
// a pointer to something unknown.

//go:linkname buildValidating github.com/kyverno/kyverno/pkg/controllers/webhook.(*controller).buildResourceValidatingWebhookConfiguration
func buildValidating(controller unsafe.Pointer, ctx context.Context, cfg config.Configuration, ca []byte) (*admissionregistrationv1.ValidatingWebhookConfiguration, error)

//go:linkname buildMutating github.com/kyverno/kyverno/pkg/controllers/webhook.(*controller).buildResourceMutatingWebhookConfiguration
func buildMutating(controller unsafe.Pointer, ctx context.Context, cfg config.Configuration, ca []byte) (*admissionregistrationv1.MutatingWebhookConfiguration, error)

//go:linkname buildDefaultValidating github.com/kyverno/kyverno/pkg/controllers/webhook.(*controller).buildDefaultResourceValidatingWebhookConfiguration
func buildDefaultValidating(controller unsafe.Pointer, ctx context.Context, cfg config.Configuration, ca []byte) (*admissionregistrationv1.ValidatingWebhookConfiguration, error)

//go:linkname buildDefaultMutating github.com/kyverno/kyverno/pkg/controllers/webhook.(*controller).buildDefaultResourceMutatingWebhookConfiguration
func buildDefaultMutating(controller unsafe.Pointer, ctx context.Context, cfg config.Configuration, ca []byte) (*admissionregistrationv1.MutatingWebhookConfiguration, error)

//go:linkname handlePolicyCreate github.com/kyverno/kyverno/pkg/controllers/webhook.(*controller).handlePolicyCreate
func handlePolicyCreate(controller unsafe.Pointer, policy any)
