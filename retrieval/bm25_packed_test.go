package retrieval_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/slow"
)

// The frequency of a term, computed from the rank of its text for that one word, is right up to the
// highest that a text can have.
func TestTermCount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var wrong int
	if err := w.pool.QueryRow(t.Context(), `SELECT count(*)
		FROM generate_series(0, 255) n
		CROSS JOIN LATERAL (SELECT to_tsvector('simple', repeat('it''s \ other word ', n) || ' and more') AS terms) d
		CROSS JOIN LATERAL (VALUES ('word'), ('it'), ('s')) v(word)
		WHERE annals_internal.term_count(d.terms, annals_internal.word_query(v.word)) <> n`).Scan(&wrong); err != nil || wrong > 0 {
		t.Errorf("%d texts are counted wrongly: %v", wrong, err)
	}
}

// A query of frequent words alone finds the texts that hold them all, however old and long: nine of
// the ten best by the formula. Before postings were ordered by their weight, the newest that held
// the rarest word were read, and one was found.
func TestFrequentWordsAloneFindTheBest(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	w := newWorld(t)
	r := rand.New(rand.NewPCG(5, 6))
	words := []string{"amber", "birch", "cedar", "delta", "ember", "fjord"}
	texts := make([]string, 20_000)
	for i := range texts {
		var text []string
		for _, word := range words {
			if r.IntN(5) == 0 {
				text = append(text, word)
			}
		}
		for range 4 + r.IntN(20) {
			text = append(text, fmt.Sprintf("x%d", r.IntN(50_000)))
		}
		r.Shuffle(len(text), func(a, b int) { text[a], text[b] = text[b], text[a] })
		texts[i] = strings.Join(text, " ")
	}
	c := w.stock(graph.KindEntity, texts)
	if err := db.RefreshStatistics(t.Context(), w.pool, string(c.kind)); err != nil {
		t.Fatal(err)
	}
	kept, all := 0, 0
	for range 20 {
		r.Shuffle(len(words), func(a, b int) { words[a], words[b] = words[b], words[a] })
		terms := w.termsOf(strings.Join(words[:3], " "))
		scores := c.okapi(terms, float64(c.terms)/float64(len(c.documents)))
		_, order := w.byTerms(c.kind, strings.Join(words[:3], " "), 20)
		least := scores[first(scores, 10)[9]]
		for _, id := range order[:10] {
			all++
			if scores[id] >= least-1e-9 {
				kept++
			}
		}
	}
	t.Logf("%d of %d", kept, all)
	if kept < all*9/10 {
		t.Errorf("%d of the %d best are found", kept, all)
	}
}
