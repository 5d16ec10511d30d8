package kyverno

import "github.com/ambit-k8s/ambit/scope/kyverno/webhooks"

// DifferenceKind is the sort of a Difference.
type DifferenceKind string

// The sorts of difference between the webhooks of a cluster and the predicted ones.
const (
	// Missing is an entry that is predicted and that the cluster does not have.
	Missing DifferenceKind = "missing"
	// Unexpected is an entry of the cluster that nothing predicts.
	Unexpected DifferenceKind = "unexpected"
	// Changed is a field of an entry that both have.
	Changed DifferenceKind = "changed"
	// Unserved is a policy that some predicted entry serves and no entry of the cluster does.
	Unserved DifferenceKind = "unserved"
)

// Difference is one thing that sets the cluster's webhooks apart from the predicted ones.
type Difference struct {
	Kind DifferenceKind
	// Configuration is the name of the configuration, and Entry that of the webhook; both are empty for Unserved.
	Configuration, Entry string
	// Field is the path of the field in the entry, such as namespaceSelector, for Changed.
	Field string
	// Predicted and Observed are the two values as YAML; empty where there is none.
	Predicted, Observed string
	// Policies are those that the entry serves in one of the two, or the one that is Unserved.
	Policies []webhooks.Ref
	// Message says it in a sentence.
	Message string
}
