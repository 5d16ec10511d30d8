package views

import (
	"strconv"

	"github.com/a-h/templ"
)

// lineAttribute ties an element to a line of the pasted text.
func lineAttribute(line int) templ.Attributes {
	if line == 0 {
		return nil
	}
	return templ.Attributes{"data-line": strconv.Itoa(line)}
}
