package answer

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/fence"
	"github.com/annalsdb/annals/model/tokens"
	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/retrieval/construct"
	"github.com/annalsdb/annals/temporal"
)

// evidence is the passages that an answer may rest on: the most relevant ones that fit into the
// budget.
type evidence struct {
	passages []passage
	now      time.Time // the time of reading
	open     bool      // whether messages may be cited that the search did not find: the question has no restriction
}

// numbered is the template by which the budget is counted. It is about the form in which the model
// sees passages.
const numbered = `{{range .Facts}}00: {{.Line}}
{{end}}{{range .Episodes}}00: {{oneLine .Line}}
{{end}}{{range .Entities}}00: {{.Line}}
{{end}}{{range .Communities}}00: {{.Line}}
{{end}}`

// evidenceOf converts the results of a search to passages. Statements that were taken back are left
// out. If the search found only facts about another person than the one asked about, there is no
// evidence.
func evidenceOf(q Question, found retrieval.Result) (evidence, error) {
	e := evidence{now: cmp.Or(found.AsOf, time.Now()), open: q.KnownAt.IsZero() && reflect.ValueOf(q.Filter).IsZero()}
	if len(found.KnownOf) > 0 {
		return e, nil
	}
	found.Episodes = slices.DeleteFunc(slices.Clone(found.Episodes), func(h retrieval.EpisodeHit) bool {
		calledOff := slices.ContainsFunc(h.Changes, func(c retrieval.Change) bool { return c.CalledOff })
		return h.TakenBack == graph.TakenBackWhole && !calledOff // its note says so
	})
	statingFirst(found)
	_, data, err := construct.Construction{Tokens: q.Tokens, Words: true, Template: numbered}.Show(found)
	if err != nil {
		return evidence{}, err
	}
	groups := groupsOf(found)
	e.addFacts(found, data.Facts)
	e.addObservations(found)
	e.addEpisodes(found, data.Episodes)
	for _, n := range data.Entities {
		e.add(passage{Citation: Citation{graph.KindEntity, n.ID, groups[n.ID]}, about: n.Name, body: n.Summary, line: n.Line})
	}
	for _, c := range data.Communities {
		e.add(passage{Citation: Citation{graph.KindCommunity, c.ID, groups[c.ID]}, body: c.Summary, line: c.Line})
	}
	people := peopleOf(found)
	for i := range e.passages {
		e.passages[i].people = people
	}
	return e.within(q.Tokens), nil
}

// statingFirst moves messages that state answering facts to the front.
func statingFirst(found retrieval.Result) {
	place := map[uuid.UUID]int{}
	for i, h := range found.Facts {
		for _, id := range h.Episodes {
			if _, placed := place[id]; h.Answers && !placed {
				place[id] = i - len(found.Facts)
			}
		}
	}
	each.Sort(found.Episodes, func(a, b retrieval.EpisodeHit) int { return place[a.ID] - place[b.ID] })
}

func (e *evidence) addFacts(found retrieval.Result, shown []construct.ContextFact) {
	hits := map[uuid.UUID]retrieval.FactHit{}
	for _, h := range found.Facts {
		hits[h.ID] = h
	}
	for _, f := range shown {
		h := hits[f.ID]
		e.add(passage{
			Citation: Citation{graph.KindFact, f.ID, h.GroupID}, about: f.Source, body: f.Fact, more: f.Dates, note: h.Note(e.now), over: h.Ended(e.now),
			disputed: h.Fact.Disputed() || len(h.Otherwise) > 0, changes: h.Changes, hit: h, near: h.Near, valid: h.Valid.Interval, since: h.Recorded.Start, line: f.Line,
		})
	}
}

func (e *evidence) addObservations(found retrieval.Result) {
	safe := fence.New()
	for _, o := range found.Observations {
		e.add(passage{
			Citation: Citation{graph.KindObservation, o.ID, o.GroupID}, body: safe.Line(o.Text), more: strings.TrimPrefix(o.Told(), o.Text),
			over: !o.Valid.End.IsZero() && !o.Valid.End.After(e.now), valid: o.Valid, since: o.Recorded.Start, line: safe.Line(o.Told()),
		})
	}
}

func (e *evidence) addEpisodes(found retrieval.Result, shown []construct.ContextEpisode) {
	hits := map[uuid.UUID]retrieval.EpisodeHit{}
	for _, h := range found.Episodes {
		hits[h.ID] = h
	}
	for _, said := range shown {
		h := hits[said.ID]
		e.add(passage{
			Citation: Citation{graph.KindEpisode, said.ID, h.GroupID}, speaker: said.Speaker, about: aboutOf(found, h.Episode), body: said.Content,
			more: said.Date, changes: h.Changes, near: h.Near, valid: temporal.Interval{Start: said.OccurredAt}, since: h.CreatedAt, line: said.Line,
		})
	}
}

// isSummary reports whether rows of a kind are summaries, which say how things are, but not since
// when.
func isSummary(kind graph.Kind) bool { return kind == graph.KindEntity || kind == graph.KindCommunity }

// add adds a passage, unless its body is empty.
func (e *evidence) add(p passage) {
	if p.body != "" {
		e.passages = append(e.passages, p)
	}
}

// of returns evidence with other passages, read at the same time.
func (e evidence) of(passages []passage) evidence {
	e.passages = passages
	return e
}

// within keeps the passages whose numbered lines fit into the budget. The best of each kind come
// first, so the less relevant ones are dropped.
func (e evidence) within(budget int) evidence {
	used := 0
	var passages []passage
	for i, p := range e.passages {
		n := tokens.O200k().Count(fmt.Sprintf("%d: %s\n", i+1, p.line))
		if used+n > budget {
			continue
		}
		used += n
		passages = append(passages, p)
	}
	return e.of(passages)
}

// How many passages a model sees, and how many of each kind before the rest is filled up.
const mostPassages = 20

var shareOf = map[graph.Kind]int{graph.KindFact: 9, graph.KindEpisode: 7, graph.KindObservation: 2, graph.KindEntity: 1, graph.KindCommunity: 1}

// forModel returns the passages that a model sees: first those that answer the question or match a
// requested value, then the best of each kind, then the rest.
func (e evidence) forModel(s slots) evidence {
	taken, shares := map[int]bool{}, map[graph.Kind]int{}
	take := func(wanted func(passage) bool) {
		for i, p := range e.passages {
			if len(taken) < mostPassages && !taken[i] && wanted(p) {
				taken[i] = true
				shares[p.Kind]++
			}
		}
	}
	take(func(p passage) bool { return p.hit.Answers || s.ask(p.hit.Predicate) })
	take(func(p passage) bool { return shares[p.Kind] < shareOf[p.Kind] })
	take(func(passage) bool { return true })
	var first []passage
	for i, p := range e.passages {
		if taken[i] {
			first = append(first, p)
		}
	}
	return e.of(first)
}

// cited returns the passages with some numbers, without duplicates. Unknown numbers are ignored.
func (e evidence) cited(numbers []int) []passage {
	var out []passage
	seen := map[int]bool{}
	for _, n := range numbers {
		if n >= 1 && n <= len(e.passages) && !seen[n] {
			seen[n] = true
			out = append(out, e.passages[n-1])
		}
	}
	return out
}

// groupsOf returns the group of each entity and community in a result.
func groupsOf(r retrieval.Result) map[uuid.UUID]string {
	groups := map[uuid.UUID]string{}
	for _, h := range r.Entities {
		groups[h.ID] = h.GroupID
	}
	for _, h := range r.Communities {
		groups[h.ID] = h.GroupID
	}
	return groups
}
