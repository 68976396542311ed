// Package clustering finds the communities of a graph by label propagation (Raghavan, Albert and
// Kumara 2007) with weights. Every node begins with its own label, and then takes the label with
// the most weight among its neighbours, until no label changes. The number of communities need not
// be given, and the time is about linear. A later node can be placed by the same rule. The package
// does not depend on entities and facts.
package clustering

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"github.com/google/uuid"
)

// MaxRounds bounds the rounds of propagation. A hundred thousand edges need about ten.
const MaxRounds = 100

// Edge joins two nodes. Edges between the same two nodes add up. Loops and weights below one are
// ignored.
type Edge struct {
	A, B   uuid.UUID
	Weight int
}

// Communities partitions the nodes that have an edge into communities of two or more, the largest
// first, each with its best connected nodes first. The least connected nodes choose first. Among
// labels of equal weight the one with the stronger nodes wins, which leaves fewer splinters than a
// random order. Remaining ties are drawn from the seed and the ids. So the result depends on
// nothing else, and that of each connected part only on the part. The propagation ends, as every
// change adds to the weight of edges within labels. A label whose nodes are connected only through
// other labels (Traag, Waltman and van Eck 2019) is split into its connected pieces.
func Communities(edges []Edge, seed uint64) [][]uuid.UUID {
	n := newNetwork(edges)
	labels := n.propagate(seed)
	var communities [][]uuid.UUID
	for _, piece := range n.pieces(labels) {
		if len(piece) > 1 {
			communities = append(communities, n.names(n.byStrength(piece, labels)))
		}
	}
	slices.SortFunc(communities, func(a, b []uuid.UUID) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), bytes.Compare(a[0][:], b[0][:]))
	})
	return communities
}

// ByStrength sorts the members of a community by the weight of their edges to each other.
func ByStrength(members []uuid.UUID, edges []Edge) []uuid.UUID {
	inside := make(map[uuid.UUID]int, len(members))
	for _, id := range members {
		inside[id] = 0
	}
	for _, e := range edges {
		_, a := inside[e.A]
		_, b := inside[e.B]
		if a && b && e.counts() {
			inside[e.A] += e.Weight
			inside[e.B] += e.Weight
		}
	}
	sorted := slices.Clone(members)
	slices.SortFunc(sorted, func(a, b uuid.UUID) int {
		return cmp.Or(cmp.Compare(inside[b], inside[a]), bytes.Compare(a[:], b[:]))
	})
	return sorted
}

func (e Edge) counts() bool { return e.A != e.B && e.Weight > 0 }

// propagate gives every node a label: the index of the node that the label came from.
func (n *network) propagate(seed uint64) []int32 {
	p := newPropagation(n, seed)
	order := make([]int32, len(n.ids))
	for v := range order {
		order[v] = int32(v)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(p.strength[a], p.strength[b]), cmp.Compare(p.draws[a], p.draws[b]), cmp.Compare(a, b))
	})
	for range MaxRounds {
		changed := false
		for _, v := range order {
			if best := p.best(v); best != p.labels[v] {
				p.relabel(v, best)
				changed = true
			}
		}
		if !changed {
			break
		}
	}
	return p.labels
}

type propagation struct {
	*network
	draws    []uint64 // by node: its random number for ties
	strength []int    // by node: the weight of its edges
	labels   []int32  // by node
	mass     []int    // by label: the total strength of its nodes
	weights  []int    // by label, while a node chooses; zero otherwise
	near     []int32  // labels with a weight
}

func newPropagation(n *network, seed uint64) *propagation {
	size := len(n.ids)
	p := &propagation{
		network: n, draws: make([]uint64, size), strength: make([]int, size), labels: make([]int32, size),
		weights: make([]int, size),
	}
	for v, id := range n.ids {
		p.draws[v] = draw(seed^binary.BigEndian.Uint64(id[:8]), binary.BigEndian.Uint64(id[8:]))
		p.labels[v] = int32(v)
		for _, e := range n.neighbours(int32(v)) {
			p.strength[v] += e.weight
		}
	}
	p.mass = slices.Clone(p.strength)
	return p
}

func (p *propagation) relabel(v, label int32) {
	p.mass[p.labels[v]] -= p.strength[v]
	p.mass[label] += p.strength[v]
	p.labels[v] = label
}

// best returns the label with the greatest weight among the neighbours. The node's own label wins a
// tie.
func (p *propagation) best(v int32) int32 {
	most := p.weigh(v)
	best := p.labels[v]
	if p.weights[best] < most {
		best = -1
		for _, label := range p.near {
			if p.weights[label] == most && (best < 0 || p.rather(v, label, best)) {
				best = label
			}
		}
	}
	for _, label := range p.near {
		p.weights[label] = 0
	}
	return best
}

// weigh adds up the weights of the neighbours' labels and returns the greatest.
func (p *propagation) weigh(v int32) int {
	p.near = p.near[:0]
	most := 0
	for _, e := range p.neighbours(v) {
		label := p.labels[e.to]
		if p.weights[label] == 0 {
			p.near = append(p.near, label)
		}
		p.weights[label] += e.weight
		most = max(most, p.weights[label])
	}
	return most
}

// rather decides a tie between labels.
func (p *propagation) rather(v, a, b int32) bool {
	return cmp.Or(
		cmp.Compare(p.mass[a], p.mass[b]),
		cmp.Compare(draw(p.draws[v], p.draws[a]), draw(p.draws[v], p.draws[b])),
		cmp.Compare(b, a)) > 0
}

// draw returns a pseudo-random number determined by two others.
func draw(a, b uint64) uint64 {
	var source rand.PCG
	source.Seed(a, b)
	return source.Uint64()
}

// network is a graph of numbered nodes. Every edge is stored in both directions.
type network struct {
	ids   []uuid.UUID
	ends  []end   // by node, then by neighbour
	first []int32 // index of each node's first end in ends, then the length of ends
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

// pieces lists the connected pieces of each label.
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

// byStrength sorts the nodes of a piece by the weight of their edges to each other.
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
