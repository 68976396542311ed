package service

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// Transactions of a load are limited in episodes and bytes, and no episode is lost between two of
// them.
func TestTransactionsOfALoadAreBounded(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		content string
		lines   int
		want    []int
	}{
		"short": {"a", 2*loadEpisodes + 1, []int{loadEpisodes, loadEpisodes, 1}},
		"long":  {strings.Repeat("a", graph.MaxContent), 20, []int{8, 8, 4}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			given := 0
			next := func() (annals.Episode, int, error) {
				if given == tt.lines {
					return annals.Episode{}, 0, io.EOF
				}
				given++
				return annals.Episode{Content: tt.content}, given, nil
			}
			var sizes, numbers []int
			for {
				lines, err := readLines(next)
				sizes = append(sizes, len(lines))
				for _, line := range lines {
					numbers = append(numbers, line.number)
				}
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if !slices.Equal(sizes, tt.want) {
				t.Errorf("transactions of %v, want %v", sizes, tt.want)
			}
			if len(numbers) != tt.lines || numbers[0] != 1 || numbers[tt.lines-1] != tt.lines || !slices.IsSorted(numbers) {
				t.Errorf("lines %s, want 1 to %d", fmt.Sprint(numbers), tt.lines)
			}
		})
	}
}
