// Package compare holds what Ambit predicts of Kyverno's webhooks to what Kyverno writes: the running controller for some
// states of a cluster, and its code without a cluster for many.
package compare
