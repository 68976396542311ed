package answer

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/temporal"
)

// body is a standing answer as it is stored: what was answered, and the passages
// that it was answered from, each with when it holds. So it can say, without
// asking anybody, how things were at another time.
type body struct {
	Form      string        `json:"form"`
	By        string        `json:"by"`
	Shown     int           `json:"shown"`
	Cut       int           `json:"cut"`
	Sentences []keptText    `json:"sentences"` // of a model
	Slots     []keptSlot    `json:"slots"`     // of a model
	Passages  []keptPassage `json:"passages"`  // first those that hold, then those that held
}

// span is when something holds: from its start on, until before its end.
type span struct {
	From  *time.Time `json:"from"`
	Until *time.Time `json:"until"`
	Never bool       `json:"never,omitempty"` // what it rests on holds at no time together
}

func (s span) holds(at time.Time) bool {
	return !s.Never && (s.From == nil || !at.Before(*s.From)) && (s.Until == nil || at.Before(*s.Until))
}

type keptCite struct {
	Kind graph.Kind `json:"kind"`
	ID   uuid.UUID  `json:"id"`
}

type keptText struct {
	Text  string     `json:"text"`
	Cites []keptCite `json:"cites"`
	span
}

type keptSlot struct {
	Name    string          `json:"name"`
	Value   json.RawMessage `json:"value"`
	Because string          `json:"because"`
	Cites   []keptCite      `json:"cites"`
	span
}

type keptPassage struct {
	Line      string      `json:"line"`
	Cites     []keptCite  `json:"cites"`           // itself
	Names     []uuid.UUID `json:"names,omitempty"` // of a fact, the entities at its ends
	Source    string      `json:"source,omitempty"`
	Predicate string      `json:"predicate,omitempty"`
	Target    string      `json:"target,omitempty"`
	Former    bool        `json:"former,omitempty"` // a fact that held once
	span
}

// How many passages of each kind are stored.
var mostKept = map[graph.Kind]int{graph.KindFact: 40, graph.KindEpisode: 10, graph.KindObservation: 3, graph.KindEntity: 3, graph.KindCommunity: 3}

// mostFormer is how many facts that held once are stored.
const mostFormer = 20

// bodyOf makes what is stored of an answer, of what bears on it among what was shown,
// and of the facts that held once.
func bodyOf(a Answer, shown, former evidence, s sieve) body {
	bearing, former := s.bearing(shown), s.bearing(former)
	b := body{Form: a.Form, By: a.By, Shown: a.Shown, Cut: a.Cut, Sentences: []keptText{}, Slots: []keptSlot{}, Passages: []keptPassage{}}
	valid := map[uuid.UUID]temporal.Interval{}
	for _, p := range shown.passages {
		valid[p.ID] = p.valid
	}
	if a.Form == FormAnswer || a.By != offline {
		for _, s := range a.Slots {
			b.Slots = append(b.Slots, keptSlot{Name: s.Name, Value: s.Value, Because: s.Because, Cites: citesOf(s.Cites), span: spanOf(s.Cites, valid)})
		}
	}
	if a.Form == FormAnswer {
		for _, s := range a.Sentences {
			b.Sentences = append(b.Sentences, keptText{Text: s.Text, Cites: citesOf(s.Cites), span: spanOf(s.Cites, valid)})
		}
	}
	kept := map[graph.Kind]int{}
	for i, p := range bearing.passages {
		if ofNow(p.Kind) && !a.cites(p.ID) {
			continue // it would be hidden by each new fact
		}
		if kept[p.Kind]++; kept[p.Kind] <= mostKept[p.Kind] {
			b.Passages = append(b.Passages, bearing.kept(i, false))
		}
	}
	for i, p := range former.passages {
		if i < mostFormer && p.Kind == graph.KindFact {
			b.Passages = append(b.Passages, former.kept(i, true))
		}
	}
	return b
}

// cites reports whether a sentence rests on a row.
func (a Answer) cites(id uuid.UUID) bool {
	return slices.ContainsFunc(a.Sentences, func(s Sentence) bool {
		return slices.ContainsFunc(s.Cites, func(c Citation) bool { return c.ID == id })
	})
}

func (e evidence) kept(i int, former bool) keptPassage {
	p := e.passages[i]
	k := keptPassage{Line: e.lines[i], Cites: citesOf([]Citation{p.Citation}), Former: former, span: spanOf([]Citation{p.Citation}, map[uuid.UUID]temporal.Interval{p.ID: p.valid})}
	if f, ok := e.facts[p.ID]; ok && p.Kind == graph.KindFact {
		k.Source, k.Predicate, k.Target, k.Names = f.Source, f.Predicate, f.Target, []uuid.UUID{f.SourceID, f.TargetID}
	}
	return k
}

func citesOf(all []Citation) []keptCite {
	out := make([]keptCite, len(all))
	for i, c := range all {
		out[i] = keptCite{c.Kind, c.ID}
	}
	return out
}

// spanOf is when all that is cited holds together.
func spanOf(cites []Citation, valid map[uuid.UUID]temporal.Interval) span {
	var both temporal.Interval
	for _, c := range cites {
		both = both.Intersect(valid[c.ID])
	}
	s := span{Never: both.Empty() || !both.End.IsZero() && both.End.UTC().Year() < 1}
	if written(both.Start) {
		s.From = new(both.Start.UTC())
	}
	if written(both.End) {
		s.Until = new(both.End.UTC())
	}
	return s
}

// written reports whether a bound can be written as JSON, and asked about. What lies
// before the year 1 or after 9999 bounds nothing that anybody asks about.
func written(bound time.Time) bool {
	return !bound.IsZero() && bound.UTC().Year() >= 1 && bound.UTC().Year() <= 9999
}

// answer is what it says of how things are; or of how they were at a time, where
// that is not zero.
func (b body) answer(group, question string, slots slots, at time.Time) Answer {
	held := func(s span) bool { return at.IsZero() || s.holds(at) }
	shown := evidence{facts: map[uuid.UUID]graph.Fact{}}
	for _, p := range b.Passages {
		cited := p.Cites[0]
		if at.IsZero() && p.Former || !held(p.span) || !at.IsZero() && ofNow(cited.Kind) {
			continue
		}
		shown.passages, shown.lines = append(shown.passages, passage{Citation: Citation{cited.Kind, cited.ID, group}}), append(shown.lines, p.Line)
		shown.facts[cited.ID] = graph.Fact{Source: p.Source, Predicate: p.Predicate, Target: p.Target}
	}
	var filled []Slot
	for _, s := range b.Slots {
		if held(s.span) {
			filled = append(filled, Slot{Name: s.Name, Value: s.Value, Because: s.Because, Cites: in(group, s.Cites)})
		}
	}
	says := Answer{Form: FormAnswer, By: b.By, Sentences: []Sentence{}}
	for _, s := range b.Sentences {
		if held(s.span) {
			says.Sentences = append(says.Sentences, Sentence{Text: s.Text, Cites: in(group, s.Cites)})
		}
	}
	says.Text = textOf(says.Sentences, " ")
	switch {
	case at.IsZero() && b.Form == FormPassages, !at.IsZero() && len(says.Sentences) == 0 && len(shown.passages) > 0:
		says = shown.passagesOnly(b.By)
	case b.Form == FormUnknown, len(says.Sentences)+len(filled) == 0:
		says = unknown(b.By)
	case len(says.Sentences) == 0:
		says.Text = NotKnown
	}
	if b.By == offline || !at.IsZero() {
		for _, s := range slots.byRules(question, shown) {
			if !slices.ContainsFunc(filled, func(f Slot) bool { return f.Name == s.Name }) {
				filled = append(filled, s)
			}
		}
	}
	says.Shown, says.Cut = b.Shown, b.Cut
	return slots.into(says, filled)
}

func in(group string, cites []keptCite) []Citation {
	out := make([]Citation, len(cites))
	for i, c := range cites {
		out[i] = Citation{c.Kind, c.ID, group}
	}
	return out
}

// rows are all rows that it has words of, by their kinds. Name is the kind of an
// entity of which it has the name alone.
func (b body) rows() (kinds []string, ids []uuid.UUID) {
	add := func(cites []keptCite) {
		for _, c := range cites {
			kinds, ids = append(kinds, string(c.Kind)), append(ids, c.ID)
		}
	}
	for _, s := range b.Sentences {
		add(s.Cites)
	}
	for _, s := range b.Slots {
		add(s.Cites)
	}
	for _, p := range b.Passages {
		add(p.Cites)
		for _, id := range p.Names {
			kinds, ids = append(kinds, "name"), append(ids, id)
		}
	}
	return kinds, ids
}

// changesAt is when, after a time, the first of the passages begins or ends to hold;
// zero: none does.
func (b body) changesAt(after time.Time) time.Time {
	var first time.Time
	for _, p := range b.Passages {
		for _, at := range []*time.Time{p.From, p.Until} {
			if at != nil && at.After(after) && (first.IsZero() || at.Before(first)) {
				first = *at
			}
		}
	}
	return first
}
