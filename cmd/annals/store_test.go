package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals/graph"
)

// A batch holds neither too many episodes nor too much of them, and nothing is
// left out between batches.
func TestBatchesAreBounded(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		content string
		lines   int
		want    []int
	}{
		"short": {"a", 2*batchSize + 1, []int{batchSize, batchSize, 1}},
		"long":  {strings.Repeat("a", graph.MaxContent), 20, []int{8, 8, 4}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source := newLines("t", "", strings.NewReader(strings.Repeat(fmt.Sprintf("{\"content\":%q}\n", tt.content), tt.lines)))
			var sizes, numbers []int
			for {
				b, err := source.batch()
				sizes, numbers = append(sizes, len(b.episodes)), append(numbers, b.numbers...)
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if !slices.Equal(sizes, tt.want) {
				t.Errorf("batches of %v, want %v", sizes, tt.want)
			}
			if len(numbers) != tt.lines || numbers[0] != 1 || numbers[tt.lines-1] != tt.lines || !slices.IsSorted(numbers) {
				t.Errorf("lines %v, want 1 to %d", numbers, tt.lines)
			}
		})
	}
}

// Only what the database says about data is blamed on a line.
func TestRefusal(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]bool{"22P02": true, "22003": true, "57P01": false, "23503": false} {
		if got := refusal(fmt.Errorf("store: %w", &pgconn.PgError{Code: code})); (got != nil) != want {
			t.Errorf("refusal of %s = %v", code, got)
		}
	}
	if refusal(nil) != nil || refusal(io.ErrUnexpectedEOF) != nil {
		t.Error("what is no refusal is taken for one")
	}
}
