package retrieval

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/temporal"
)

// around holds what a search reads about the found rows in its second round trip, before it ranks
// them.
type around struct {
	found    []uuid.UUID // the episodes that words and vectors found
	episodes []db.EpisodesAroundRow
	words    []db.EpisodeWordsRow
	threads  []db.ThreadsOfEpisodesRow
	stating  []db.EpisodesAroundRow // which episodes state facts that were found
	times    []db.FactTimesRow
	known    db.Found         // versions of facts at KnownAt, for their times
	ends     []db.FactEndsRow // of facts, if the question names an entity with many facts
	further  []db.NamedFactsRow
	near     [][]db.RankedRow // nearest episodes, if words find none
}

// besides is how many rows are read for each found episode: itself and two neighbours on each side.
const besides = 5

// lookAround reads the neighbours of the found episodes, the times of the found facts, and the
// facts of relatives, each only if the search needs it.
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

// ranksAround reports whether episodes are ranked together with their neighbours.
func (p *plan) ranksAround() bool {
	return p.wants(graph.KindEpisode) && p.uses(MethodTerms) && p.readsAround()
}

// lookAroundEpisodes reads the neighbours and the threads of the best episodes that words and
// vectors found, unless the first round trip read all episodes. It also reads the episodes that
// state the given facts.
func (v *view) lookAroundEpisodes(together *db.Together, said, near []scored, facts []uuid.UUID) {
	v.around.found = unique(append(idsOf(said[:min(v.maxAround(), len(said))]), idsOf(near[:min(v.maxAround(), len(near))])...))
	if len(v.around.found) == 0 {
		return
	}
	held, counted := v.allPostings()
	if counted {
		v.around.words = wordsOfPostings(held)
	}
	if counted && v.looked.all && len(v.around.episodes) <= db.Few { // the count may be out of date
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

// lookAtAllEpisodes reads all episodes in the first round trip, if the group has few and no filter
// leaves any out.
func (v *view) lookAtAllEpisodes(together *db.Together) {
	v.looked.all = v.ranksAround() && v.wordsOf(graph.KindEpisode).Whole && v.shape.HasFew(graph.KindEpisode)
	if v.looked.all {
		db.Ask(together, (*db.Queries).EpisodesAround, db.EpisodesAroundParams{GroupID: v.query.GroupID, Most: db.Few}, &v.around.episodes)
	}
}

// allPostings returns the postings of the question's words in episodes. all is false if the
// database ranked them instead of returning every posting.
func (v *view) allPostings() (held []db.Posting, all bool) {
	for i, w := range v.looked.asked.words {
		if w.Kind == graph.KindEpisode && w.Whole {
			held, all = v.looked.words[i].Postings, v.looked.words[i].Ranking == nil
		}
	}
	return held, all
}

// readThreads reads the threads of episodes.
func (v *view) readThreads(together *db.Together, said []scored, into *[]db.ThreadsOfEpisodesRow) {
	if len(said) > 0 {
		db.Ask(together, (*db.Queries).ThreadsOfEpisodes, db.ThreadsOfEpisodesParams{
			GroupID: v.query.GroupID, Ids: idsOf(said), AssistantWeight: assistantWeight, MostMessages: mostOfThread,
		}, into)
	}
}

// bestFacts returns the best facts that words and vectors found, if both search facts: they bring
// up the episodes that state them. It returns none for a context of the usual form, which shows the
// facts beside the messages: there it finds less, as these episodes take the place of other
// messages.
func (v *view) bestFacts(found rankings) []uuid.UUID {
	if !v.fits(graph.KindFact) || v.query.Replies {
		return nil
	}
	words, near := found[MethodTerms], found[MethodVector]
	return unique(append(idsOf(words[:min(v.candidates(), len(words))]), idsOf(near[:min(v.candidates(), len(near))])...))
}

// takeApart moves the rows that say which episode states a fact from episodes to stating.
func (a *around) takeApart() {
	a.episodes = slices.DeleteFunc(a.episodes, func(row db.EpisodesAroundRow) bool {
		states := row.FactID != uuid.Nil
		if states {
			a.stating = append(a.stating, row)
		}
		return states
	})
}

// lookAtTimes reads when the found facts held, if the question is about times.
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

// noteTimes notes when facts held, and the time that the question names by an event. It includes
// ended facts if the query asks for them or the question is about the past.
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
