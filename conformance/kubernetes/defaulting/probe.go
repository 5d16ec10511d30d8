package defaulting

import (
	"fmt"
	"iter"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kubernetes/pkg/generated/openapi"
)

// Probes yields objects of a kind that between them bring to light what the server fills in, and when. For every struct
// that the kind can hold these are: an object with nothing but the way to that struct; for every value of the struct,
// the same with only that value set, to each of the values that the API documents; and where the API documents them,
// each together with each other value of the struct, because such a choice often decides about the others.
func Probes(gvk schema.GroupVersionKind) iter.Seq[runtime.Object] {
	return func(yield func(runtime.Object) bool) {
		root, err := schemeOf(gvk.Group).New(gvk)
		if err != nil {
			panic(fmt.Sprintf("probe %v: %v", gvk, err)) // Every kind that is served has a Go type.
		}
		typ := reflect.TypeOf(root).Elem()
		for node := range nodes(typ, nil, nil) {
			for settings := range combinations(node.typ) {
				object := reflect.New(typ)
				descend(object.Elem(), node.steps, func(v reflect.Value) {
					for _, s := range settings {
						v.FieldByIndex(s.index).Set(s.value)
					}
				})
				o := object.Interface().(runtime.Object)
				o.GetObjectKind().SetGroupVersionKind(gvk)
				if !yield(o) {
					return
				}
			}
		}
	}
}

// setting is a field of a struct with a value to try.
type setting struct {
	index      []int
	value      reflect.Value
	documented bool
}

// combinations yields what to set in a struct: nothing, each value, and pairs of a documented value and another field.
func combinations(t reflect.Type) iter.Seq[[]setting] {
	var all []setting
	for _, f := range fieldsOf(t) {
		all = append(all, settings(t, f)...)
	}
	return func(yield func([]setting) bool) {
		if !yield(nil) {
			return
		}
		for _, one := range all {
			if !yield([]setting{one}) {
				return
			}
			for _, other := range all {
				pair := one.documented && !slices.Equal(one.index, other.index)
				if pair && !yield([]setting{one, other}) {
					return
				}
			}
		}
	}
}

// node is a struct somewhere below a kind.
type node struct {
	typ   reflect.Type
	steps []field
}

// nodes yields the struct itself and all structs below it. A type that already is on the way is left out, which ends
// the recursion of types like JSONSchemaProps.
func nodes(t reflect.Type, steps []field, above []reflect.Type) iter.Seq[node] {
	return func(yield func(node) bool) {
		if slices.Contains(above, t) || !yield(node{t, steps}) {
			return
		}
		above := append(slices.Clone(above), t)
		for _, f := range fieldsOf(t) {
			inner, _, ok := f.structOf()
			if !ok {
				continue
			}
			for n := range nodes(inner, append(slices.Clone(steps), f), above) {
				if !yield(n) {
					return
				}
			}
		}
	}
}

// descend goes down from v, makes what is missing on the way, and calls set with the struct at the end.
func descend(v reflect.Value, steps []field, set func(reflect.Value)) {
	if len(steps) == 0 {
		set(v)
		return
	}
	target := v.FieldByIndex(steps[0].index)
	inner, held, _ := steps[0].structOf()
	switch held {
	case inPlace:
		descend(target, steps[1:], set)
	case pointer:
		target.Set(reflect.New(inner))
		descend(target.Elem(), steps[1:], set)
	case list:
		target.Set(reflect.MakeSlice(target.Type(), 1, 1))
		descend(target.Index(0), steps[1:], set)
	case byKey:
		value := reflect.New(inner).Elem()
		descend(value, steps[1:], set)
		target.Set(reflect.MakeMap(target.Type()))
		target.SetMapIndex(reflect.ValueOf("x").Convert(target.Type().Key()), value)
	}
}

// settings returns the values to try for a field: those that the API documents, else any one.
func settings(owner reflect.Type, f field) []setting {
	if inner, held, ok := f.structOf(); ok {
		if held == pointer {
			return []setting{{index: f.index, value: reflect.New(inner)}}
		}
		return nil
	}
	var all []setting
	for _, documented := range enum(owner, f.name) {
		if value := sample(f.typ, documented); value.IsValid() {
			all = append(all, setting{f.index, value, true})
		}
	}
	if value := sample(f.typ, "x"); value.IsValid() && len(all) == 0 {
		all = append(all, setting{f.index, value, false})
	}
	return all
}

// sample makes a value of a type that is not its zero value, from text where the type holds text.
func sample(t reflect.Type, text string) reflect.Value {
	switch t {
	case reflect.TypeFor[resource.Quantity]():
		return reflect.ValueOf(resource.MustParse("2"))
	case reflect.TypeFor[intstr.IntOrString]():
		return reflect.ValueOf(intstr.FromInt32(2))
	}
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int32, reflect.Int64:
		v.SetInt(2)
	case reflect.Uint8:
		v.SetUint(2)
	case reflect.Pointer:
		inner := sample(t.Elem(), text)
		if !inner.IsValid() {
			return inner
		}
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(inner)
	case reflect.Slice:
		inner := sample(t.Elem(), text)
		if !inner.IsValid() {
			return inner
		}
		v.Set(reflect.Append(v, inner))
	case reflect.Map:
		inner := sample(t.Elem(), text)
		if !inner.IsValid() {
			return inner
		}
		v.Set(reflect.MakeMap(t))
		v.SetMapIndex(sample(t.Key(), text), inner)
	default:
		return reflect.Value{}
	}
	return v
}

var definitions = openapi.GetOpenAPIDefinitions(func(name string) spec.Ref { return spec.MustCreateRef(name) })

// onlyInProse are values of fields that the OpenAPI document describes, but does not list.
var onlyInProse = map[string][]string{
	"core/v1.LimitRangeItem.type": {string(corev1.LimitTypeContainer), string(corev1.LimitTypePod)},
	"rbac/v1.Subject.kind":        {rbacv1.UserKind, rbacv1.GroupKind, rbacv1.ServiceAccountKind},
}

// enum returns the values that are documented for a field.
func enum(owner reflect.Type, name string) []string {
	values := slices.Clone(onlyInProse[typeName(owner)+"."+name])
	model, ok := reflect.New(owner).Interface().(interface{ OpenAPIModelName() string })
	if !ok {
		return values
	}
	for _, value := range definitions[model.OpenAPIModelName()].Schema.Properties[name].Enum {
		if text, ok := value.(string); ok && text != "" {
			values = append(values, text)
		}
	}
	return values
}
