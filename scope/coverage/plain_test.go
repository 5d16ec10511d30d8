package coverage_test

import (
	"context"
	"fmt"
	"slices"
	"time"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	k8sadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/webhook"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/validating"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/coverage"
)

// plain is the API server's own matcher, asked about every pair.
type plain struct {
	plugin     *validating.Plugin
	interfaces k8sadmission.ObjectInterfaces
	hooks      []webhook.WebhookAccessor
}

func newPlain(s *shape, hooks []*v1.ValidatingWebhookConfiguration) *plain {
	client := fake.NewSimpleClientset()
	factory := informers.NewSharedInformerFactory(client, 0)
	store := factory.Core().V1().Namespaces().Informer().GetStore()
	for _, ns := range s.namespaces {
		if err := store.Add(ns); err != nil {
			panic(err)
		}
	}
	plugin, err := validating.NewValidatingAdmissionWebhook(nil)
	if err != nil {
		panic(err)
	}
	plugin.SetExternalKubeClientSet(client)
	plugin.SetExternalKubeInformerFactory(factory)
	p := &plain{plugin: plugin, interfaces: &k8sadmission.RuntimeObjectInterfaces{
		ObjectCreater: scheme.Scheme, ObjectTyper: scheme.Scheme, ObjectDefaulter: scheme.Scheme, ObjectConvertor: scheme.Scheme,
		EquivalentResourceMapper: s.resources.Equivalents(),
	}}
	for _, h := range hooks {
		p.hooks = append(p.hooks, webhook.NewValidatingWebhookAccessor(h.Name, h.Name, &h.Webhooks[0]))
	}
	return p
}

// once makes versioned attributes as the webhook dispatcher does: once for each version.
type once struct {
	attr  k8sadmission.Attributes
	o     k8sadmission.ObjectInterfaces
	known map[schema.GroupVersionKind]*k8sadmission.VersionedAttributes
}

func (v *once) VersionedAttribute(kind schema.GroupVersionKind) (*k8sadmission.VersionedAttributes, error) {
	if known, ok := v.known[kind]; ok {
		return known, nil
	}
	made, err := k8sadmission.NewVersionedAttributes(v.attr, kind, v.o)
	if v.known == nil {
		v.known = map[schema.GroupVersionKind]*k8sadmission.VersionedAttributes{}
	}
	v.known[kind] = made
	return made, err
}

// tally is what became of all objects under one webhook.
type tally struct{ included, failed int }

// elapsed is how long something took, and how long it would have taken if all of it had
// gone as fast as its fastest tenth: on a machine that has other work, too, that is nearer
// to what it takes alone.
type elapsed struct{ whole, quiet time.Duration }

func elapsedOf(parts []time.Duration) elapsed {
	var e elapsed
	for _, part := range parts {
		e.whole += part
	}
	slices.Sort(parts)
	e.quiet = parts[len(parts)/10] * time.Duration(len(parts))
	return e
}

// plainPart is the number of objects after which the plain loop looks at the clock.
const plainPart = 500

// run asks about every pair, and says how long that took. The attributes of a request are
// made once for each object, as the API server does, or anew for each pair.
func (p *plain) run(s *shape, anew bool) ([]tally, elapsed) {
	tallies := make([]tally, len(p.hooks))
	var parts []time.Duration
	start := time.Now()
	for i, o := range s.objects {
		if i > 0 && i%plainPart == 0 {
			parts = append(parts, time.Since(start))
			start = time.Now()
		}
		versions := p.versions(s, i, o)
		for j, h := range p.hooks {
			if anew {
				versions = p.versions(s, i, o)
			}
			invocation, status := p.plugin.ShouldCallHook(context.Background(), h, versions.attr, p.interfaces, versions)
			switch {
			case status != nil:
				tallies[j].failed++
			case invocation != nil:
				tallies[j].included++
			}
		}
	}
	return tallies, elapsedOf(append(parts, time.Since(start)))
}

func (p *plain) versions(s *shape, i int, o runtime.Object) *once {
	m, kind := o.(metav1.Object), s.kinds[s.of[i]]
	r := scope.Request{Operation: k8sadmission.Create, Kind: kind.Kind, Resource: kind.GroupVersionResource, Name: m.GetName(), Namespace: m.GetNamespace(), Object: o, User: nobody}
	return &once{attr: r.Attributes(), o: p.interfaces}
}

// differs compares upstream's counts with a result. An error that Ignore swallows is
// nothing to upstream.
func differs(tallies []tally, result *coverage.Result) string {
	for i, t := range tallies {
		c := result.Total(i)
		failed := int(c.Error)
		if result.Policy(i).FailurePolicy == string(v1.Ignore) {
			failed = 0
		}
		if int(c.Included) != t.included || failed != t.failed || c.Unknown > 0 {
			return fmt.Sprintf("%s: %+v, upstream %+v", result.Policy(i).ID(), c, t)
		}
	}
	return ""
}
