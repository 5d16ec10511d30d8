package controller

import (
	"sync/atomic"
	_ "unsafe" // For go:linkname.

	_ "k8s.io/component-base/version"

	"github.com/ambit-k8s/ambit/scope/builtin"
)

// gitVersion is what a server says its version is. One that was built without the flags of a release calls itself
// v0.0.0-master, for which Kyverno refuses policies with match conditions.
//
//go:linkname gitVersion k8s.io/component-base/version.dynamicGitVersion
var gitVersion atomic.Value

func init() { gitVersion.Store("v" + builtin.Version) }
