package views

import (
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/flow"
)

// FlowLevel is the priority level of a FlowSchema in words.
type FlowLevel struct {
	Name string
	// Brief are a few short lines, and Sentence the same at length.
	Brief    []string
	Sentence Sentence
	// Class and Word stand out where the level is missing or not known.
	Class, Word string
}

// newFlowLevel describes the level that a schema puts its requests in.
func newFlowLevel(s *flow.Schema) FlowLevel {
	v := FlowLevel{Name: s.Spec.PriorityLevelConfiguration.Name}
	v.Sentence = Sentence{}.plain("Its requests go to priority level ").quoted(v.Name)
	switch {
	case s.Dangling():
		v.Class, v.Word = "err", "no such level"
		v.Sentence = Sentence{}.plain("It names priority level ").quoted(v.Name).plain(", ").strong("which does not exist").plain(". The API server ignores the schema until it does.")
	case s.Level == nil && s.HasLevel == scope.Present:
		v.Class, v.Word = "unk", "not known"
		v.Sentence = v.Sentence.plain(", which exists; what it allows is not known.")
	case s.Level == nil:
		v.Class, v.Word = "unk", "cannot tell"
		v.Sentence = v.Sentence.plain(", if there is such a level, ").strong("which is not known").plain(". Without it the API server ignores the schema.")
	case s.Level.Spec.Type == flowcontrolv1.PriorityLevelEnablementExempt:
		v.Brief = []string{"never waits, never refused"}
		v.Sentence = v.Sentence.plain(", where they ").strong("never wait and are never refused").plain(".")
	case s.Level.Spec.Limited != nil:
		v.limited(s.Level.Spec.Limited, s.Spec.DistinguisherMethod)
	}
	return v
}

// limited says what a level may use, and what becomes of a request when that is used up.
// With one queue there are no flows to tell apart.
func (v *FlowLevel) limited(l *flowcontrolv1.LimitedPriorityLevelConfiguration, by *flowcontrolv1.FlowDistinguisherMethod) {
	shares := "a share"
	if l.NominalConcurrencyShares != nil {
		shares = many(int(*l.NominalConcurrencyShares), "share", "shares")
	}
	v.Sentence = v.Sentence.plain(", which has ").strong(shares).plain(" of what the API server does at a time. ")
	queuing := l.LimitResponse.Queuing
	switch {
	case l.LimitResponse.Type == flowcontrolv1.LimitResponseTypeReject:
		v.Brief = []string{shares + ", refuses when full"}
		v.Sentence = v.Sentence.plain("What goes beyond is ").strong("refused").plain(".")
	case queuing == nil || queuing.Queues < 2:
		v.Brief = []string{shares + ", waits when full"}
		v.Sentence = v.Sentence.plain("What goes beyond ").strong("waits in one queue").plain(".")
	default:
		queues := many(int(queuing.Queues), "queue", "queues")
		v.Brief = []string{shares + ", waits when full", queues + ", " + flowsBy(by)}
		v.Sentence = v.Sentence.plain("What goes beyond ").strong("waits in " + queues).plain(", with " + flowsBy(by) + ".")
	}
}

// flowsBy says what tells the flows of a schema apart, which share the queues fairly.
func flowsBy(by *flowcontrolv1.FlowDistinguisherMethod) string {
	switch {
	case by == nil:
		return "one flow for all"
	case by.Type == flowcontrolv1.FlowDistinguisherMethodByUserType:
		return "a flow per user"
	case by.Type == flowcontrolv1.FlowDistinguisherMethodByNamespaceType:
		return "a flow per namespace"
	}
	return "flows by " + string(by.Type)
}
