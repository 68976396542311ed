package archive

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/annalsdb/annals/graph"
)

// factTables are those whose rows have a sentence, and its words for readers of a
// later day.
var factTables = []string{"facts", "facts_history"}

// tell resolves the sentence of a fact that comes from a file of before facts had
// told. What cannot be read stays as it is: the database says what is wrong with it.
func tell(r row) row {
	if !slices.Contains(factTables, r.table.Name) {
		return r
	}
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
