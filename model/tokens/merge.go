package tokens

import (
	"container/heap"
	"math"
)

// noRank is that of two neighbours that are no token together.
const noRank = math.MaxUint32

// part is a piece's bytes from one boundary to the next. The parts of a piece are a list by
// the offsets at which they begin; the last one, empty, ends it.
type part struct {
	before, after int
	rank          uint32 // of this part and the next one as one token
}

// pair is two neighbours that are a token together.
type pair struct {
	rank  uint32
	first int // the offset of the first of them
}

// merge is byte pair encoding: bytes become parts, and of all neighbours that are a token
// together those of the lowest rank become one part, the leftmost first, until none are left.
func (e *Encoding) merge(piece string, do func(token string)) {
	parts := make([]part, len(piece)+1)
	for i := range parts {
		parts[i] = part{before: i - 1, after: i + 1, rank: noRank}
	}
	var waiting pairs
	for i := range len(piece) {
		if rank := e.rankAt(piece, parts, i); rank != noRank {
			parts[i].rank = rank
			waiting = append(waiting, pair{rank, i})
		}
	}
	heap.Init(&waiting)
	for len(waiting) > 0 {
		best := waiting[0]
		heap.Pop(&waiting)
		first := &parts[best.first]
		if first.rank != best.rank {
			continue // one of the two is in another part by now
		}
		gone := first.after
		parts[gone].rank = noRank
		first.after = parts[gone].after
		parts[first.after].before = best.first
		for _, i := range [...]int{best.first, first.before} {
			if i < 0 {
				continue
			}
			if parts[i].rank = e.rankAt(piece, parts, i); parts[i].rank != noRank {
				heap.Push(&waiting, pair{parts[i].rank, i})
			}
		}
	}
	for i := 0; i < len(piece); i = parts[i].after {
		do(piece[i:parts[i].after])
	}
}

// rankAt is the rank of the token that the part at an offset and the next one make.
func (e *Encoding) rankAt(piece string, parts []part, i int) uint32 {
	next := parts[i].after
	if next >= len(piece) {
		return noRank
	}
	if rank, ok := e.ranks[piece[i:parts[next].after]]; ok {
		return rank
	}
	return noRank
}

// pairs is a heap, the pair to be merged next on top.
type pairs []pair

func (p pairs) Len() int      { return len(p) }
func (p pairs) Swap(i, j int) { p[i], p[j] = p[j], p[i] }
func (p pairs) Less(i, j int) bool {
	return p[i].rank < p[j].rank || p[i].rank == p[j].rank && p[i].first < p[j].first
}
func (p *pairs) Push(x any) { *p = append(*p, x.(pair)) }
func (p *pairs) Pop() any {
	*p = (*p)[:len(*p)-1]
	return nil // what it was is read before, since an any of it would be allocated
}
