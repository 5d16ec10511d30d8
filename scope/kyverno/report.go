package kyverno

import (
	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
)

// Report is what is known of Kyverno as a whole: what it is configured with, which webhooks it would write, and which
// the cluster has.
type Report struct {
	Release release.Release
	// Config is what the ConfigMap says; nil if there is none, or if it could not be read, which ConfigKnown tells
	// apart.
	Config      *config.Config
	ConfigKnown bool
	// Namespace is the one that Kyverno runs in, as far as the ConfigMap or the webhooks of the cluster tell; else
	// empty.
	Namespace string
	Predicted *webhooks.Prediction
	Observed  Observed
	// Differences are what sets the cluster's webhooks apart from the predicted ones, in the order of the
	// configurations and of their entries. There are none about a configuration that the cluster does not have.
	Differences []Difference
	// Findings are those of the prediction, the worst first.
	Findings []webhooks.Finding
	// Unreadable are sentences about objects that are no policies because they cannot be decoded.
	Unreadable []string
}

// Observed are the configurations of the cluster under Kyverno's names, with the API server's defaults; nil if it has
// none.
type Observed struct {
	Validating *v1.ValidatingWebhookConfiguration
	Mutating   *v1.MutatingWebhookConfiguration
}

// Any reports whether the cluster has one of the two.
func (o Observed) Any() bool { return o.Validating != nil || o.Mutating != nil }

// ReportOf returns the report that policies of Kyverno belong to, or nil if there are no such policies among them.
func ReportOf(policies []*scope.Policy) *Report {
	for _, p := range policies {
		for _, layer := range p.Layers {
			if served, ok := layer.(*Served); ok {
				return served.report
			}
		}
	}
	return nil
}

func (c *Compiler) newReport(o scope.Objects, all *objects, w *world) *Report {
	return &Report{
		Release: c.release, Config: all.config, ConfigKnown: o.Complete(configKind.GroupKind), Namespace: all.namespace,
		Predicted: w.predicted, Observed: all.observed, Differences: w.compare(all.refs()),
		Findings: w.predicted.Findings, Unreadable: all.unreadable,
	}
}
