package retrieval

import (
	"context"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// asWhole reports whether a kind is ranked by words and by vectors in one go: it
// has few rows, no filter, and the text is searched for as it stands.
func (p *plan) asWhole(kind graph.Kind) bool {
	return p.ranksAsItStands(kind) && !p.narrows(kind) && p.shape.HasFew(kind) && !p.shape.HasIndex(kind)
}

// ranksAsItStands reports whether the text as it stands ranks rows of a kind, as they
// are now, by words and by vectors.
func (p *plan) ranksAsItStands(kind graph.Kind) bool {
	both := p.uses(MethodTerms) && p.uses(MethodVector) && !p.wordsOverVectors(kind)
	asItStands := kind != graph.KindEpisode || p.query.Conversation
	return both && asItStands && p.validAt() == nil && !p.asKnown(kind)
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
func (p *plan) readAhead() *db.Whole {
	if len(p.query.Scopes) != 1 || len(p.kinds()) == 0 {
		return nil
	}
	kind := p.query.Scopes[0]
	if !p.ranksAsItStands(kind) || p.narrowed || len(p.times) > 0 || p.event != (event{}) {
		return nil
	}
	return db.NewWhole(postingsOf(p.ownWords(kind)), p.nearest(kind))
}
