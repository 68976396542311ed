package answer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/retrieval"
)

// Without a model an answer is the facts that answer by their relation, as the search
// tells: what holds at the time that is asked about, with its dates and the message it
// rests on. What has ended is said of the past, or where the question is of it.

const (
	mostAnswering = 5 // facts of an answer
	mostFitting   = 4 // passages, where no fact answers
	mostOfFacts   = 2 // of those, so that messages have room
)

// offline is the answer that no model makes.
func (e evidence) offline(question, by string) Answer {
	asked := claimOf(question)
	answer := Answer{Form: FormAnswer, By: by, Sentences: []Sentence{}, Shown: len(e.passages)}
	places := e.answering(asked)
	for _, i := range places {
		answer.Sentences = append(answer.Sentences, e.sentence(i))
	}
	if len(places) == 0 {
		answer.Form = FormPassages
		for _, i := range e.fitting(asked) {
			answer.Sentences = append(answer.Sentences, Sentence{Text: e.lines[i], Cites: []Citation{e.passages[i].Citation}})
		}
	}
	if len(answer.Sentences) == 0 {
		return unknown(by)
	}
	answer.Text = textOf(answer.Sentences, betweenOf(answer.Form))
	return answer
}

// instead is what is said where nothing of a model's answer is left: what would be said
// without one, as passages.
func (e evidence) instead(question, by string, cut Answer) Answer {
	e.open = false // a model's answer cites what it was shown
	answer := e.offline(question, by)
	if answer.Form == FormAnswer {
		answer.Form = FormPassages
	}
	answer.Shown, answer.Cut, answer.Why = len(e.passages), cut.Cut, cut.Why
	return answer
}

// sentence says a fact with its dates, and cites the first message that states it.
func (e evidence) sentence(i int) Sentence {
	p := e.passages[i]
	s := Sentence{Text: noteLike().ReplaceAllString(p.body, "‹$1›"), Cites: append([]Citation{p.Citation}, e.message(p)...)}
	if p.more != "" {
		s.Text += " (" + p.more + ")"
	}
	return s
}

// noteLike is what a stored text may have that reads as if it were the dates behind it.
var noteLike = pattern.New(`(?i)\(((?:since|until|from|known|planned|taken back|in part|called off|disputed|not confirmed|some time)\b[^()]*)\)?`)

// message is the first that states a fact: of those that were found, where the question
// is narrowed.
func (e evidence) message(p passage) []Citation {
	for _, id := range p.hit.Episodes {
		if e.open || e.place(id) >= 0 {
			return []Citation{{graph.KindEpisode, id, p.GroupID}}
		}
	}
	return nil
}

// place is that of a row among the passages; below zero: it is none of them.
func (e evidence) place(id uuid.UUID) int {
	return slices.IndexFunc(e.passages, func(p passage) bool { return p.ID == id })
}

// answering are the places of the facts that answer, the first first; none: no fact does,
// or at another time than is asked about.
func (e evidence) answering(asked claim) []int {
	all := e.where(func(p passage) bool { return p.hit.Answers && asked.isOf(p.hit) })
	if len(all) == 0 {
		all = e.where(func(p passage) bool { return p.hit.Then && asked.isOfTime(p.hit) && e.answersLike(p) })
	}
	if len(all) == 0 {
		return nil
	}
	places := e.asNamed(asked, e.nearest(asked, all))
	if !slices.ContainsFunc(places, func(i int) bool { return e.passages[i].hit.Then }) {
		slices.SortStableFunc(places, func(i, j int) int { return e.standing(i) - e.standing(j) })
	}
	chosen := e.besideFirst(asked, places)
	if first := e.passages[chosen[0]]; first.over && !first.hit.Then && !asked.asksOfPast() {
		chosen = e.withEnd(asked, chosen[0], all)
	}
	chosen = e.withDispute(chosen)
	return chosen[:min(mostAnswering, len(chosen))]
}

func (e evidence) where(is func(passage) bool) []int {
	var places []int
	for i, p := range e.passages {
		if is(p) {
			places = append(places, i)
		}
	}
	return places
}

// nearest keeps the facts that say most of what is asked: of wishes and plans, where the
// question is of one, and of no relation those with most of its words.
func (e evidence) nearest(asked claim, places []int) []int {
	wishes := slices.DeleteFunc(slices.Clone(places), func(i int) bool { return !claimOf(e.passages[i].body).hedged })
	if asked.hedged && len(wishes) > 0 {
		places = wishes
	}
	if slices.ContainsFunc(places, func(i int) bool { return e.passages[i].hit.Related }) {
		return places
	}
	most := 0
	for _, i := range places {
		most = max(most, asked.matching(e.passages[i].hit))
	}
	return slices.DeleteFunc(slices.Clone(places), func(i int) bool { return asked.matching(e.passages[i].hit) < most })
}

// standing puts what holds or happened before what is planned, and that before what has
// ended.
func (e evidence) standing(i int) int {
	switch p := e.passages[i]; {
	case p.over:
		return 2
	case p.valid.Start.After(e.now):
		return 1
	}
	return 0
}

// asNamed keeps the facts both of whose ends the question names, "Does Nora work at
// Fjordline?"; where none is, those of whom the first is.
func (e evidence) asNamed(asked claim, places []int) []int {
	both := e.betweenNamed(asked, places)
	if len(both) > 0 {
		return both
	}
	first := e.passages[places[0]].hit
	return slices.DeleteFunc(slices.Clone(places), func(i int) bool {
		h := e.passages[i].hit
		switch {
		case h.SourceID == first.SourceID:
			return false
		case asked.names(first.Source, ""):
			return !asked.names(h.Source, "")
		}
		return h.TargetID != first.TargetID || !asked.names(first.Target, "")
	})
}

// betweenNamed are the facts between those whom a question names: of one relation those
// in the order of the question, and with its words where the first has some. "Where do
// Nora and Ingrid live?" asks of both, and not of what lies between them.
func (e evidence) betweenNamed(asked claim, places []int) []int {
	named := func(i int) bool {
		h := e.passages[i].hit
		return asked.names(h.Source, "") && asked.names(h.Target, h.Source)
	}
	begins, orders := map[uuid.UUID]bool{}, map[string]bool{}
	for _, i := range places {
		h := e.passages[i].hit
		begins[h.SourceID] = begins[h.SourceID] || !named(i)
		orders[h.Predicate] = orders[h.Predicate] || named(i) && asked.inOrder(h)
	}
	both := slices.DeleteFunc(slices.Clone(places), func(i int) bool {
		h := e.passages[i].hit
		return !named(i) || begins[h.TargetID] || orders[h.Predicate] && !asked.inOrder(h)
	})
	if len(both) == 0 || asked.matching(e.passages[both[0]].hit) == 0 {
		return both
	}
	first := e.passages[both[0]].hit.Predicate
	return slices.DeleteFunc(both, func(i int) bool {
		h := e.passages[i].hit
		return h.Predicate != first && asked.matching(h) == 0
	})
}

// besideFirst keeps the facts that say the same of somebody as the first: of a relation
// that holds to one at a time only those of it. Where the first says "there", the next one
// says where. What has ended stays where the question is about the past.
func (e evidence) besideFirst(asked claim, places []int) []int {
	first := e.passages[places[0]]
	source, relation := claimOf(first.hit.Source), bare(first.hit.Predicate)
	about := !slices.ContainsFunc(asked.telling(), func(w word) bool { return !isDate(w.stem) && !source.hasStem(w) }) // "Who is Nora?"
	there := slices.Contains(claimOf(first.body).low, "there")
	chosen := places[:1:1]
	for _, i := range places[1:] {
		p, standing := e.passages[i], e.standing(i)
		if p.hit.Predicate == noLongerIs+relation {
			continue // whose dates say the end, where it has come
		}
		same := about || bare(p.hit.Predicate) == relation || !retrieval.IsSingle(relation) && !retrieval.IsSingle(p.hit.Predicate)
		if !same && !(there && len(chosen) == 1 && !p.over) {
			continue
		}
		if standing == e.standing(places[0]) || p.over && !about && (asked.asksOfPast() || first.hit.Then) {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

// withEnd is what has ended with what put an end to it, and with what holds in its place.
// The end comes first where it has more of the words that are asked: "Is it fixed?"
func (e evidence) withEnd(asked claim, ended int, answering []int) []int {
	was := e.passages[ended]
	chosen := []int{ended}
	end := e.place(was.hit.BoundedBy)
	if end < 0 {
		end = e.latest(func(p passage) bool {
			return p.hit.Predicate == noLongerIs+was.hit.Predicate && p.hit.SourceID == was.hit.SourceID && p.hit.TargetID == was.hit.TargetID
		})
	}
	switch {
	case end < 0:
	case asked.shared(e.passages[end].body) > asked.shared(was.body):
		chosen = []int{end, ended}
	case !claimOf(e.passages[end].body).has(noLonger): // which its dates say
		chosen = []int{ended, end}
	}
	for _, i := range answering {
		h := e.passages[i].hit
		if e.standing(i) == 0 && h.SourceID == was.hit.SourceID && h.Predicate == was.hit.Predicate && retrieval.IsSingle(h.Predicate) && !slices.Contains(chosen, i) {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

// latest is the place of the passage that begins or ends last, of some; below zero: none.
func (e evidence) latest(is func(passage) bool) int {
	last := -1
	for _, i := range e.where(is) {
		if last < 0 || e.passages[i].valid.End.After(e.passages[last].valid.End) {
			last = i
		}
	}
	return last
}

// withDispute puts before each fact that is disputed the facts which dispute it and hold.
func (e evidence) withDispute(places []int) []int {
	var out []int
	add := func(i int) {
		if !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	for _, i := range places {
		for _, against := range e.passages[i].hit.Against {
			if at := e.place(against.ID); at >= 0 && !e.passages[at].over {
				add(at)
			}
		}
		add(i)
	}
	return out
}

// noLongerIs begins the predicate of a fact which says that another one ended.
const noLongerIs = "NO_LONGER_"

func bare(predicate string) string { return strings.TrimPrefix(predicate, noLongerIs) }

// fitting are the places of the best passages, where no fact answers.
func (e evidence) fitting(asked claim) []int {
	bears := e.bears(asked)
	var places []int
	for _, kind := range []graph.Kind{graph.KindFact, graph.KindEpisode, graph.KindObservation, graph.KindEntity, graph.KindCommunity} {
		if len(places) > 0 && kind != graph.KindEpisode {
			break
		}
		most := mostFitting
		if kind == graph.KindFact {
			most = mostOfFacts
		}
		for i, p := range e.passages {
			if p.Kind == kind && len(places) < most && bears(i) {
				places = append(places, i)
			}
		}
	}
	slices.SortStableFunc(places, func(i, j int) int { return e.later(asked, i, j) })
	return e.withDispute(places)
}

// later puts messages behind facts, and of those that have as many words of the question
// the later one first: it may correct the other.
func (e evidence) later(asked claim, i, j int) int {
	a, b := e.passages[i], e.passages[j]
	shared, others := asked.shared(a.body), asked.shared(b.body)
	if a.Kind != b.Kind || shared == 0 && others == 0 {
		return cmp.Compare(i, j)
	}
	return cmp.Or(cmp.Compare(others, shared), cmp.Or(b.valid.Start, b.valid.End).Compare(cmp.Or(a.valid.Start, a.valid.End)))
}

// bears tells which passages bear on a question: those that mean about what it does, or
// state something with a word of it, and tell of whom it names. Messages tell of who speaks
// with one another; of others where they name them. Where facts answer at another time,
// they have to tell of the time.
func (e evidence) bears(asked claim) func(i int) bool {
	words, names := asked.matters(), slices.DeleteFunc(asked.telling(), func(w word) bool { return !w.name })
	otherTime := slices.ContainsFunc(e.passages, func(p passage) bool { return p.hit.Answers && !asked.isOfTime(p.hit) })
	if otherTime || len(words) == 0 {
		if dates := slices.DeleteFunc(asked.telling(), func(w word) bool { return !isDate(w.stem) }); otherTime || len(dates) > 0 {
			words = dates
		}
	}
	speaks := slices.ContainsFunc(e.passages, func(p passage) bool { return slices.ContainsFunc(names, claimOf(p.speaker).hasStem) })
	return func(i int) bool {
		p := &e.passages[i]
		said := p.stated(e.lines[i])
		ofThem := len(names) == 0 || slices.ContainsFunc(names, said.hasStem) || speaks && p.Kind == graph.KindEpisode
		return p.near && !otherTime || ofThem && (slices.ContainsFunc(words, said.hasStem) || len(words) == 0 && !otherTime)
	}
}

// stated are the words of what a passage states, and of who does: without its questions.
func (p *passage) stated(line string) claim {
	if p.Kind != graph.KindEpisode {
		return claimOf(graph.SearchText(line, p.hit.Predicate))
	}
	all := claimOf(p.speaker + ", " + p.more)
	for _, one := range p.parts() {
		all.words, all.low = append(all.words, one.words...), append(all.low, one.low...)
	}
	return all
}
