package clustering_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/annalsdb/annals/engine/clustering"
)

const seed = 1

// id returns the id of a node; ids sort as their numbers do.
func id(n int) uuid.UUID {
	var u uuid.UUID
	binary.BigEndian.PutUint64(u[8:], uint64(n))
	return u
}

func number(u uuid.UUID) int { return int(binary.BigEndian.Uint64(u[8:])) }

func edge(a, b int) clustering.Edge { return clustering.Edge{A: id(a), B: id(b), Weight: 1} }

// clique joins every pair of the nodes.
func clique(nodes ...int) []clustering.Edge {
	var edges []clustering.Edge
	for i, a := range nodes {
		for _, b := range nodes[:i] {
			edges = append(edges, edge(a, b))
		}
	}
	return edges
}

// numbers returns the communities as sorted numbers, the first node's first.
func numbers(communities [][]uuid.UUID) [][]int {
	var out [][]int
	for _, c := range communities {
		var members []int
		for _, u := range c {
			members = append(members, number(u))
		}
		slices.Sort(members)
		out = append(out, members)
	}
	slices.SortFunc(out, slices.Compare[[]int])
	return out
}

func ExampleCommunities() {
	edges := append(clique(1, 2, 3, 4), clique(5, 6, 7, 8)...)
	edges = append(edges, edge(4, 5))
	for _, community := range clustering.Communities(edges, seed) {
		fmt.Print(len(community), " members:")
		for _, member := range community {
			fmt.Print(" ", number(member))
		}
		fmt.Println()
	}
	// Output:
	// 4 members: 1 2 3 4
	// 4 members: 5 6 7 8
}

func TestCommunities(t *testing.T) {
	t.Parallel()
	heavy := edge(1, 7)
	heavy.Weight = 4
	for _, tt := range []struct {
		name  string
		edges []clustering.Edge
		want  [][]int
	}{
		{name: "nothing"},
		{name: "an edge to itself and edges without weight", edges: []clustering.Edge{edge(1, 1), {A: id(1), B: id(2)}, {A: id(2), B: id(3), Weight: -1}}},
		{name: "a pair", edges: clique(1, 2), want: [][]int{{1, 2}}},
		{name: "parallel edges do not oscillate", edges: []clustering.Edge{edge(1, 2), edge(2, 1), edge(1, 2)}, want: [][]int{{1, 2}}},
		{name: "cliques apart", edges: append(clique(1, 2, 3), clique(4, 5, 6, 7)...), want: [][]int{{1, 2, 3}, {4, 5, 6, 7}}},
		{
			name:  "weight decides where a node between two belongs",
			edges: append(append(clique(3, 4, 5, 6), clique(7, 8, 9, 10, 11, 12)...), edge(1, 3), edge(1, 4), edge(1, 5), heavy),
			want:  [][]int{{1, 7, 8, 9, 10, 11, 12}, {3, 4, 5, 6}},
		},
		{
			name:  "those who share two things are together",
			edges: append(clique(1, 2), edge(1, 10), edge(1, 11), edge(2, 10), edge(2, 11), edge(3, 20), edge(3, 21), edge(4, 20), edge(4, 21), edge(2, 3)),
			want:  [][]int{{1, 2, 10, 11}, {3, 4, 20, 21}},
		},
	} {
		got := numbers(clustering.Communities(tt.edges, seed))
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", tt.name, diff)
		}
	}
}

// The 34 members of a karate club that broke up (Zachary 1977): the instructor
// is 1, the administrator 34.
var karate = [][2]int{
	{1, 2},
	{1, 3},
	{2, 3},
	{1, 4},
	{2, 4},
	{3, 4},
	{1, 5},
	{1, 6},
	{1, 7},
	{5, 7},
	{6, 7},
	{1, 8},
	{2, 8},
	{3, 8},
	{4, 8},
	{1, 9},
	{3, 9},
	{3, 10},
	{1, 11},
	{5, 11},
	{6, 11},
	{1, 12},
	{1, 13},
	{4, 13},
	{1, 14},
	{2, 14},
	{3, 14},
	{4, 14},
	{6, 17},
	{7, 17},
	{1, 18},
	{2, 18},
	{1, 20},
	{2, 20},
	{1, 22},
	{2, 22},
	{24, 26},
	{25, 26},
	{3, 28},
	{24, 28},
	{25, 28},
	{3, 29},
	{24, 30},
	{27, 30},
	{2, 31},
	{9, 31},
	{1, 32},
	{25, 32},
	{26, 32},
	{29, 32},
	{3, 33},
	{9, 33},
	{15, 33},
	{16, 33},
	{19, 33},
	{21, 33},
	{23, 33},
	{24, 33},
	{30, 33},
	{31, 33},
	{32, 33},
	{9, 34},
	{10, 34},
	{14, 34},
	{15, 34},
	{16, 34},
	{19, 34},
	{20, 34},
	{21, 34},
	{23, 34},
	{24, 34},
	{27, 34},
	{28, 34},
	{29, 34},
	{30, 34},
	{31, 34},
	{32, 34},
	{33, 34},
}

// The seed decides which of several good partitions comes out; most of them must be good.
func TestKarateClub(t *testing.T) {
	t.Parallel()
	var edges []clustering.Edge
	for _, e := range karate {
		edges = append(edges, edge(e[0], e[1]))
	}
	good := 0
	for s := range uint64(100) {
		if modularity(clustering.Communities(edges, s), edges) > 0.3 {
			good++
		}
	}
	if good < 60 {
		t.Errorf("%d of 100 partitions have a modularity above 0.3", good)
	}
}

// modularity is Newman and Girvan's measure of a partition: the share of the weight inside
// communities beyond the share expected by chance.
func modularity(communities [][]uuid.UUID, edges []clustering.Edge) float64 {
	of := map[uuid.UUID]int{}
	for i, c := range communities {
		for _, u := range c {
			of[u] = i
		}
	}
	inside, degrees, total := make([]float64, len(communities)), make([]float64, len(communities)), 0.0
	for _, e := range edges {
		w := float64(e.Weight)
		total += w
		degrees[of[e.A]] += w
		degrees[of[e.B]] += w
		if of[e.A] == of[e.B] {
			inside[of[e.A]] += w
		}
	}
	q := 0.0
	for i := range communities {
		q += inside[i]/total - degrees[i]*degrees[i]/(4*total*total)
	}
	return q
}

func TestByStrength(t *testing.T) {
	t.Parallel()
	edges := append(clique(1, 2, 3), clustering.Edge{A: id(3), B: id(2), Weight: 4}, edge(1, 9), edge(1, 8), edge(1, 7), edge(1, 1))
	got := clustering.ByStrength([]uuid.UUID{id(5), id(3), id(1), id(2)}, edges)
	if want := []uuid.UUID{id(2), id(3), id(1), id(5)}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// edgesOf draws a graph of a few nodes, from a few loose pairs to dense graphs.
func edgesOf(nodes int) *rapid.Generator[[]clustering.Edge] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) clustering.Edge {
		return clustering.Edge{
			A: id(rapid.IntRange(1, nodes).Draw(t, "a")), B: id(rapid.IntRange(1, nodes).Draw(t, "b")),
			Weight: rapid.IntRange(1, 5).Draw(t, "weight"),
		}
	}), 0, 4*nodes)
}

// weights returns, for each node, the weight of its edges to each neighbour.
func weights(edges []clustering.Edge) map[uuid.UUID]map[uuid.UUID]int {
	w := map[uuid.UUID]map[uuid.UUID]int{}
	add := func(a, b uuid.UUID, weight int) {
		if w[a] == nil {
			w[a] = map[uuid.UUID]int{}
		}
		w[a][b] += weight
	}
	for _, e := range edges {
		if e.A != e.B {
			add(e.A, e.B, e.Weight)
			add(e.B, e.A, e.Weight)
		}
	}
	return w
}

// Propagation ends only when no node would rather be in another community.
func TestEveryNodeIsWhereMostOfItsEdgesLead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		edges := edgesOf(rapid.IntRange(2, 30).Draw(t, "nodes")).Draw(t, "edges")
		neighbours := weights(edges)
		communities := clustering.Communities(edges, rapid.Uint64().Draw(t, "seed"))
		of := map[uuid.UUID]int{}
		for i, c := range communities {
			if len(c) < 2 {
				t.Fatalf("a community of %d", len(c))
			}
			for _, u := range c {
				if _, twice := of[u]; twice || neighbours[u] == nil {
					t.Fatalf("node %d is in two communities or has no edge", number(u))
				}
				of[u] = i
			}
			if !slices.Equal(c, clustering.ByStrength(c, edges)) {
				t.Errorf("community %v is not in order of strength", c)
			}
		}
		for u, to := range neighbours {
			if _, ok := of[u]; !ok {
				t.Fatalf("node %d is in no community", number(u))
			}
			weight := make([]int, len(communities))
			for v, w := range to {
				weight[of[v]] += w
			}
			if weight[of[u]] < slices.Max(weight) {
				t.Errorf("node %d has weight %d in its community, %v elsewhere", number(u), weight[of[u]], weight)
			}
		}
	})
}

func TestTheOrderOfEdgesDoesNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		edges := edgesOf(20).Draw(t, "edges")
		var other []clustering.Edge
		for _, e := range rapid.Permutation(edges).Draw(t, "order") {
			if rapid.Bool().Draw(t, "turned") {
				e.A, e.B = e.B, e.A
			}
			for e.Weight > 1 && rapid.Bool().Draw(t, "parted") {
				e.Weight--
				other = append(other, clustering.Edge{A: e.A, B: e.B, Weight: 1})
			}
			other = append(other, e)
		}
		s := rapid.Uint64().Draw(t, "seed")
		if diff := cmp.Diff(clustering.Communities(edges, s), clustering.Communities(other, s)); diff != "" {
			t.Errorf("the same edges in another order, direction and in parts: %s", diff)
		}
	})
}

// A change in one part of a graph must leave the communities of other parts alone, and unconnected
// parts never share a community.
func TestPartsOfAGraphDoNotTouchEachOther(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		near := edgesOf(20).Draw(t, "near")
		far := edgesOf(20).Draw(t, "far")
		for i := range far {
			far[i].A, far[i].B = id(number(far[i].A)+100), id(number(far[i].B)+100)
		}
		s := rapid.Uint64().Draw(t, "seed")
		apart := slices.Concat(clustering.Communities(near, s), clustering.Communities(far, s))
		together := clustering.Communities(slices.Concat(near, far), s)
		for _, c := range [][][]uuid.UUID{apart, together} {
			slices.SortFunc(c, func(a, b []uuid.UUID) int { return bytes.Compare(a[0][:], b[0][:]) })
		}
		if diff := cmp.Diff(apart, together); diff != "" {
			t.Errorf("-apart +together\n%s", diff)
		}
	})
}

func TestCliquesApartAreNeverOne(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var edges []clustering.Edge
		var want [][]int
		next := 1
		for _, size := range rapid.SliceOfN(rapid.IntRange(2, 8), 2, 6).Draw(t, "sizes") {
			var nodes []int
			for range size {
				nodes = append(nodes, next)
				next++
			}
			edges = append(edges, clique(nodes...)...)
			want = append(want, nodes)
		}
		if diff := cmp.Diff(want, numbers(clustering.Communities(edges, rapid.Uint64().Draw(t, "seed")))); diff != "" {
			t.Error(diff)
		}
	})
}

// Thirty thousand nodes in groups of thirty, with ten times as many edges
// within them as between them.
func BenchmarkCommunities(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	edges := make([]clustering.Edge, 0, 100_000)
	for range cap(edges) {
		a := random.IntN(30_000)
		to := a/30*30 + random.IntN(30)
		if random.IntN(11) == 0 {
			to = random.IntN(30_000)
		}
		edges = append(edges, edge(a, to))
	}
	for b.Loop() {
		if n := len(clustering.Communities(edges, seed)); n < 500 {
			b.Fatalf("%d communities", n)
		}
	}
}
