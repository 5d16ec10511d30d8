package server

import (
	"context"
	"net/http"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/views"
)

// The formats in which a table can be had beside the page.
const (
	formatCSV  = "csv"
	formatJSON = "json"
)

// format is the format that an address or a client asks for; empty is the page.
func format(r *http.Request) string {
	switch f := r.URL.Query().Get("format"); {
	case f == formatCSV || f == formatJSON:
		return f
	case wantsJSON(r):
		return formatJSON
	case strings.HasPrefix(r.Header.Get("Accept"), "text/csv"):
		return formatCSV
	}
	return ""
}

// funnelRow is one layer of one policy.
type funnelRow struct {
	Layer     scope.LayerName `json:"layer"`
	Remaining int             `json:"remaining"`
	Fallen    int             `json:"fallen"`
}

// funnelTotal is what became of the objects of one policy in the end.
type funnelTotal struct {
	Kind       string      `json:"kind"`
	Name       string      `json:"name"`
	Entry      string      `json:"entry"`
	Applicable int         `json:"applicable"`
	Included   int         `json:"included"`
	Error      int         `json:"error"`
	Unknown    int         `json:"unknown"`
	Funnel     []funnelRow `json:"funnel"`
}

// exportFunnels writes the funnels of a group of policies.
func exportFunnels(w http.ResponseWriter, g *views.Group, src views.FunnelSource, f string) error {
	if src.Result == nil {
		return missing("Which objects exist has not been read here, so there are no numbers.")
	}
	totals := []funnelTotal{}
	for _, e := range g.Entries {
		index := src.Result.Index(e.ID)
		if index < 0 {
			continue
		}
		p, c := e.Policy, src.Result.Total(index)
		total := funnelTotal{Kind: p.Kind, Name: views.PolicyName(p), Entry: p.Entry, Applicable: int(c.Applicable), Included: int(c.Included), Error: int(c.Error), Unknown: int(c.Unknown), Funnel: []funnelRow{}}
		for _, d := range src.Result.Funnel(index) {
			total.Funnel = append(total.Funnel, funnelRow{d.Layer, d.Remaining, d.Fallen})
		}
		totals = append(totals, total)
	}
	if f == formatJSON {
		writeJSON(w, http.StatusOK, map[string]any{"policies": totals})
		return nil
	}
	return writeTable(w, f, table{fileName(g.Name) + "-funnel", []string{"kind", "name", "entry", "layer", "remaining", "fallen"}, func(yield func([]any) bool) {
		for _, t := range totals {
			for _, d := range t.Funnel {
				if !yield([]any{t.Kind, t.Name, t.Entry, d.Layer, d.Remaining, d.Fallen}) {
					return
				}
			}
		}
	}})
}

// exportFallen writes the whole list, not a page of it, with what decided about each
// object.
func exportFallen(ctx context.Context, w http.ResponseWriter, l *fallenList, f string) error {
	header := []string{"group", "version", "resource", "namespace", "name", "outcome", "layer", "field", "want", "got", "message"}
	return writeTable(w, f, table{fileName(l.Entry.Title()) + "-objects", header, func(yield func([]any) bool) {
		for o := range l.objects(ctx) {
			var r scope.Reason
			if o.group != nil {
				r = o.group.Reason
			}
			if !yield([]any{o.Resource.Group, o.Resource.Version, o.Resource.Resource, o.Namespace, o.Name, o.Outcome, o.DecidedBy, r.Field, r.Want, r.Got, r.Message}) {
				return
			}
		}
	}})
}

// fileName is the name of a policy as part of that of a file, in which there can be no slash.
func fileName(name string) string { return strings.ReplaceAll(name, "/", "-") }

// plainCell keeps a spreadsheet from taking a text for a formula.
func plainCell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
