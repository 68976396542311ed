package retrieval_test

import (
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/retrieval/construct"
)

// A context of a past time finds what was said by then, however much was said about it since.
func TestWhatWasSaidByThenIsFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.said(40, "The harbour is closed for repairs.")
	w.exec(`UPDATE annals.episodes SET occurred_at = '2024-05-01'`)
	w.episode("g", "The harbour is open, they say, and many ships come and go every day.")
	w.exec(`UPDATE annals.episodes SET occurred_at = '2023-05-01' WHERE content LIKE '%open%'`)
	w.count()
	c := construct.Construction{}
	for at, want := range map[time.Time]int{
		{}: retrieval.DefaultLimit, time.Now().AddDate(1, 0, 0): retrieval.DefaultLimit,
		time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC): 1, time.Date(2022, 1, 1, 0, 0, 0, 0, time.UTC): 0,
	} {
		found, err := w.search.Search(t.Context(), c.For(retrieval.Query{GroupID: "g", Text: "Is the harbour closed for repairs?", ValidAt: at}))
		if err != nil {
			t.Fatal(err)
		}
		_, shown, err := c.Show(found)
		if err != nil {
			t.Fatal(err)
		}
		if len(shown.Episodes) != want || want == 1 && !strings.Contains(shown.Episodes[0].Content, "open") {
			t.Errorf("at %v it shows %d messages, want %d: %v", at, len(shown.Episodes), want, shown.Episodes)
		}
	}
}
