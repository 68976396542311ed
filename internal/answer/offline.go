package answer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/retrieval/relation"
)

// Without a model, an answer consists of the facts that the search marked as answering by their
// relation. It has the facts that hold at the time asked about, with their dates and the messages
// that state them. Facts that have ended are told in the past, or if the question is about the
// past.

// mostAnswering is the limit on the facts of an answer.
const mostAnswering = 5

// offline returns the answer without a model.
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
			answer.Sentences = append(answer.Sentences, Sentence{Text: e.passages[i].line, Cites: []Citation{e.passages[i].Citation}})
		}
	}
	if len(answer.Sentences) == 0 {
		return unknown(by)
	}
	answer.Text = textOf(answer.Sentences, betweenOf(answer.Form))
	return answer
}

// passagesInstead returns the answer if nothing of a model's answer is left: the one without a
// model, as passages.
func (e evidence) passagesInstead(question, by string, cut Answer) Answer {
	e.open = false // a model's answer cites only what the model saw
	answer := e.offline(question, by)
	if answer.Form == FormAnswer {
		answer.Form = FormPassages
	}
	answer.Shown, answer.Cut, answer.Why = len(e.passages), cut.Cut, cut.Why
	return answer
}

// sentence formats a fact with its note, and cites the first message that states it.
func (e evidence) sentence(i int) Sentence {
	p := e.passages[i]
	s := Sentence{Text: p.body, Cites: append([]Citation{p.Citation}, e.message(p)...)}
	if p.note != "" {
		s.Text += " (" + p.note + ")"
	}
	return s
}

// message cites the first message that states a fact. If the question has restrictions, it must be
// among the passages.
func (e evidence) message(p passage) []Citation {
	for _, id := range p.hit.Episodes {
		if e.open || e.place(id) >= 0 {
			return []Citation{{graph.KindEpisode, id, p.GroupID}}
		}
	}
	return nil
}

// place returns the index of the passage with an id; -1: there is none.
func (e evidence) place(id uuid.UUID) int {
	return slices.IndexFunc(e.passages, func(p passage) bool { return p.ID == id })
}

// answering returns the indexes of the facts that answer, the best first; none if no fact answers,
// or only facts about another time.
func (e evidence) answering(asked claim) []int {
	all := e.where(func(p passage) bool { return p.hit.Answers && asked.isOf(p.hit) })
	if len(all) == 0 {
		all = e.where(func(p passage) bool { return p.hit.Then && asked.isOfTime(p.hit) && e.answersLike(p) })
	}
	if len(all) == 0 {
		return nil
	}
	var places []int
	if asked.asksWhatHappened() && slices.ContainsFunc(all, func(i int) bool { return e.passages[i].hit.Then }) {
		places = e.happened(all)
	} else {
		if events := slices.DeleteFunc(slices.Clone(all), func(i int) bool { return e.passages[i].hit.Kind != graph.FactEvent }); asked.asksDone() && len(events) > 0 {
			all = events
		}
		places = e.namedBothEnds(asked, e.nearest(asked, all))
	}
	if !slices.ContainsFunc(places, func(i int) bool { return e.passages[i].hit.Then }) {
		slices.SortStableFunc(places, func(i, j int) int { return cmp.Or(e.stateRank(i)-e.stateRank(j), e.laterEnd(i, j)) })
	}
	chosen := e.likeFirst(asked, places)
	if first := e.passages[chosen[0]]; !first.hit.Then && !asked.asksOfPast() {
		if ended := e.endedBy(chosen[0]); ended >= 0 {
			chosen = e.withEnd(asked, ended, all)
		}
	}
	chosen = e.withContradictions(chosen)
	return chosen[:min(mostAnswering, len(chosen))]
}

// happened keeps the facts that say what happened and when, in order of time. It drops states that
// are only known since they were said.
func (e evidence) happened(places []int) []int {
	known := func(i int) bool {
		return e.passages[i].hit.Kind != graph.FactEvent && !e.passages[i].hit.Valid.From.Dated()
	}
	if dated := slices.DeleteFunc(slices.Clone(places), known); len(dated) > 0 {
		places = dated
	}
	return slices.SortedStableFunc(slices.Values(places), func(i, j int) int { return e.passages[i].valid.Start.Compare(e.passages[j].valid.Start) })
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

// nearest keeps the facts that match the question best: wishes and plans if the question is about
// one, and, among facts that do not have the relation, those with most of its words.
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

// stateRank orders what holds or happened before what is planned, and that before what has ended.
func (e evidence) stateRank(i int) int {
	switch p := e.passages[i]; {
	case p.over:
		return 2
	case p.valid.Start.After(e.now):
		return 1
	}
	return 0
}

// namedBothEnds keeps the facts whose ends are both named in the question, as in "Does Nora work at
// Fjordline?" If there are none, it keeps the facts about the same source as the first.
func (e evidence) namedBothEnds(asked claim, places []int) []int {
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

// betweenNamed returns the facts between entities that the question names. If some facts of a
// relation have the order of the question, the others of that relation are dropped; if the best one
// has words of the question, so are those without. "Where do Nora and Ingrid live?" asks about
// both, not about facts between them.
func (e evidence) betweenNamed(asked claim, places []int) []int {
	named := func(i int) bool {
		h := e.passages[i].hit
		return asked.names(h.Source, "") && asked.names(h.Target, h.Source) && !(h.Predicate == "HAS" && e.hasByName(h.Target, places))
	}
	begins, orders := map[string]bool{}, map[string]bool{} // keyed by name, which several entities may share
	for _, i := range places {
		h := e.passages[i].hit
		begins[h.Source] = begins[h.Source] || !named(i)
		orders[h.Predicate] = orders[h.Predicate] || named(i) && asked.inOrder(h)
	}
	both := slices.DeleteFunc(slices.Clone(places), func(i int) bool {
		h := e.passages[i].hit
		return !named(i) || begins[h.Target] || orders[h.Predicate] && !asked.inOrder(h)
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

// hasByName reports whether some facts name the things of a kind that somebody has: the cats Tom and
// Jerry, beside "two cats".
func (e evidence) hasByName(things string, places []int) bool {
	one := strings.TrimSuffix(strings.ToUpper(things), "S")
	return slices.ContainsFunc(places, func(i int) bool {
		kind, is := strings.CutPrefix(e.passages[i].hit.Predicate, "HAS_")
		return is && strings.HasSuffix(one, kind)
	})
}

// likeFirst keeps the facts that say the same about somebody as the first. If the relation of
// either has only one value at a time, that means the same relation. If the first fact says
// "there", the next one, which names the place, is kept too. Ended facts stay if the question is
// about the past.
func (e evidence) likeFirst(asked claim, places []int) []int {
	first := e.passages[places[0]]
	source, predicate := claimOf(first.hit.Source), graph.Relation(first.hit.Predicate)
	about := !slices.ContainsFunc(asked.telling(), func(w word) bool { return !isDate(w.stem) && !source.hasStem(w) }) // "Who is Nora?"
	there := slices.Contains(claimOf(first.body).lower, "there")
	chosen := places[:1:1]
	for _, i := range places[1:] {
		p, rank := e.passages[i], e.stateRank(i)
		if p.hit.Predicate == graph.NoLonger+predicate && p.hit.TargetID == first.hit.TargetID {
			continue // an ended fact shows its end; one that holds has none
		}
		same := about || graph.Relation(p.hit.Predicate) == predicate || !relation.IsSingle(predicate) && !relation.IsSingle(p.hit.Predicate)
		if !same && !(there && len(chosen) == 1 && !p.over) {
			continue
		}
		if rank == e.stateRank(places[0]) || p.over && !about && (asked.asksOfPast() || first.hit.Then) {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

// laterEnd orders two ends of the same fact, or of a relation that has one value at a time, the later
// one first.
func (e evidence) laterEnd(i, j int) int {
	a, b := e.passages[i], e.passages[j]
	if graph.Relation(a.hit.Predicate) == a.hit.Predicate || a.hit.Predicate != b.hit.Predicate ||
		a.hit.TargetID != b.hit.TargetID && (a.hit.SourceID != b.hit.SourceID || !relation.IsSingle(graph.Relation(a.hit.Predicate))) {
		return 0
	}
	return b.valid.End.Compare(a.valid.End)
}

// endedBy returns the index of the ended fact, if the first fact of an answer is one or states its
// end; -1: the first fact holds, or happened.
func (e evidence) endedBy(first int) int {
	h := e.passages[first].hit
	switch {
	case e.passages[first].over:
		return first
	case graph.Relation(h.Predicate) == h.Predicate:
		return -1
	}
	return e.latest(func(p passage) bool {
		return p.over && p.hit.Predicate == graph.Relation(h.Predicate) && p.hit.SourceID == h.SourceID && p.hit.TargetID == h.TargetID
	})
}

// withEnd returns an ended fact with the fact that ended it, and with what holds in its place. The
// end comes first if it has more words of the question: "Is it fixed?"
func (e evidence) withEnd(asked claim, ended int, answering []int) []int {
	was := e.passages[ended]
	chosen := []int{ended}
	end := e.place(was.hit.BoundedBy)
	if end < 0 {
		end = e.latest(func(p passage) bool {
			return p.hit.Predicate == graph.NoLonger+was.hit.Predicate && p.hit.SourceID == was.hit.SourceID && p.hit.TargetID == was.hit.TargetID
		})
	}
	switch {
	case end < 0:
	case asked.shared(e.passages[end].body) > asked.shared(was.body):
		chosen = []int{end, ended}
	case !claimOf(e.passages[end].body).has(noLonger): // its dates say that already
		chosen = []int{ended, end}
	}
	for _, i := range answering {
		h := e.passages[i].hit
		if e.stateRank(i) == 0 && h.SourceID == was.hit.SourceID && h.Predicate == was.hit.Predicate && relation.IsSingle(h.Predicate) && !slices.Contains(chosen, i) {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

// latest returns the index of the matching passage that ends last; -1: none matches.
func (e evidence) latest(is func(passage) bool) int {
	last := -1
	for _, i := range e.where(is) {
		if last < 0 || e.passages[i].valid.End.After(e.passages[last].valid.End) {
			last = i
		}
	}
	return last
}

// withContradictions puts before each disputed fact the facts that dispute it and hold. A later
// record comes before the fact that it contradicts.
func (e evidence) withContradictions(places []int) []int {
	var out []int
	add := func(i int) {
		if !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	beside := func(others []retrieval.FactHit) {
		for _, other := range others {
			if at := e.place(other.ID); at >= 0 && !e.passages[at].over {
				add(at)
			}
		}
	}
	for _, i := range places {
		before, after := e.passages[i].hit.Beside()
		beside(before)
		add(i)
		beside(after)
	}
	return out
}
