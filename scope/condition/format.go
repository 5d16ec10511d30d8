package condition

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// maxElements and maxText bound what is written of a large value.
const (
	maxElements = 8
	maxText     = 200
)

// format writes a CEL value as CEL would, shortened.
func format(v ref.Val) string {
	text := write(v, 0)
	if runes := []rune(text); len(runes) > maxText {
		return string(runes[:maxText]) + "…"
	}
	return text
}

func write(v ref.Val, depth int) string {
	switch {
	case v == nil || v == types.NullValue:
		return "null"
	case types.IsUnknown(v):
		return "not known"
	}
	switch t := v.(type) {
	case *types.Err:
		return "error: " + t.Error()
	case types.String:
		return strconv.Quote(string(t))
	case types.Bool, types.Int, types.Uint, types.Double:
		return fmt.Sprint(t.Value())
	case *types.Optional:
		if !t.HasValue() {
			return "none"
		}
		return write(t.GetValue(), depth)
	case traits.Lister:
		return writeList(t, depth)
	case traits.Mapper:
		return writeMap(t, depth)
	}
	return v.Type().TypeName()
}

func writeList(l traits.Lister, depth int) string {
	if depth > 1 {
		return "[…]"
	}
	var parts []string
	for it := l.Iterator(); it.HasNext() == types.True; {
		if len(parts) == maxElements {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, write(it.Next(), depth+1))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func writeMap(m traits.Mapper, depth int) string {
	if depth > 1 {
		return "{…}"
	}
	var parts []string
	for it := m.Iterator(); it.HasNext() == types.True; {
		if len(parts) == maxElements {
			parts = append(parts, "…")
			break
		}
		key := it.Next()
		value, _ := m.Find(key)
		parts = append(parts, write(key, depth)+": "+write(value, depth+1))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
