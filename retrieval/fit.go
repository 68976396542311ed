package retrieval

import (
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// How well a row fits is the sum of how well its words and its vector do, and not
// of the ranks that these give it: a rank does not tell a row that fits from one
// that only fits better than the next. Both are brought to one scale, as
// Bruch, Gai and Ingber do it (An Analysis of Fusion Functions for Hybrid
// Retrieval, TOIS 2023, section 3).

const (
	// How much the nearest vector counts beside the best words, which count 1.
	nearWeight = 1.0

	// Whose likeness to the query is the least that counts: that of the 200th
	// nearest, of episodes, which are many, of the 400th, and of small groups of the
	// one in the middle.
	nearRows     = 200
	nearEpisodes = 400
	leastNearby  = 30

	// Between the likeness of the nearest and of that one there is at least so much,
	// as there is for nineteen questions in twenty of a benchmark, with a table of
	// words and with a transformer: what lies closer together differs by chance.
	leastSpread = 0.2

	// How many times a fact counts that starts from an entity which the question
	// names, and one that leads to such an entity: "Where does Nora live?" is not
	// about those who live with her.
	sourceWeight = 2.0
	targetWeight = 1.2

	// How well a fact fits at the most: the best by its words and by its vector, and of one
	// whom the question names.
	mostFit = sourceWeight * (1 + nearWeight)
)

// nearby is how many rows of a kind the one has among them that counts for nothing.
func (p *plan) nearby(kind graph.Kind) int {
	rows, _ := p.shape.Size(kind)
	return min(max(int(rows/2), leastNearby), mostNearby(kind))
}

func mostNearby(kind graph.Kind) int {
	if kind == graph.KindEpisode {
		return nearEpisodes
	}
	return nearRows
}

// nearness is how near rows lie to the query, from 1, the nearest, to 0, the last
// of the first so many. How like two texts are is one number with one embedder and
// another with the next, so only how they lie among each other counts; but of texts
// that are all alike none is near.
func nearness(near []scored, most int) map[uuid.UUID]float64 {
	by := make(map[uuid.UUID]float64, len(near))
	if len(near) == 0 {
		return by
	}
	least := near[min(most, len(near))-1].Score
	between := max(spread(near, most), leastSpread)
	for _, n := range near {
		by[n.ID] = max(0, (n.Score-least)/between)
	}
	return by
}

// sumOf is how well rows fit by their words and their vectors.
func (v *view) sumOf(kind graph.Kind, found rankings) map[uuid.UUID]float64 {
	words := found[MethodTerms]
	scores := make(map[uuid.UUID]float64, len(words)+len(found[MethodVector]))
	for _, w := range words {
		scores[w.ID] = w.Score / words[0].Score
	}
	for id, near := range nearness(found[MethodVector], v.nearby(kind)) {
		scores[id] += nearWeight * near
	}
	settle(scores)
	return scores
}

// fitTogether makes one ranking of what words and vectors found, of each kind that both rank: of
// episodes, where they are ranked by what stands around them, with that and with the facts that they
// state.
func (v *view) fitTogether(found map[graph.Kind]rankings) {
	for kind, ranked := range found {
		if v.fits(kind) && !(kind == graph.KindEpisode && v.ranksAround()) {
			scores := v.sumOf(kind, ranked)
			if kind == graph.KindFact {
				v.weighNamed(scores)
			}
			ranked[MethodFit] = bestOf(len(scores), scores)
		}
	}
	if v.ranksAround() {
		said, facts := found[graph.KindEpisode], found[graph.KindFact][MethodFit]
		if v.fits(graph.KindEpisode) {
			said[MethodFit] = v.fitEpisodes(said[MethodTerms], said[MethodVector], facts)
		} else {
			said[MethodTerms] = v.fitEpisodes(said[MethodTerms], nil, facts)
		}
	}
}

// named are the entities that a question names, and their facts.
type named struct {
	entities          []uuid.UUID // that have facts
	starting, leading []uuid.UUID // facts that start from one, and that lead to one
	some              bool        // there may be more facts
}

func namedBy(rows []db.NamedFactsRow) (n named) {
	counts := map[uuid.UUID]int{}
	for _, row := range rows {
		if row.Outgoing {
			n.starting = append(n.starting, row.ID)
		} else {
			n.leading = append(n.leading, row.ID)
		}
		if counts[row.By()]++; counts[row.By()] == 1 {
			n.entities = append(n.entities, row.By())
		}
		n.some = n.some || counts[row.By()] >= namedRows
	}
	return n
}

// weighNamed lets facts about entities that the question names count more than others
// that fit as well.
func (v *view) weighNamed(scores map[uuid.UUID]float64) {
	if len(v.named.entities) == 0 || len(scores) == 0 {
		return
	}
	starting, leading := v.ofNamed()
	weigh(scores, starting, sourceWeight)
	weigh(scores, leading, targetWeight)
	settle(scores)
}

// weigh multiplies the scores of some rows, as far as they have one.
func weigh(scores map[uuid.UUID]float64, rows []uuid.UUID, weight float64) {
	for _, id := range rows {
		if score, is := scores[id]; is {
			scores[id] = score * weight
		}
	}
}

// ofNamed are the facts that start from an entity which the question names, and those
// that lead to one: all, or of entities with many those that were found.
func (v *view) ofNamed() (starting, leading []uuid.UUID) {
	if !v.named.some {
		return v.named.starting, v.named.leading
	}
	for _, f := range v.around.ends {
		if slices.Contains(v.named.entities, f.SourceID) {
			starting = append(starting, f.ID)
		}
		if slices.Contains(v.named.entities, f.TargetID) {
			leading = append(leading, f.ID)
		}
	}
	return starting, leading
}
