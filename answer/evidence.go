package answer

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/fence"
	"github.com/annalsdb/annals/model/tokens"
	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/temporal"
)

// evidence is what an answer may rest on: as many passages as the budget has room
// for, those that bear on the question most.
type evidence struct {
	passages []passage
	lines    []string // the same, as a model is shown them
	facts    map[uuid.UUID]graph.Fact
}

// numbered is about how a model is shown passages, so that the budget is kept.
const numbered = `{{range .Facts}}00: {{.Line}}
{{end}}{{range .Episodes}}00: {{oneLine .Line}}
{{end}}{{range .Entities}}00: {{.Line}}
{{end}}{{range .Communities}}00: {{.Line}}
{{end}}`

// evidenceOf makes passages of what was found. What was taken back is no evidence.
func evidenceOf(q Question, found retrieval.Result) (evidence, error) {
	found.Episodes = slices.DeleteFunc(slices.Clone(found.Episodes), func(h retrieval.EpisodeHit) bool {
		return h.TakenBack == graph.TakenBackWhole
	})
	_, data, err := retrieval.Construction{Tokens: q.Tokens, Words: true, Template: numbered}.Show(found)
	if err != nil {
		return evidence{}, err
	}
	now := found.AsOf
	if now.IsZero() {
		now = time.Now()
	}
	groups, safe := groupsOf(found), fence.New()
	e := evidence{facts: map[uuid.UUID]graph.Fact{}}
	for _, h := range found.Facts {
		e.facts[h.ID] = h.Fact
	}
	at := func(kind graph.Kind, id uuid.UUID) Citation { return Citation{kind, id, groups[id]} }
	for _, f := range data.Facts {
		e.add(passage{
			Citation: at(graph.KindFact, f.ID), body: f.Fact, more: f.Dates,
			over: !f.Event && !f.Until.IsZero() && !f.Until.After(now), valid: e.facts[f.ID].Valid.Interval, since: e.facts[f.ID].Recorded.Start,
		}, f.Line)
	}
	for _, o := range found.Observations {
		e.add(passage{
			Citation: Citation{graph.KindObservation, o.ID, o.GroupID}, body: safe.Line(o.Text), more: strings.TrimPrefix(o.Told(), o.Text),
			over: !o.Valid.End.IsZero() && !o.Valid.End.After(now), valid: o.Valid, since: o.Recorded.Start,
		}, safe.Line(o.Told()))
	}
	stored := map[uuid.UUID]time.Time{}
	for _, h := range found.Episodes {
		stored[h.ID] = h.CreatedAt
	}
	for _, said := range data.Episodes {
		e.add(passage{
			Citation: at(graph.KindEpisode, said.ID), speaker: said.Speaker, body: said.Content, more: said.Date,
			valid: temporal.Interval{Start: said.OccurredAt}, since: stored[said.ID],
		}, said.Line)
	}
	for _, n := range data.Entities {
		e.add(passage{Citation: at(graph.KindEntity, n.ID), body: n.Summary}, n.Line)
	}
	for _, c := range data.Communities {
		e.add(passage{Citation: at(graph.KindCommunity, c.ID), body: c.Summary}, c.Line)
	}
	return e, e.within(q.Tokens)
}

// ofNow reports whether what a kind of thing says is how things are, and not when they
// were so: summaries do.
func ofNow(kind graph.Kind) bool { return kind == graph.KindEntity || kind == graph.KindCommunity }

// add adds what says something.
func (e *evidence) add(p passage, line string) {
	if p.body == "" {
		return
	}
	e.passages, e.lines = append(e.passages, p), append(e.lines, line)
}

// within keeps the passages whose lines, as they are numbered, have so many tokens
// together. The first of each kind come first, so it is the lesser that go.
func (e *evidence) within(budget int) error {
	used := 0
	var passages []passage
	var lines []string
	for i, line := range e.lines {
		n, err := tokens.O200k().Count(fmt.Sprintf("%d: %s\n", i+1, line))
		if err != nil {
			return fmt.Errorf("count tokens: %w", err)
		}
		if used+n > budget {
			continue
		}
		used += n
		passages, lines = append(passages, e.passages[i]), append(lines, line)
	}
	e.passages, e.lines = passages, lines
	return nil
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

// groupsOf has the group of each row that was found.
func groupsOf(r retrieval.Result) map[uuid.UUID]string {
	groups := map[uuid.UUID]string{}
	for _, h := range r.Facts {
		groups[h.ID] = h.GroupID
	}
	for _, h := range r.Entities {
		groups[h.ID] = h.GroupID
	}
	for _, h := range r.Communities {
		groups[h.ID] = h.GroupID
	}
	for _, h := range r.Episodes {
		groups[h.ID] = h.GroupID
	}
	return groups
}
