package retrieval_test

import (
	"math"
	"testing"

	"github.com/annalsdb/annals/retrieval/bm25"
)

// The database's functions and those of package bm25 are the same.
func TestBM25IsTheSameInSQL(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	same := func(what string, want float64, query string, args ...any) {
		t.Helper()
		var got float64
		if err := w.pool.QueryRow(t.Context(), query, args...).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s%v: %g in SQL, %g in Go", what, args, got, want)
		}
	}
	same("k1", bm25.K1, `SELECT annals_internal.bm25_k1()`)
	same("b", bm25.B, `SELECT annals_internal.bm25_b()`)
	for _, count := range [][2]float64{{1, 1}, {10, 3}, {1000, 0}, {5, 9}} {
		same("idf", bm25.IDF(count[0], count[1]), `SELECT annals_internal.bm25_idf($1, $2)`, count[0], count[1])
	}
	for _, held := range [][2]float64{{1, 1}, {3, 0.2}, {40, 7}, {0, 1}} {
		same("bm25", 2*bm25.Saturated(held[0], held[1]), `SELECT annals_internal.bm25(2, $1, $2)`, held[0], held[1])
	}
}
