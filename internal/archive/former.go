package archive

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/annalsdb/annals/graph"
)

// current converts a row from the format of a former version. It leaves rows that it cannot parse
// unchanged: the database reports what is wrong with them.
func current(r row) row {
	switch {
	case slices.Contains(factTables, r.table.Name):
		return tell(r)
	case r.table.Name == "communities":
		return empty(r)
	}
	return r
}

// empty removes the name and summary of a stale community, which may mention what was undone.
// Former versions exported them.
func empty(r row) row {
	columns := Row{}
	if json.Unmarshal(r.row, &columns) != nil || string(columns["stale"]) != "true" {
		return r
	}
	columns["name"], columns["summary"] = json.RawMessage(`""`), json.RawMessage(`""`)
	if emptied, err := json.Marshal(columns); err == nil {
		r.row = emptied
	}
	return r
}

// factTables are the tables with a fact's sentence and its form for later readers (told).
var factTables = []string{"facts", "facts_history"}

// tell adds the column told to a fact from a file that was written before the column existed.
func tell(r row) row {
	var f struct {
		Fact   string     `json:"fact"`
		Told   *string    `json:"told"`
		SaidAt *time.Time `json:"said_at"`
	}
	if err := json.Unmarshal(r.row, &f); err != nil || f.Told != nil || f.SaidAt == nil {
		return r
	}
	told := graph.Fact{Fact: f.Fact, SaidAt: f.SaidAt.UTC()}.Told()
	if told == f.Fact { // the database does the same
		return r
	}
	column, err := json.Marshal(told)
	if err != nil {
		return r
	}
	_, rest, _ := bytes.Cut(r.row, []byte("{"))
	r.row = slices.Concat([]byte(`{"told":`), column, []byte(","), rest)
	return r
}
