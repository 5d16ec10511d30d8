package server

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
)

// table is what a page shows as rows, to be sent as a file.
type table struct {
	name   string
	header []string
	// rows have a value for each column.
	rows iter.Seq[[]any]
}

// writeTable sends a table in a format. It is sent row by row:
// some tables have more than a hundred thousand.
func writeTable(w http.ResponseWriter, f string, t table) error {
	w.Header().Set("Content-Disposition", `attachment; filename="ambit-`+t.name+"."+f+`"`)
	if f == formatCSV {
		t.csv(w)
	} else {
		t.json(w)
	}
	return nil
}

func (t table) csv(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	file := csv.NewWriter(w)
	_ = file.Write(t.header) // What fails here fails in Flush, too: the client is gone.
	fields := make([]string, len(t.header))
	for row := range t.rows {
		for i, value := range row {
			fields[i] = plainCell(fmt.Sprint(value))
		}
		if file.Write(fields) != nil {
			return
		}
	}
	file.Flush()
}

// json writes a list with an object for each row, its fields in the order of the columns.
func (t table) json(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	before := "[\n"
	for row := range t.rows {
		line := []byte(before + "  {")
		for i, value := range row {
			name, _ := json.Marshal(t.header[i])
			field, err := json.Marshal(value)
			if err != nil {
				continue
			}
			if i > 0 {
				line = append(line, ", "...)
			}
			line = append(append(append(line, name...), ": "...), field...)
		}
		if _, err := w.Write(append(line, '}')); err != nil {
			return
		}
		before = ",\n"
	}
	if before == "[\n" {
		before = "["
	} else {
		before = "\n"
	}
	_, _ = w.Write([]byte(before + "]\n"))
}
