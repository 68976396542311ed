package retrieval

import (
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// The weights by which an episode is ranked beyond its own words. They were
// chosen on conversations of two public benchmarks, one at a time from neutral
// values; around each of them the results are flat.
const (
	assistantWeight = 0.4  // of what an assistant said: long answers repeat everybody's words
	neighbourWeight = 0.5  // of the words of the message before, and of the one after
	threadWeight    = 0.6  // of how well the whole conversation fits
	askedWeight     = 1.75 // for messages of somebody the question names
	questionWeight  = 0.8  // for short questions: what is looked for is the answer
	whenWeight      = 1.2  // for messages that say when, if that is asked
	dateWeight      = 1.0  // added for messages of the time that the question names
	shortQuestion   = 12   // terms at the most

	// How many episodes tell how well their conversations fit, and of how many
	// of those, the best, the neighbours are looked at. To rank conversations
	// it takes more: many messages of one stand in the way of another's.
	episodeCandidates = 500
	contextCandidates = 200
	threadCandidates  = 1000
	maxActors         = 200 // of a group, whose names are told from other words
)

// episodesByTerms ranks episodes by their words and by what stands around
// them: a message is read with the one before and the one after, since an
// answer seldom repeats the words of its question; a conversation that fits as
// a whole lifts its messages; so does being said by somebody the question
// names, or at the time it names.
func (v *view) episodesByTerms(ctx context.Context) ([]scored, error) {
	q, rows, err := v.saidByTerms(ctx, max(v.candidates(), episodeCandidates))
	if err != nil || len(rows) == 0 {
		return rows, err
	}
	fits, err := v.fitsOf(ctx, q, rows)
	if err != nil {
		return nil, err
	}
	around, err := v.contextsOf(ctx, rows[:min(max(v.candidates(), contextCandidates), len(rows))], q.when)
	if err != nil {
		return nil, err
	}
	return candidates{around: around, base: baseOf(rows, around), fits: fits, asked: q}.episodes(), nil
}

// saidByTerms ranks episodes by their own words, and reads the question.
func (v *view) saidByTerms(ctx context.Context, most int) (asked, []scored, error) {
	actors, err := v.queries.Actors(ctx, db.ActorsParams{GroupID: v.query.GroupID, MaxRows: maxActors})
	if err != nil {
		return asked{}, nil, err
	}
	q := askOf(v.query.Text, actors, v.query.askedAt())
	rows, err := v.okapi(ctx, db.RankByTermsParams{
		GroupID: v.query.GroupID, Query: q.words, Lesser: q.lesser, Kind: graph.KindEpisode, Narrowed: v.narrowed, Filter: v.filter,
		MaxRows: int32(most),
	})
	return q, rows, err
}

// fitsOf is how well the conversations of the candidates fit as a whole, the
// best 1.
func (v *view) fitsOf(ctx context.Context, q asked, rows []scored) (map[string]float64, error) {
	said, err := v.queries.ThreadsByTerms(ctx, db.ThreadsByTermsParams{
		GroupID: v.query.GroupID, Query: q.words, Lesser: q.lesser, Ids: idsOf(rows), AssistantWeight: assistantWeight,
	})
	fits := okapiOfThreads(said)
	best := 0.0
	for _, fit := range fits {
		best = max(best, fit)
	}
	for id := range fits {
		fits[id] /= best
	}
	return fits, err
}

// surroundings are the episodes that may be ranked, by id.
type surroundings map[uuid.UUID]db.EpisodeContextsRow

// contextsOf reads what stands around the candidates. Unless the search is
// narrowed, their neighbours may be found as well: of those, the neighbours
// that count are candidates, which say so themselves.
func (v *view) contextsOf(ctx context.Context, rows []scored, withTimes bool) (surroundings, error) {
	around := surroundings{}
	if err := v.readContexts(ctx, around, idsOf(rows), withTimes, true); err != nil || v.narrowed {
		return around, err
	}
	neighbours := map[uuid.UUID]db.EpisodeContextsRow{}
	for _, row := range around {
		if _, known := around[row.Previous]; !known && row.Previous != uuid.Nil {
			before := neighbours[row.Previous]
			before.Next = row.ID
			neighbours[row.Previous] = before
		}
		if _, known := around[row.Next]; !known && row.Next != uuid.Nil {
			after := neighbours[row.Next]
			after.Previous = row.ID
			neighbours[row.Next] = after
		}
	}
	err := v.readContexts(ctx, around, slices.Collect(maps.Keys(neighbours)), withTimes, false)
	for id, beside := range neighbours {
		if row, ok := around[id]; ok {
			row.Previous, row.Next = beside.Previous, beside.Next
			around[id] = row
		}
	}
	return around, err
}

func (v *view) readContexts(ctx context.Context, into surroundings, ids []uuid.UUID, withTimes, withNeighbours bool) error {
	found, err := v.queries.EpisodeContexts(ctx, db.EpisodeContextsParams{
		GroupID: v.query.GroupID, Ids: ids, ShortLength: shortQuestion, WithTimes: withTimes, WithNeighbours: withNeighbours,
	})
	for _, row := range found {
		into[row.ID] = row
	}
	return err
}

// candidates are the episodes that a question may be about.
type candidates struct {
	asked  asked
	around surroundings
	base   map[uuid.UUID]float64 // by their own words
	fits   map[string]float64    // of their conversations, by id, at most 1
}

// baseOf is how well the candidates fit by their own words.
func baseOf(rows []scored, around surroundings) map[uuid.UUID]float64 {
	base := make(map[uuid.UUID]float64, len(rows))
	for _, r := range rows {
		base[r.ID] = r.Score
		if around[r.ID].Role == "assistant" {
			base[r.ID] *= assistantWeight
		}
	}
	return base
}

// episodes ranks the candidates and their neighbours.
func (c candidates) episodes() []scored {
	ranked := make([]scored, 0, len(c.around))
	top := 0.0
	for id, e := range c.around {
		score := c.base[id] + neighbourWeight*(c.base[e.Previous]+c.base[e.Next])
		ranked = append(ranked, scored{id, score})
		top = max(top, score)
	}
	for i, r := range ranked {
		e := c.around[r.ID]
		ranked[i].Score = settled((r.Score + threadWeight*top*c.fits[e.ThreadID]) * c.asked.weight(e))
	}
	slices.SortFunc(ranked, bestFirst)
	return ranked
}

// weight is what a question makes of an episode whatever its words.
func (q asked) weight(e db.EpisodeContextsRow) float64 {
	weight := 1.0
	if slices.Contains(q.actors, e.Actor) && e.Actor != "" || q.me && e.Role == "user" {
		weight *= askedWeight
	}
	if e.Asks {
		weight *= questionWeight
	}
	if q.when && e.SaysWhen {
		weight *= whenWeight
	}
	return weight * (1 + dateWeight*q.dateFit(e.OccurredAt.UTC()))
}

// dateFit is how near an episode is to the time that the question names, from
// 0 to 1. What happened on a day is told then or in the weeks after.
func (q asked) dateFit(at time.Time) float64 {
	fit := 0.0
	for _, d := range q.dates {
		fit = max(fit, d.fit(at))
	}
	return fit
}

func (d namedDate) fit(at time.Time) float64 {
	start := time.Date(d.year, d.month, max(d.day, 1), 0, 0, 0, 0, time.UTC)
	if d.year == 0 {
		start = start.AddDate(at.Year(), 0, 0)
	}
	switch days := at.Sub(start).Hours() / 24; {
	case d.day == 0 && at.Year() == start.Year() && at.Month() == start.Month():
		return 1
	case d.day == 0 && days > 0 && at.Before(start.AddDate(0, 1, 10)):
		return 0.5
	case d.day > 0 && days >= -1:
		return math.Exp(-max(days, 0) / 14)
	}
	return 0
}
