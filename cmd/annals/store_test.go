package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

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
