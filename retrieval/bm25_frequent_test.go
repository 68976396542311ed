package retrieval_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/slow"
)

// zipfTexts makes texts of words, each rarer than the one before: of some thousands of texts, a
// third hold the first few words, and most words occur in one or two.
func zipfTexts(r *rand.Rand, texts, words int) []string {
	z := rand.NewZipf(r, 1.1, 8, 20_000)
	out := make([]string, texts)
	for i := range out {
		for range 1 + words/2 + r.IntN(words) {
			out[i] += fmt.Sprintf("w%d ", z.Uint64())
		}
	}
	return out
}

// If the words of a query have more postings than are read, at most one in twenty of the ten best
// by the formula is lost. Nora is in all 4,500 texts.
func TestFrequentTermsLoseLittle(t *testing.T) {
	t.Parallel()
	for _, packed := range []bool{false, true} {
		t.Run(fmt.Sprintf("packed %v", packed), func(t *testing.T) {
			if !packed {
				slow.Test(t)
			}
			t.Parallel()
			frequentTermsLoseLittle(t, packed)
		})
	}
}

func frequentTermsLoseLittle(t *testing.T, packed bool) {
	w := newWorld(t)
	r := rand.New(rand.NewPCG(21, 22))
	c := w.stock(graph.KindCommunity, zipfTexts(r, 4500, 8))
	if err := db.New(w.pool).FrequentTermsRefresh(t.Context(), string(c.kind)); err != nil {
		t.Fatal(err)
	}
	if packed {
		w.pack(c.kind)
	}
	rare, middle, frequent := c.held(12, 60), c.held(60, 500), c.held(500, 4000)
	for name, mix := range map[string][][]string{
		"a rare word and five frequent ones":  {rare, frequent, frequent, frequent, frequent, frequent},
		"one less rare and two frequent ones": {middle, frequent, frequent},
		"six frequent words":                  {frequent, frequent, frequent, frequent, frequent, frequent},
	} {
		kept, all, postings := 0, 0, 0
		for range 20 {
			terms := []string{"nora"}
			for _, words := range mix {
				if term := pick(r, words); !slices.Contains(terms, term) {
					terms = append(terms, term)
				}
			}
			_, order := w.byTerms(c.kind, strings.Join(terms, " "), 50)
			for _, id := range first(c.okapi(terms, float64(c.terms)/float64(len(c.documents))), 10) {
				all++
				if slices.Contains(order[:min(10, len(order))], id) {
					kept++
				}
			}
			for _, term := range terms {
				postings += len(c.postings[term])
			}
		}
		t.Logf("%s: %d of %d kept, %d postings a query", name, kept, all, postings/20)
		if postings <= 20*4000 {
			t.Errorf("%s: no more than is read anyway", name)
		}
		if kept < all*95/100 {
			t.Errorf("%s: %d of the %d best are found", name, kept, all)
		}
	}
	if _, order := w.byTerms(c.kind, pick(r, c.held(1, 4))+" nora", 50); len(order) != 50 {
		t.Errorf("a very rare word and one that is in all: %d found, want 50", len(order))
	}
}

// A term stops counting as frequent when most of the documents that hold it are gone.
func TestFrequentTermsAreForgotten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	texts := make([]string, 700)
	for i := range texts {
		texts[i] = fmt.Sprintf("lantern harbour %d", i)
	}
	w.stock(graph.KindCommunity, texts)
	frequent := func() (n int) {
		t.Helper()
		if err := db.New(w.pool).StatisticsRefresh(t.Context(), "community"); err != nil {
			t.Fatal(err)
		}
		if err := db.New(w.pool).FrequentTermsRefresh(t.Context(), "community"); err != nil {
			t.Fatal(err)
		}
		if err := w.pool.QueryRow(t.Context(), `SELECT count(*) FROM annals_internal.frequent_terms`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := frequent(); n != 3 { // nora too
		t.Errorf("%d terms are frequent, want 3", n)
	}
	w.exec(`DELETE FROM annals.communities WHERE summary NOT LIKE '%7%'`)
	if n := frequent(); n != 0 {
		t.Errorf("%d terms are still frequent", n)
	}
}

// held returns the terms that more than least and at most most documents hold.
func (c corpus) held(least, most int) []string {
	var terms []string
	for term, holders := range c.postings {
		if len(holders) > least && len(holders) <= most {
			terms = append(terms, term)
		}
	}
	slices.Sort(terms)
	return terms
}
