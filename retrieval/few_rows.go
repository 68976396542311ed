package retrieval

import (
	"context"

	"github.com/annalsdb/annals/graph"
)

// asWhole reports whether a kind is ranked by words and by vectors in one go: it
// has few rows, no filter, and the text is searched for as it stands.
func (v *view) asWhole(kind graph.Kind) bool {
	both := v.uses(MethodTerms) && v.uses(MethodVector) && !v.wordsOverVectors(kind)
	asItStands := kind != graph.KindEpisode || v.query.Conversation
	return both && asItStands && !v.narrows(kind) && v.validAt() == nil && v.shape.HasFew(kind) && !v.shape.HasIndex(kind)
}

func (v *view) rankWhole(ctx context.Context, kind graph.Kind) (rankings, error) {
	defer v.explanation.timed(string(kind) + " " + string(MethodTerms) + ", " + string(MethodVector))()
	words := v.ownWords(kind)
	postings, near, err := v.queries.ReadWhole(ctx, postingsOf(words), v.nearest(kind))
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
