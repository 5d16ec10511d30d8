package legacy

import (
	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
)

// Engine is what the engine goes by beside the policy.
type Engine struct {
	Release    release.Release
	Exceptions Exceptions
	// Stage is where the steps stand among those of the policy's other layers.
	Stage scope.Stage
}

// Exceptions are the PolicyExceptions of the group kyverno.io.
type Exceptions struct {
	All []*api.LegacyException
	// Unread is set if there may be others, which could not be read.
	Unread *scope.Missing
	// Accepted says whether Kyverno accepts exceptions from a namespace (--enablePolicyException,
	// --exceptionNamespace): Match, NoMatch or Open. Nil leaves it open.
	Accepted func(namespace string) scope.StepOutcome
}

// Layers returns the steps by which the engine narrows a policy: match, exclude and exceptions, each about all rules
// of the policy together. A request passes all three if some rule matches, does not exclude it, and has no exception
// for it.
func Layers(p *api.Legacy, e Engine) []scope.Layer {
	o := newRoom(p, e)
	return []scope.Layer{&matchLayer{o}, &excludeLayer{o}, &exceptionsLayer{o}}
}
