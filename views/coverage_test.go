package views

import (
	"maps"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/coverage"
)

func threeGuards(t testing.TB) covering {
	return cover(t, guard("everywhere", ""), guard("outside-system", notSystem), guard("unskipped", notSystem+notSkipped))
}

// cells maps "policy, row" to the mark's class and words.
func cells(t *testing.T, m Matrix) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, r := range m.Rows {
		for i, c := range r.Cells {
			all[m.Columns[i].Title+" / "+r.Title] = markClass(c) + ": " + markSays(c)
		}
	}
	return all
}

func TestMatrixMarksWhatIsReached(t *testing.T) {
	c := threeGuards(t)
	got := cells(t, NewMatrix(c.catalog, c.result, CoverageQuery{}))
	want := map[string]string{
		"everywhere / kube-system": "full: all 3", "everywhere / team-a": "full: all 2", "everywhere / no namespace": "na: no object that it could see",
		"outside-system / kube-system": "none: none of 3", "outside-system / team-a": "full: all 2", "outside-system / no namespace": "na: no object that it could see",
		"unskipped / kube-system": "none: none of 3", "unskipped / team-a": "some: part: 1 of 2", "unskipped / no namespace": "na: no object that it could see",
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	got = cells(t, NewMatrix(c.catalog, c.result, CoverageQuery{By: ByResource, Policy: "unskipped"}))
	want = map[string]string{
		"unskipped / nodes": "na: no object that it could see", "unskipped / persistentvolumeclaims": "na: no object that it could see",
		"unskipped / pods": "some: part: 1 of 5",
	}
	if !maps.Equal(got, want) {
		t.Errorf("by resource: got %v\nwant %v", got, want)
	}
}

func TestMatrixFilters(t *testing.T) {
	c := threeGuards(t)
	tests := []struct {
		name          string
		query         CoverageQuery
		columns, rows string
	}{
		{"nothing asked", CoverageQuery{}, "everywhere outside-system unskipped", "no namespace, kube-system, team-a"},
		{"words of a policy", CoverageQuery{Policy: "SYSTEM outside"}, "outside-system", "no namespace, kube-system, team-a"},
		{"words of a namespace", CoverageQuery{Row: "team"}, "everywhere outside-system unskipped", "team-a"},
		{"another kind", CoverageQuery{Kind: "ValidatingAdmissionPolicy"}, "", "no namespace, kube-system, team-a"},
		{"only with gaps", CoverageQuery{Gaps: true}, "outside-system unskipped", "kube-system, team-a"},
		{"most gaps first", CoverageQuery{Sort: sortGaps}, "unskipped outside-system everywhere", "kube-system, team-a, no namespace"},
		{"most objects first", CoverageQuery{Sort: sortObjects}, "everywhere outside-system unskipped", "kube-system, team-a, no namespace"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := NewMatrix(c.catalog, c.result, test.query)
			var columns, rows []string
			for _, column := range m.Columns {
				columns = append(columns, column.Title)
			}
			for _, row := range m.Rows {
				rows = append(rows, row.Title)
			}
			if got := strings.Join(columns, " "); got != test.columns {
				t.Errorf("columns %q, want %q", got, test.columns)
			}
			if got := strings.Join(rows, ", "); got != test.rows {
				t.Errorf("rows %q, want %q", got, test.rows)
			}
		})
	}
}

// TestSortKeepsCellsWithTheirPolicies holds that a matrix says the same in any order.
func TestSortKeepsCellsWithTheirPolicies(t *testing.T) {
	c := threeGuards(t)
	want := cells(t, NewMatrix(c.catalog, c.result, CoverageQuery{}))
	for _, by := range []string{sortGaps, sortObjects} {
		if got := cells(t, NewMatrix(c.catalog, c.result, CoverageQuery{Sort: by})); !maps.Equal(got, want) {
			t.Errorf("sorted by %s: %v\nwant %v", by, got, want)
		}
	}
}

func TestCoveragePage(t *testing.T) {
	c := threeGuards(t)
	page := NewCoveragePage(c.catalog, c.result, PopulationState{}, CoverageQuery{})
	document := rendered(t, coverageMain(page, nil))
	if got, want := text(document.Find(".lede")), "3 policies over 7 objects in 2 namespaces, as a CREATE of each would be seen. 2 objects are reached by no policy."; got != want {
		t.Errorf("the lede says %q, want %q", got, want)
	}
	if got := text(document.Find(".sums .out dd")); got != "2 29 %" {
		t.Errorf("reached by none: %q", got)
	}
	cell := document.Find(`.coverage-matrix a.extent.some`)
	if cell.Length() != 1 || text(cell) != "part: 1 of 2" || !cell.HasClass("p5") {
		t.Errorf("the part is %d cells that say %q", cell.Length(), text(cell))
	}
	if got, want := cell.AttrOr("href", ""), "/coverage/cell?namespace=team-a&policy=ValidatingWebhookConfiguration%2Funskipped%2Funskipped.example.com"; got != want {
		t.Errorf("it leads to %s, want %s", got, want)
	}
}

func TestCoveragePageSaysWhatIsMissing(t *testing.T) {
	c := threeGuards(t)
	state := PopulationState{Reading: []string{"pods"}, Missing: []string{"widgets.example.com"}, LeftOut: []string{"events"}}
	document := rendered(t, coverageMain(NewCoveragePage(c.catalog, c.result, state, CoverageQuery{}), nil))
	if lede := text(document.Find(".lede")); !strings.Contains(lede, "at least 7 objects") {
		t.Errorf("the lede says %q", lede)
	}
	notes := text(document.Find(".note"))
	for _, want := range []string{"Still reading pods.", "lower bounds", "widgets.example.com cannot be read"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes do not say %q: %q", want, notes)
		}
	}
	if aside := text(document.Find(".aside")); aside != "Left out on purpose: events." {
		t.Errorf("the aside says %q", aside)
	}
	none := rendered(t, coverageMain(NewCoveragePage(c.catalog, nil, PopulationState{None: true}, CoverageQuery{}), nil))
	if none.Find("form, .coverage-matrix, .sums").Length() > 0 || !strings.Contains(text(none.Find(".empty")), "have not been read") {
		t.Errorf("without a population the page says %q", text(none.Find("main")))
	}
}

func TestWindowOfALargeMatrix(t *testing.T) {
	var all Matrix
	for range 40 {
		all.Columns = append(all.Columns, MatrixColumn{})
	}
	for range 120 {
		all.Rows = append(all.Rows, MatrixRow{Cells: make([]coverage.Counts, 40)})
	}
	w := all.window(CoverageQuery{RowPage: 2, ColumnPage: 9})
	if len(w.Rows) != 20 || len(w.Columns) != 8 || len(w.Rows[0].Cells) != 8 {
		t.Errorf("%d rows, %d columns, %d cells", len(w.Rows), len(w.Columns), len(w.Rows[0].Cells))
	}
	if got, want := w.RowPages.says("rows"), "rows 101 to 120 of 120"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if w.RowPages.After != "" || w.RowPages.Before != "/coverage?columns=9&rows=1" {
		t.Errorf("before %q, after %q", w.RowPages.Before, w.RowPages.After)
	}
}

func TestMatrixData(t *testing.T) {
	c := threeGuards(t)
	d := NewMatrix(c.catalog, c.result, CoverageQuery{}).Data(CoverageQuery{})
	var rows []string
	for _, r := range d.Rows {
		rows = append(rows, r.Key+" "+r.Cells)
	}
	if want := []string{"- ---", "kube-system fnn", "team-a ff5"}; !slices.Equal(rows, want) {
		t.Errorf("rows %q, want %q", rows, want)
	}
	if d.Rows[2].Objects != 3 || d.Rows[2].Missed != 1 {
		t.Errorf("team-a has %d objects, %d missed", d.Rows[2].Objects, d.Rows[2].Missed)
	}
}

func TestCellPage(t *testing.T) {
	c := threeGuards(t)
	namespace := "team-a"
	q := CellQuery{Policy: "ValidatingWebhookConfiguration/unskipped/unskipped.example.com", Row: namespace}
	document := rendered(t, cellMain(NewCellPage(c.catalog, c.result, PopulationState{}, q, coverage.Which{Namespace: &namespace})))
	if got := text(document.Find("#cell > p").First()); got != "Reaches 1 of 2 objects in team-a that its rules name." {
		t.Errorf("it says %q", got)
	}
	rows := map[string]string{}
	for _, row := range document.Find("tbody tr").EachIter() {
		rows[text(row.Find("th"))] = text(row.Find("td").Slice(2, 4))
	}
	if want := map[string]string{"debug": "excludedObject selector", "web": "reached"}; !maps.Equal(rows, want) {
		t.Errorf("objects %v, want %v", rows, want)
	}
	q.Outcome, q.Layer = "excluded", "objectSelector"
	page := NewCellPage(c.catalog, c.result, PopulationState{}, q, coverage.Which{Namespace: &namespace})
	if len(page.Rows) != 1 || page.Rows[0].Name != "debug" || len(page.Parts) != 2 {
		t.Errorf("%d objects and %d parts", len(page.Rows), len(page.Parts))
	}
}

// TestEmptyNamespaces stand last, with a mark of their own, and are not counted as gaps.
func TestEmptyNamespaces(t *testing.T) {
	c := threeGuards(t)
	var policies []*scope.Policy
	for i := range c.result.Len() {
		policies = append(policies, c.result.Policy(i))
	}
	empty := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "archive"}}
	catalog := NewCatalog(policies, append(c.namespaces, empty))
	rows := func(q CoverageQuery) string {
		var titles []string
		for _, row := range NewMatrix(catalog, c.result, q).Rows {
			titles = append(titles, row.Title)
		}
		return strings.Join(titles, ", ")
	}
	for q, want := range map[*CoverageQuery]string{
		{}: "no namespace, kube-system, team-a, archive", {Gaps: true}: "kube-system, team-a",
		{Sort: sortGaps}: "kube-system, team-a, no namespace, archive", {By: ByResource}: "nodes, persistentvolumeclaims, pods",
	} {
		if got := rows(*q); got != want {
			t.Errorf("%+v has the rows %q, want %q", *q, got, want)
		}
	}
	document := rendered(t, coverageMain(NewCoveragePage(catalog, c.result, PopulationState{}, CoverageQuery{}), nil))
	if got := text(document.Find("tr.vacant a.extent.vacant").First()); got != "no objects known there" {
		t.Errorf("a cell says %q", got)
	}
	if got := text(document.Find(".legend span").Last()); got != "no objects known there" {
		t.Errorf("the legend ends with %q", got)
	}
	if got := text(document.Find(".lede")); !strings.Contains(got, "7 objects in 2 of 3 namespaces, as") {
		t.Errorf("the lede says %q", got)
	}
	data := NewMatrix(catalog, c.result, CoverageQuery{}).Data(CoverageQuery{})
	if last := data.Rows[len(data.Rows)-1]; !last.Empty || last.Cells != "" || last.Key != "archive" {
		t.Errorf("the script gets %+v", last)
	}
	partly := PopulationState{Missing: []string{"pods"}}
	page := rendered(t, namespaceReachMain(NewNamespaceReachPage(catalog, c.result, partly, Asked{}, "archive", empty)))
	if got, want := text(page.Find(".lede")), "No objects of this namespace have been read, and not all have been that there may be."; got != want {
		t.Errorf("the namespace's page says %q, want %q", got, want)
	}
}
