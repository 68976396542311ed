package answer

import (
	"cmp"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
)

// The limits on the passages that are shown if no fact answers.

const (
	mostFitting = 4 // in all
	mostOfFacts = 2 // facts among them, so that messages have room
)

// fitting returns the indexes of the best passages if no fact answers.
func (e evidence) fitting(asked claim) []int {
	b := e.subjectOf(asked)
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
			if p.Kind == kind && len(places) < most && b.isToldBy(p) {
				places = append(places, i)
			}
		}
	}
	slices.SortStableFunc(places, func(i, j int) int { return e.later(asked, i, j) })
	return e.withContradictions(places)
}

// later compares passages: facts come before messages. Among messages that share as many words with
// the question, the later one comes first, since it may correct the other.
func (e evidence) later(asked claim, i, j int) int {
	a, b := e.passages[i], e.passages[j]
	shared, others := asked.shared(a.body), asked.shared(b.body)
	if a.Kind != b.Kind || shared == 0 && others == 0 {
		return cmp.Compare(i, j)
	}
	return cmp.Or(cmp.Compare(others, shared), cmp.Or(b.valid.Start, b.valid.End).Compare(cmp.Or(a.valid.Start, a.valid.End)))
}

// subject decides which passages are relevant to a question: those with a similar meaning, or those
// that state something with a word of the question about the people whom it names. A message is
// about the speakers of its conversation, and about others if it names them.
type subject struct {
	words, names []word
	speaks       bool               // one of the names is a speaker
	timeOnly     bool               // facts answer for another time, so a passage has to be about the right one
	near         map[uuid.UUID]bool // messages with a similar meaning; few facts about a person lack one, so facts do not count
}

func (e evidence) subjectOf(asked claim) subject {
	b := subject{words: asked.matters(), near: map[uuid.UUID]bool{}}
	b.names = slices.DeleteFunc(asked.telling(), func(w word) bool { return !w.name })
	dates := slices.DeleteFunc(asked.telling(), func(w word) bool { return !isDate(w.stem) })
	for _, p := range e.passages {
		b.speaks = b.speaks || slices.ContainsFunc(b.names, claimOf(p.speaker).hasStem)
		b.timeOnly = b.timeOnly || p.hit.Answers && !asked.isOfTime(p.hit)
		b.near[p.ID] = p.near && p.Kind == graph.KindEpisode
	}
	if b.timeOnly || len(b.words) == 0 {
		b.words = dates
	}
	return b
}

func (b subject) isToldBy(p passage) bool {
	if p.hit.Related && !p.hit.Answers && slices.ContainsFunc(b.names, claimOf(p.hit.Source+" "+p.hit.Target).hasStem) {
		return false // the relation the other way round: "Dana's boss is Hugo" names no boss of Hugo
	}
	means := b.near[p.ID] || slices.ContainsFunc(p.hit.Episodes, func(id uuid.UUID) bool { return b.near[id] })
	if means && !b.timeOnly {
		return true
	}
	return slices.ContainsFunc(p.stated(), func(said claim) bool {
		ofThem := len(b.names) == 0 || slices.ContainsFunc(b.names, said.hasStem) || b.speaks && p.Kind == graph.KindEpisode
		return ofThem && (slices.ContainsFunc(b.words, said.hasStem) || len(b.words) == 0 && !b.timeOnly)
	})
}

// stated returns the words of a passage's statements and of its speaker, without questions.
// Summaries are split into sentences, since each has another subject.
func (p *passage) stated() []claim {
	if p.Kind == graph.KindFact {
		return []claim{claimOf(graph.SearchText(p.line, p.hit.Predicate))}
	}
	if p.Kind == graph.KindEpisode {
		all := claimOf(p.speaker + ", " + p.more)
		for _, one := range p.parts() {
			all.words, all.lower = append(all.words, one.words...), append(all.lower, one.lower...)
		}
		return []claim{all}
	}
	var each []claim
	for _, sentence := range sentencesOf(p.body) {
		each = append(each, claimOf(p.about+": "+sentence))
	}
	return each
}
