package retrieval

import (
	"context"
	"math"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// weighedByRecency weighs hits by their age and their mentions, if the query asks for it. It comes
// after all rerankers, so that it applies whichever ran.
func (o ordering) weighedByRecency(ctx context.Context, hits []scored) ([]scored, error) {
	q := o.query
	if q.Recency == 0 && q.MentionBoost == 0 || o.kind == graph.KindCommunity || len(hits) == 0 {
		return hits, nil
	}
	defer o.explanation.timed(string(o.kind) + " memory")()
	ids := idsOf(hits)
	var times map[uuid.UUID]time.Time
	var counts map[uuid.UUID]float64
	var err error
	if q.Recency > 0 {
		if times, err = o.timesOf(ctx, ids); err != nil {
			return nil, err
		}
	}
	if q.MentionBoost > 0 {
		if counts, err = o.mentionsOf(ctx, ids); err != nil {
			return nil, err
		}
	}
	now := q.askedAt()
	return reordered(hits, func(h scored) float64 {
		weight := 1 + q.MentionBoost*math.Log(1+counts[h.ID])
		if at, known := times[h.ID]; known {
			weight *= recency(now.Sub(at), q.Recency)
		}
		return h.weighed(weight)
	}), nil
}

// weighed multiplies the score by a weight, or divides it if it is negative.
func (s scored) weighed(weight float64) float64 {
	if s.Score < 0 { // of maximal marginal relevance, or of some models
		return s.Score / weight
	}
	return s.Score * weight
}

// recency is the factor for an age: 1 for new or future rows, 3/4 after one half-life, and towards
// 1/2 from there. It is the decay of the memory stream of Park et al. (UIST 2023), by half-lives
// and bounded.
func recency(age, halfLife time.Duration) float64 {
	return (1 + math.Exp2(-max(age.Hours(), 0)/halfLife.Hours())) / 2
}

// timesOf returns when facts began to hold or, if that is unknown, were learned; when entities were
// last mentioned; and when episodes were said.
func (o ordering) timesOf(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]time.Time, error) {
	times := make(map[uuid.UUID]time.Time, len(ids))
	switch o.kind {
	case graph.KindFact:
		facts, err := o.readFacts(ctx, ids)
		for id, f := range facts {
			if times[id] = f.Valid.Start; f.Valid.Start.IsZero() {
				times[id] = f.CreatedAt
			}
		}
		return times, err
	case graph.KindEntity:
		rows, err := o.queries.EntitiesLastMentioned(ctx, db.EntitiesLastMentionedParams{GroupID: o.query.GroupID, Ids: ids})
		for _, row := range rows {
			times[row.ID] = row.At
		}
		return times, err
	}
	episodes, err := o.readEpisodes(ctx, ids)
	for id, e := range episodes {
		times[id] = e.OccurredAt
	}
	return times, err
}
