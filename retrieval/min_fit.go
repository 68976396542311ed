package retrieval

import (
	"context"
	"strings"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// NothingKnown is the [Query.MinFit] below which a memory has nothing about what is
// asked. Half of a public benchmark's questions, asked of parts of the conversation
// that answers them and of others, say so: docs/benchmarks has the figures.
const NothingKnown = 0.05

// nearShare is how much of a fit it is to lie nearer by 1 in cosine than others. By
// less than 0.25 a message of twenty lies nearer than the rest by chance: with
// all-MiniLM-L6-v2 one did to a quarter of rows of letters by 0.2, to one in twenty
// by 0.25; questions that a message answers are missed no more often.
const nearShare = NothingKnown / 0.25

// Words that ask for something and do not say what.
const asking = "tell know say talk speak think remember find information"

// knowsSomething reports whether some hit fits as well as the query demands. What is
// looked for along the graph alone need not say anything of the text.
func (v *view) knowsSomething(ctx context.Context, found map[graph.Kind]rankings, ordered map[graph.Kind][]scored) (bool, error) {
	if len(v.answers) > 0 || v.query.MinFit <= 0 || !v.uses(MethodTerms) && !v.uses(MethodVector) || len(v.kinds()) == 0 {
		return true, nil
	}
	defer v.explanation.timed("fit")()
	shared := map[graph.Kind]*float64{}
	together := v.queries.Together()
	for _, kind := range v.kinds() {
		if len(ordered[kind]) > 0 {
			shared[kind] = new(float64)
			db.AskOne(together, (*db.Queries).WordsShared, db.WordsSharedParams{
				GroupID: v.query.GroupID, Kind: kind, Query: v.query.Text, Lesser: asking + " " + v.question.lesser, Names: strings.Join(v.question.actors, " "),
				Ids: idsOf(ordered[kind]), KnownAt: v.knownAt(),
			}, shared[kind])
		}
	}
	if err := together.Send(ctx); err != nil {
		return false, err
	}
	for kind, fit := range shared {
		if near := found[kind][MethodVector]; len(near) > 0 && v.tellsNearness(kind) {
			*fit = max(*fit, nearShare*spread(near, min(v.nearby(kind), nearRows)))
		}
		if *fit >= v.query.MinFit {
			return true, nil
		}
	}
	return false, nil
}

// tellsNearness reports whether the vectors of a kind say that something is known.
// Those of entities are of names, and say who; those of facts hold names too: where
// episodes are looked for, whose question has no names, they say it alone. Those of
// spellings say nothing: to any row of letters some message lies as near as to a word
// with a slip.
func (p *plan) tellsNearness(kind graph.Kind) bool {
	return !p.lexical() && (kind == graph.KindEpisode || kind != graph.KindEntity && !p.wants(graph.KindEpisode))
}

// spread is how much nearer the first of some rows lies than the last of so many.
func spread(near []scored, most int) float64 {
	return near[0].Score - near[min(most, len(near))-1].Score
}
