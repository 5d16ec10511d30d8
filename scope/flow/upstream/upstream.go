// Package upstream reaches the API server's own matching of FlowSchemas, which is
// unexported. It is for tests: the product must not depend on a name that may change.
package upstream

import (
	_ "unsafe" // for go:linkname

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apiserver/pkg/util/flowcontrol"
)

// Matches reports whether the rules of a FlowSchema match a request.
//
//go:linkname Matches k8s.io/apiserver/pkg/util/flowcontrol.matchesFlowSchema
func Matches(digest flowcontrol.RequestDigest, schema *flowcontrolv1.FlowSchema) bool
