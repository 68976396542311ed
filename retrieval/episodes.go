package retrieval

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/temporal"
)

// The weights by which an episode is ranked beyond its own words. They were
// chosen on conversations of two public benchmarks, one at a time from neutral
// values; around each of them the results are flat.
const (
	assistantWeight = 0.4  // of what an assistant said: long answers repeat everybody's words
	nearbyWeight    = 0.2  // of the vectors of the message before, and of the one after
	threadWeight    = 0.6  // of how well the whole conversation fits
	askedWeight     = 1.75 // for messages of somebody the question names
	questionWeight  = 0.7  // for short questions: the search looks for answers
	whenWeight      = 1.3  // for messages that say when, if that is asked
	statedWeight    = 0.2  // of the fit of the facts that it states
	dateWeight      = 1.0  // added for messages of the time that the question names
	meantWeight     = 0.6  // share of the vectors in the fit of the whole conversation; words have the rest
	threadMeant     = 0.5  // in place of threadWeight where there are vectors, which find more by themselves
	assistantMeant  = 0.6  // of the vector of what an assistant said: long answers are near to fewer questions
	shortQuestion   = 12   // terms at the most
	mostOfThread    = 50   // messages of a conversation that count for its length
	mostStating     = 20   // latest episodes of a fact that count as stating it

	// episodeCandidates is how many episodes count for the fit of their conversations; the
	// neighbours of the best contextCandidates are read. Ranking conversations takes
	// threadCandidates, as many messages of one conversation can crowd out another.
	episodeCandidates = 200
	contextCandidates = 100
	threadCandidates  = 1000
	maxActors         = 200 // speakers of a group whose names are recognised in a question
)

// maxSaid is how many episodes are ranked by words.
func (p *plan) maxSaid() int { return max(p.candidates(), episodeCandidates) }

// maxAround is how many episodes of each ranking have their neighbours read.
func (p *plan) maxAround() int { return max(p.candidates(), contextCandidates) }

// fitEpisodes ranks episodes by their words, by their vectors if there are any, and by their
// neighbours. A message is read with the ones before and after it, since an answer seldom repeats
// the words of its question. A conversation that fits as a whole lifts its messages, and a fact
// that fits lifts the episodes that state it. So does a speaker or a time that the question names.
func (v *view) fitEpisodes(said, near, facts []scored) []scored {
	if len(said) == 0 && len(near) == 0 {
		return nil
	}
	documents, terms := v.shape.Size(graph.KindEpisode)
	fits := toOne(okapiOfThreads(v.around.words, v.around.threads, documents))
	// Unless a filter narrows the search, neighbours of found episodes can be hits too.
	around := surroundingsOf(v.around.episodes, v.around.found, !v.narrows(graph.KindEpisode))
	c := v.candidatesOf(said, near, fits, around)
	c.inContext = wordsInContext(v.around.words, around, documents, terms)
	c.stated = statedBy(v.around.stating, facts)
	return c.episodes()
}

// candidatesOf collects what is known of the episodes that words or vectors found.
func (v *view) candidatesOf(said, near []scored, fits map[string]float64, around surroundings) candidates {
	c := candidates{around: around, words: wordsOf(said, around), fits: fits, asked: v.question}
	if v.query.SaidByThen && isPast(v.query.ValidAt) {
		c.until = v.query.ValidAt
	}
	if len(near) > 0 {
		c.mean(nearness(near, v.nearby(graph.KindEpisode)), bestScore(said))
	}
	return c
}

// wordsSaid is the word query for episodes that are ranked with their neighbours.
func (p *plan) wordsSaid(most int) db.Words {
	return p.chosen(db.Words{Kind: graph.KindEpisode, Text: p.question.words, Lesser: p.question.lesser, MaxRows: most})
}

// toOne scales scores so that the best is 1.
func toOne(scores map[string]float64) map[string]float64 {
	best := 0.0
	for _, score := range scores {
		best = max(best, score)
	}
	if best > 0 {
		for id := range scores {
			scores[id] /= best
		}
	}
	return scores
}

// message is an episode to rank, with the ids of its known neighbours in the conversation.
type message struct {
	ID                      uuid.UUID
	ThreadID, Actor, Role   string
	OccurredAt              time.Time
	Length                  int32
	Asks, SaysWhen          bool
	Earlier, Previous, Next uuid.UUID
}

// surroundings are the episodes to rank, by id.
type surroundings map[uuid.UUID]*message

// surroundingsOf collects the found episodes and, if beside is set, their neighbours. The rows hold
// the neighbours of each found episode, under its place or in the order of the conversation. Rows
// of one place are adjacent, as the statement reads place by place.
func surroundingsOf(rows []db.EpisodesAroundRow, found []uuid.UUID, beside bool) surroundings {
	around := make(surroundings, len(rows))
	messages := make([]message, 0, len(rows)) // one allocation for all
	isFound := each.Set(found)
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].Place == rows[0].Place && rows[n].ThreadID == rows[0].ThreadID {
			n++
		}
		said := rows[:n]
		slices.SortFunc(said, func(a, b db.EpisodesAroundRow) int {
			return cmp.Or(a.OccurredAt.Compare(b.OccurredAt), bytes.Compare(a.ID[:], b.ID[:]))
		})
		for i, row := range said {
			if isFound[row.ID] {
				messages = around.add(messages, said[max(i-2, 0):min(i+3, n)], isFound, beside)
			}
		}
		rows = rows[n:]
	}
	return around
}

// add adds consecutive messages, links each to its neighbours, and returns the extended slice.
// messages must have the capacity for all of them, as the map points into it.
func (s surroundings) add(messages []message, said []db.EpisodesAroundRow, isFound map[uuid.UUID]bool, beside bool) []message {
	for i, row := range said {
		m, known := s[row.ID]
		switch {
		case known:
		case beside || isFound[row.ID]:
			messages = append(messages, message{
				ID: row.ID, ThreadID: row.ThreadID, Actor: row.Actor, Role: row.Role, OccurredAt: row.OccurredAt,
				Length: row.Length, Asks: row.Asks, SaysWhen: row.SaysWhen,
			})
			m = &messages[len(messages)-1]
			s[row.ID] = m
		default:
			continue
		}
		if i >= 1 {
			m.Previous = said[i-1].ID
		}
		if i >= 2 {
			m.Earlier = said[i-2].ID
		}
		if i+1 < len(said) {
			m.Next = said[i+1].ID
		}
	}
	return messages
}

// candidates are the episodes that a question may be about.
type candidates struct {
	asked     asked
	around    surroundings
	words     map[uuid.UUID]float64 // how well their own words fit
	inContext map[uuid.UUID]float64 // how well their words and those of their neighbours fit
	meant     map[uuid.UUID]float64 // how near their vectors lie, on the scale of the words; nil: vectors do not count
	stated    map[uuid.UUID]float64 // fit of the best fact that they state, at most 1
	fits      map[string]float64    // fit of their conversations, by thread id, at most 1
	until     time.Time             // what was said later is not ranked; zero: all is
}

// wordsOf scores the candidates by their own words.
func wordsOf(rows []scored, around surroundings) map[uuid.UUID]float64 {
	words := make(map[uuid.UUID]float64, len(rows))
	for _, r := range rows {
		words[r.ID] = r.Score
		if e, known := around[r.ID]; known {
			words[r.ID] *= saidBy(e.Role == "assistant")
		}
	}
	return words
}

// statedBy scores episodes by the best fact that they state. An answer seldom has the words of its
// question, but the fact read from it names the person and the subject.
func statedBy(stating []db.EpisodesAroundRow, facts []scored) map[uuid.UUID]float64 {
	fits := scoresBy(facts, func(f scored) float64 { return min(f.Score/mostFit, 1) })
	stated := make(map[uuid.UUID]float64, len(stating))
	for _, s := range stating {
		stated[s.ID] = max(stated[s.ID], fits[s.FactID])
	}
	return stated
}

// bestScore is the first score of a ranking, or 1 if it is empty.
func bestScore(ranking []scored) float64 {
	if len(ranking) == 0 {
		return 1
	}
	return ranking[0].Score
}

// mean sets how near the candidates and their conversations lie to the question. The scale is that
// of the words; best is their best score.
func (c *candidates) mean(near map[uuid.UUID]float64, best float64) {
	c.meant = make(map[uuid.UUID]float64, len(near))
	meant := map[string][]float64{}
	for id, n := range near {
		e, known := c.around[id]
		if !known {
			continue
		}
		if e.Role == "assistant" {
			n *= assistantMeant
		}
		c.meant[id] = nearWeight * best * n
		if e.ThreadID != "" {
			meant[e.ThreadID] = append(meant[e.ThreadID], n)
		}
	}
	threads := map[string]float64{}
	for id, scores := range meant {
		threads[id] = decayed(scores)
	}
	for id := range c.fits {
		c.fits[id] *= 1 - meantWeight
	}
	for id, fit := range toOne(threads) {
		c.fits[id] += meantWeight * fit
	}
	toOne(c.fits)
}

// episodes ranks the candidates and their neighbours.
func (c candidates) episodes() []scored {
	ranked := make([]scored, 0, len(c.around))
	top := 0.0
	for id, e := range c.around {
		if !c.until.IsZero() && e.OccurredAt.After(c.until) {
			continue
		}
		score := c.inContext[id]
		if c.meant != nil {
			score += c.meant[id] + nearbyWeight*(c.meant[e.Previous]+c.meant[e.Next])
		}
		ranked = append(ranked, scored{id, score})
		top = max(top, score)
	}
	thread := threadWeight
	if c.meant != nil {
		thread = threadMeant
	}
	for i, r := range ranked {
		e := c.around[r.ID]
		ranked[i].Score = settled((r.Score + top*(thread*c.fits[e.ThreadID]+statedWeight*c.stated[r.ID])) * c.asked.weight(e))
	}
	slices.SortFunc(ranked, bestFirst)
	return ranked
}

// weight is the factor that the question gives an episode, whatever its words.
func (q asked) weight(e *message) float64 {
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

// dateFit is how near an episode is to a time that the question names, from 0 to 1.
func (q asked) dateFit(at time.Time) float64 {
	fit := 0.0
	for _, span := range q.spans {
		fit = max(fit, span.fit(at))
	}
	return fit
}

const (
	aWhole = 27 * 24 * time.Hour // a longer span is at least a month
	aDay   = 24 * time.Hour
)

// fit is 1 within the span and falls after it: an event of a day or a week is still told in the
// weeks after it, an event of a month in the days after it.
func (s namedSpan) fit(at time.Time) float64 {
	if !s.yearly {
		return fitOf(s.Interval, at)
	}
	years := at.Year() - s.Start.Year()
	return max(fitOf(yearsLater(s.Interval, years), at), fitOf(yearsLater(s.Interval, years-1), at))
}

func fitOf(span temporal.Interval, at time.Time) float64 {
	if !span.Start.IsZero() && !span.End.IsZero() && span.End.Sub(span.Start) < aWhole {
		year, month, day := span.Start.Date()
		first, last := time.Date(year, month, day, 0, 0, 0, 0, time.UTC), span.End.Add(-aDay)
		if last.Before(first) {
			last = first
		}
		if at.Before(first.Add(-aDay)) { // in another time zone it is another day
			return 0
		}
		return math.Exp(-max(at.Sub(last), 0).Hours() / 24 / 14)
	}
	switch after := at.Sub(span.End); {
	case span.Contains(at):
		return 1
	case span.End.IsZero() || after < 0 || after >= 10*aDay:
		return 0
	}
	return 0.5
}

func yearsLater(span temporal.Interval, years int) temporal.Interval {
	return temporal.Interval{Start: span.Start.AddDate(years, 0, 0), End: span.End.AddDate(years, 0, 0)}
}
