package defaulting

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// place is a field as seen from a struct above it: the struct's type and the way down to the field.
type place struct {
	typ  string
	path string // field names joined by dots; [] after a field that holds its structs in a list or by key
}

// observations collects what the server did to fields that were not set, from each struct above the field.
type observations struct {
	seen    map[place]map[string]bool // to the JSON of the values that appeared, "" for none
	above   map[place]map[place]bool  // to the same field as seen from one struct higher
	nearest map[place]field           // the places of fields as seen from their own structs
}

func newObservations() *observations {
	return &observations{
		seen:    map[place]map[string]bool{},
		above:   map[place]map[place]bool{},
		nearest: map[place]field{},
	}
}

// probe lets the server fill a copy of the probe and notes the difference. Probes that make no sense to the
// server's conversions teach nothing.
func (o *observations) probe(gvk schema.GroupVersionKind, object runtime.Object) error {
	before, err := View(object)
	if err != nil {
		return err
	}
	served, err := Serve(gvk, object.DeepCopyObject())
	if err != nil {
		return nil
	}
	after, err := View(served)
	if err != nil {
		return err
	}
	o.compare(reflect.TypeOf(object).Elem(), before, after, nil)
	return nil
}

// step is one step of the way down to a struct.
type step struct {
	typ  reflect.Type
	name string
}

// compare notes what happened to the unset fields of one struct, and goes down to those that hold structs.
func (o *observations) compare(t reflect.Type, before, after map[string]any, above []step) {
	for _, f := range fieldsOf(t) {
		inner, held, isStruct := f.structOf()
		way := append(above[:len(above):len(above)], step{t, f.name})
		switch {
		case isStruct && held == inPlace:
			b, _ := before[f.name].(map[string]any)
			a, _ := after[f.name].(map[string]any)
			o.compare(inner, b, a, way)
		case unset(f, before[f.name]):
			o.note(way, f, after[f.name])
		case isStruct:
			if held != pointer {
				way[len(way)-1].name += many
			}
			b, a := elements(before[f.name], held), elements(after[f.name], held)
			for i := range min(len(b), len(a)) {
				o.compare(inner, b[i], a[i], way)
			}
		case fmt.Sprint(before[f.name]) != fmt.Sprint(after[f.name]):
			// A value that was set and changed never is a matter of the table.
			o.note(way, f, after[f.name])
			o.note(way, f, nil)
		}
	}
}

// many marks a field whose structs are in a list or have keys.
const many = "[]"

// elements returns the structs that a field holds.
func elements(value any, held container) []map[string]any {
	var all []map[string]any
	switch value := value.(type) {
	case map[string]any:
		if held == pointer {
			return []map[string]any{value}
		}
		for _, element := range value {
			if m, ok := element.(map[string]any); ok {
				all = append(all, m)
			}
		}
	case []any:
		for _, element := range value {
			if m, ok := element.(map[string]any); ok {
				all = append(all, m)
			}
		}
	}
	return all
}

// unset says that a value is what Go has for a field that nobody set.
func unset(f field, value any) bool {
	if value == nil {
		return true
	}
	v := reflect.ValueOf(value)
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0 && f.typ.Kind() != reflect.Pointer
	}
	return f.plain() && v.IsZero()
}

// note records a value for the field at the end of the way, as seen from each struct of the way.
func (o *observations) note(way []step, f field, value any) {
	text := ""
	if !unset(f, value) {
		b, err := json.Marshal(value)
		if err != nil {
			panic(fmt.Sprintf("write a field of an object: %v", err)) // It was made from JSON-like values.
		}
		text = string(b)
	}
	var below place
	for i := range way {
		from := way[len(way)-1-i:]
		names := make([]string, len(from))
		for j, s := range from {
			names[j] = s.name
		}
		here := place{typeName(from[0].typ), strings.Join(names, ".")}
		if o.seen[here] == nil {
			o.seen[here], o.above[here] = map[string]bool{}, map[place]bool{}
		}
		o.seen[here][text] = true
		if i == 0 {
			o.nearest[here] = f
		} else {
			o.above[below][here] = true
		}
		below = here
	}
}
