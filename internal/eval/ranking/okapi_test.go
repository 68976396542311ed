package ranking_test

import (
	"slices"
	"testing"

	"github.com/annalsdb/annals/internal/eval/ranking"
)

func TestOkapi(t *testing.T) {
	t.Parallel()
	o := ranking.NewOkapi([]string{
		"The cat sat.",              // 0: common words only
		"A cat and a dog.",          // 1
		"A dog, a dog, and a bird!", // 2: the term twice
		"",                          // 3
		"dog dog",                   // 4: short, and twice
	}, ranking.Words)
	for _, tt := range []struct {
		query string
		limit int
		want  []int
	}{
		{"DOG", 10, []int{4, 2, 1}},
		{"dog dog dog", 10, []int{4, 2, 1}},
		{"bird or cat", 10, []int{2, 0, 1}},
		{"bird or cat", 1, []int{2}},
		{"horse", 10, []int{}},
		{"", 10, []int{}},
	} {
		if got := o.Rank(tt.query, tt.limit); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %v, want %v", tt.query, got, tt.want)
		}
	}
	if got := ranking.NewOkapi(nil, ranking.Words).Rank("dog", 10); len(got) != 0 {
		t.Errorf("no documents: %v", got)
	}
}

func TestWordsAndStems(t *testing.T) {
	t.Parallel()
	if got, want := ranking.Words("What's Zoë's 2nd-best?"), []string{"what", "s", "zoë", "s", "2nd", "best"}; !slices.Equal(got, want) {
		t.Errorf("words %q, want %q", got, want)
	}
	if got, want := ranking.Stems("Which of the ponies were running?"), []string{"poni", "run"}; !slices.Equal(got, want) {
		t.Errorf("stems %q, want %q", got, want)
	}
}
