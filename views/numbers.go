package views

import (
	"fmt"
	"strconv"
	"time"
)

// count writes a number with a comma for every thousand.
func count(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// many writes a number with its noun: 1 policy, 2 policies.
func many(n int, one, more string) string {
	if n == 1 {
		return count(n) + " " + one
	}
	return count(n) + " " + more
}

// age writes how long ago something was, as coarsely as a reader needs it.
func age(d time.Duration) string {
	switch {
	case d < 2*time.Second:
		return "1 s"
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours())/24)
}

// shorten cuts a text that would not fit into a line.
func shorten(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-1]) + "…"
}
