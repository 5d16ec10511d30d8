package admission

import (
	"context"
	"errors"
	"fmt"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
)

// Params is the layer of an admission policy with a paramKind: the parameters that the
// binding names must be found.
type Params struct {
	Kind *v1.ParamKind
	// Ref is nil if the binding names no parameters; the policy is then evaluated once, with
	// params being null.
	Ref *v1.ParamRef

	onError scope.Effect
	family  family
}

// Name implements scope.Layer.
func (l *Params) Name() scope.LayerName { return scope.Params }

// GVK is the kind of the parameters.
func (l *Params) GVK() schema.GroupVersionKind {
	gv, err := schema.ParseGroupVersion(l.Kind.APIVersion)
	if err != nil {
		gv = schema.GroupVersion{Version: l.Kind.APIVersion}
	}
	return gv.WithKind(l.Kind.Kind)
}

// resolved is what became of a paramRef.
type resolved struct {
	objects []runtime.Object
	// where is the namespace that was searched; empty for a cluster-scoped kind.
	where string
	// open is why the parameters are not known.
	open *scope.Missing
	// err is a configuration error; early marks the one that the API server raises before
	// it looks at bindings.
	err   error
	early bool
}

// Decide implements scope.Layer.
func (l *Params) Decide(_ context.Context, q scope.Question) scope.Step {
	r := l.resolve(q)
	step := scope.Step{Outcome: scope.Match, Stage: scope.StageParams, Detail: r}
	switch {
	case r.err != nil:
		step.Outcome, step.Err, step.OnError = scope.Failed, r.err, l.onError
		if r.early {
			step.Stage = scope.StageConfigured
		}
	case r.open != nil:
		step.Outcome, step.Missing = scope.Open, []scope.Missing{*r.open}
	case len(r.objects) == 0 && l.Ref.ParameterNotFoundAction != nil && *l.Ref.ParameterNotFoundAction == v1.DenyAction:
		step.Outcome, step.Err, step.OnError = scope.Failed, errNoParams, l.onError
	case len(r.objects) == 0:
		step.Outcome = scope.NoMatch
		if l.family == validatingPolicy {
			// Validating policies read the Namespace before they notice that there is nothing
			// to evaluate; mutating policies never get that far.
			step.Stage = scope.StageNoParams
		}
	}
	return step
}

var errNoParams = errors.New("no params found for policy binding with `Deny` parameterNotFoundAction")

// resolve finds the parameters as plugin/policy/generic/policy_dispatcher.go
// (CollectParams) does. Upstream's function wants running informers; its branches are
// these.
func (l *Params) resolve(q scope.Question) resolved {
	gvk := l.GVK()
	if q.Facts.Resources == nil {
		return resolved{open: &scope.Missing{Path: "params", Fact: "whether the server knows the kind " + l.Kind.String()}}
	}
	res, known := q.Facts.Resources.ForKind(gvk)
	switch {
	case !known || !res.Served:
		return resolved{early: true, err: fmt.Errorf("failed to find resource referenced by paramKind: '%s'", gvk)}
	case l.Ref == nil:
		return resolved{objects: []runtime.Object{nil}}
	}
	where := ""
	if res.Namespaced {
		if where = l.Ref.Namespace; where == "" {
			where = q.Request.Namespace
		}
		if where == "" {
			return resolved{err: errors.New("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources")}
		}
	} else if l.Ref.Namespace != "" {
		return resolved{err: errors.New("paramRef.namespace must not be provided for a cluster-scoped `paramKind`")}
	}
	return l.find(q, gvk, where)
}

func (l *Params) find(q scope.Question, gvk schema.GroupVersionKind, where string) resolved {
	r := resolved{where: where}
	unknown := func(reason string) resolved {
		if reason == "" {
			reason = "they were not read"
		}
		r.open = &scope.Missing{Path: "params", Fact: fmt.Sprintf("the parameters of kind %s (%s)", gvk.Kind, reason)}
		return r
	}
	switch {
	case q.Facts.Params == nil:
		return unknown("")
	case l.Ref.Name != "" && l.Ref.Selector != nil:
		r.err = errors.New("paramRef.name and paramRef.selector are mutually exclusive")
	case l.Ref.Name != "":
		o, presence, reason := q.Facts.Params.Param(gvk, where, l.Ref.Name)
		switch presence {
		case scope.NotKnown:
			return unknown(reason)
		case scope.Present:
			r.objects = []runtime.Object{o}
		}
	case l.Ref.Selector != nil:
		s, err := metav1.LabelSelectorAsSelector(l.Ref.Selector)
		if err != nil {
			r.err = err
			return r
		}
		objects, known, reason := q.Facts.Params.ListParams(gvk, where, s)
		if !known {
			return unknown(reason)
		}
		r.objects = objects
	default:
		r.err = errors.New("one of name or selector must be provided")
	}
	return r
}

// forConditions gives the match conditions their parameters. Where there are none, the
// conditions are still shown, with params left open.
func (l *Params) forConditions(q scope.Question) ([]runtime.Object, *scope.Missing) {
	r := l.resolve(q)
	switch {
	case r.open != nil:
		return []runtime.Object{nil}, r.open
	case len(r.objects) == 0:
		return []runtime.Object{nil}, &scope.Missing{Path: "params", Fact: "a parameter, and none was found"}
	}
	return r.objects, nil
}

// Explain implements scope.Layer.
func (l *Params) Explain(_ context.Context, _ scope.Question, step scope.Step) []scope.Reason {
	r := step.Detail.(resolved)
	reason := scope.Reason{Field: "spec.paramRef", Want: l.wants(r.where), Outcome: step.Outcome}
	switch {
	case step.Outcome == scope.Failed && r.early:
		reason.Field, reason.Want, reason.Got = "spec.paramKind", l.Kind.APIVersion+" "+l.Kind.Kind, "no such kind"
		reason.Message = "The server does not know the kind of the parameters. The policy cannot be used until it does."
	case step.Outcome == scope.Failed:
		reason.Got, reason.Message = "none", step.Err.Error()
	case step.Outcome == scope.Open:
		reason.Got, reason.Message = "not known", "It depends on "+step.Missing[0].Fact+"."
	case step.Outcome == scope.NoMatch:
		reason.Got, reason.Message = "none", "There is no parameter, and parameterNotFoundAction Allow lets the request pass without asking the policy."
	case l.Ref == nil:
		reason.Got, reason.Message = "no paramRef", "The binding names no parameter, so the policy is evaluated once with params being null."
	default:
		reason.Got = found(r.objects)
	}
	return []scope.Reason{reason}
}

// wants writes what a paramRef asks for.
func (l *Params) wants(where string) string {
	if l.Ref == nil {
		return l.Kind.Kind
	}
	text := l.Kind.Kind + " " + l.Ref.Name
	if l.Ref.Selector != nil {
		text = l.Kind.Kind + " with " + metav1.FormatLabelSelector(l.Ref.Selector)
	}
	if where != "" {
		text += " in namespace " + where
	}
	return text
}

// found writes the names of parameters.
func found(objects []runtime.Object) string {
	words := make([]string, 0, len(objects))
	for _, o := range objects {
		accessor, err := meta.Accessor(o)
		if err != nil {
			continue
		}
		name := accessor.GetName()
		if accessor.GetNamespace() != "" {
			name = accessor.GetNamespace() + "/" + name
		}
		words = append(words, name)
	}
	return strings.Join(words, ", ")
}
