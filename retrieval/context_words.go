package retrieval

import (
	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/retrieval/bm25"
)

// An answer seldom repeats the words of its question, and a third message seldom repeats the
// subject of the first. So a message is scored together with its neighbours, as one document whose
// other fields weigh less (BM25F: Robertson, Zaragoza and Taylor, CIKM 2004). Adding up the scores
// of the messages finds less, as it rewards a word that all of them repeat.
const (
	previousWeight = 0.5  // of the message before
	earlierWeight  = 0.25 // of the one before that
	nextWeight     = 0.5  // of the one after

	// mostBeside caps the length of a neighbour, in mean lengths. Its term counts shrink by the
	// same factor, so that a long text does not hide the remark on it.
	mostBeside = 2
)

// countWords reads how often episodes hold the words of the question.
func (v *view) countWords(together *db.Together, ids []uuid.UUID, into *[]db.EpisodeWordsRow) {
	db.Ask(together, (*db.Queries).EpisodeWords, db.EpisodeWordsParams{
		GroupID: v.query.GroupID, Query: v.question.words, Lesser: v.question.lesser, Ids: ids,
	}, into)
}

// wordsOfPostings builds the same rows from postings, if all postings of the words were read.
func wordsOfPostings(held []db.Posting) []db.EpisodeWordsRow {
	return each.Of(held, func(p db.Posting) db.EpisodeWordsRow {
		return db.EpisodeWordsRow{Weight: p.Weight, Holders: int64(len(p.IDs)), Ids: p.IDs, Tf: p.TF}
	})
}

// field is a message as a field of a BM25F document.
type field struct {
	id     uuid.UUID
	weight float64
}

// appendFields appends a message and its known neighbours as fields, and returns their total
// length.
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

// wordsInContext scores episodes by their words and those of their neighbours. documents and terms
// are the counts of the group.
func wordsInContext(words []db.EpisodeWordsRow, around surroundings, documents, terms int64) map[uuid.UUID]float64 {
	count := max(float64(documents), 1)
	mean := max(float64(terms)/count, 1)
	weights := make([]float64, len(words))
	said := make(map[uuid.UUID][]float64, len(around)) // frequency of each word, by episode
	var counts []float64                               // allocated for several episodes at a time
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
