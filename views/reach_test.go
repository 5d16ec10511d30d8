package views

import (
	"slices"
	"strings"
	"testing"
)

func TestNamespaceReachPage(t *testing.T) {
	c := threeGuards(t)
	document := rendered(t, namespaceReachMain(NewNamespaceReachPage(c.catalog, c.result, PopulationState{}, Asked{}, "team-a", c.namespaces[1])))
	if got, want := text(document.Find(".lede")), "3 of 3 policies reach something here. Of 3 objects, 1 is reached by none."; got != want {
		t.Errorf("the lede says %q, want %q", got, want)
	}
	if got := text(document.Find(".chip")); got != "kubernetes.io/metadata.name=team-atenant=a" {
		t.Errorf("labels %q", got)
	}
	var rows []string
	for _, row := range document.Find("tbody tr").EachIter() {
		rows = append(rows, text(row.Find("th a"))+" "+text(row.Find(".reaches")))
	}
	if want := []string{"everywhere all 2", "outside-system all 2", "unskipped part: 1 of 2"}; !slices.Equal(rows, want) {
		t.Errorf("rows %q, want %q", rows, want)
	}
	unknown := rendered(t, namespaceReachMain(NewNamespaceReachPage(c.catalog, c.result, PopulationState{}, Asked{}, "team-b", nil)))
	if note := text(unknown.Find(".note")); !strings.Contains(note, "not known") {
		t.Errorf("of a namespace that nobody saw it says %q", note)
	}
}

func TestUnreachedPage(t *testing.T) {
	c := cover(t, guard("outside-system", notSystem))
	page := NewUnreachedPage(c.result, PopulationState{}, UnreachedQuery{})
	document := rendered(t, unreachedMain(page))
	if got, want := text(document.Find(".lede")), "5 of 7 objects are reached by no policy, as a CREATE of each would be seen. In 1 namespace no policy reaches anything."; got != want {
		t.Errorf("the lede says %q, want %q", got, want)
	}
	if got := text(document.Find("[aria-labelledby=bare] li")); got != "kube-system 3 objects" {
		t.Errorf("namespaces %q", got)
	}
	var links []string
	for _, row := range document.Find(".objects tbody a").EachIter() {
		links = append(links, row.AttrOr("href", ""))
	}
	want := []string{
		"/coverage/objects/nodes/-/node-1", "/coverage/objects/persistentvolumeclaims/team-a/data",
		"/coverage/objects/pods/kube-system/dns-0", "/coverage/objects/pods/kube-system/dns-1", "/coverage/objects/pods/kube-system/dns-2",
	}
	if !slices.Equal(links, want) {
		t.Errorf("objects %q, want %q", links, want)
	}
	if one := NewUnreachedPage(c.result, PopulationState{}, UnreachedQuery{Resource: "nodes"}); len(one.Rows) != 1 || one.Paging.Of != 1 {
		t.Errorf("%d nodes of %d", len(one.Rows), one.Paging.Of)
	}
}

func TestObjectReachPage(t *testing.T) {
	c := threeGuards(t)
	object, _ := c.result.Population().Find(pods, "team-a", "debug")
	traces, err := c.result.Explain(t.Context(), object)
	if err != nil {
		t.Fatal(err)
	}
	result := NewResult(t.Context(), c.catalog, traces, func(string) (int, bool) { return 0, false }, "")
	document := rendered(t, objectReachMain(NewObjectReachPage(object, PopulationState{}, Asked{}, c.result.Ask(), result)))
	if got, want := text(document.Find("#result .lede")), "2 of 3 policies see this request. 1 more would, without the label skip."; got != want {
		t.Errorf("the lede says %q, want %q", got, want)
	}
	if got := text(document.Find(".chip")); got != "skip=yes" {
		t.Errorf("labels %q", got)
	}
}
