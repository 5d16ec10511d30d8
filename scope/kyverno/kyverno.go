// Package kyverno turns Kyverno's policies into policies with two rooms. The first is the API server, which calls
// Kyverno through a webhook that Kyverno has written for the policy; the second is Kyverno, which evaluates the policy
// for what it is called with, or does not.
//
// Which webhooks there are is read from the cluster where it has them, and predicted (package webhooks) where it has
// not. What happens behind them is in package engine for policies that are written in CEL, and in package legacy for
// the others. A request that the first room leaves out is notCalled, one that the second does notEvaluated.
package kyverno

import (
	"crypto/sha256"
	"time"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/condition"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
)

// Compiler implements scope.Compiler. It remembers compiled CEL expressions, and is safe for concurrent use.
type Compiler struct {
	release    release.Release
	conditions *condition.Compiler

	// Flags are those of the admission controller, as far as they decide scope. They must not change while the compiler
	// is used.
	Flags config.Flags
	// AcceptsExceptions says whether Kyverno accepts PolicyExceptions from a namespace (--enablePolicyException and
	// --exceptionNamespace): Match, NoMatch or Open. Nil leaves it open for all: by itself Kyverno accepts none, and
	// objects do not tell.
	AcceptsExceptions func(namespace string) scope.StepOutcome
	// Now is the time by which exceptions expire; nil is the clock.
	Now func() time.Time
}

// NewCompiler makes a compiler for a release of Kyverno.
func NewCompiler(r release.Release) *Compiler {
	return &Compiler{release: r, conditions: condition.NewCompiler(), Now: time.Now}
}

// Policies implements scope.Compiler.
func (c *Compiler) Policies(o scope.Objects) []*scope.Policy {
	all := read(o)
	if len(all.policies)+len(all.legacy) == 0 {
		return nil
	}
	predicted := webhooks.Predict(webhooks.Input{
		Policies: all.policies, Legacy: all.legacy, Config: all.config, Release: c.release, Flags: c.Flags, Resources: o.Resources,
	})
	w := c.newWorld(predicted, all.observed)
	b := &builder{
		c: c, o: o, all: all, world: w, report: c.newReport(o, all, w), digests: map[bool][sha256.Size]byte{},
	}
	return b.policies()
}
