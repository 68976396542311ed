package retrieval

import (
	"context"
	"math"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/retrieval/bm25"
)

// settled rounds a score, so that sums added up in different orders are equal, here and in the
// database (annals_internal.rounded_score).
func settled(score float64) float64 { return math.RoundToEven(score*1e11) / 1e11 }

// settle rounds all scores.
func settle(scores map[uuid.UUID]float64) {
	for id, score := range scores {
		scores[id] = settled(score)
	}
}

// byWords ranks a kind by words, in a round trip of its own.
func (v *view) byWords(ctx context.Context, w db.Words) ([]scored, error) {
	found, err := v.queries.ByWords(ctx, v.query.GroupID, v.validAt(), w)
	if err != nil {
		return nil, err
	}
	return v.rankedByWords(w, found), nil
}

// rankedByWords is the ranking of what was found by words. If the postings were read, it ranks them
// here.
func (v *view) rankedByWords(w db.Words, found db.WordsFound) []scored {
	if !w.Whole || found.Ranking != nil {
		return rankingOf(found.Ranking)
	}
	scores := okapiOf(found.Postings, w.Kind, v.shape)
	if !w.IncludeEnded {
		for id := range v.shape.Ended(w.Kind) {
			delete(scores, id)
		}
	}
	return bestOf(w.MaxRows, scores)
}

// okapiOf scores all rows of the postings.
func okapiOf(postings []db.Posting, kind graph.Kind, shape db.Shape) map[uuid.UUID]float64 {
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

// threadsOf returns the conversations of some episodes. episodes are all of the group, in the order
// of their conversations.
func threadsOf(some []uuid.UUID, episodes []db.EpisodesAroundRow) []db.ThreadsOfEpisodesRow {
	asked := each.Set(some)
	threads := []db.ThreadsOfEpisodesRow{}
	for _, e := range episodes {
		if e.ThreadID == "" {
			continue
		}
		if n := len(threads); n == 0 || threads[n-1].ID != e.ThreadID {
			threads = append(threads, db.ThreadsOfEpisodesRow{ID: e.ThreadID})
		}
		t := &threads[len(threads)-1]
		if asked[e.ID] {
			t.Ids, t.Answers = append(t.Ids, e.ID), append(t.Answers, e.Role == "assistant")
		}
		if t.Messages < mostOfThread {
			t.Messages, t.Length = t.Messages+1, t.Length+saidBy(e.Role == "assistant")*float64(e.Length)
		}
	}
	return slices.DeleteFunc(threads, func(t db.ThreadsOfEpisodesRow) bool { return len(t.Ids) == 0 })
}

// saidBy is the weight of words by who said them.
func saidBy(assistant bool) float64 {
	if assistant {
		return assistantWeight
	}
	return 1
}

// okapiOfThreads scores conversations by Okapi BM25: each is a document, with the words of its
// given episodes. The number of conversations is estimated by the number of their messages.
func okapiOfThreads(words []db.EpisodeWordsRow, threads []db.ThreadsOfEpisodesRow, episodes int64) map[string]float64 {
	type saying struct {
		thread int
		weight float64
	}
	says := map[uuid.UUID]saying{}
	for i, t := range threads {
		for j, id := range t.Ids {
			says[id] = saying{i, saidBy(t.Answers[j])}
		}
	}
	said, holders := make([][]float64, len(threads)), make([]float64, len(words)) // how often, and in how many conversations
	for i, w := range words {
		for j, id := range w.Ids {
			at, known := says[id]
			if !known {
				continue
			}
			if said[at.thread] == nil {
				said[at.thread] = make([]float64, len(words))
			}
			if said[at.thread][i] == 0 {
				holders[i]++
			}
			said[at.thread][i] += at.weight * float64(w.Tf[j])
		}
	}
	var messages, length float64
	for _, t := range threads {
		messages, length = messages+float64(t.Messages), length+t.Length
	}
	count := float64(len(threads))
	all, mean := max(count, count*float64(episodes)/max(messages, 1)), max(length/max(count, 1), 1)
	fits := map[string]float64{}
	for i, t := range threads {
		for w, tf := range said[i] {
			if tf > 0 {
				fits[t.ID] += words[w].Weight * bm25.IDF(all, holders[w]) * bm25.Saturated(tf, t.Length/mean)
			}
		}
	}
	return fits
}
