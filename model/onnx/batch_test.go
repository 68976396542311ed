package onnx

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func inputsOfLengths(lengths []int) []input {
	inputs := make([]input, len(lengths))
	for i, length := range lengths {
		inputs[i].ids = make([]uint32, length)
	}
	return inputs
}

func TestEveryInputIsInOneBatch(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(3, 2000).Draw(t, "limit")
		lengths := rapid.SliceOfN(rapid.IntRange(1, limit), 1, 100).Draw(t, "lengths")
		var all []int
		for _, batch := range batchesOf(inputsOfLengths(lengths)) {
			longest := 0
			for _, i := range batch {
				longest = max(longest, lengths[i])
			}
			padded := len(batch) * longest
			if len(batch) > 1 && padded > mostTokens {
				t.Fatalf("a batch of %d inputs is padded to %d tokens", len(batch), padded)
			}
			all = append(all, batch...)
		}
		slices.Sort(all)
		for i := range lengths {
			if len(all) != len(lengths) || all[i] != i {
				t.Fatalf("%d inputs are in the batches as %v", len(lengths), all)
			}
		}
	})
}

func TestBatchesSpareWork(t *testing.T) {
	t.Parallel()
	same := slices.Repeat([]int{16}, 40)
	tests := map[string]struct {
		lengths []int
		want    []int // sizes, in any order
	}{
		"few short texts go together":         {[]int{5, 12, 20}, []int{3}},
		"a long text does not pad short ones": {[]int{8, 8, 8, 8, 8, 8, 8, 8, 500}, []int{1, 8}},
		"no batch is larger than the largest": {same, []int{32, 8}},
		"long texts go in small batches":      {slices.Repeat([]int{512}, 10), []int{8, 2}},
		"one":                                 {[]int{7}, []int{1}},
		"none":                                {nil, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var sizes []int
			for _, batch := range batchesOf(inputsOfLengths(test.lengths)) {
				sizes = append(sizes, len(batch))
			}
			slices.Sort(sizes)
			slices.Sort(test.want)
			if diff := cmp.Diff(test.want, sizes); diff != "" {
				t.Error(diff)
			}
		})
	}
}
