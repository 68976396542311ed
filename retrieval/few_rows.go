package retrieval

import (
	"context"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// asWhole reports whether a kind is ranked by words and by vectors in one go: it
// has few rows, no filter, and the text is searched for as it stands.
func (v *view) asWhole(kind graph.Kind) bool {
	return v.ranksAsItStands(kind) && !v.narrows(kind) && v.shape.HasFew(kind) && !v.shape.HasIndex(kind)
}

// ranksAsItStands reports whether the text as it stands ranks rows of a kind, as they
// are now, by words and by vectors.
func (v *view) ranksAsItStands(kind graph.Kind) bool {
	both := v.uses(MethodTerms) && v.uses(MethodVector) && !v.wordsOverVectors(kind)
	asItStands := kind != graph.KindEpisode || v.query.Conversation
	return both && asItStands && v.validAt() == nil && !v.asKnown(kind)
}

func (v *view) rankWhole(ctx context.Context, kind graph.Kind) (rankings, error) {
	defer v.explanation.timed(string(kind) + " " + string(MethodTerms) + ", " + string(MethodVector))()
	words := v.ownWords(kind)
	postings, near, err := v.wholeOf(ctx, words)
	if err != nil {
		return nil, err
	}
	byVector, _ := rankingOf(near, nil)
	byTerms, ok := v.bestOfFew(words, postings)
	if !ok {
		byTerms, err = rankingOf(v.queries.RankByTerms(ctx, words))
	}
	return rankings{MethodTerms: byTerms, MethodVector: byVector}, err
}

// wholeOf are the postings and the nearest rows of a kind, which were read ahead or
// are read now.
func (v *view) wholeOf(ctx context.Context, words db.RankByTermsParams) ([]db.PostingsOfTermsRow, []db.RankedRow, error) {
	near := v.nearest(words.Kind)
	if v.ahead != nil && v.ahead.Kind == words.Kind {
		if rows, ok := v.ahead.Nearest(near); ok {
			return v.ahead.Postings, rows, nil
		}
	}
	return v.queries.ReadWhole(ctx, postingsOf(words), near)
}

// readAhead is what a search of one scope is ranked by if that has few rows: it is
// read while the database is asked whether it has. Nil: the search asks for more than
// such a ranking, whatever its rows are.
func (v *view) readAhead() *db.Whole {
	if len(v.query.Scopes) != 1 || len(v.kinds()) == 0 {
		return nil
	}
	kind := v.query.Scopes[0]
	if !v.ranksAsItStands(kind) || v.narrowed || len(v.times) > 0 || v.event != (event{}) {
		return nil
	}
	return db.NewWhole(postingsOf(v.ownWords(kind)), v.nearest(kind))
}
