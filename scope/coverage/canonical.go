package coverage

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
)

// appendJSON writes a value as JSON so that equal values are written alike and a whole
// floating point number stays one: CEL tells 1 from 1.0.
func appendJSON(b []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...), nil
	case bool:
		return strconv.AppendBool(b, v), nil
	case string:
		return appendText(b, v)
	case int64:
		return strconv.AppendInt(b, v, 10), nil
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1e15 {
			return append(strconv.AppendFloat(b, v, 'f', -1, 64), ".0"...), nil
		}
		return appendOther(b, v)
	case []any:
		return appendList(b, v)
	case map[string]any:
		return appendMap(b, v)
	}
	return appendOther(b, v)
}

func appendList(b []byte, v []any) ([]byte, error) {
	var err error
	b = append(b, '[')
	for i, item := range v {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendJSON(b, item); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

func appendMap(b []byte, v map[string]any) ([]byte, error) {
	var err error
	b = append(b, '{')
	for i, key := range slices.Sorted(maps.Keys(v)) {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendText(b, key); err != nil {
			return nil, err
		}
		if b, err = appendJSON(append(b, ':'), v[key]); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// appendText writes plain text fast and leaves the rest to the library.
func appendText(b []byte, s string) ([]byte, error) {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c >= 0x7f || c == '"' || c == '\\' {
			return appendOther(b, s)
		}
	}
	return append(append(append(b, '"'), s...), '"'), nil
}

func appendOther(b []byte, v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return append(b, data...), nil
}
