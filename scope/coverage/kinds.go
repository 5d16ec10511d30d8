package coverage

import (
	"reflect"
	"strings"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes/scheme"
)

// builtIn are the kinds that have a Go type, through which the API server passes their
// objects before CEL sees them.
var builtIn = sync.OnceValue(func() *runtime.Scheme {
	s := runtime.NewScheme()
	utilruntime.Must(scheme.AddToScheme(s))
	utilruntime.Must(apiextensionsv1.AddToScheme(s))
	return s
})

// typeOf returns the Go type of a kind, or nil for a kind without one.
func typeOf(kind schema.GroupVersionKind) reflect.Type {
	return builtIn().AllKnownTypes()[kind]
}

// fieldType is what Go knows of a field.
type fieldType struct {
	typ reflect.Type
	// vanishes says that the field is not there for CEL when it has Go's zero value although
	// something was written.
	vanishes bool
}

// fields remembers what fieldOf found in types of Go, of which there are not many.
var fields sync.Map

type fieldKey struct {
	typ  reflect.Type
	name string
}

// fieldOf finds a field by its name in JSON. Of types that write themselves, and of those
// that are not known, nothing is known.
func fieldOf(t reflect.Type, name string) fieldType {
	if t == nil {
		return fieldType{}
	}
	if t.Kind() == reflect.Map {
		return findField(t, name)
	}
	key := fieldKey{t, name}
	if known, ok := fields.Load(key); ok {
		return known.(fieldType)
	}
	found := findField(t, name)
	if found.typ != nil {
		// Names that the type does not have come from policies, and there is no end of them.
		fields.Store(key, found)
	}
	return found
}

func findField(t reflect.Type, name string) fieldType {
	if t = pointedAt(t); t == nil || writesItself(t) {
		return fieldType{}
	}
	switch t.Kind() {
	case reflect.Map:
		return fieldType{typ: t.Elem()}
	case reflect.Struct:
		return structField(t, name)
	}
	return fieldType{}
}

func structField(t reflect.Type, name string) fieldType {
	for i := range t.NumField() {
		f := t.Field(i)
		tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case tag == name && name != "":
			return fieldType{f.Type, strings.Contains(options, "omitzero")}
		case f.Anonymous && tag == "" || strings.Contains(options, "inline"):
			if found := findField(f.Type, name); found.typ != nil {
				return found
			}
		}
	}
	return fieldType{}
}

// itemOf is the type of the items of a list.
func itemOf(t reflect.Type) reflect.Type {
	if t = pointedAt(t); t != nil && t.Kind() == reflect.Slice && !writesItself(t) {
		return t.Elem()
	}
	return nil
}

func pointedAt(t reflect.Type) reflect.Type {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

var (
	marshaler   = reflect.TypeFor[interface{ MarshalJSON() ([]byte, error) }]()
	unstructure = reflect.TypeFor[interface{ ToUnstructured() any }]()
)

// writesItself reports whether a type has its own form in JSON, as a time has.
func writesItself(t reflect.Type) bool {
	for _, i := range []reflect.Type{marshaler, unstructure} {
		if t.Implements(i) || reflect.PointerTo(t).Implements(i) {
			return true
		}
	}
	return false
}
