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

// byWords ranks the documents of a kind by words, alone.
func (v *view) byWords(ctx context.Context, w db.Words) ([]scored, error) {
	found, err := v.queries.ByWords(ctx, v.query.GroupID, v.validAt(), w)
	if err != nil {
		return nil, err
	}
	return v.rankedByWords(ctx, w, found)
}

// rankedByWords is the ranking of what was found by words. Of few rows all that hold any
// of them are ranked here, unless they are no longer few, as they are counted only now and
// then.
func (v *view) rankedByWords(ctx context.Context, w db.Words, found db.WordsFound) ([]scored, error) {
	if slices.ContainsFunc(found.Postings, func(held db.Posting) bool { return len(held.IDs) > db.Few }) {
		w.Whole = false
		return v.byWords(ctx, w)
	}
	if !w.Whole {
		return rankingOf(found.Ranking), nil
	}
	scores := okapiOfFew(found.Postings, w.Kind, v.shape)
	if !w.IncludeEnded {
		for id := range v.shape.Ended(w.Kind) {
			delete(scores, id)
		}
	}
	return bestOf(w.MaxRows, scores), nil
}

// okapiOfFew scores what holds any of the words.
func okapiOfFew(postings []db.Posting, kind graph.Kind, shape db.Shape) map[uuid.UUID]float64 {
	documents, terms := shape.Size(kind)
	count := max(float64(documents), 1)
	mean := max(float64(terms)/count, 1)
	scores := map[uuid.UUID]float64{}
	for _, held := range postings {
		weight := held.Weight * bm25.IDF(count, float64(len(held.IDs)))
		for i, id := range held.IDs {
			scores[id] += weight * bm25.Saturated(float64(held.TF[i]), float64(held.Lengths[i])/mean)
		}
	}
	settle(scores)
	return scores
}

// threadsOf counts the words of a question in the conversations of a group of which all
// episodes, in the order of their conversations, and all postings of the words were read.
func threadsOf(held []db.Posting, episodes []db.EpisodesAroundRow, shape db.Shape) []db.ThreadsByTermsRow {
	documents, _ := shape.Size(graph.KindEpisode)
	threads := []db.ThreadsByTermsRow{}
	type saying struct {
		thread int
		weight float64
	}
	says := make(map[uuid.UUID]saying, len(episodes))
	for _, e := range episodes {
		if e.ThreadID == "" {
			continue
		}
		if n := len(threads); n == 0 || threads[n-1].ID != e.ThreadID {
			threads = append(threads, db.ThreadsByTermsRow{ID: e.ThreadID, Documents: documents})
		}
		weight, last := 1.0, len(threads)-1
		if e.Role == "assistant" {
			weight = assistantWeight
		}
		says[e.ID] = saying{last, weight}
		if t := &threads[last]; t.Messages < mostOfThread {
			t.Messages, t.Length = t.Messages+1, t.Length+weight*float64(e.Length)
		}
	}
	for _, p := range held {
		for i, id := range p.IDs {
			said, known := says[id]
			if !known {
				continue
			}
			t := &threads[said.thread]
			if n := len(t.Terms); n == 0 || t.Terms[n-1] != p.Term {
				t.Terms, t.Weights, t.Tf = append(t.Terms, p.Term), append(t.Weights, p.Weight), append(t.Tf, 0)
			}
			t.Tf[len(t.Tf)-1] += said.weight * float64(p.TF[i])
		}
	}
	return slices.DeleteFunc(threads, func(t db.ThreadsByTermsRow) bool { return len(t.Terms) == 0 })
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
