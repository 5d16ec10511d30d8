package kyverno

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/hazard"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
)

// differences says what sets the cluster's webhooks apart from the predicted ones, each cause once: a policy that none
// serves before the webhook that is missing for it, a webhook under another name before the one that is not expected,
// and nothing where Kyverno cannot write what is predicted, which is a finding of its own.
func (h *hazards) differences() []hazard.Finding {
	var found []hazard.Finding
	var unserved, missing []webhooks.Ref
	of := map[DifferenceKind][]Difference{}
	for _, d := range h.report.Differences {
		of[d.Kind] = append(of[d.Kind], d)
	}
	for _, d := range of[Unserved] {
		unserved = append(unserved, d.Policies...)
		f := hazard.Finding{Rule: prefix + string(Unserved), Severity: hazard.Warning, Field: wholePolicy, Message: d.Message}
		if h.in.Complete {
			f.Severity = hazard.Error
		}
		h.place(&f, d.Policies)
		found = append(found, f)
	}
	for _, d := range of[Missing] {
		if h.frozen(d) || within(d.Policies, unserved) {
			continue
		}
		missing = append(missing, d.Policies...)
		f := hazard.Finding{Rule: prefix + string(Missing), Severity: hazard.Warning, Field: wholePolicy, Message: d.Message}
		f.Entry = d.Entry
		h.place(&f, d.Policies)
		found = append(found, f)
	}
	for _, d := range of[Unexpected] {
		other := len(d.Policies) == 0 && !h.knowsAll()
		if h.frozen(d) || other || len(d.Policies) > 0 && within(d.Policies, missing) {
			continue
		}
		f := hazard.Finding{Rule: prefix + string(Unexpected), Severity: hazard.Info, Message: d.Message}
		found = append(found, h.atEntry(f, d, ""))
	}
	return append(found, h.changes(of[Changed], unserved)...)
}

// changes are the entries that have other fields than predicted, each once with all of them.
func (h *hazards) changes(all []Difference, unserved []webhooks.Ref) []hazard.Finding {
	var found []hazard.Finding
	for len(all) > 0 {
		other := func(d Difference) bool { return d.Entry != all[0].Entry || d.Configuration != all[0].Configuration }
		n := slices.IndexFunc(all, other)
		if n < 0 {
			n = len(all)
		}
		entry := all[:n]
		all = all[n:]
		fields := h.changed(entry, unserved)
		if len(fields) == 0 || h.frozen(entry[0]) {
			continue
		}
		f := hazard.Finding{Rule: prefix + string(Changed), Severity: hazard.Warning, Message: fmt.Sprintf(
			"The webhook %s has other values than Kyverno %s would write: %s.",
			entry[0].Entry, h.report.Release, strings.Join(fields, ", "),
		)}
		found = append(found, h.atEntry(f, entry[0], fields[0]))
	}
	return found
}

const pathField = "clientConfig.service.path"

// changed are the fields of one entry that are others than predicted, without those that follow from a policy that is
// not served or that was not read, those that a ConfigMap may have written which was not read, and those that a flag of
// Kyverno's sets.
func (h *hazards) changed(entry []Difference, unserved []webhooks.Ref) []string {
	moved := slices.ContainsFunc(entry, func(d Difference) bool { return d.Field == pathField })
	lacks := func(r webhooks.Ref) bool { return slices.Contains(unserved, r) }
	var fields []string
	for _, d := range entry {
		says := true
		switch d.Field {
		case pathField, "rules":
			says = (!moved || h.knowsAll()) && !slices.ContainsFunc(d.Policies, lacks)
		case "namespaceSelector", "objectSelector", "matchConditions":
			says = h.knowsConfig()
		case "timeoutSeconds", "sideEffects":
			says = false
		}
		if says {
			fields = append(fields, d.Field)
		}
	}
	return fields
}

// atEntry puts a finding at the webhook of the cluster that it is about; it is about the policies that this serves as
// much.
func (h *hazards) atEntry(f hazard.Finding, d Difference, field string) hazard.Finding {
	i := slices.IndexFunc(h.in.Policies, func(p *scope.Policy) bool {
		return writes(p) && p.Name == d.Configuration && p.Entry == d.Entry
	})
	f.Entry, f.Name, f.Field = d.Entry, d.Configuration, "webhooks"
	f.Kind = "ValidatingWebhookConfiguration"
	if d.Configuration == webhooks.MutatingName {
		f.Kind = "MutatingWebhookConfiguration"
	}
	if i >= 0 {
		f.Policy = h.in.Policies[i]
		f.Field = strings.TrimSuffix(entryField(f.Policy)+"."+field, ".")
	}
	for _, r := range d.Policies {
		f.Also = append(f.Also, hazard.Ref{Kind: string(r.Kind), Namespace: r.Namespace, Name: r.Name})
	}
	return f
}

// frozen reports whether Kyverno cannot write the configuration of a difference.
func (h *hazards) frozen(d Difference) bool {
	w := &world{predicted: h.report.Predicted}
	return w.unwritten(d.Configuration == webhooks.MutatingName) != nil
}

// knowsAll reports whether all policies of Kyverno were read.
func (h *hazards) knowsAll() bool {
	unread := func(gk schema.GroupKind) bool {
		return gk.Group == api.Group || gk.Group == api.LegacyGroup
	}
	return h.in.Complete && !slices.ContainsFunc(h.in.Unread, unread)
}

// knowsConfig reports whether it is known what the ConfigMap says, or that there is none.
func (h *hazards) knowsConfig() bool {
	return h.report.Config != nil || h.in.Complete && h.report.ConfigKnown
}

// within reports whether a list has only what another has.
func within(some, all []webhooks.Ref) bool {
	return !slices.ContainsFunc(some, func(r webhooks.Ref) bool { return !slices.Contains(all, r) })
}
