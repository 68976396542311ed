package retrieval

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
)

// rankConstant is k of reciprocal rank fusion: how little the first ranks
// stand out. 60 is the value of the paper.
const rankConstant = 60

// scored is a row's id and how well it fits.
type scored struct {
	ID    uuid.UUID
	Score float64
}

// rankingOf reads what any of the ranking queries answers.
func rankingOf(rows []db.RankedRow, err error) ([]scored, error) {
	ranking := make([]scored, len(rows))
	for i, row := range rows {
		ranking[i] = scored(row)
	}
	return ranking, err
}

// fuse merges rankings by reciprocal rank fusion (Cormack, Clarke and Büttcher,
// SIGIR 2009): a row's score is the sum of 1/(k + rank) over the rankings that
// hold it, ranks from 1. Equal scores are ordered by id, so that the result is
// always the same.
func fuse(limit int, rankings ...[]scored) []scored {
	scores := map[uuid.UUID]float64{}
	for _, ranking := range rankings {
		for i, s := range ranking {
			scores[s.ID] += 1 / float64(rankConstant+i+1)
		}
	}
	return bestOf(limit, scores)
}

// bestOf are the rows with the best scores, in their order.
func bestOf(limit int, scores map[uuid.UUID]float64) []scored {
	ranking := make([]scored, 0, len(scores))
	for id, score := range scores {
		ranking = append(ranking, scored{id, score})
	}
	slices.SortFunc(ranking, bestFirst)
	return ranking[:min(limit, len(ranking))]
}

func bestFirst(a, b scored) int {
	if c := cmp.Compare(b.Score, a.Score); c != 0 {
		return c // mostly, and ids take longer to compare
	}
	return bytes.Compare(a.ID[:], b.ID[:])
}
