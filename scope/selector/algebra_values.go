package selector

import (
	"slices"
	"strconv"
	"strings"
)

// values is what one label may be: some values or all but some, and perhaps nothing at
// all. Every requirement of a label selector is such a set, and so is what several of
// them leave together.
type values struct {
	// absent says that an object without the label is in the set.
	absent bool
	// others turns the meaning of list round: all values but these.
	others bool
	// list is sorted and has each value once.
	list []string
}

// anything is what a label may be that nobody asks about.
var anything = values{absent: true, others: true}

// newValues sorts a list that somebody wrote.
func newValues(absent, others bool, list []string) values {
	list = slices.Clone(list)
	slices.Sort(list)
	return values{absent: absent, others: others, list: slices.Compact(list)}
}

// has reports whether a label may be this.
func (v values) has(value string, present bool) bool {
	if !present {
		return v.absent
	}
	_, listed := slices.BinarySearch(v.list, value)
	return listed != v.others
}

// none reports whether nothing is left. There are always more values than anybody lists.
func (v values) none() bool { return !v.absent && !v.others && len(v.list) == 0 }

// all reports whether nothing is asked.
func (v values) all() bool { return v.absent && v.others && len(v.list) == 0 }

// not is everything else that the label may be.
func (v values) not() values { return values{absent: !v.absent, others: !v.others, list: v.list} }

// and is what both sets have.
func (v values) and(o values) values {
	both := values{absent: v.absent && o.absent, others: v.others && o.others}
	switch {
	case v.others && o.others:
		return newValues(both.absent, true, append(slices.Clone(v.list), o.list...))
	case v.others:
		v, o = o, v
	}
	for _, value := range v.list {
		if o.has(value, true) {
			both.list = append(both.list, value)
		}
	}
	return both
}

// example returns one thing that the label may be. No label is the plainest example, a
// listed value the next.
func (v values) example() (value string, present bool) {
	switch {
	case v.absent:
		return "", false
	case !v.others:
		return v.list[0], true
	}
	for i := 0; ; i++ {
		candidate := "other"
		if i > 0 {
			candidate += "-" + strconv.Itoa(i)
		}
		if v.has(candidate, true) {
			return candidate, true
		}
	}
}

// requirements writes the set as the requirements on a key that say it most shortly. Sets
// that are equal are written alike.
func (v values) requirements(key string) []string {
	list := " [" + strings.Join(v.list, ", ") + "]"
	switch {
	case v.all():
		return nil
	case v.others && v.absent:
		return []string{key + " NotIn" + list}
	case v.others && len(v.list) > 0:
		return []string{key + " Exists", key + " NotIn" + list}
	case v.others:
		return []string{key + " Exists"}
	case v.absent && len(v.list) == 0:
		return []string{key + " DoesNotExist"}
	case v.absent:
		return []string{key + " DoesNotExist or In" + list}
	}
	return []string{key + " In" + list}
}
