package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	kjson "sigs.k8s.io/json"
)

// jsonStream reads a chunk as JSON objects that follow each other, with or without line
// breaks. After an object that cannot be read it goes on at the next line that begins
// with a brace, which is the next object in JSON lines.
func (r *reader) jsonStream(c chunk) {
	offset, _ := c.body()
	// Lines are counted from one object to the next, so that a long stream is read once.
	line, counted := c.line, 0
	for first := true; ; first = false {
		offset += len(c.data[offset:]) - len(bytes.TrimLeft(c.data[offset:], " \t\r\n"))
		line += bytes.Count(c.data[counted:offset], []byte("\n"))
		counted = offset
		if offset == len(c.data) {
			return
		}
		rest := c.data[offset:]
		decoder := json.NewDecoder(bytes.NewReader(rest))
		var raw json.RawMessage
		if err := decoder.Decode(&raw); err != nil {
			if first && readsAsYAML(c.data) {
				r.yamlDocument(c)
				return
			}
			r.index++
			end := jsonResume(rest)
			below, column := place(rest, min(jsonErrorOffset(err, end), end))
			r.report(line+below, column, "the JSON cannot be read: "+err.Error(), "correct it")
			offset += end
			continue
		}
		end := int(decoder.InputOffset())
		r.jsonValue(&text{data: rest[:end], line: line, json: true})
		offset += end
	}
}

// jsonResume returns the end of a broken JSON object: the line break before the next one.
func jsonResume(data []byte) int {
	if next := bytes.Index(data, []byte("\n{")); next >= 0 {
		return next
	}
	return len(data)
}

func readsAsYAML(data []byte) bool {
	_, err := parse(data)
	return err == nil
}

// place returns the number of lines before an offset, and the column from 1.
func place(data []byte, offset int) (lines, column int) {
	before := data[:offset]
	return bytes.Count(before, []byte("\n")), offset - bytes.LastIndexByte(before, '\n')
}

func jsonErrorOffset(err error, end int) int {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return min(max(int(syntax.Offset)-1, 0), end)
	}
	return end
}

// jsonValue reads one JSON value that is known to be whole.
func (r *reader) jsonValue(t *text) {
	r.index++
	var value any
	strict, err := kjson.UnmarshalStrict(t.data, &value, kjson.DisallowDuplicateFields)
	if err != nil {
		r.report(t.line, 0, "the JSON cannot be read: "+err.Error(), "correct it")
		return
	}
	for _, err := range strict {
		line := t.line
		var at kjson.FieldError
		if errors.As(err, &at) {
			line, _ = Document{Line: t.line, text: t}.LineOf(at.FieldPath())
		}
		r.warn(line, 0, fmt.Sprintf("the JSON has a %v, and the last one counts", err), "remove one of them")
	}
	r.value(value, t)
}

// jsonItems returns the texts of the items of a List in JSON, so that each of them can be
// looked at without the others.
func jsonItems(t *text) []*text {
	decoder := json.NewDecoder(bytes.NewReader(t.data))
	var items []*text
	if _, err := decoder.Token(); err != nil {
		return nil
	}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil
		}
		var skipped json.RawMessage
		if key != "items" {
			if decoder.Decode(&skipped) != nil {
				return nil
			}
			continue
		}
		if items = jsonElements(decoder, t); items == nil {
			return nil
		}
	}
	return items
}

// jsonElements reads the list that the decoder stands before.
func jsonElements(decoder *json.Decoder, t *text) []*text {
	if open, err := decoder.Token(); err != nil || open != json.Delim('[') {
		return nil
	}
	items := []*text{}
	line, counted := t.line, 0
	for decoder.More() {
		var raw json.RawMessage
		if decoder.Decode(&raw) != nil {
			return nil
		}
		end := int(decoder.InputOffset())
		start := end - len(raw)
		line += bytes.Count(t.data[counted:start], []byte("\n"))
		counted = start
		items = append(items, &text{data: t.data[start:end], line: line, json: true})
	}
	if _, err := decoder.Token(); err != nil {
		return nil
	}
	return items
}
