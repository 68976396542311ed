package retrieval

import (
	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/retrieval/bm25"
)

// An answer seldom repeats the words of its question, nor a third message the subject
// of the first. So the words of a message are counted together with those around it, as
// one document with fields that weigh less (BM25F: Robertson, Zaragoza and Taylor, CIKM
// 2004). Scores of the messages that are added up instead find less, as they reward a
// word that all of them repeat.
const (
	previousWeight = 0.5  // of the message before
	earlierWeight  = 0.25 // of the one before that
	nextWeight     = 0.5  // of the one after

	// A message around another counts as one of this many times the mean length at the
	// most, with as much of its words: a long text does not hide the remark on it.
	mostBeside = 2
)

// countWords reads how often the episodes that were found say the words of the question.
func (v *view) countWords(together *db.Together, ids []uuid.UUID, into *[]db.EpisodeWordsRow) {
	db.Ask(together, (*db.Queries).EpisodeWords, db.EpisodeWordsParams{
		GroupID: v.query.GroupID, Query: v.question.words, Lesser: v.question.lesser, Ids: ids,
	}, into)
}

// wordsOfPostings are the same of a group of which all postings of the words were read.
func wordsOfPostings(held []db.Posting) []db.EpisodeWordsRow {
	return each.Of(held, func(p db.Posting) db.EpisodeWordsRow {
		return db.EpisodeWordsRow{Weight: p.Weight, Holders: int64(len(p.IDs)), Ids: p.IDs, Tf: p.TF}
	})
}

// field is a message as a part of one that it is read with.
type field struct {
	id     uuid.UUID
	weight float64
}

// appendFields appends a message and those it is read with, as far as they are known, and
// says how long they are together.
func (s surroundings) appendFields(fields []field, e *message, mean float64) (_ []field, length float64) {
	for _, f := range [...]field{{e.ID, 1}, {e.Previous, previousWeight}, {e.Earlier, earlierWeight}, {e.Next, nextWeight}} {
		beside, known := s[f.id]
		if !known {
			continue
		}
		terms := float64(beside.Length)
		if most := mostBeside * mean; f.id != e.ID && terms > most {
			f.weight *= most / terms
		}
		length += f.weight * terms
		f.weight *= saidBy(beside.Role == "assistant")
		fields = append(fields, f)
	}
	return fields, length
}

// wordsInContext is how well episodes fit by their words and those around them, in a
// group of so many episodes with so many terms.
func wordsInContext(words []db.EpisodeWordsRow, around surroundings, documents, terms int64) map[uuid.UUID]float64 {
	count := max(float64(documents), 1)
	mean := max(float64(terms)/count, 1)
	weights := make([]float64, len(words))
	said := make(map[uuid.UUID][]float64, len(around)) // how often each word is
	var counts []float64                               // room for those of more episodes
	const roomFor = 128
	for i, word := range words {
		weights[i] = word.Weight * bm25.IDF(count, float64(word.Holders))
		for j, id := range word.Ids {
			of, known := said[id]
			if !known {
				if len(counts) < len(words) {
					counts = make([]float64, roomFor*len(words))
				}
				of, counts = counts[:len(words):len(words)], counts[len(words):]
				said[id] = of
			}
			of[i] = float64(word.Tf[j])
		}
	}
	scores := make(map[uuid.UUID]float64, len(around))
	together := make([]float64, len(words))
	var fields []field
	var length float64
	for id, e := range around {
		clear(together)
		fields, length = around.appendFields(fields[:0], e, mean)
		for _, f := range fields {
			for i, tf := range said[f.id] {
				together[i] += f.weight * tf
			}
		}
		length /= mean * (1 + previousWeight + earlierWeight + nextWeight)
		for i, tf := range together {
			if tf > 0 {
				scores[id] += weights[i] * bm25.Saturated(tf, length)
			}
		}
	}
	return scores
}
