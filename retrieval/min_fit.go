package retrieval

import (
	"context"
	"strings"

	"github.com/google/uuid"

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

// fitting is whether some hit fits as well as the query demands.
type fitting struct {
	known bool
	open  []openFit // it is not known yet: these decide, one after the other
	words float64   // how much of what the question says stands in the best of those that were asked
}

// openFit are the hits of a kind of which it is not known how well they fit.
type openFit struct {
	kind graph.Kind
	ids  []uuid.UUID
}

// fitting tells whether some hit fits as well as the query demands, as far as that can be
// told without its words. What is looked for along the graph alone need not say anything of
// the text.
func (v *view) fitting(found map[graph.Kind]rankings, ordered map[graph.Kind][]scored) fitting {
	if len(v.answers) > 0 || v.query.MinFit <= 0 || !v.uses(MethodTerms) && !v.uses(MethodVector) || len(v.kinds()) == 0 {
		return fitting{known: true}
	}
	var fit fitting
	for _, kind := range []graph.Kind{graph.KindEpisode, graph.KindFact, graph.KindEntity, graph.KindCommunity} { // what is told has the most words
		if len(ordered[kind]) == 0 {
			continue
		}
		near := found[kind][MethodVector]
		if len(near) > 0 && v.tellsNearness(kind) && nearShare*spread(near, min(v.nearby(kind), nearRows)) >= v.query.MinFit {
			return fitting{known: true}
		}
		fit.open = append(fit.open, openFit{kind, idsOf(ordered[kind])})
	}
	return fit
}

// knowsSomething reports whether some hit fits as well as the query demands, as far as that
// was asked.
func (v *view) knowsSomething() bool {
	return v.fitted.known || len(v.fitted.open) > 0 && v.fitted.words >= v.query.MinFit
}

// askFit asks how much of what the question says stands in the best of those hits that may
// decide first.
func (v *view) askFit(together *db.Together) {
	if len(v.fitted.open) > 0 {
		v.askShared(together, v.fitted.open[:1])
	}
}

// askFitOfOthers asks the same of the others, where these do not fit.
func (v *view) askFitOfOthers(ctx context.Context) error {
	if len(v.fitted.open) < 2 {
		return nil
	}
	together := v.queries.Together()
	v.askShared(together, v.fitted.open[1:])
	return together.Send(ctx)
}

func (v *view) askShared(together *db.Together, hits []openFit) {
	p := db.WordsSharedParams{
		GroupID: v.query.GroupID, Query: v.query.Text, Lesser: asking + " " + v.question.lesser, Names: strings.Join(v.question.actors, " "), KnownAt: v.knownAt(),
	}
	for _, of := range hits {
		p.Kinds = append(p.Kinds, string(of.kind))
		switch of.kind {
		case graph.KindFact:
			p.FactIds = of.ids
		case graph.KindEntity:
			p.EntityIds = of.ids
		case graph.KindEpisode:
			p.EpisodeIds = of.ids
		case graph.KindCommunity:
			p.CommunityIds = of.ids
		}
	}
	db.AskOne(together, (*db.Queries).WordsShared, p, &v.fitted.words)
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
