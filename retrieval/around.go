package retrieval

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/temporal"
)

// around is what a search reads of the rows that may be found, in its second round trip,
// before it puts them in order.
type around struct {
	found    []uuid.UUID // the episodes that words and vectors found
	episodes []db.EpisodesAroundRow
	words    []db.EpisodeWordsRow
	threads  []db.ThreadsOfEpisodesRow
	stating  []db.EpisodesAroundRow // which episodes state facts that were found
	times    []db.FactTimesRow
	known    db.Found         // facts as they were known, for their times
	ends     []db.FactEndsRow // of facts, where the question names somebody with many
	further  []db.NamedFactsRow
	near     [][]db.RankedRow // episodes, where words find none
}

// besides is how many episodes are read for each of those found: itself and two on each side.
const besides = 5

// lookAround reads what stands around what words and vectors found, when facts held, and
// the facts of relatives, each where the search needs it.
func (v *view) lookAround(ctx context.Context, found map[graph.Kind]rankings) error {
	together := v.queries.Together()
	v.relating.lookFurther(together)
	said, near := found[graph.KindEpisode][MethodTerms], found[graph.KindEpisode][MethodVector]
	instead := v.wants(graph.KindEpisode) && v.wordsOverVectors(graph.KindEpisode) && len(said) == 0
	if instead {
		together.Nearest([]db.Nearest{v.nearest(graph.KindEpisode)}, &v.around.near)
	}
	if v.ranksAround() {
		v.lookAroundEpisodes(together, said, near, v.bestFacts(found[graph.KindFact]))
	}
	v.lookAtTimes(together, found[graph.KindFact])
	if v.named.some && v.fits(graph.KindFact) {
		ids := idsOf(slices.Concat(found[graph.KindFact][MethodTerms], found[graph.KindFact][MethodVector]))
		db.Ask(together, (*db.Queries).FactEnds, db.FactEndsParams{GroupID: v.query.GroupID, Ids: unique(ids)}, &v.around.ends)
	}
	defer v.explanation.timed("look around")()
	if err := together.Send(ctx); err != nil {
		return err
	}
	v.around.takeApart()
	v.noteTimes()
	if instead {
		rows, err := v.queries.NearestOn(ctx, v.nearest(graph.KindEpisode), v.around.near[0])
		if err != nil {
			return err
		}
		found[graph.KindEpisode][MethodVector] = rankingOf(rows)
	}
	return nil
}

// ranksAround reports whether episodes are ranked by what stands around them.
func (p *plan) ranksAround() bool {
	return p.wants(graph.KindEpisode) && p.uses(MethodTerms) && p.readsAround()
}

// lookAroundEpisodes reads what stands around the best of the episodes that words and
// vectors found, and of which conversations they are, unless all are read; and which
// state some of the facts.
func (v *view) lookAroundEpisodes(together *db.Together, said, near []scored, facts []uuid.UUID) {
	v.around.found = unique(append(idsOf(said[:min(v.maxAround(), len(said))]), idsOf(near[:min(v.maxAround(), len(near))])...))
	if len(v.around.found) == 0 {
		return
	}
	held, counted := v.allPostings()
	if counted {
		v.around.words = wordsOfPostings(held)
	}
	if counted && v.looked.all && len(v.around.episodes) <= db.Few { // there may be more than when they were counted
		v.around.threads = threadsOf(idsOf(said), v.around.episodes)
		if len(facts) > 0 {
			db.Ask(together, (*db.Queries).EpisodesAround, db.EpisodesAroundParams{GroupID: v.query.GroupID, FactIds: facts, MostStating: mostStating}, &v.around.stating)
		}
		return
	}
	v.around.episodes = make([]db.EpisodesAroundRow, 0, besides*len(v.around.found))
	db.Ask(together, (*db.Queries).EpisodesAround, db.EpisodesAroundParams{
		GroupID: v.query.GroupID, Ids: v.around.found, WithNeighbours: true, FactIds: facts, MostStating: mostStating,
	}, &v.around.episodes)
	if !counted {
		v.countWords(together, unique(append(v.around.found, idsOf(said)...)), &v.around.words)
	}
	v.readThreads(together, said, &v.around.threads)
}

// lookAtAllEpisodes asks for all episodes with the first round trip, where they are few and
// none is left out.
func (v *view) lookAtAllEpisodes(together *db.Together) {
	v.looked.all = v.ranksAround() && v.wordsOf(graph.KindEpisode).Whole && v.shape.HasFew(graph.KindEpisode)
	if v.looked.all {
		db.Ask(together, (*db.Queries).EpisodesAround, db.EpisodesAroundParams{GroupID: v.query.GroupID, Most: db.Few}, &v.around.episodes)
	}
}

// allPostings are the postings of the question's words in episodes, if all of them were read.
func (v *view) allPostings() (held []db.Posting, all bool) {
	for i, w := range v.looked.asked.words {
		if w.Kind == graph.KindEpisode && w.Whole {
			held, all = v.looked.words[i].Postings, v.looked.words[i].Ranking == nil
		}
	}
	return held, all
}

// readThreads reads of which conversations episodes are.
func (v *view) readThreads(together *db.Together, said []scored, into *[]db.ThreadsOfEpisodesRow) {
	if len(said) > 0 {
		db.Ask(together, (*db.Queries).ThreadsOfEpisodes, db.ThreadsOfEpisodesParams{
			GroupID: v.query.GroupID, Ids: idsOf(said), AssistantWeight: assistantWeight, MostMessages: mostOfThread,
		}, into)
	}
}

// bestFacts are the best of the facts that words and vectors found, if both look for them
// and bring up what states them. In a context of the usual form the facts themselves stand
// beside the messages: there that finds less, as it takes the place of other messages.
func (v *view) bestFacts(found rankings) []uuid.UUID {
	if !v.fits(graph.KindFact) || v.query.Replies {
		return nil
	}
	words, near := found[MethodTerms], found[MethodVector]
	return unique(append(idsOf(words[:min(v.candidates(), len(words))]), idsOf(near[:min(v.candidates(), len(near))])...))
}

// takeApart takes the rows that say what states a fact from those that were read with them.
func (a *around) takeApart() {
	a.episodes = slices.DeleteFunc(a.episodes, func(row db.EpisodesAroundRow) bool {
		states := row.FactID != uuid.Nil
		if states {
			a.stating = append(a.stating, row)
		}
		return states
	})
}

// lookAtTimes reads when facts held, where the question is about times.
func (v *view) lookAtTimes(together *db.Together, found rankings) {
	if !v.isDated() {
		return
	}
	var facts []scored
	for _, ranking := range found {
		facts = append(facts, ranking...)
	}
	if v.event != (event{}) {
		v.happened = v.eventOf()
		facts = append(facts, v.happened...)
	}
	ids := notIn(v.held, unique(idsOf(facts)))
	switch {
	case len(ids) == 0:
	case v.asKnown(graph.KindFact):
		together.Rows(v.query.GroupID, v.query.Text, v.knownAt(), map[graph.Kind][]uuid.UUID{graph.KindFact: ids}, &v.around.known)
	default:
		db.Ask(together, (*db.Queries).FactTimes, db.FactTimesParams{GroupID: v.query.GroupID, Ids: ids}, &v.around.times)
	}
}

// noteTimes notes when facts held, and what time the question names by what happened then.
// Facts that have ended are found where it asks for the past.
func (v *view) noteTimes() {
	v.noteHeld(v.around.times, v.around.known)
	for _, h := range v.happened {
		if i := relativeTo(v.event.relation, v.held[h.ID]); i != (temporal.Interval{}) {
			v.times = append(v.times, askedTime{interval: i})
		}
	}
	if v.asksTimes() {
		v.query.IncludeEnded = !v.onlyFitting || v.asksPast()
	}
}
