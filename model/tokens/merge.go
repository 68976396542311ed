package tokens

import (
	"container/heap"
	"math"
)

// noRank is the rank of two neighbours that form no token.
const noRank = math.MaxUint32

// part is a range of a piece's bytes. The parts of a piece form a list by their offsets; an
// empty last part ends it.
type part struct {
	before, after int
	rank          uint32 // rank of this part and the next as one token
}

// pair is two neighbours that form a token.
type pair struct {
	rank  uint32
	first int // offset of the first part
}

// merge is byte pair encoding. It starts with single bytes, and repeatedly joins the
// neighbouring parts whose token has the lowest rank, leftmost first, until no neighbours
// form a token.
func (e *Encoding) merge(piece string, do func(token string)) {
	parts := make([]part, len(piece)+1)
	for i := range parts {
		parts[i] = part{before: i - 1, after: i + 1, rank: noRank}
	}
	waiting := make(pairs, 0, len(piece))
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
			continue // one of the two was merged already
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
				waiting = append(waiting, pair{parts[i].rank, i})
				heap.Fix(&waiting, len(waiting)-1) // as heap.Push, which allocates
			}
		}
	}
	for i := 0; i < len(piece); i = parts[i].after {
		do(piece[i:parts[i].after])
	}
}

// rankAt returns the rank of the token that the part at an offset and its successor form.
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

// pairs is a heap with the next pair to merge on top.
type pairs []pair

func (p pairs) Len() int      { return len(p) }
func (p pairs) Swap(i, j int) { p[i], p[j] = p[j], p[i] }
func (p pairs) Less(i, j int) bool {
	return p[i].rank < p[j].rank || p[i].rank == p[j].rank && p[i].first < p[j].first
}
func (p *pairs) Push(any) {}
func (p *pairs) Pop() any {
	*p = (*p)[:len(*p)-1]
	return nil // the caller reads it before; returning it would allocate
}
