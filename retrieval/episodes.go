package retrieval

import (
	"cmp"
	"context"
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
	threadWeight    = 0.8  // of how well the whole conversation fits
	threadDecay     = 0.5  // from one message of a conversation to its next best
	askedWeight     = 1.75 // for messages of somebody the question names
	questionWeight  = 0.8  // for short questions: what is looked for is the answer
	whenWeight      = 1.2  // for messages that say when, if that is asked
	dateWeight      = 1.0  // added for messages of the time that the question names
	shortQuestion   = 12   // terms at the most

	// How many episodes are looked at. Those of a large group need more, since
	// what their neighbours say brings up others.
	episodeCandidates = 200
	maxActors         = 200 // of a group, whose names are told from other words
)

// episodesByTerms ranks episodes by their words and by what stands around
// them: a message is read with the one before and the one after, since an
// answer seldom repeats the words of its question; a conversation that fits as
// a whole lifts its messages; so does being said by somebody the question
// names, or at the time it names.
func (v *view) episodesByTerms(ctx context.Context) ([]scored, error) {
	actors, err := v.queries.Actors(ctx, db.ActorsParams{GroupID: v.query.GroupID, MaxRows: maxActors})
	if err != nil {
		return nil, err
	}
	q := askOf(v.query.Text, actors, v.query.askedAt())
	rows, err := rankingOf(v.queries.RankByTerms(ctx, db.RankByTermsParams{
		GroupID: v.query.GroupID, Query: q.words, Kind: graph.KindEpisode, Narrowed: v.narrowed, Filter: v.filter,
		MaxRows: int32(max(v.candidates(), episodeCandidates)),
	}))
	if err != nil || len(rows) == 0 {
		return rows, err
	}
	said, err := v.contextsOf(ctx, rows)
	if err != nil {
		return nil, err
	}
	return said.rank(rows, q), nil
}

// surroundings are the episodes that may be ranked, by id.
type surroundings map[uuid.UUID]db.EpisodeContextsRow

// contextsOf reads what stands around the candidates. Unless the search is
// narrowed, their neighbours may be found as well.
func (v *view) contextsOf(ctx context.Context, rows []scored) (surroundings, error) {
	around := surroundings{}
	read := func(ids []uuid.UUID) error {
		found, err := v.queries.EpisodeContexts(ctx, db.EpisodeContextsParams{GroupID: v.query.GroupID, Ids: ids})
		for _, row := range found {
			around[row.ID] = row
		}
		return err
	}
	if err := read(idsOf(rows)); err != nil || v.narrowed {
		return around, err
	}
	neighbours := []uuid.UUID{}
	for _, row := range around {
		for _, id := range []uuid.UUID{row.Previous, row.Next} {
			if _, known := around[id]; !known && id != uuid.Nil {
				neighbours = append(neighbours, id)
			}
		}
	}
	return around, read(neighbours)
}

func (s surroundings) rank(rows []scored, q asked) []scored {
	base := make(map[uuid.UUID]float64, len(rows))
	threads := map[string][]float64{}
	for _, r := range rows {
		score := r.Score
		if s[r.ID].Role == "assistant" {
			score *= assistantWeight
		}
		base[r.ID] = score
		threads[s[r.ID].ThreadID] = append(threads[s[r.ID].ThreadID], score)
	}
	fits, best := fitOf(threads)
	ranked := make([]scored, 0, len(s))
	top := 0.0
	for id, e := range s {
		score := base[id] + neighbourWeight*(base[e.Previous]+base[e.Next])
		ranked = append(ranked, scored{id, score})
		top = max(top, score)
	}
	for i, r := range ranked {
		e := s[r.ID]
		if best > 0 && e.ThreadID != "" {
			r.Score += threadWeight * top * fits[e.ThreadID] / best
		}
		ranked[i].Score = r.Score * q.weight(e)
	}
	slices.SortFunc(ranked, bestFirst)
	return ranked
}

// fitOf says how well each conversation fits: its best message, and the
// others for less and less.
func fitOf(threads map[string][]float64) (fits map[string]float64, best float64) {
	fits = make(map[string]float64, len(threads))
	for thread, scores := range threads {
		slices.SortFunc(scores, func(a, b float64) int { return cmp.Compare(b, a) })
		weight := 1.0
		for _, score := range scores {
			fits[thread] += weight * score
			weight *= threadDecay
		}
		if thread != "" {
			best = max(best, fits[thread])
		}
	}
	return fits, best
}

// weight is what a question makes of an episode whatever its words.
func (q asked) weight(e db.EpisodeContextsRow) float64 {
	weight := 1.0
	if slices.Contains(q.actors, e.Actor) && e.Actor != "" || q.me && e.Role == "user" {
		weight *= askedWeight
	}
	if e.Asks && e.Length <= shortQuestion {
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
