package flow

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Matrix says who falls where with each verb.
type Matrix struct {
	Verbs []string
	Rows  []Row
}

// Row is those whose requests fall alike.
type Row struct {
	// Falls are where their requests fall, by the verbs of the matrix.
	Falls []Fall
	// StandsOut says that one of the falls does.
	StandsOut bool
	// Count is how many they are.
	Count int
	// Namespaces are those all of whose service accounts fall alike, with how many these are;
	// Others are all who are not counted in there.
	Namespaces []NamespaceAccounts
	Others     []Identity
}

// NamespaceAccounts are all service accounts of a namespace.
type NamespaceAccounts struct {
	Namespace string
	Accounts  int
}

// Falls puts those together whose requests for a target fall alike. The service accounts of
// a namespace are named one by one only where they do not. Rows that stand out come first,
// then the rows are in the order in which the first of them was given.
func (o *Order) Falls(who []Identity, target Target) Matrix {
	m := Matrix{Verbs: target.Verbs()}
	rows := map[string]*Row{}
	var order []*Row
	members := map[*Row]map[string][]Identity{}
	total := map[string]int{}
	for i := range who {
		falls := make([]Fall, len(m.Verbs))
		for k, verb := range m.Verbs {
			falls[k] = o.Fall(&who[i], &target, verb)
		}
		key := keyOf(&who[i], falls)
		row, ok := rows[key]
		if !ok {
			row = &Row{Falls: falls, StandsOut: slices.ContainsFunc(falls, func(f Fall) bool { return f.StandsOut })}
			rows[key], members[row] = row, map[string][]Identity{}
			order = append(order, row)
		}
		row.Count++
		if who[i].Account == "" {
			row.Others = append(row.Others, who[i])
			continue
		}
		total[who[i].Namespace]++
		members[row][who[i].Namespace] = append(members[row][who[i].Namespace], who[i])
	}
	for _, row := range order {
		row.gather(members[row], total)
		m.Rows = append(m.Rows, *row)
	}
	slices.SortStableFunc(m.Rows, func(a, b Row) int { return cmp.Compare(standing(a), standing(b)) })
	return m
}

// keyOf is the same for those who share a row. Service accounts do not share one with
// others.
func keyOf(who *Identity, falls []Fall) string {
	keys := make([]string, len(falls)+1)
	if who.Account != "" {
		keys[0] = "account"
	}
	for i := range falls {
		keys[i+1] = falls[i].key()
	}
	return strings.Join(keys, "\x00")
}

// gather names the namespaces all of whose service accounts are in the row, and the single
// accounts of the others.
func (r *Row) gather(members map[string][]Identity, total map[string]int) {
	for _, namespace := range slices.Sorted(maps.Keys(members)) {
		if accounts := members[namespace]; len(accounts) == total[namespace] {
			r.Namespaces = append(r.Namespaces, NamespaceAccounts{Namespace: namespace, Accounts: len(accounts)})
		} else {
			r.Others = append(r.Others, accounts...)
		}
	}
}

func standing(r Row) int {
	if r.StandsOut {
		return 0
	}
	return 1
}
