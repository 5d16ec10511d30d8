package admission

import (
	"fmt"

	"github.com/ambit-k8s/ambit/scope"
)

// Reads implements scope.Reader: which parameters there are depends on the namespace of
// the request at most.
func (l *Params) Reads(scope.Question) scope.Reads {
	return scope.Reads{Namespace: true, Params: true}
}

// Key implements scope.Keyed.
func (l *Exempt) Key() string { return fmt.Sprint("exempt ", l.family) }

// Key implements scope.Keyed.
func (l *Bound) Key() string { return fmt.Sprint("bound ", l.missingPolicy, l.missingBinding) }
