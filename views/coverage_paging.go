package views

// Paging is a window on a long list, with the addresses of the windows around it.
type Paging struct {
	// Of is the length of the list.
	Of       int
	from, to int
	// Before and After are empty at the ends.
	Before, After string
}

// newPaging cuts a list into pages of a size; the first has the number 0. A page past the
// end is the last one.
func newPaging(length, size, page int, address func(page int) string) Paging {
	page = max(0, min(page, (length-1)/size))
	p := Paging{Of: length, from: page * size, to: min(length, (page+1)*size)}
	if page > 0 {
		p.Before = address(page - 1)
	}
	if p.to < length {
		p.After = address(page + 1)
	}
	return p
}

// several reports whether there is more than one page.
func (p Paging) several() bool { return p.Before != "" || p.After != "" }

// says names the window: 1 to 50 of 312.
func (p Paging) says(of string) string {
	return of + " " + count(p.from+1) + " to " + count(p.to) + " of " + count(p.Of)
}
