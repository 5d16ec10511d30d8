package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/ambit-k8s/ambit/cluster"
)

// reportUnread says which objects are not in a population, for a person to read. What is
// left out on purpose is no reason to doubt the numbers about the rest.
func reportUnread(w io.Writer, p cluster.Population) {
	var leftOut []string
	unread := 0
	for _, r := range p.Resources {
		name := r.GroupResource().String()
		switch r.State {
		case cluster.LeftOut:
			leftOut = append(leftOut, name)
		case cluster.Missing, cluster.Reading:
			unread++
			fmt.Fprintf(w, "note: %s: %s\n", name, cmp.Or(r.Why, "They have not all been read yet."))
		}
	}
	if unread > 0 {
		fmt.Fprintln(w, "note: Not all objects were read, so all numbers are lower bounds.")
	}
	if len(leftOut) > 0 {
		fmt.Fprintf(w, "note: Left out on purpose: %s.\n", strings.Join(leftOut, ", "))
	}
}
