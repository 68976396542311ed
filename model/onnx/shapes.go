package onnx

import "slices"

// shapes are the sizes that batches come in.
type shapes struct {
	// sizes and lengths are the numbers of inputs and of tokens that a batch is
	// padded to. None: a batch is only padded to its longest input.
	sizes, lengths []int

	// least is how many tokens a batch has that takes no longer than smaller
	// ones, and start what starting any is worth, as measured.
	least, start int
}

// largestBatch is how many inputs are run at once.
const largestBatch = 32

// In pure Go a graph is compiled for each shape of batch and kept, so that the
// shapes are few: every batch has one of these sizes and one of these lengths.
var (
	batchSizes      = []int{1, 2, 4, 8, 16, largestBatch}
	sequenceLengths = []int{8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512}
)

func (n *pureNetwork) shapes() shapes {
	return shapes{sizes: batchSizes, lengths: lengthsUpTo(n.limit), least: 64, start: 8}
}

// ONNX Runtime takes any shape as it comes.
func (*nativeNetwork) shapes() shapes { return shapes{start: 20} }

// lengthsUpTo are the sequence lengths for texts of at most limit tokens.
func lengthsUpTo(limit int) []int {
	var lengths []int
	for _, length := range sequenceLengths {
		if length < limit {
			lengths = append(lengths, length)
		}
	}
	for length := 1024; length < limit; length *= 2 {
		lengths = append(lengths, length)
	}
	return append(lengths, limit)
}

// padded is how many tokens a batch has, of so many inputs.
func (s shapes) padded(size, longest int) int {
	return roundUp(size, s.sizes) * roundUp(longest, s.lengths)
}

// roundUp is the first of the steps, which ascend, that n does not exceed, and n
// where there are none.
func roundUp(n int, steps []int) int {
	if len(steps) == 0 {
		return n
	}
	at, _ := slices.BinarySearch(steps, n)
	return steps[at]
}
