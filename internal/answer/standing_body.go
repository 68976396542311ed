package answer

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/temporal"
)

// body is the stored form of a standing answer: the answer, and the passages that it was made from,
// each with the time at which it holds. From these it can say how things were at another time
// without another question.
type body struct {
	Form      string        `json:"form"`
	By        string        `json:"by"`
	Shown     int           `json:"shown"`
	Cut       int           `json:"cut"`
	Why       []string      `json:"why,omitempty"`
	Sentences []keptText    `json:"sentences"`
	Slots     []keptSlot    `json:"slots"`    // those of a model
	Passages  []keptPassage `json:"passages"` // those that hold, then former ones
}

// span is the time at which something holds, without its end.
type span struct {
	From  *time.Time `json:"from"`
	Until *time.Time `json:"until"`
	Never bool       `json:"never,omitempty"` // the cited rows hold at no common time
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
	Line    string     `json:"line"`
	Cites   []keptCite `json:"cites"` // the passage itself
	Speaker string     `json:"speaker,omitempty"`
	Near    bool       `json:"near,omitempty"`
	Fact    *keptFact  `json:"fact,omitempty"`   // for a fact, how it answers
	Former  bool       `json:"former,omitempty"` // a fact that has ended
	span
}

// keptFact holds the parts of a fact by which an answer without a model is chosen.
type keptFact struct {
	Says       string      `json:"says"`
	Note       string      `json:"note"`
	Names      []uuid.UUID `json:"names"` // the ids of the entities at its ends
	Source     string      `json:"source"`
	Predicate  string      `json:"predicate"`
	Target     string      `json:"target"`
	Over       bool        `json:"over,omitempty"` // at the time of asking
	Answers    bool        `json:"answers,omitempty"`
	Then       bool        `json:"then,omitempty"`
	NotThen    bool        `json:"not_then,omitempty"`
	DisputedBy []uuid.UUID `json:"disputed_by,omitempty"`
	Message    *keptCite   `json:"message,omitempty"` // the first message that states it
}

// mostKept is how many passages of each kind are stored.
var mostKept = map[graph.Kind]int{graph.KindFact: 40, graph.KindEpisode: 10, graph.KindObservation: 3, graph.KindEntity: 3, graph.KindCommunity: 3}

// mostFormer is how many former facts are stored.
const mostFormer = 20

// bodyOf returns the stored form of an answer, with the relevant passages among those that were
// shown, and the former facts.
func bodyOf(a Answer, shown, former evidence, s relevance) body {
	bearing, former := s.relevant(shown), s.relevant(former)
	b := body{Form: a.Form, By: a.By, Shown: a.Shown, Cut: a.Cut, Why: a.Why, Sentences: []keptText{}, Slots: []keptSlot{}, Passages: []keptPassage{}}
	valid := map[uuid.UUID]temporal.Interval{}
	for _, p := range shown.passages {
		valid[p.ID] = p.valid
	}
	if a.By != offline {
		for _, s := range a.Slots {
			b.Slots = append(b.Slots, keptSlot{Name: s.Name, Value: s.Value, Because: s.Because, Cites: citesOf(s.Cites), span: spanOf(s.Cites, valid)})
		}
	}
	for _, s := range a.Sentences {
		b.Sentences = append(b.Sentences, keptText{Text: s.Text, Cites: citesOf(s.Cites), span: spanOf(s.Cites, valid)})
	}
	kept := map[graph.Kind]int{}
	for _, p := range bearing.passages {
		if isSummary(p.Kind) && !a.cites(p.ID) {
			continue // each new fact would hide it
		}
		if kept[p.Kind]++; kept[p.Kind] <= mostKept[p.Kind] {
			b.Passages = append(b.Passages, bearing.kept(p, false))
		}
	}
	for i, p := range former.passages {
		if i < mostFormer && p.Kind == graph.KindFact {
			b.Passages = append(b.Passages, former.kept(p, true))
		}
	}
	return b
}

// cites reports whether a sentence cites a row.
func (a Answer) cites(id uuid.UUID) bool {
	return slices.ContainsFunc(a.Sentences, func(s Sentence) bool {
		return slices.ContainsFunc(s.Cites, func(c Citation) bool { return c.ID == id })
	})
}

func (e evidence) kept(p passage, former bool) keptPassage {
	k := keptPassage{
		Line: p.line, Cites: citesOf([]Citation{p.Citation}), Speaker: p.speaker, Near: p.near, Former: former,
		span: spanOf([]Citation{p.Citation}, map[uuid.UUID]temporal.Interval{p.ID: p.valid}),
	}
	if h := p.hit; p.Kind == graph.KindFact {
		k.Fact = &keptFact{
			Says: p.body, Note: p.note, Names: []uuid.UUID{h.SourceID, h.TargetID}, Source: h.Source, Predicate: h.Predicate, Target: h.Target,
			Over: p.over, Answers: h.Answers, Then: h.Then, NotThen: h.NotThen, DisputedBy: h.DisputedBy,
		}
		for _, c := range citesOf(e.message(p)) {
			k.Fact.Message = &c
		}
	}
	return k
}

// passage converts a stored passage back, with its state at the time of asking.
func (k keptPassage) passage(group string) passage {
	p := passage{Citation: Citation{k.Cites[0].Kind, k.Cites[0].ID, group}, speaker: k.Speaker, near: k.Near, body: k.Line, line: k.Line}
	if f := k.Fact; f != nil {
		p.body, p.note, p.over = f.Says, f.Note, f.Over
		p.hit = retrieval.FactHit{Answers: f.Answers, Then: f.Then, NotThen: f.NotThen, Fact: graph.Fact{
			ID: p.ID, SourceID: f.Names[0], TargetID: f.Names[1], Source: f.Source, Predicate: f.Predicate, Target: f.Target,
		}}
		if f.Message != nil {
			p.hit.Episodes = []uuid.UUID{f.Message.ID}
		}
		for _, id := range f.DisputedBy {
			p.hit.Against = append(p.hit.Against, retrieval.FactHit{Fact: graph.Fact{ID: id}})
		}
	}
	return p
}

func citesOf(all []Citation) []keptCite {
	return each.Of(all, func(c Citation) keptCite { return keptCite{c.Kind, c.ID} })
}

// spanOf returns when all cited rows hold at once.
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

// written reports whether a bound can be written as JSON. Bounds before the year 1 or after 9999
// are outside the times that can be asked about.
func written(bound time.Time) bool {
	return !bound.IsZero() && bound.UTC().Year() >= 1 && bound.UTC().Year() <= 9999
}

// answer returns the answer as of now, or as of a time that is not zero.
func (b body) answer(group, question string, slots slots, at time.Time) Answer {
	if !at.IsZero() {
		return b.answerOf(group, question, slots, at)
	}
	says := Answer{Form: b.Form, By: b.By, Text: NotKnown, Sentences: b.sentences(group, at)}
	if len(says.Sentences) > 0 {
		says.Text = textOf(says.Sentences, betweenOf(b.Form))
	}
	filled := b.filled(group, at)
	if b.By == offline {
		filled = slots.byRules(question, b.shown(group, at))
	}
	return b.counted(slots, says, filled)
}

// answerOf returns the answer as of a time: the model's sentences that hold then, else the answer
// without a model from the passages that hold then.
func (b body) answerOf(group, question string, slots slots, at time.Time) Answer {
	shown, filled := b.shown(group, at), b.filled(group, at)
	says := Answer{Form: FormAnswer, By: b.By, Sentences: []Sentence{}}
	if b.Form == FormAnswer && b.By != offline {
		says.Sentences = b.sentences(group, at)
	}
	switch says.Text = textOf(says.Sentences, " "); {
	case len(says.Sentences) > 0:
	case b.By == offline:
		says = shown.offline(question, b.By)
	default:
		says = shown.passagesInstead(question, b.By, Answer{})
	}
	if says.Form == FormUnknown && len(filled) > 0 {
		says.Form = FormAnswer
	}
	for _, s := range slots.byRules(question, shown) {
		if !slices.ContainsFunc(filled, func(f Slot) bool { return f.Name == s.Name }) {
			filled = append(filled, s)
		}
	}
	return b.counted(slots, says, filled)
}

func (b body) counted(slots slots, says Answer, filled []Slot) Answer {
	says.Shown, says.Cut, says.Why = b.Shown, b.Cut, b.Why
	return slots.into(says, filled)
}

// shown returns the passages that hold at a time; if it is zero, those that held when the question
// was asked.
func (b body) shown(group string, at time.Time) evidence {
	e := evidence{now: at, open: true}
	for _, p := range b.Passages {
		if at.IsZero() && p.Former || !at.IsZero() && (isSummary(p.Cites[0].Kind) || !p.holds(at)) {
			continue
		}
		read := p.passage(group)
		read.over = read.over && at.IsZero()
		e.passages = append(e.passages, read)
	}
	return e
}

func (b body) sentences(group string, at time.Time) []Sentence {
	out := []Sentence{}
	for _, s := range b.Sentences {
		if at.IsZero() || s.holds(at) {
			out = append(out, Sentence{Text: s.Text, Cites: in(group, s.Cites)})
		}
	}
	return out
}

func (b body) filled(group string, at time.Time) []Slot {
	var out []Slot
	for _, s := range b.Slots {
		if at.IsZero() || s.holds(at) {
			out = append(out, Slot{Name: s.Name, Value: s.Value, Because: s.Because, Cites: in(group, s.Cites)})
		}
	}
	return out
}

func in(group string, cites []keptCite) []Citation {
	return each.Of(cites, func(c keptCite) Citation { return Citation{c.Kind, c.ID, group} })
}

// rows returns all rows of which it has words, with their kinds. The kind name means an entity of
// which it has only the name.
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
		if p.Fact != nil {
			for _, id := range p.Fact.Names {
				kinds, ids = append(kinds, "name"), append(ids, id)
			}
			if p.Fact.Message != nil {
				add([]keptCite{*p.Fact.Message})
			}
		}
	}
	return kinds, ids
}

// changesAt returns the first time after another at which a passage begins or ceases to hold; zero:
// there is none.
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
