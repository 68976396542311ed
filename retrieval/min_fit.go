package retrieval

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// NothingKnown is the [Query.MinFit] below which a memory has nothing about the question. It was
// chosen with half of a public benchmark's questions, asked of the parts of a conversation that
// answer them and of others: docs/benchmarks has the figures.
const NothingKnown = 0.05

// nearShare is the fit of a row that leads the others by 1 in cosine similarity. One of twenty
// messages leads by up to 0.25 by chance: with all-MiniLM-L6-v2 one led by 0.2 for a quarter of
// random rows of letters, by 0.25 for one in twenty. Questions that a message answers are missed no
// more often.
const nearShare = NothingKnown / 0.25

// Words that ask for something and do not say what.
const asking = "tell know say talk speak think remember find information"

// fitting is whether some hit fits as well as the query demands.
type fitting struct {
	known bool
	open  []openFit // hits that decide if known is false, measured kind by kind
	words float64   // share of the question's words in the best hit measured so far
}

// openFit are hits of a kind whose fit is not known.
type openFit struct {
	kind graph.Kind
	ids  []uuid.UUID
}

// fitting decides whether some hit fits as well as the query demands, without a look at the words
// of the hits. The hits of a search along the graph alone need not share words with the text.
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

// knowsSomething reports whether some hit fits as well as the query demands, of those measured so
// far.
func (v *view) knowsSomething() bool {
	return v.fitted.known || len(v.fitted.open) > 0 && v.fitted.words >= v.query.MinFit
}

// askFit asks for the share of the question's words in the best hit of the first open kind.
func (v *view) askFit(together *db.Together) {
	if len(v.fitted.open) > 0 {
		v.askShared(together, v.fitted.open[:1])
	}
}

// askFitOfOthers asks the same of the other open kinds, for when the first does not fit.
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

// tellsNearness reports whether near vectors of a kind say that something is known. Vectors of
// entities stand for names, and only say who. Vectors of facts hold names too: they count only if
// episodes are not searched, whose query vector has no names. Vectors of spellings say nothing:
// some message lies as near to any row of letters as to a misspelt word.
func (p *plan) tellsNearness(kind graph.Kind) bool {
	return !p.lexical() && (kind == graph.KindEpisode || kind != graph.KindEntity && !p.wants(graph.KindEpisode))
}

// spread is how much nearer the first row lies than the row at rank most.
func spread(near []scored, most int) float64 {
	return near[0].Score - near[min(most, len(near))-1].Score
}
