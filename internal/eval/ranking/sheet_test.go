package ranking_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/internal/eval/ranking"
)

func sheet() *ranking.Sheet {
	s := ranking.NewSheet(ranking.TurnRecall(1), ranking.SessionAny(1))
	good, bad := ranking.Ranking{hit(1, "a1")}, ranking.Ranking{hit(1, "b1")}
	gold := ranking.Gold{Turns: []string{"a1"}, Sessions: []string{"a"}}
	s.Add("words", "2 temporal", good, gold, 3*time.Millisecond)
	s.Add("words", "1 multi-hop", bad, gold, time.Millisecond)
	s.Add("words", "2 temporal", bad, gold, 2*time.Millisecond)
	s.Add("sessions", "1 multi-hop", ranking.Ranking{{Sources: []ranking.Source{{Session: "a"}}}}, gold, 0)
	return s
}

func TestTable(t *testing.T) {
	t.Parallel()
	const want = `| method | category | n | turn R@1 | session any@1 | ms p50 | ms p95 |
|---|---|--:|--:|--:|--:|--:|
| words | 1 multi-hop | 1 | 0.000 | 0.000 | 1.0 | 1.0 |
| words | 2 temporal | 2 | 0.500 | 0.500 | 2.0 | 3.0 |
| words | all | 3 | 0.333 | 0.333 | 2.0 | 3.0 |
| sessions | 1 multi-hop | 1 | – | 1.000 | – | – |
| sessions | all | 1 | – | 1.000 | – | – |
`
	if diff := cmp.Diff(want, sheet().Table().Markdown()); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
}

func TestTableJSON(t *testing.T) {
	t.Parallel()
	table := sheet().Table()
	table.Rows = table.Rows[4:]
	got, err := json.Marshal(table)
	if err != nil {
		t.Fatal(err)
	}
	const want = `[{"method":"sessions","category":"all","n":1,"scores":{"session any@1":1,"turn R@1":null},"p50_ms":null,"p95_ms":null}]`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
}

func TestRow(t *testing.T) {
	t.Parallel()
	table := sheet().Table()
	row, there := table.Row("words", ranking.Overall)
	if !there || row.N != 3 {
		t.Errorf("words: %+v, %v", row, there)
	}
	if _, there := table.Row("words", "nothing"); there {
		t.Error("a category that nobody asked in is there")
	}
}
