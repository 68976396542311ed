package archive

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/annalsdb/annals/graph"
)

// current is a row as this version has it, which may come from a file of a former one.
// What cannot be read stays as it is: the database says what is wrong with it.
func current(r row) row {
	switch {
	case slices.Contains(factTables, r.table.Name):
		return tell(r)
	case r.table.Name == "communities":
		return empty(r)
	}
	return r
}

// empty takes its words from a community that is to be made anew, as they may tell what was
// undone. Such communities had words once.
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

// factTables are those whose rows have a sentence, and its words for readers of a
// later day.
var factTables = []string{"facts", "facts_history"}

// tell resolves the sentence of a fact that comes from a file of before facts had
// told.
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
	if told == f.Fact { // as the database tells it, too
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
