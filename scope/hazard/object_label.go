package hazard

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/ambit-k8s/ambit/scope/selector"
)

var objectLabelExclusion = Rule{
	Name:    "object-label-exclusion",
	Summary: "An objectSelector lets objects out by a label that whoever writes the object writes, too.",
	Why:     "Everybody who may create the object can put the label on it and is then not checked. Only a selector that opts in, or one on the namespace, is out of their hands.",
	Fix:     "Exclude by namespaceSelector, or by a match condition on request.userInfo, which the writer of the object does not control.",
	anyKind: true,
	find: func(r *run) {
		eachOptOut(r, func(v *view, p *part, out selector.Requirement) {
			if isIdentity(out.Key) {
				return
			}
			r.add(v, p.inBinding, optOut(r, v, p, out, fmt.Sprintf("Whoever writes an object can take it out of this policy: the label %s is theirs to set.", out.Key)))
		})
	},
}

var identityByLabel = Rule{
	Name:    "identity-by-label",
	Summary: "An objectSelector lets objects out by a label that names who made them.",
	Why:     "A label says what its writer wants it to say. Anybody can call an object managed by somebody else, and is then not checked.",
	Fix:     "Ask who sends the request: a match condition such as !(request.userInfo.username == 'system:serviceaccount:NAMESPACE:NAME').",
	anyKind: true,
	find: func(r *run) {
		eachOptOut(r, func(v *view, p *part, out selector.Requirement) {
			if isIdentity(out.Key) {
				r.add(v, p.inBinding, optOut(r, v, p, out, fmt.Sprintf("The label %s is meant to say who made the object, and anybody can set it.", out.Key)))
			}
		})
	},
}

var inclusiveObjectSelector = Rule{
	Name:    "inclusive-object-selector",
	Summary: "An objectSelector asks for a label that objects of the policy's resources do not have.",
	Why:     "An object without the label is not checked, and nothing tells it from one that was checked and found good.",
	Fix:     "Select by namespace, or label the objects; where opting in is meant, nothing is to be done.",
	anyKind: true,
	find: func(r *run) {
		r.eachPart(func(v *view, p *part) {
			extent := p.object.Selector.Extent()
			if extent.Err() != nil || extent.Empty() || extent.Has(nil) || !seesLabels(v) {
				return
			}
			required := requiredKeys(p.object.Selector)
			n := r.outside(v, p, func(set labels.Set) bool {
				return slices.ContainsFunc(required, func(key string) bool { return !set.Has(key) })
			})
			if n == nil || *n == 0 {
				return
			}
			r.add(v, p.inBinding, Finding{
				Severity: Info, Field: p.object.Selector.Field, Objects: n,
				Message: fmt.Sprintf("An object of its resources without the %s %s is not reached, and there are such objects.", verb(len(required), "label", "labels"), strings.Join(required, ", ")),
			})
		})
	},
}

// eachOptOut calls a function for every requirement of an objectSelector by which a label
// lets an object out that would be in without any label.
func eachOptOut(r *run, find func(*view, *part, selector.Requirement)) {
	r.eachPart(func(v *view, p *part) {
		if p.object.Selector.Extent().Everything() || !v.selects().Object.Has(nil) || !seesLabels(v) {
			return
		}
		for _, requirement := range p.object.Selector.Requirements {
			find(v, p, requirement)
		}
	})
}

// optOut is the finding about a requirement. To let objects out of a mutation is what such
// labels are commonly for.
func optOut(r *run, v *view, p *part, out selector.Requirement, message string) Finding {
	severity := Info
	if v.Phase.Mutated() {
		severity = Warning
	}
	alone := out.Extent()
	return Finding{
		Severity: severity, Field: out.Field, Message: message,
		Objects: r.outside(v, p, func(set labels.Set) bool { return !alone.Has(set) }),
	}
}

// seesLabels reports whether the policy may get any request whose object has labels of its
// own; what is wrong with the others is another rule's.
func seesLabels(v *view) bool {
	return v.reachesUnknown() || slices.ContainsFunc(v.reach(), func(at *reached) bool { return at.carriesItself() })
}

// requiredKeys are the labels that an object must have.
func requiredKeys(s *selector.Selector) []string {
	var keys []string
	for _, r := range s.Requirements {
		if (r.Operator == metav1.LabelSelectorOpIn || r.Operator == metav1.LabelSelectorOpExists) && !slices.Contains(keys, r.Key) {
			keys = append(keys, r.Key)
		}
	}
	return keys
}

// identities are the names of labels that say who made an object.
var identities = []string{"managed-by", "created-by", "owned-by", "user", "username", "requester", "requested-by", "serviceaccount", "service-account"}

func isIdentity(key string) bool {
	return slices.Contains(identities, strings.ToLower(key[strings.LastIndex(key, "/")+1:]))
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
