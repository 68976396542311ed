package retrieval

import (
	"cmp"
	"context"
	"slices"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// The weights by which a conversation is ranked. Around both the results are
// flat.
const (
	messageDecay = 0.8 // factor from one message of a conversation to the next best
	fitWeight    = 0.5 // of how well the whole conversation fits
)

// ThreadHit is a conversation that was found, by its id. Scores compare within
// one search only.
type ThreadHit struct {
	GroupID string  `json:"group_id"`
	ID      string  `json:"id"`
	Score   float64 `json:"score"`
}

// threads ranks conversations by the episodes that words and vectors find. near are the nearest
// episodes; nil: they are read here.
func (v *view) threads(ctx context.Context, near []scored) ([]ThreadHit, error) {
	defer v.explanation.timed(string(graph.KindThread))()
	rows, err := v.byWords(ctx, v.wordsSaid(threadCandidates))
	if err != nil {
		return nil, err
	}
	if v.fits(graph.KindEpisode) && near == nil {
		if near, err = v.byVector(ctx, graph.KindEpisode); err != nil {
			return nil, err
		}
	}
	var words []db.EpisodeWordsRow
	var spoken []db.ThreadsOfEpisodesRow
	var around []db.EpisodesAroundRow
	together := v.queries.Together()
	v.readThreads(together, rows, &spoken)
	v.countWords(together, idsOf(rows), &words)
	found := unique(append(idsOf(rows), idsOf(near)...))
	db.Ask(together, (*db.Queries).EpisodesAround, db.EpisodesAroundParams{GroupID: v.query.GroupID, Ids: found}, &around)
	if err := together.Send(ctx); err != nil {
		return nil, err
	}
	documents, _ := v.shape.Size(graph.KindEpisode)
	hits := v.candidatesOf(rows, near, toOne(okapiOfThreads(words, spoken, documents)), surroundingsOf(around, found, false)).threads()
	hits = slices.DeleteFunc(hits, func(h ThreadHit) bool { return v.scoresTooLittle(h.Score) })
	hits = hits[:min(v.query.Limit, len(hits))]
	for i := range hits {
		hits[i].GroupID = v.query.GroupID
	}
	return hits, nil
}

// threads ranks conversations by the scores of their messages, each less than the one before, and
// by how well they fit as a whole. So a conversation that returns to a subject ranks above one that
// names it once.
func (c candidates) threads() []ThreadHit {
	scores := map[string][]float64{}
	for id, e := range c.around {
		if score := c.words[id] + c.meant[id]; score > 0 && e.ThreadID != "" {
			scores[e.ThreadID] = append(scores[e.ThreadID], score*c.asked.weight(e))
		}
	}
	hits := make([]ThreadHit, 0, len(scores))
	best := 0.0
	for id, messages := range scores {
		hit := ThreadHit{ID: id, Score: decayed(messages)}
		hits = append(hits, hit)
		best = max(best, hit.Score)
	}
	for i, hit := range hits {
		hits[i].Score = fitWeight * c.fits[hit.ID]
		if best > 0 {
			hits[i].Score += hit.Score / best
		}
	}
	slices.SortFunc(hits, func(a, b ThreadHit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID)) })
	return hits
}

// decayed is the sum of the scores, best first, each weighted less than the one before.
func decayed(scores []float64) float64 {
	slices.SortFunc(scores, func(a, b float64) int { return cmp.Compare(b, a) })
	sum, weight := 0.0, 1.0
	for _, score := range scores {
		sum += weight * score
		weight *= messageDecay
	}
	return sum
}
