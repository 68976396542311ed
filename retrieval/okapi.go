package retrieval

import (
	"context"
	"math"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval/bm25"
)

// settled is a score as it is compared: sums that were added up in another order are
// equal, here and in the database (annals_internal.rounded_score).
func settled(score float64) float64 { return math.RoundToEven(score*1e11) / 1e11 }

// settle makes all of them so.
func settle(scores map[uuid.UUID]float64) {
	for id, score := range scores {
		scores[id] = settled(score)
	}
}

// okapi ranks the documents of a kind by words: here, where the group has few and
// no time is asked for, else in the database.
func (v *view) okapi(ctx context.Context, p db.RankByTermsParams) ([]scored, error) {
	if p.ValidAt == nil {
		if ranking, ok, err := v.fewByTerms(ctx, p); ok || err != nil {
			return ranking, err
		}
	}
	return rankingOf(v.queries.RankByTerms(ctx, p))
}

// postingsOf asks for the postings of the words, of a kind with few rows.
func postingsOf(p db.RankByTermsParams) db.PostingsOfTermsParams {
	return db.PostingsOfTermsParams{GroupID: p.GroupID, Query: p.Query, Lesser: p.Lesser, Kind: p.Kind, Few: db.Few}
}

// fewByTerms ranks all documents of a kind. It is not ok where they are not few, or
// no longer, as they are counted only now and then.
func (v *view) fewByTerms(ctx context.Context, p db.RankByTermsParams) (ranking []scored, ok bool, err error) {
	if !v.shape.HasFew(p.Kind) {
		return nil, false, nil
	}
	postings, err := v.queries.PostingsOfTerms(ctx, postingsOf(p))
	if err != nil {
		return nil, false, err
	}
	ranking, ok = v.bestOfFew(p, postings)
	if ok && p.Narrowed {
		if ranking, err = v.thatPass(ctx, p.Kind, ranking); err != nil {
			return nil, false, err
		}
	}
	return ranking[:min(int(p.MaxRows), len(ranking))], ok, nil
}

// bestOfFew ranks what holds any of the words: as much of it as is asked for or,
// where a filter is still to be asked, all. It is not ok where they are no longer few.
func (v *view) bestOfFew(p db.RankByTermsParams, postings []db.PostingsOfTermsRow) (ranking []scored, ok bool) {
	if slices.ContainsFunc(postings, func(held db.PostingsOfTermsRow) bool { return len(held.Ids) > db.Few }) {
		return nil, false
	}
	scores := okapiOfFew(postings, p.Kind, v.shape)
	if !p.IncludeEnded {
		for id := range v.shape.Ended(p.Kind) {
			delete(scores, id)
		}
	}
	if p.Narrowed {
		return bestOf(len(scores), scores), true
	}
	return bestOf(int(p.MaxRows), scores), true
}

// okapiOfFew scores what holds any of the words.
func okapiOfFew(postings []db.PostingsOfTermsRow, kind graph.Kind, shape db.Shape) map[uuid.UUID]float64 {
	documents, terms := shape.Size(kind)
	count := max(float64(documents), 1)
	mean := max(float64(terms)/count, 1)
	scores := map[uuid.UUID]float64{}
	for _, held := range postings {
		weight := held.Weight * bm25.IDF(count, float64(len(held.Ids)))
		for i, id := range held.Ids {
			scores[id] += weight * bm25.Saturated(float64(held.Tf[i]), float64(held.Lengths[i])/mean)
		}
	}
	settle(scores)
	return scores
}

// okapiOfThreads is Okapi BM25 with conversations for documents: those that say any
// of the words. How many conversations there are is estimated by the number of
// their messages.
func okapiOfThreads(said []db.ThreadsByTermsRow) map[string]float64 {
	holders := map[string]float64{}
	var messages, length, episodes float64
	for _, thread := range said {
		messages, length, episodes = messages+float64(thread.Messages), length+thread.Length, float64(thread.Documents)
		for _, term := range thread.Terms {
			holders[term]++
		}
	}
	count := float64(len(said))
	threads, mean := max(count, count*episodes/max(messages, 1)), max(length/max(count, 1), 1)
	fits := map[string]float64{}
	for _, thread := range said {
		for i, term := range thread.Terms {
			fits[thread.ID] += thread.Weights[i] * bm25.IDF(threads, holders[term]) * bm25.Saturated(thread.Tf[i], thread.Length/mean)
		}
	}
	return fits
}
