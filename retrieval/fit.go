package retrieval

import (
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// The fit of a row is the sum of its scores by words and by vector, not of its ranks. A rank does
// not tell a row that fits from one that only fits better than the next. Both scores are brought to
// one scale, as by Bruch, Gai and Ingber (An Analysis of Fusion Functions for Hybrid Retrieval,
// TOIS 2023, section 3).

const (
	// nearWeight is the weight of the nearest vector; that of the best words is 1.
	nearWeight = 1.0

	// The similarity of the row at this rank counts as zero: the 200th nearest, for episodes, which
	// are many, the 400th, and in small groups the one in the middle.
	nearRows     = 200
	nearEpisodes = 400
	leastNearby  = 30

	// leastSpread is the least difference assumed between the similarities of the nearest row and
	// of that one. Nineteen of twenty questions of a benchmark have it, with a table of words and
	// with a transformer; rows that lie closer together differ by chance.
	leastSpread = 0.2

	// The factors for a fact that starts from an entity of the question, and for one that leads to
	// such an entity: "Where does Nora live?" is not about those who live with her.
	sourceWeight = 2.0
	targetWeight = 1.2

	// mostFit is the highest fit of a fact: best by its words and by its vector, and of an entity
	// that the question names.
	mostFit = sourceWeight * (1 + nearWeight)
)

// nearby is the rank of the row whose similarity counts as zero.
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

// nearness scales similarities from 1, the nearest row, to 0, the row at rank most. Embedders
// differ in how similar two texts are, so only the differences among the rows count. If all texts
// are about equally similar, none is near.
func nearness(near []scored, most int) map[uuid.UUID]float64 {
	if len(near) == 0 {
		return nil
	}
	least := near[min(most, len(near))-1].Score
	between := max(spread(near, most), leastSpread)
	return scoresBy(near, func(n scored) float64 { return max(0, (n.Score-least)/between) })
}

// sumOf scores rows by their words and their vectors.
func (v *view) sumOf(kind graph.Kind, found rankings) map[uuid.UUID]float64 {
	words := found[MethodTerms]
	scores := scoresBy(words, func(w scored) float64 { return w.Score / words[0].Score })
	for id, near := range nearness(found[MethodVector], v.nearby(kind)) {
		scores[id] += nearWeight * near
	}
	settle(scores)
	return scores
}

// fitTogether merges the rankings by words and by vectors into one, for each kind that has both.
// Episodes that are ranked with their neighbours count these too, and the facts that they state.
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
	some              bool        // some entity may have more facts than were read
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

// weighNamed raises the scores of facts about entities that the question names.
func (v *view) weighNamed(scores map[uuid.UUID]float64) {
	if len(v.named.entities) == 0 || len(scores) == 0 {
		return
	}
	starting, leading := v.ofNamed()
	weigh(scores, starting, sourceWeight)
	weigh(scores, leading, targetWeight)
	settle(scores)
}

// weigh multiplies the scores of the given rows, if they have one.
func weigh(scores map[uuid.UUID]float64, rows []uuid.UUID, weight float64) {
	for _, id := range rows {
		if score, is := scores[id]; is {
			scores[id] = score * weight
		}
	}
}

// ofNamed returns the facts that start from an entity of the question, and those that lead to one.
// If an entity has too many to read, it returns those among the found facts.
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
