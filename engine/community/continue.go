package community

import (
	"cmp"
	"slices"

	"github.com/google/uuid"
)

// continuation pairs a community that was found with a stored one.
type continuation struct {
	found, stored int
	shared, all   int // members in both and in either
}

// continuations says for each community that was found which stored one it
// continues, -1 for none, and which stored ones nothing continues. The pairs
// most alike are made first, by the share of their members that they have in
// common (Jaccard); less than half makes no pair.
func continuations(found, stored [][]uuid.UUID) (continues, gone []int) {
	continues, gone = make([]int, len(found)), make([]int, len(stored))
	for i := range continues {
		continues[i] = -1
	}
	for j := range gone {
		gone[j] = j
	}
	for _, p := range pairs(found, stored) {
		if continues[p.found] < 0 && gone[p.stored] >= 0 {
			continues[p.found], gone[p.stored] = p.stored, -1
		}
	}
	return continues, slices.DeleteFunc(gone, func(j int) bool { return j < 0 })
}

// pairs lists those that may continue each other, the most alike first.
func pairs(found, stored [][]uuid.UUID) []continuation {
	of := map[uuid.UUID][]int{}
	for j, members := range stored {
		for _, id := range members {
			of[id] = append(of[id], j)
		}
	}
	var out []continuation
	for i, members := range found {
		shared := map[int]int{}
		for _, id := range members {
			for _, j := range of[id] {
				shared[j]++
			}
		}
		for j, n := range shared {
			if all := len(members) + len(stored[j]) - n; 2*n >= all {
				out = append(out, continuation{found: i, stored: j, shared: n, all: all})
			}
		}
	}
	slices.SortFunc(out, func(a, b continuation) int {
		return cmp.Or(cmp.Compare(b.shared*a.all, a.shared*b.all), cmp.Compare(a.found, b.found), cmp.Compare(a.stored, b.stored))
	})
	return out
}
