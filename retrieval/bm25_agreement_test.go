package retrieval_test

import (
	"bytes"
	"cmp"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/google/uuid"
)

// alike reports whether two scores are equal but for rounding.
func alike(a, b float64) bool { return math.Abs(a-b) <= sameScore*max(math.Abs(a), math.Abs(b)) }

// kendall is the coefficient τ-b of two lists of scores (Kendall 1945): the pairs that both order
// alike minus those that they order differently, divided by the geometric mean of the numbers of
// pairs that each orders.
func kendall(a, b []float64) float64 {
	var agree, orderedA, orderedB float64
	for i := range a {
		for j := range i {
			x, y := sign(a[i], a[j]), sign(b[i], b[j])
			agree += x * y
			orderedA += x * x
			orderedB += y * y
		}
	}
	if orderedA == 0 && orderedB == 0 {
		return 1
	}
	return agree / math.Sqrt(orderedA*orderedB)
}

func sign(a, b float64) float64 {
	switch {
	case alike(a, b):
		return 0
	case a < b:
		return -1
	}
	return 1
}

func TestKendall(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{1, 2, 3}, []float64{10, 20, 30}, 1},
		{[]float64{1, 2, 3}, []float64{3, 2, 1}, -1},
		{[]float64{1, 2, 3, 4}, []float64{1, 2, 4, 3}, 4.0 / 6},
		{[]float64{1, 2, 2}, []float64{1, 2, 3}, 2 / math.Sqrt(2*3)},
		{[]float64{1, 1}, []float64{2, 2}, 1},
		{nil, nil, 1},
	} {
		if got := kendall(tt.a, tt.b); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("kendall(%v, %v) = %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

// tau compares the order of the rows that rank first by either score.
func tau(a, b map[uuid.UUID]float64) float64 {
	var x, y []float64
	seen := map[uuid.UUID]bool{}
	for _, id := range append(first(a, sameRank), first(b, sameRank)...) {
		if !seen[id] {
			seen[id] = true
			x, y = append(x, a[id]), append(y, b[id])
		}
	}
	return kendall(x, y)
}

// first returns the ids with the best scores; ties go to the lower id.
func first(scores map[uuid.UUID]float64, n int) []uuid.UUID {
	ids := slices.SortedFunc(maps.Keys(scores), func(a, b uuid.UUID) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), bytes.Compare(a[:], b[:]))
	})
	return ids[:min(n, len(ids))]
}

// agree compares the database's scores for a query with others: the same documents, scores and
// order.
func agree(t *testing.T, query string, got, want map[uuid.UUID]float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%q: %d documents found, want %d", query, len(got), len(want))
	}
	for id, score := range want {
		if !alike(got[id], score) {
			t.Fatalf("%q: document %v scores %.9f, want %.9f", query, id, got[id], score)
		}
	}
	if value := tau(got, want); value < leastTau {
		t.Errorf("%q: Kendall's tau is %.4f", query, value)
	}
}
