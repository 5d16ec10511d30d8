package defaulting

import (
	"encoding/json"
	"path"
	"reflect"
	"strings"
)

// field is one JSON field of a struct type.
type field struct {
	name  string
	index []int        // for reflect.Value.FieldByIndex; embedded structs without a name are flattened, as in JSON
	typ   reflect.Type // as declared, with its pointer
}

// container is how a field holds its structs.
type container string

const (
	inPlace container = ""      // a struct that is always there
	pointer container = "*"     // a struct that is there or not
	list    container = "[]"    // any number of structs
	byKey   container = "map[]" // structs by a key
)

var marshaler = reflect.TypeFor[json.Marshaler]()

// fieldsOf returns the JSON fields of a struct type, with those of embedded structs.
func fieldsOf(t reflect.Type) []field {
	var fields []field
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported():
		case f.Anonymous && (name == "" || strings.Contains(options, "inline")):
			for _, inner := range fieldsOf(f.Type) {
				inner.index = append([]int{i}, inner.index...)
				fields = append(fields, inner)
			}
		default:
			fields = append(fields, field{name: name, index: []int{i}, typ: f.Type})
		}
	}
	return fields
}

// structOf returns the struct that a field holds, and how. A type with a JSON form of its own, such as a time or a
// quantity, is a value and not a struct.
func (f field) structOf() (_ reflect.Type, held container, ok bool) {
	t := f.typ
	switch {
	case isStruct(t):
		return t, inPlace, true
	case t.Kind() == reflect.Pointer && isStruct(t.Elem()):
		return t.Elem(), pointer, true
	case t.Kind() == reflect.Slice && isStruct(t.Elem()):
		return t.Elem(), list, true
	case t.Kind() == reflect.Map && isStruct(t.Elem()):
		return t.Elem(), byKey, true
	}
	return nil, "", false
}

func isStruct(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && !t.Implements(marshaler) && !reflect.PointerTo(t).Implements(marshaler)
}

// plain says that a field has no way to be absent in Go: its zero value is what a missing field decodes to.
func (f field) plain() bool {
	switch f.typ.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return false
	}
	return true
}

// typeName is the name of a type in the table: the group's folder, the version and the type, as in core/v1.Pod.
func typeName(t reflect.Type) string {
	version := path.Base(t.PkgPath())
	return path.Base(path.Dir(t.PkgPath())) + "/" + version + "." + t.Name()
}
