package construct

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/fence"
	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/retrieval/prose"
)

// ContextData is what the template of a context string is given: the hits that
// fit, the best of each scope first. Its texts are safe to stand between tags,
// and all but the content of an episode are one line.
//
// Line is a hit as the default form shows it, with its dates and, if asked for,
// its id.
//
// Fields may be added to it and to the types below; none is taken away or
// renamed.
type ContextData struct {
	Facts       []ContextFact // of those that one sentence gave for several pairs of entities, the first
	Entities    []ContextEntity
	Communities []ContextCommunity
	Episodes    []ContextEpisode
	Days        []ContextDay // the same episodes, in the order of time
	Answers     []ContextAnswer

	Nothing   bool   // nothing was found
	Without   string // which models did not answer, in sentences; empty: none was missing
	KnownOf   string // the entities that the facts are about, if nothing is known of what is asked; else empty
	Citations bool   // ids are asked for
	Words     bool   // the dates of episodes in words are asked for
}

// ContextFact is a fact in a context string.
type ContextFact struct {
	Line       string
	Fact       string    // the sentence
	Source     string    // the name of the entity it starts from
	Predicate  string    // in capitals: LIVES_IN
	Target     string    // the name of the entity it leads to
	Attributes string    // as JSON; empty: none
	Event      bool      // it happened once; a state goes on
	From       time.Time // zero: not known
	Until      time.Time // zero: it still holds
	Dates      string    // when it holds or happened, as exactly as that is known: since March 2024
	Caveat     string    // what must be known to believe it, beside its dates: "said by an assistant on 3 April 2024; Kim says otherwise: Porto"; empty: nothing
	Cite       string    // [f:0199d1c0]; empty unless ids are asked for
	Sources    []string  // like Cite, of the episodes that state it, oldest first
	Pinned     string    // "pinned", of what is pinned; else empty

	ID       uuid.UUID
	Episodes []uuid.UUID // that state it

	against []uuid.UUID // facts that contradict it, and must stand before it
}

// opposed reports whether one of the facts that must stand before it is shown, if there are any.
func (f ContextFact) opposed(shown []ContextFact) bool {
	return len(f.against) == 0 || slices.ContainsFunc(shown, func(o ContextFact) bool { return slices.Contains(f.against, o.ID) })
}

// ContextEntity is an entity in a context string.
type ContextEntity struct {
	Line       string
	Name       string
	Aliases    []string
	Labels     []string
	Summary    string // may be empty
	Attributes string // as JSON; empty: none
	Cite       string // [n:0199d1c0]; empty unless ids are asked for
	Pinned     string // "pinned", of what is pinned; else empty

	ID uuid.UUID
}

// ContextCommunity is a community in a context string.
type ContextCommunity struct {
	Line    string
	Name    string
	Summary string // may be empty
	Cite    string // [c:0199d1c0]; empty unless ids are asked for

	ID uuid.UUID
}

// ContextEpisode is an episode in a context string.
type ContextEpisode struct {
	Line       string
	Speaker    string // who said it; may be empty
	Role       string // user, assistant …; may be empty
	Source     string // message, text or json
	Name       string // a title; may be empty
	Thread     string // the conversation it belongs to; may be empty
	Content    string // with its line breaks, at most 64 bytes of white space in a row; may be cut, and then ends with " …"
	OccurredAt time.Time
	Date       string // OccurredAt, in words or not: 8 March 2024, 09:30
	Notes      string // what became of its statements: until 1 May 2024, now Porto; empty: no known change
	Pinned     string // "pinned", of what is pinned; else empty
	Cite       string // [e:0199d1c0]; empty unless ids are asked for

	ID uuid.UUID

	group string
	asked *ContextEpisode // the question that it answers; nil: it stands by itself
}

// ContextAnswer is a standing answer in a context string. A budget never cuts it.
type ContextAnswer struct {
	Line     string // the question, and the answer
	Question string
	Answer   string
	Data     string // the values, as JSON; empty: it has none
}

// ContextDay holds what a conversation has in a context string within an hour.
type ContextDay struct {
	Date  string   // of the first, like that of an episode
	Lines []string // like Line of an episode, without its date; short answers below the end of their question
}

// first keeps the first hits, by their rank across the scopes; 0: all.
func (d ContextData) first(hits int) ContextData {
	ranked := byRank(d)
	if hits == 0 || len(ranked) <= hits {
		return d
	}
	kept := map[graph.Kind]int{}
	for _, h := range ranked[:hits] {
		kept[h.kind]++ // each scope from its first on
	}
	d.Facts, d.Entities = d.Facts[:kept[graph.KindFact]], d.Entities[:kept[graph.KindEntity]]
	d.Communities, d.Episodes = d.Communities[:kept[graph.KindCommunity]], d.Episodes[:kept[graph.KindEpisode]]
	return d.withDays()
}

// frame is the data without any hit.
func (d ContextData) frame() ContextData {
	d.Facts, d.Entities, d.Communities, d.Episodes, d.Days, d.Answers = nil, nil, nil, nil, nil, nil
	return d
}

// withDays sets Days: the episodes in the order of time.
func (d ContextData) withDays() ContextData {
	days := diary{}
	for _, e := range d.Episodes {
		for _, said := range e.said() {
			days.add(said)
		}
	}
	d.Days = days.lines()
	return d
}

// cutTo replaces the content of an episode.
func (e ContextEpisode) cutTo(content string) ContextEpisode {
	if e.Content = content; e.Speaker == "" {
		e.Content = fence.Opening(content)
	}
	e.Line = line(fence.Noted(prose.Named(e.Speaker, prose.OneLine(content)), e.Date, e.Notes, e.Pinned), e.Cite)
	return e
}

func line(text, cite string) string { return strings.TrimSuffix(text+" "+cite, " ") }

// data makes hits ready for a template.
func (c Construction) data(r retrieval.Result, f fence.Fence) ContextData {
	found := r
	found.Facts = statements(r.Facts)
	found = found.WithAgainst()
	found.Entities = each.Of(r.Entities, func(h retrieval.EntityHit) retrieval.EntityHit { h.Summary = h.StillSo(); return h })
	data := c.wording(r, f).data(found).withDays()
	data.Nothing = r.IsEmpty()
	return data
}

func (c Construction) wording(r retrieval.Result, f fence.Fence) wording {
	w := wording{Construction: c, Notes: retrieval.Notes{Fence: f, Reading: r.ReadAt()}}
	if c.Citations {
		w.ids = retrieval.CitationsOf(r)
	}
	return w
}

func (w wording) data(r retrieval.Result) ContextData {
	return ContextData{
		Facts:       each.Of(r.Facts, w.fact),
		Entities:    each.Of(r.Entities, w.entity),
		Communities: each.Of(r.Communities, w.community),
		Episodes:    each.Of(r.Episodes, w.episode),
		Answers:     each.Of(r.Answers, w.answer),
		Citations:   w.Citations, Words: w.Words, Without: r.SearchedWithout(),
		KnownOf: strings.Join(each.Of(r.KnownOf, func(name string) string { return fence.Plain(w.Line(name)) }), ", "),
	}
}

// wording makes hits safe and gives them the dates, notes and ids that are asked for.
type wording struct {
	Construction
	retrieval.Notes
	ids retrieval.Citations
}

func (w wording) fact(h retrieval.FactHit) ContextFact {
	before, _ := h.Beside()
	f := ContextFact{
		Fact: fence.Opening(w.Said(h.Told())), Caveat: w.Caveat(h), Source: w.Line(h.Source), Predicate: w.Line(h.Predicate), Target: w.Line(h.Target),
		Attributes: w.object(h.Attributes), Event: h.Kind == graph.FactEvent, From: h.Valid.Start, Until: h.Valid.End, Dates: w.Dates(h),
		Cite: w.ids.Cite(graph.KindFact, h.ID), Sources: w.ids.Sources(h.Episodes),
		Pinned: pinnedNote(h.Marks), ID: h.ID, Episodes: h.Episodes,
		against: each.Of(before, func(o retrieval.FactHit) uuid.UUID { return o.ID }),
	}
	f.Line = line(fence.Noted(f.Fact, slices.Concat([]string{f.Dates}, w.OfChanges(h.Changes), []string{f.Pinned})...), f.Cite)
	return f
}

func (w wording) entity(h retrieval.EntityHit) ContextEntity {
	e := ContextEntity{
		Name: fence.Plain(w.Line(h.Name)), Aliases: each.Of(h.Aliases, w.Line), Labels: each.Of(h.Labels, w.Line), Summary: w.Said(h.StillSo()),
		Attributes: w.object(h.Attributes), Cite: w.ids.Cite(graph.KindEntity, h.ID), Pinned: pinnedNote(h.Marks), ID: h.ID,
	}
	e.Line = line(fence.Noted(prose.Named(e.Name, e.Summary), e.Pinned), e.Cite)
	return e
}

// pinnedNote is the note on a pinned hit.
func pinnedNote(m graph.Marks) string {
	if m.Pinned {
		return "pinned"
	}
	return ""
}

// object writes attributes in one line; an empty object is nothing.
func (w wording) object(attributes []byte) string {
	if len(attributes) <= len("{}") {
		return ""
	}
	return w.Line(string(attributes))
}

func (w wording) community(h retrieval.CommunityHit) ContextCommunity {
	c := ContextCommunity{Name: fence.Plain(w.Line(h.Name)), Summary: w.Said(h.Summary), Cite: w.ids.Cite(graph.KindCommunity, h.ID), ID: h.ID}
	c.Line = line(prose.Named(c.Name, c.Summary), c.Cite)
	return c
}

func (w wording) episode(h retrieval.EpisodeHit) ContextEpisode {
	e := ContextEpisode{
		Speaker: fence.Plain(w.Line(h.Speaker())), Role: w.Name(h.Role), Source: w.Line(string(h.Source)), Name: w.Line(h.Name),
		Thread: w.Line(h.ThreadID), OccurredAt: h.OccurredAt, Date: w.date(h.OccurredAt), Cite: w.ids.Cite(graph.KindEpisode, h.ID),
		Notes: strings.Join(w.OfEpisode(h), "; "), Pinned: pinnedNote(h.Marks), ID: h.ID, group: h.GroupID,
	}.cutTo(fence.WithoutNotes(w.Text(prose.Squeeze(h.Content))))
	if h.ReplyTo != nil {
		asked := w.episode(retrieval.EpisodeHit{Episode: *h.ReplyTo})
		asked = asked.cutTo(w.Said(prose.LastQuestion(h.ReplyTo.Content)))
		e.asked = &asked
	}
	return e
}

func (w wording) answer(t graph.Answered) ContextAnswer {
	a := ContextAnswer{Question: w.Line(t.Question), Answer: w.Line(t.Answer), Data: w.object(t.Data)}
	a.Line = strings.TrimSpace(a.Question + " " + a.Answer + " " + a.Data)
	return a
}

func (c Construction) date(t time.Time) string {
	if c.Words {
		return dayInWords(t)
	}
	return day(t)
}

// statements keeps one of the facts that a sentence gave for several pairs of entities. It prefers
// a fact whose start is dated ("her grandmother turned 90 on Sunday") to one that only holds, and a
// state to the event that began it ("moved to Porto on 8 March").
func statements(facts []retrieval.FactHit) []retrieval.FactHit {
	var out []retrieval.FactHit
	for _, f := range facts {
		said := slices.IndexFunc(out, func(o retrieval.FactHit) bool { return sameStatement(o, f) })
		switch {
		case said < 0:
			out = append(out, f)
		case out[said].Kind == graph.FactEvent && f.Kind != graph.FactEvent:
			out[said] = f
		case out[said].Kind != graph.FactEvent && f.Kind == graph.FactEvent:
		case f.Valid.From.Dated() && !out[said].Valid.From.Dated():
			out[said] = f
		}
	}
	return out
}

// sameStatement reports whether two facts of one sentence can stand for each other: they hold at
// the same time, or come from one statement and are an event and a state or end together.
func sameStatement(a, b retrieval.FactHit) bool {
	switch {
	case a.Fact.Fact != b.Fact.Fact:
		return false
	case a.Valid.Equal(b.Valid):
		return true
	case a.StatementID == uuid.Nil || a.StatementID != b.StatementID:
		return false
	}
	return a.Kind != b.Kind || a.Valid.End.Equal(b.Valid.End)
}
