package clustering

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/google/uuid"
)

// network is a graph whose nodes are numbered in the order of their ids. Every
// edge stands twice, once from either end.
type network struct {
	ids   []uuid.UUID
	ends  []end   // by node, and for each in the order of its neighbours
	first []int32 // where the ends of a node begin; one more closes the last
}

type end struct {
	from, to int32
	weight   int
}

func newNetwork(edges []Edge) *network {
	n := &network{}
	number := n.enumerate(edges)
	ends := make([]end, 0, 2*len(edges))
	for _, e := range edges {
		if e.counts() {
			a, b := number[e.A], number[e.B]
			ends = append(ends, end{a, b, e.Weight}, end{b, a, e.Weight})
		}
	}
	slices.SortFunc(ends, func(a, b end) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	for _, e := range ends {
		if last := len(n.ends) - 1; last >= 0 && n.ends[last].from == e.from && n.ends[last].to == e.to {
			n.ends[last].weight += e.weight
		} else {
			n.ends = append(n.ends, e)
		}
	}
	n.first = make([]int32, len(n.ids)+1)
	for _, e := range n.ends {
		n.first[e.from+1]++
	}
	for v := range n.ids {
		n.first[v+1] += n.first[v]
	}
	return n
}

// enumerate numbers the nodes that have an edge.
func (n *network) enumerate(edges []Edge) map[uuid.UUID]int32 {
	number := make(map[uuid.UUID]int32, len(edges))
	for _, e := range edges {
		if e.counts() {
			number[e.A], number[e.B] = 0, 0
		}
	}
	n.ids = make([]uuid.UUID, 0, len(number))
	for id := range number {
		n.ids = append(n.ids, id)
	}
	slices.SortFunc(n.ids, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	for v, id := range n.ids {
		number[id] = int32(v)
	}
	return number
}

func (n *network) neighbours(v int32) []end { return n.ends[n.first[v]:n.first[v+1]] }

// pieces lists the nodes of each connected piece of a label.
func (n *network) pieces(labels []int32) [][]int32 {
	var pieces [][]int32
	seen := make([]bool, len(n.ids))
	for v := range n.ids {
		if seen[v] {
			continue
		}
		seen[v] = true
		piece := []int32{int32(v)}
		for i := 0; i < len(piece); i++ {
			for _, e := range n.neighbours(piece[i]) {
				if !seen[e.to] && labels[e.to] == labels[v] {
					seen[e.to] = true
					piece = append(piece, e.to)
				}
			}
		}
		pieces = append(pieces, piece)
	}
	return pieces
}

// byStrength sorts the nodes of a piece by the weight of their edges to each
// other, which are those to nodes of their label.
func (n *network) byStrength(piece, labels []int32) []int32 {
	slices.Sort(piece)
	inside := make(map[int32]int, len(piece))
	for _, v := range piece {
		for _, e := range n.neighbours(v) {
			if labels[e.to] == labels[v] {
				inside[v] += e.weight
			}
		}
	}
	slices.SortStableFunc(piece, func(a, b int32) int { return cmp.Compare(inside[b], inside[a]) })
	return piece
}

func (n *network) names(nodes []int32) []uuid.UUID {
	ids := make([]uuid.UUID, len(nodes))
	for i, v := range nodes {
		ids[i] = n.ids[v]
	}
	return ids
}
