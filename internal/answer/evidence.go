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

// evidence is what an answer may rest on: as many passages as the budget has room
// for, those that bear on the question most.
type evidence struct {
	passages []passage
	now      time.Time // when they are read
	open     bool      // messages may be cited that were not found: the question is narrowed by nothing
}

// numbered is about how a model is shown passages, so that the budget is kept.
const numbered = `{{range .Facts}}00: {{.Line}}
{{end}}{{range .Episodes}}00: {{oneLine .Line}}
{{end}}{{range .Entities}}00: {{.Line}}
{{end}}{{range .Communities}}00: {{.Line}}
{{end}}`

// evidenceOf makes passages of what was found. What was taken back is no evidence, nor
// is what is known of somebody of whom something else is asked.
func evidenceOf(q Question, found retrieval.Result) (evidence, error) {
	e := evidence{now: cmp.Or(found.AsOf, time.Now()), open: q.KnownAt.IsZero() && reflect.ValueOf(q.Filter).IsZero()}
	if len(found.KnownOf) > 0 {
		return e, nil
	}
	found.Episodes = slices.DeleteFunc(slices.Clone(found.Episodes), func(h retrieval.EpisodeHit) bool {
		calledOff := slices.ContainsFunc(h.Changes, func(c retrieval.Change) bool { return c.CalledOff })
		return h.TakenBack == graph.TakenBackWhole && !calledOff // which its note says
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
	return e, e.within(q.Tokens)
}

// statingFirst puts the messages first that state the facts which answer.
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

// isSummary reports whether what a kind of thing says is how things are, and not when they
// were so: summaries do.
func isSummary(kind graph.Kind) bool { return kind == graph.KindEntity || kind == graph.KindCommunity }

// add adds what says something.
func (e *evidence) add(p passage) {
	if p.body != "" {
		e.passages = append(e.passages, p)
	}
}

// of is other evidence, read at the same time.
func (e evidence) of(passages []passage) evidence {
	e.passages = passages
	return e
}

// within keeps the passages whose lines, as they are numbered, have so many tokens
// together. The first of each kind come first, so it is the lesser that go.
func (e *evidence) within(budget int) error {
	used := 0
	var passages []passage
	for i, p := range e.passages {
		n, err := tokens.O200k().Count(fmt.Sprintf("%d: %s\n", i+1, p.line))
		if err != nil {
			return fmt.Errorf("count tokens: %w", err)
		}
		if used+n > budget {
			continue
		}
		used += n
		passages = append(passages, p)
	}
	e.passages = passages
	return nil
}

// How many passages a model is shown, and how many of each kind before more of the same.
const mostPassages = 20

var shareOf = map[graph.Kind]int{graph.KindFact: 9, graph.KindEpisode: 7, graph.KindObservation: 2, graph.KindEntity: 1, graph.KindCommunity: 1}

// forModel are the passages that a model is shown: the first of each kind, what answers a
// question or is called as a value that is asked for before all others.
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

// cited are the passages of some numbers, each once; those that were not shown are
// none.
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

// groupsOf has the group of each summary that was found.
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
