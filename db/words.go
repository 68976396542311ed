package db

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/graph"
)

// Words is a ranking of rows of a kind by the words of a text: Okapi BM25.
type Words struct {
	Kind graph.Kind
	Text string

	// Lesser are words of the text with a weight of 0.3.
	Lesser string

	// Filter keeps the rows that it lets pass. Empty: all.
	Filter string

	// IncludeEnded keeps ended facts as well.
	IncludeEnded bool

	// MaxRows is the most rows to rank.
	MaxRows int

	// Whole asks for the postings: the caller ranks and filters. It is for kinds for which
	// [Shape.RankedWhole] says so.
	Whole bool
}

// WordsFound is the result of [Words]: a ranking, or for Whole the postings.
type WordsFound struct {
	Ranking  []RankedRow
	Postings []Posting
}

// Posting is a term of the text with the rows that hold it: how often each does, and how many terms
// each has in all.
type Posting struct {
	Term    string
	Weight  float64
	IDs     []uuid.UUID
	TF      []int32
	Lengths []int32
}

// Words adds rankings by words. Facts are those in force at validAt; nil: now. into gets the result
// of each, in their order.
func (t *Together) Words(groupID string, validAt *time.Time, asked []Words, into *[]WordsFound) {
	if len(asked) == 0 {
		return
	}
	p := RankByWordsParams{GroupID: groupID, ValidAt: validAt, MostPostings: MostPostings}
	for _, w := range asked {
		p.Kinds, p.Texts, p.Lessers = append(p.Kinds, string(w.Kind)), append(p.Texts, w.Text), append(p.Lessers, w.Lesser)
		p.Wholes, p.Filters = append(p.Wholes, w.Whole), append(p.Filters, w.Filter)
		p.WithEnded, p.Most = append(p.WithEnded, w.IncludeEnded), append(p.Most, int32(w.MaxRows))
	}
	_, _ = New(t).RankByWords(context.Background(), p)
	t.then(func(rows pgx.Rows) error {
		*into = make([]WordsFound, len(asked))
		var row RankByWordsRow
		_, err := pgx.ForEachRow(rows, []any{&row.Place, &row.Term, &row.Weight, &row.Ids, &row.Tf, &row.Lengths, &row.Scores}, func() error {
			found := &(*into)[row.Place-1]
			if row.Scores != nil {
				found.Ranking = rankedRows(row.Ids, row.Scores)
			} else {
				found.Postings = append(found.Postings, Posting{row.Term, row.Weight, row.Ids, row.Tf, row.Lengths})
			}
			row = RankByWordsRow{}
			return nil
		})
		return err
	})
}

// ByWords ranks by words, in a round trip of its own.
func (q *Queries) ByWords(ctx context.Context, groupID string, validAt *time.Time, w Words) (WordsFound, error) {
	var found []WordsFound
	together := q.Together()
	together.Words(groupID, validAt, []Words{w}, &found)
	if err := together.Send(ctx); err != nil {
		return WordsFound{}, err
	}
	return found[0], nil
}

func rankedRows(ids []uuid.UUID, scores []float64) []RankedRow {
	ranking := make([]RankedRow, len(ids))
	for i, id := range ids {
		ranking[i] = RankedRow{ID: id, Score: scores[i]}
	}
	return ranking
}
