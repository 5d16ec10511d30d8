package defaulting

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Table is the content of defaults.json: for each kind its Go type, and for each type what the server fills in.
type Table struct {
	Kinds map[string]string
	Types map[string]*Type
}

// Type says what the server fills into a struct.
type Type struct {
	// Absent are values for fields that are missing. Where a default depends on where the struct stands, the table
	// has it at a struct further up, with a path of field names joined by dots.
	Absent map[string]json.RawMessage `json:"absent,omitempty"`
	// Zero are values for fields that are missing or have their zero value, because in Go they cannot be missing.
	Zero map[string]json.RawMessage `json:"zero,omitempty"`
	// Rules are the fields which the server fills depending on others: package builtin must have a rule.
	Rules []string `json:"rules,omitempty"`
	// Fields are the fields that lead to structs that have defaults: their types, after "*" if the field may be
	// missing, "[]" if it is a list, "map[]" if it has keys.
	Fields map[string]string `json:"fields,omitempty"`
}

// Derive probes the server's defaulting of all kinds and puts together what is common to the answers.
func Derive(kinds []schema.GroupVersionKind) (*Table, error) {
	o := newObservations()
	t := &Table{Kinds: map[string]string{}, Types: map[string]*Type{}}
	for _, kind := range kinds {
		for object := range Probes(kind) {
			if err := o.probe(kind, object); err != nil {
				return nil, fmt.Errorf("probe %v: %w", kind, err)
			}
		}
	}
	for p := range o.nearest {
		t.settle(o, p, o.nearest[p], map[place]bool{})
	}
	for _, kind := range kinds {
		root, err := schemeOf(kind.Group).New(kind)
		if err != nil {
			return nil, fmt.Errorf("create %v: %w", kind, err)
		}
		typ := reflect.TypeOf(root).Elem()
		t.Kinds[kind.GroupVersion().String()+"/"+kind.Kind] = typeName(typ)
		t.link(typ, map[reflect.Type]bool{})
	}
	for _, typ := range t.Types {
		slices.Sort(typ.Rules)
	}
	return t, nil
}

// settle finds the lowest structs from which a field looks the same in all probes, and notes the default there. What
// differs from everywhere depends on other fields, and a time depends on the clock.
func (t *Table) settle(o *observations, p place, f field, done map[place]bool) {
	if done[p] {
		return
	}
	done[p] = true
	value, ok := o.always(p)
	switch {
	case ok && value == "":
		return
	case strings.Contains(p.path, many), f.typ == reflect.TypeFor[*metav1.Time](), !ok && o.mixedFromAllAbove(p):
		t.typ(p.typ).Rules = append(t.typ(p.typ).Rules, p.path)
		return
	case ok:
		t.note(p, f, value)
		return
	}
	for higher := range o.above[p] {
		t.settle(o, higher, f, done)
	}
}

// always returns the one value that was seen at a place.
func (o *observations) always(p place) (string, bool) {
	values := slices.Collect(maps.Keys(o.seen[p]))
	return values[0], len(values) == 1
}

// mixedFromAllAbove says that going up tells nothing more about when a default appears.
func (o *observations) mixedFromAllAbove(p place) bool {
	for higher := range o.above[p] {
		if _, ok := o.always(higher); ok {
			return false
		}
	}
	return true
}

func (t *Table) note(p place, f field, value string) {
	to := &t.typ(p.typ).Absent
	if f.plain() {
		to = &t.typ(p.typ).Zero
	}
	if *to == nil {
		*to = map[string]json.RawMessage{}
	}
	(*to)[p.path] = json.RawMessage(value)
}

func (t *Table) typ(name string) *Type {
	if t.Types[name] == nil {
		t.Types[name] = &Type{}
	}
	return t.Types[name]
}

// link notes the fields of a type that lead to types with defaults, and says whether there is anything to fill.
func (t *Table) link(typ reflect.Type, done map[reflect.Type]bool) bool {
	name := typeName(typ)
	if done[typ] {
		return t.Types[name] != nil
	}
	done[typ] = true
	for _, f := range fieldsOf(typ) {
		inner, held, ok := f.structOf()
		if !ok || !t.link(inner, done) {
			continue
		}
		to := t.typ(name)
		if to.Fields == nil {
			to.Fields = map[string]string{}
		}
		to.Fields[f.name] = string(held) + typeName(inner)
	}
	return t.Types[name] != nil
}
