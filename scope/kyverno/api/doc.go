// Package api has the fields of Kyverno's objects that decide scope, and nothing else of them.
//
// The types are Ambit's own: those of github.com/kyverno/kyverno bring hundreds of modules along. What is absent and
// what is written but empty are kept apart everywhere, because Kyverno does: a selector {} groups apart from none, and
// matchConditions: [] makes a policy fine-grained.
package api
