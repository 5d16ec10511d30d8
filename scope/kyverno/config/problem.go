package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode"
)

// problem says what is wrong with the JSON under a key, for somebody who does not know its decoder.
func problem(key, text string, err error) string {
	at := "data." + key
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	switch {
	case strings.TrimSpace(text) == "":
		return at + " is empty, where Kyverno reads JSON"
	case errors.As(err, &syntax):
		return at + " is no JSON: " + goesWrong(text, syntax)
	case errors.As(err, &mismatch):
		return mismatched(at, text, mismatch)
	}
	return at + " cannot be read: " + err.Error()
}

// goesWrong names the place from which on a text is no JSON.
func goesWrong(text string, err *json.SyntaxError) string {
	if strings.HasPrefix(err.Error(), "unexpected end") {
		return "something is opened in it and never closed"
	}
	before, rest := text[:err.Offset-1], text[err.Offset-1:]
	number := 1 + strings.Count(before, "\n")
	if strings.HasPrefix(rest, "\n") {
		return fmt.Sprintf("line %d ends within a text", number)
	}
	// The decoder may give up within a word; the whole word finds the place.
	begun := strings.TrimRightFunc(before, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	line, _, _ := strings.Cut(before[len(begun):]+rest, "\n")
	return fmt.Sprintf("it goes wrong in line %d at %s", number, beginning(line))
}

// beginning is as much of a line as finds the place.
func beginning(line string) string {
	const enough = 24
	if runes := []rune(line); len(runes) > enough {
		return string(runes[:enough]) + "…"
	}
	return line
}

// mismatched says that a value has another form than Kyverno reads there.
func mismatched(at, text string, err *json.UnmarshalTypeError) string {
	found, _, _ := strings.Cut(err.Value, " ")
	var whole any
	inside := json.Unmarshal([]byte(text), &whole) == nil && formOf(reflect.TypeOf(whole)) != forms[found]
	since := ""
	switch {
	case err.Field != "":
		at += ": " + err.Field
	case inside:
		// The decoder does not name the key of a map.
		at = "a value in " + at
	case at == "data.webhooks" && found == "array":
		since = " since 1.13.1"
	}
	return fmt.Sprintf("%s is %s, where Kyverno reads %s%s", at, forms[found], formOf(err.Type), since)
}

// forms are the decoder's names of what JSON has, in words.
var forms = map[string]string{
	"object": "an object", "array": "a list", "string": "a text", "number": "a number", "bool": "a boolean",
}

// formOf is the form in which JSON has values of a type.
func formOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice:
		return forms["array"]
	case reflect.String:
		return forms["string"]
	case reflect.Float64:
		return forms["number"]
	case reflect.Bool:
		return forms["bool"]
	}
	return forms["object"]
}
