package retrieval

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// rankConstant is k of reciprocal rank fusion: the larger, the less the first ranks stand out. 60
// is the value of the paper.
const rankConstant = 60

// scored is a row's id and how well it fits.
type scored struct {
	ID    uuid.UUID
	Score float64
}

func (s scored) score() float64 { return s.Score }

// scoresBy gives each row a score, by its id.
func scoresBy(rows []scored, score func(scored) float64) map[uuid.UUID]float64 {
	return each.Map(rows, func(s scored) (uuid.UUID, float64) { return s.ID, score(s) })
}

// rankingOf turns the answer of a ranking query into a ranking.
func rankingOf(rows []db.RankedRow) []scored {
	return each.Of(rows, func(row db.RankedRow) scored { return scored(row) })
}

// ordering ranks the hits of a scope.
type ordering struct {
	*view
	kind graph.Kind
}

// fused merges the rankings of a scope into one. Rows that contain a phrase of the query come
// first: each phrase adds 1 to a score, and fusion alone always gives less.
func (o ordering) fused(ctx context.Context, found rankings) ([]scored, error) {
	said, dated := found[MethodPhrase], o.kind == graph.KindFact && o.isDated()
	limit := o.candidates()
	if dated || len(said) > 0 || len(found[MethodRelation]) > 0 {
		limit = math.MaxInt // whatever ranks last may come first
	}
	hits := fuse(limit, found.lists()...)
	if dated && len(hits) > 0 {
		var err error
		if hits, err = o.timely(ctx, hits, found); err != nil {
			return nil, err
		}
	}
	if len(said) > 0 {
		phrases := scoresBy(said, scored.score)
		hits = reordered(hits, func(h scored) float64 { return h.Score + phrases[h.ID] })
	}
	hits = answered(hits, found[MethodRelation])
	return hits[:min(o.candidates(), len(hits))], nil
}

// fuse merges rankings by reciprocal rank fusion (Cormack, Clarke and Büttcher,
// SIGIR 2009): a row's score is the sum of 1/(k + rank) over the rankings that
// hold it, ranks from 1. Equal scores are ordered by id, so that the result is
// always the same.
func fuse(limit int, rankings ...[]scored) []scored {
	longest := 0
	for _, ranking := range rankings {
		longest = max(longest, len(ranking))
	}
	scores := make(map[uuid.UUID]float64, longest)
	for _, ranking := range rankings {
		for i, s := range ranking {
			scores[s.ID] += 1 / float64(rankConstant+i+1)
		}
	}
	return bestOf(limit, scores)
}

// bestOf returns the rows with the best scores, best first. If limit is small, it never sorts all
// of them.
func bestOf(limit int, scores map[uuid.UUID]float64) []scored {
	limit = min(limit, len(scores))
	if limit <= 0 {
		return nil
	}
	ranking := make([]scored, 0, min(2*limit, len(scores)))
	least := math.Inf(-1) // the least score that can still be among them
	for id, score := range scores {
		if score < least {
			continue
		}
		if ranking = append(ranking, scored{id, score}); len(ranking) == 2*limit {
			slices.SortFunc(ranking, bestFirst)
			ranking = ranking[:limit]
			least = ranking[limit-1].Score
		}
	}
	slices.SortFunc(ranking, bestFirst)
	return ranking[:min(limit, len(ranking))]
}

func bestFirst(a, b scored) int {
	if c := cmp.Compare(b.Score, a.Score); c != 0 {
		return c // the usual case; ids take longer to compare
	}
	return bytes.Compare(a.ID[:], b.ID[:])
}

// answered puts the facts that answer by their relation before all others: each adds
// more than 1 to a score, as a phrase does.
func answered(hits, answers []scored) []scored {
	if len(answers) == 0 {
		return hits
	}
	first, found := scoresBy(answers, scored.score), each.Set(idsOf(hits))
	for _, a := range answers {
		if !found[a.ID] {
			hits = append(hits, scored{ID: a.ID})
		}
	}
	return reordered(hits, func(h scored) float64 { return h.Score + first[h.ID] })
}
