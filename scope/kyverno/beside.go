package kyverno

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
	"github.com/ambit-k8s/ambit/scope/resource"
	"github.com/ambit-k8s/ambit/scope/webhook"
)

// beside is what a policy is compiled from beside its own object: the webhooks that serve it, the ConfigMap, and the
// exceptions that name it.
type beside struct {
	common, own [sha256.Size]byte
	resources   *resource.Set
}

// beside digests it for one policy. Exceptions of legacy policies count for all of these: their names may be patterns.
func (b *builder) beside(ref webhooks.Ref, r *ride) beside {
	entries, last := [][]webhook.Entry{}, []string{}
	for _, a := range r.alternatives {
		var one []webhook.Entry
		for _, e := range a.entries {
			one = append(one, e.Entry)
		}
		entries, last = append(entries, one), append(last, a.last)
	}
	var exceptions []*api.Exception
	for _, e := range b.all.exceptions {
		for _, p := range e.Spec.PolicyRefs {
			if p.Name == ref.Name && p.Kind == string(ref.Kind) {
				exceptions = append(exceptions, e)
			}
		}
	}
	own := digest(entries, last, r.why, r.open, r.selectorsOpen, r.rulesOpen, r.conditionsOpen, exceptions)
	return beside{common: b.common(isLegacy(ref.Kind)), own: own, resources: b.o.Resources}
}

// common digests what is the same for all policies of a group.
func (b *builder) common(legacy bool) [sha256.Size]byte {
	if known, ok := b.digests[legacy]; ok {
		return known
	}
	var exceptions []*api.LegacyException
	if legacy {
		exceptions = b.all.exempts
	}
	sum := digest(b.all.config, b.unread(configKind), b.unread(exceptionKind), b.unread(legacyExceptionKind), exceptions)
	b.digests[legacy] = sum
	return sum
}

func digest(values ...any) [sha256.Size]byte {
	text, err := json.Marshal(values)
	if err != nil {
		// What came as JSON goes as JSON. Otherwise the addresses make it another one each time, which is safe.
		text = fmt.Appendf(nil, "%#v", values)
	}
	return sha256.Sum256(text)
}
