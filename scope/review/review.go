package review

import (
	"context"
	"encoding/json"

	corev1 "k8s.io/api/core/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/coverage"
)

// Verdict says what a change comes to.
type Verdict string

// The verdicts, from the least to the most that a reviewer has to look at.
const (
	// Identical is proven: every request meets the policy as before.
	Identical Verdict = "identical"
	// VolumeOnly is proven: the policy is evaluated for the same requests, and a server that
	// evaluates it is called for others than before.
	VolumeOnly Verdict = "volumeOnly"
	// Undecided is what is neither proven to be the same nor shown to differ.
	Undecided Verdict = "undecided"
	// CoverageChange is shown by a request, or by an object that exists.
	CoverageChange Verdict = "coverageChange"
)

// Verdicts lists the verdicts from the least to the most.
var Verdicts = []Verdict{Identical, VolumeOnly, Undecided, CoverageChange}

// Way says how what a policy reaches now lies to what it reached.
type Way string

// The ways of a change. Where nothing is proven and nothing shown it may have gone both ways.
const (
	Same     Way = "same"
	Narrowed Way = "narrowed"
	Widened  Way = "widened"
	Both     Way = "both"
	Added    Way = "added"
	Removed  Way = "removed"
)

// Direction says which of the two sides sees a request.
type Direction string

// A lost request was seen before and is not now; a gained one is seen now.
const (
	Lost   Direction = "lost"
	Gained Direction = "gained"
)

// Side is the policies before the change, or after it.
type Side struct {
	Policies []*scope.Policy
	Facts    *scope.Facts
	// Covered is what the policies reach of the objects that exist; nil if none are known.
	Covered *coverage.Result
}

// Input is what is compared.
type Input struct {
	Before, After Side
	// Namespaces are those that are known; witnesses are sought in them first.
	Namespaces []*corev1.Namespace
	// FactsDiffer says that the sides differ in more than policies: in parameters, for instance.
	FactsDiffer bool
}

// Review is the answer, in the form of the JSON contract.
type Review struct {
	Verdict Verdict `json:"verdict"`
	// Objects is how many objects lost and gained ones were counted among.
	Objects int      `json:"objects"`
	Changes []Change `json:"changes"`
}

// Change is one policy that is not written as it was.
type Change struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	Entry     string `json:"entry"`
	Way       Way    `json:"change"`
	// Layers are those that differ in effect, or might.
	Layers  []scope.LayerName `json:"layers"`
	Verdict Verdict           `json:"verdict"`
	// Why is what the verdict rests on, as a sentence.
	Why string `json:"why"`
	// Lost and Gained count objects that exist: those of which a CREATE was seen, or is seen.
	Lost   int `json:"lost"`
	Gained int `json:"gained"`
	// Drops says at which layer they are kept out, by the side that does not see them.
	Drops     []Drop    `json:"drops,omitempty"`
	Witnesses []Witness `json:"witnesses"`
	// Policy is the policy as it is now, or as it was if it is removed.
	Policy *scope.Policy `json:"-"`
}

// Drop is the objects that one layer keeps out on one side only.
type Drop struct {
	Direction Direction       `json:"direction"`
	Layer     scope.LayerName `json:"layer"`
	Objects   int             `json:"objects"`
	// Examples names some of them: deployments.apps prod/web.
	Examples []string `json:"examples"`
}

// Witness is a request that one of the sides sees and the other does not.
type Witness struct {
	Direction Direction `json:"direction"`
	// DecidedBy is the layer that keeps it out, on the side that does not see it.
	DecidedBy scope.LayerName `json:"decidedBy"`
	// Request is an AdmissionReview that can be given to "ambit explain".
	Request json.RawMessage `json:"request"`
	// NamespaceLabels are the labels of the namespace that its object is in, or of the Namespace
	// that it changes; nil if there is none.
	NamespaceLabels map[string]string `json:"namespaceLabels"`
	// MadeUp says that there need not be a namespace with these labels.
	MadeUp bool `json:"madeUp,omitempty"`

	asked candidate
}

// Compare says what a change does. The error is that of the context.
func Compare(ctx context.Context, in Input) (*Review, error) {
	r := &Review{Verdict: Identical, Changes: []Change{}}
	if in.Before.Covered != nil {
		r.Objects = in.Before.Covered.Population().Len()
	}
	for _, p := range pairs(in) {
		c, err := p.change(ctx)
		if err != nil {
			return nil, err
		}
		if c != nil {
			r.Changes = append(r.Changes, *c)
		}
	}
	in.onlyCalls(r.Changes)
	for _, c := range r.Changes {
		r.Verdict = worse(r.Verdict, c.Verdict)
	}
	return r, nil
}

// AtLeast reports whether a verdict is as much as another, or more.
func (v Verdict) AtLeast(o Verdict) bool { return worse(v, o) == v }

func worse(a, b Verdict) Verdict {
	worst := a
	for _, v := range Verdicts {
		if v == a || v == b {
			worst = v
		}
	}
	return worst
}
