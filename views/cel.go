package views

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Token is a piece of a CEL expression with the class that highlights it. Start is its
// byte offset, so that values can be set beside the sub-expression they belong to.
type Token struct {
	Text, Class string
	Start       int
}

// The classes of tokens; everything else is plain.
const (
	celString   = "str"
	celNumber   = "num"
	celKeyword  = "key"
	celInput    = "input"
	celFunction = "call"
	celOperator = "op"
	celComment  = "com"
)

var celKeywords = map[string]bool{"true": true, "false": true, "null": true, "in": true}

// celInputs are the variables that the API server gives to an admission expression.
var celInputs = map[string]bool{
	"object": true, "oldObject": true, "request": true, "params": true,
	"namespaceObject": true, "authorizer": true, "variables": true,
}

// Tokens cuts a CEL expression into pieces to highlight. It never fails: what it does not
// know stays plain, so that an expression that does not compile can be shown too. The
// texts of all tokens together are the expression.
func Tokens(expression string) []Token {
	var tokens []Token
	for at := 0; at < len(expression); {
		length, class := next(expression[at:])
		if class == celInput && strings.HasSuffix(strings.TrimRight(expression[:at], " \n\t"), ".") {
			class = "" // A field that happens to be called object.
		}
		tokens = append(tokens, Token{Text: expression[at : at+length], Class: class, Start: at})
		at += length
	}
	return tokens
}

// next measures the token at the start of a text.
func next(text string) (length int, class string) {
	first, size := utf8.DecodeRuneInString(text)
	switch {
	case strings.HasPrefix(text, "//"):
		return lineLength(text), celComment
	case first == '"' || first == '\'':
		return stringLength(text, true), celString
	case unicode.IsDigit(first):
		return run(text, func(r rune) bool { return r == '.' || isWord(r) }), celNumber
	case isWord(first):
		return wordToken(text)
	case unicode.IsSpace(first):
		return run(text, unicode.IsSpace), ""
	case strings.ContainsRune("!=<>&|+-*/%?:", first):
		return run(text, func(r rune) bool {
			return strings.ContainsRune("=<>&|", r) || r == first && strings.ContainsRune("!", r)
		}), celOperator
	}
	return size, ""
}

// wordToken tells keywords, inputs, calls and prefixed strings apart.
func wordToken(text string) (length int, class string) {
	length = run(text, isWord)
	word, rest := text[:length], text[length:]
	switch {
	case length <= 2 && rest != "" && (rest[0] == '"' || rest[0] == '\'') && strings.Trim(strings.ToLower(word), "rb") == "":
		raw := strings.ContainsAny(word, "rR")
		return length + stringLength(rest, !raw), celString
	case celKeywords[word]:
		return length, celKeyword
	case celInputs[word]:
		return length, celInput
	case strings.HasPrefix(rest, "("):
		return length, celFunction
	}
	return length, ""
}

// stringLength measures a string literal with its quotes, tripled or not. A literal that
// does not end takes the rest.
func stringLength(text string, escapes bool) int {
	quote := text[:1]
	if strings.HasPrefix(text, strings.Repeat(quote, 3)) {
		quote = text[:3]
	}
	for at := len(quote); at < len(text); at++ {
		if escapes && text[at] == '\\' {
			at++
			continue
		}
		if strings.HasPrefix(text[at:], quote) {
			return at + len(quote)
		}
	}
	return len(text)
}

func lineLength(text string) int {
	if end := strings.IndexByte(text, '\n'); end >= 0 {
		return end
	}
	return len(text)
}

// run measures the first rune and all that follow it and belong to the same token.
func run(text string, belongs func(rune) bool) int {
	for at, r := range text {
		if at > 0 && !belongs(r) {
			return at
		}
	}
	return len(text)
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
