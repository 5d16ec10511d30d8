package hazard

import (
	"fmt"
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
)

var calledTwice = Rule{
	Name:    "called-twice",
	Summary: "Two webhooks of one kind call the same address for the same requests.",
	Why:     "An AdmissionReview does not say which webhook it is for, so the server answers the same question twice, and each request waits for both answers.",
	Fix:     "Let each request be matched by one of the two.",
	byHand:  true,
	find: func(r *run) {
		byAddress := map[string][]*view{}
		r.each(func(v *view) {
			if !v.isWebhook() || !v.whole() || v.selectsBadly() {
				return
			}
			key := v.Kind + " " + address(v.client)
			// One is enough: who puts that right sees whether there are more.
			for _, other := range byAddress[key] {
				if r.callsTwice(other, v) {
					break
				}
			}
			byAddress[key] = append(byAddress[key], v)
		})
	},
}

// address is where a webhook is called. A service is called at port 443 unless it says another
// one (k8s.io/kubernetes/pkg/apis/admissionregistration/v1/defaults.go).
func address(c *v1.WebhookClientConfig) string {
	if c.URL != nil {
		return *c.URL
	}
	if c.Service == nil {
		return ""
	}
	port, path := int32(443), ""
	if c.Service.Port != nil {
		port = *c.Service.Port
	}
	if c.Service.Path != nil {
		path = *c.Service.Path
	}
	return fmt.Sprintf("service %s/%s:%d %s", c.Service.Namespace, c.Service.Name, port, path)
}

// callsTwice reports what two webhooks at one address are both called for, if there is any.
// Where one of them does all that the other does, that is another finding.
func (r *run) callsTwice(first, second *view) bool {
	if sameEffect(first, second) && (within(first, second) || within(second, first)) {
		return false
	}
	shared := r.shared(first, second)
	if len(shared) == 0 {
		return false
	}
	names := make([]string, len(shared))
	for i, at := range shared {
		names[i] = fmt.Sprintf("%s %s", at.operation, at.name())
	}
	both := first.selects().And(second.selects())
	objects := r.count(Query{
		Resource: resourcesOf(shared), Labels: both.Object.Has,
		Namespace: func(name string) (in, known bool) {
			a, aKnown := r.passesNamespace(first, name)
			b, bKnown := r.passesNamespace(second, name)
			return a && b, aKnown && bKnown || aKnown && !a || bKnown && !b
		},
	})
	r.add(second, true, Finding{
		Severity: Info, Field: second.field("clientConfig"), Objects: objects, Fix: r.onceEach(first, second),
		Message: fmt.Sprintf("%s calls the same address, and both are called for %s.", first.Title(), some(names)),
	})
	return true
}

// shared lists the sorts of request of which some are certain to come to both webhooks, in
// the same version.
func (r *run) shared(first, second *view) []*reached {
	both := first.selects().And(second.selects())
	var all []*reached
	for _, a := range first.reach() {
		same := func(b *reached) bool { return a.sort == b.sort && a.matched == b.matched }
		i := slices.IndexFunc(second.reach(), same)
		if i >= 0 && r.bothSelect(both, a) && r.bothPass(first, second, a, second.reach()[i]) {
			all = append(all, a)
		}
	}
	return all
}
