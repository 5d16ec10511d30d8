package views

import (
	"slices"
	"strings"
)

// DiffLine is a line of two texts that are set against each other. Sign is "-" for a line that only the first has, "+" for
// one that only the second has, and a space for one that both have; it is "…" for lines of both that are left out.
type DiffLine struct{ Sign, Text string }

const (
	// contextLines are shown before and after a line that differs.
	contextLines = 5
	// maxDiffLines bounds the work, which grows with the product of the two numbers of lines. Beyond it all lines of both
	// texts are shown.
	maxDiffLines = 2000
)

// diffLines sets two texts against each other by their longest common subsequence of lines.
func diffLines(first, second string) []DiffLine {
	a, b := lines(first), lines(second)
	if len(a) > maxDiffLines || len(b) > maxDiffLines {
		return slices.Concat(signed("-", a), signed("+", b))
	}
	// common[i][j] is how many lines a[i:] and b[j:] have in common.
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var all []DiffLine
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			all = append(all, DiffLine{" ", a[i]})
			i, j = i+1, j+1
		case common[i+1][j] >= common[i][j+1]:
			all = append(all, DiffLine{"-", a[i]})
			i++
		default:
			all = append(all, DiffLine{"+", b[j]})
			j++
		}
	}
	return shortened(slices.Concat(all, signed("-", a[i:]), signed("+", b[j:])))
}

func lines(text string) []string {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

func signed(sign string, lines []string) []DiffLine {
	all := make([]DiffLine, len(lines))
	for i, l := range lines {
		all[i] = DiffLine{sign, l}
	}
	return all
}

// shortened leaves out lines of both texts that are far from any that differs.
func shortened(all []DiffLine) []DiffLine {
	near := make([]bool, len(all))
	for i, l := range all {
		if l.Sign == " " {
			continue
		}
		for j := max(0, i-contextLines); j <= min(len(all)-1, i+contextLines); j++ {
			near[j] = true
		}
	}
	var kept []DiffLine
	for i, l := range all {
		switch {
		case near[i]:
			kept = append(kept, l)
		case len(kept) == 0 || kept[len(kept)-1].Sign != "…":
			kept = append(kept, DiffLine{Sign: "…"})
		}
	}
	return kept
}
