package manifest

import "bytes"

// chunk is the text of one document, with the line in which it begins.
type chunk struct {
	data []byte
	line int
}

// split cuts a source at its document markers. The cut is made on the text and not by a
// parser, so that a broken document does not take the ones after it along. The markers
// cannot be confused with content: in YAML they end even a block of literal text.
func split(data []byte) []chunk {
	var chunks []chunk
	start, startLine, line := 0, 1, 0
	cut := func(end, next int) {
		if end > start {
			chunks = append(chunks, chunk{data: data[start:end], line: startLine})
		}
		start, startLine = end, next
	}
	directives := false
	for at := 0; at < len(data); {
		end := len(data)
		if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		line++
		switch text := data[at:end]; {
		case isMarker(text, "---"):
			if !directives {
				cut(at, line)
			}
			directives = false
		case isMarker(text, "..."):
			cut(end, line+1)
		case text[0] == '%' && (chunk{data: data[start:at]}).blank():
			directives = true
		}
		at = end
	}
	cut(len(data), line)
	return chunks
}

// isMarker reports whether a line is a document marker: the marker, followed by nothing
// or by white space.
func isMarker(line []byte, marker string) bool {
	rest, ok := bytes.CutPrefix(line, []byte(marker))
	return ok && (len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0)
}

// blank reports whether the chunk holds nothing but markers, comments and white space.
func (c chunk) blank() bool {
	for line := range bytes.Lines(c.data) {
		if !isBlank(line) {
			return false
		}
	}
	return true
}

// isBlank reports whether a line holds nothing but a marker, a comment or white space.
func isBlank(line []byte) bool {
	text := bytes.TrimSpace(line)
	if isMarker(line, "---") || isMarker(line, "...") {
		text = bytes.TrimSpace(text[len("---"):])
	}
	return len(text) == 0 || text[0] == '#'
}

// json reports whether the chunk begins like a JSON object. A YAML mapping in braces does
// too; it turns out to be YAML when it is read.
func (c chunk) json() bool {
	_, body := c.body()
	return len(body) > 0 && body[0] == '{'
}

// body returns the text after the marker and the comments that a chunk begins with, and its offset.
func (c chunk) body() (offset int, body []byte) {
	for line := range bytes.Lines(c.data) {
		if !isBlank(line) {
			break
		}
		offset += len(line)
	}
	body = bytes.TrimLeft(c.data[offset:], " \t")
	return len(c.data) - len(body), body
}
