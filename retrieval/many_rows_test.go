package retrieval_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/retrieval"
)

// If a term has at most as many postings as are sent, the rows are ranked here, with the same
// result as in the database. With one more, the database ranks them.
func TestManyRowsAreRankedAlike(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	for _, kind := range []graph.Kind{graph.KindEpisode, graph.KindEntity, graph.KindCommunity} {
		for _, n := range []int{db.MostPostings, db.MostPostings + 1} {
			w := newWorld(t)
			texts := make([]string, n)
			for i := range texts {
				texts[i] = fmt.Sprintf("river%s%s word%d", [2]string{"", " harbour"}[min(i%7, 1)], [2]string{"", " river lamp"}[min(i%3, 1)], i)
			}
			w.stock(kind, texts)
			queries := db.New(w.pool)
			shape, err := queries.Shape(t.Context(), db.ShapeParams{GroupID: string(kind), Model: w.embedder.Name()})
			if err != nil || !shape.RankedWhole(kind) || shape.HasFew(kind) {
				t.Fatalf("%d of kind %s: %v", n, kind, err)
			}
			for _, text := range []string{"river harbour", "river", "harbour", "", "unheard", "word3 river"} {
				words := db.Words{Text: text, Kind: kind, MaxRows: 40}
				there, err := queries.ByWords(t.Context(), string(kind), nil, words)
				if err != nil {
					t.Fatal(err)
				}
				words.Whole = true
				here, err := queries.ByWords(t.Context(), string(kind), nil, words)
				if err != nil {
					t.Fatal(err)
				}
				many := n > db.MostPostings && (text == "river harbour" || text == "river" || text == "word3 river")
				if (here.Ranking != nil) != many || len(here.Ranking) > 0 && len(here.Postings) > 0 {
					t.Errorf("%d of kind %s, %q: %d are ranked, with %d terms beside", n, kind, text, len(here.Ranking), len(here.Postings))
				}
				scores := retrieval.OkapiOf(here.Postings, kind, shape)
				for i, r := range there.Ranking {
					if many && here.Ranking[i] != r || !many && math.Abs(scores[r.ID]-r.Score) > 1e-9 {
						t.Errorf("%d of kind %s, %q: %s is ranked otherwise here", n, kind, text, r.ID)
					}
				}
			}
		}
	}
}

// A search of a group with too many rows to read as a whole finds what one of a small group finds:
// the message, and its neighbour with the answer.
func TestManyEpisodesAreReadAround(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(`INSERT INTO annals.groups (group_id) VALUES ('g')`)
	w.exec(`INSERT INTO annals.episodes (group_id, id, thread_id, content) SELECT 'g', gen_random_uuid(), i::text, 'The harbour is calm, remark ' || i FROM generate_series(1, 600) AS i`)
	question := w.say("g", "trip", "user", "Which lantern did you buy at the bazaar?")
	answer := w.say("g", "trip", "user", "The green one.")
	result, err := w.search.Search(t.Context(), retrieval.Query{GroupID: "g", Text: "lantern of the bazaar", Scopes: []graph.Kind{graph.KindEpisode}})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Episodes) != 2 || result.Episodes[0].ID != answer || result.Episodes[1].ID != question {
		t.Errorf("found %d episodes, want the answer and what it answers: %+v", len(result.Episodes), result.Episodes[:min(2, len(result.Episodes))])
	}
}
