package retrieval

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/retrieval/prose"
	"github.com/annalsdb/annals/retrieval/relation"
	"github.com/annalsdb/annals/temporal"
)

// A question that names an entity and a relation, "Where does Nora work?", is also answered along
// the graph: by the facts of that relation that start from the entity or lead to it, whatever their
// words. Facts that hold come first, then plans, events, and facts that have ended.

const (
	namedRows     = 200 // facts read of each entity and direction, and as many again of the relations
	mostAnswers   = 6   // facts that hold or happened
	mostFormer    = 3   // facts that have ended
	enoughShared  = 0.5 // share of the question's words from which a fact answers it
	nearByMeaning = 0.5 // nearness, where the nearest row has 1, from which a row bears on the question
)

// answering is a fact of an entity that the question names, with how it answers.
type answering struct {
	db.NamedFactsRow
	fit   float64 // of its relation
	score float64
	ended bool
	over  bool // it says that something ended
}

// shownAt reports whether the fact may be shown as of a time.
func (a answering) shownAt(at time.Time) bool {
	valid := temporal.Validity{Interval: db.Interval(a.Valid), From: temporal.Bound{Basis: a.FromBasis}}
	f := graph.Fact{Kind: a.Kind, Valid: valid}
	if a.SaidAt != nil {
		f.SaidAt = *a.SaidAt
	}
	return f.ShownAt(at)
}

// relating answers a question by its relations.
type relating struct {
	*view
	relations []relation.Relation // that the question asks about
	askedBy   []string            // the words that ask about them
	turned    bool                // it asks in the inverse direction: "Whose boss is Ana?"
	found     bool                // some answers are states, or of one of the relations
	kinOnly   bool                // it asks about a relative, and nothing is known of that
}

// asksGraph reports whether the question is also answered along the graph.
func (p *plan) asksGraph() bool {
	return p.wants(graph.KindFact) && p.uses(MethodTerms) && p.uses(MethodVector) && (!p.query.Conversation || strings.ContainsAny(p.query.Text, prose.QuestionMarks))
}

// look reads, together with the shape of the group, the facts of the entities that the question
// names. They answer by their relation, or only weigh more.
func (r *relating) look(together *db.Together) {
	if !r.asksGraph() && !(r.wants(graph.KindFact) && r.fits(graph.KindFact)) {
		return
	}
	asker := ""
	if r.asksGraph() {
		r.relations, r.askedBy = relation.Asked(r.query.Text)
		r.turned = relation.IsTurned(r.query.Text)
		asker = r.question.asker
	}
	named := r.namedFacts(prose.WithoutClass(r.query.Text), nil)
	named.Asker = asker
	together.FactsOfNamed(*named, r.knownAt(), &r.looked.related)
}

func (r *relating) namedFacts(text string, ids []uuid.UUID) *db.NamedFactsParams {
	predicates := []string{}
	for _, one := range r.relations {
		for _, p := range one.Listed() {
			predicates = append(predicates, p, graph.NoLonger+p)
		}
	}
	if ids == nil {
		ids = []uuid.UUID{}
	}
	p := &db.NamedFactsParams{GroupID: r.query.GroupID, Query: text, Ids: ids, MaxRows: namedRows, Predicates: predicates, Trust: r.trusted()}
	if r.asksWhatHappened() {
		p.HappenedFrom, p.HappenedUntil = &r.times[0].interval.Start, &r.times[0].interval.End
	}
	return p
}

// answer ranks the facts that answer the question by their relation.
func (r *relating) answer(ctx context.Context) ([]scored, error) {
	rows := ofWholeNames(r.looked.related)
	if len(rows) == 0 {
		return nil, nil
	}
	defer r.explanation.timed(string(graph.KindFact) + " " + string(MethodRelation))()
	r.relations = r.relationsBeside(rows)
	further := r.answersFurther(rows)
	relations := r.relations
	if len(further) > 0 || r.kinOnly { // not what her husband's wife works as
		relations = slices.DeleteFunc(slices.Clone(relations), func(one relation.Relation) bool { return !one.Kin })
	}
	found := r.chosen(append(further, r.answeringOf(rows, relations, r.contentOf(rows))...))
	r.found = slices.ContainsFunc(found, func(a answering) bool { return a.fit > 0 || a.Kind != graph.FactEvent })
	ranking := each.Of(found, func(a answering) scored { return scored{a.ID, a.score} })
	if r.narrows(graph.KindFact) {
		return r.thatMayBeFound(ctx, ranking)
	}
	return ranking, nil
}

// askGraph adds the ranking of the facts that answer by their relation.
func (v *view) askGraph(ctx context.Context, found rankings) error {
	if found == nil {
		return nil
	}
	answers, err := v.relating.answer(ctx)
	if err != nil {
		return err
	}
	v.answers, v.near = map[uuid.UUID]bool{}, map[uuid.UUID]bool{}
	for _, a := range answers {
		v.answers[a.ID], v.near[a.ID] = !v.relating.kinOnly, v.relating.kinOnly
	}
	for _, a := range v.relating.allOfFew() {
		if v.near[a.ID] = true; !v.answers[a.ID] {
			answers = append(answers, a)
		}
	}
	if len(answers) > 0 {
		found[MethodRelation] = answers
	}
	return nil
}

// findNear notes the facts and episodes whose meaning is near to the question. The facts of an
// entity with few are noted already.
func (v *view) findNear(found map[graph.Kind]rankings) {
	if v.near == nil {
		v.near = map[uuid.UUID]bool{}
	}
	if v.lexical() {
		return
	}
	for _, kind := range []graph.Kind{graph.KindFact, graph.KindEpisode} {
		for id, near := range nearness(found[kind][MethodVector], v.nearby(kind)) {
			v.near[id] = v.near[id] || near >= nearByMeaning
		}
	}
}

// fewFacts is how many facts of the named entities a context has room for. If there are no more,
// all are shown, whatever words the question uses.
const fewFacts = 12

// allOfFew returns all facts of the named entities, if they are few and none answers by its
// relation: facts that hold first, ended ones last. They rank behind all other hits.
func (r *relating) allOfFew() []scored {
	rows := r.looked.related
	if r.found || !r.query.Changes || len(rows) > fewFacts || r.narrows(graph.KindFact) {
		return nil
	}
	var all []answering
	for _, row := range rows {
		a := answering{NamedFactsRow: row, over: graph.Relation(row.Predicate) != row.Predicate}
		if r.atItsTime(&a) {
			all = append(all, a)
		}
	}
	few := r.chosen(all)
	return each.Of(few, func(a answering) scored { return scored{a.ID, a.score * leastScore} })
}

// leastScore is a factor that makes a score less than any that fusion gives.
const leastScore = 1e-3

// thatMayBeFound keeps the facts that the filter lets pass, ended ones too.
func (v *view) thatMayBeFound(ctx context.Context, ranking []scored) ([]scored, error) {
	if v.asKnown(graph.KindFact) {
		withEnded := *v
		withEnded.query.IncludeEnded = true
		return withEnded.thatCouldBeFound(ctx, graph.KindFact, ranking)
	}
	ids, err := v.queries.FactsPassing(ctx, db.FactsPassingParams{
		GroupID: v.query.GroupID, Ids: idsOf(ranking), Filter: v.filterOf(graph.KindFact), ValidAt: v.validAt(), IncludeEnded: true,
	})
	return slices.DeleteFunc(ranking, func(s scored) bool { return !slices.Contains(ids, s.ID) }), err
}

// contentOf returns the words of the question that name neither an entity, a relation nor a time.
func (r *relating) contentOf(rows []db.NamedFactsRow) []string {
	names := map[string]bool{}
	for _, row := range rows {
		if row.Outgoing {
			for _, word := range prose.Words(row.Source) {
				names[word] = true
			}
		}
	}
	text := prose.WithoutTimes(r.query.Text, r.query.askedAt())
	if r.asksWhatHappened() {
		text = asksDone().ReplaceAllString(text, " ")
	}
	return slices.DeleteFunc(prose.TellingWords(text), func(word string) bool { return names[word] || prose.Holds(r.askedBy, word) })
}

// answeringOf returns the facts that answer: by one of the relations, by both their entities, or by
// their words.
func (r *relating) answeringOf(rows []db.NamedFactsRow, relations []relation.Relation, content []string) []answering {
	ends, named := map[uuid.UUID]int{}, map[uuid.UUID]bool{}
	for _, row := range rows {
		ends[row.ID]++ // twice if the question names both entities
		named[row.By()] = true
	}
	happened := r.asksWhatHappened()
	about := len(relations) == 0 && len(content) == 0 && len(named) == 1 // "Who is Nora?"
	var found []answering
	seen := map[uuid.UUID]bool{}
	_, before, _ := strings.Cut(r.query.Text, " before ")
	when := prose.Words(before)
	for _, row := range rows {
		a := answering{NamedFactsRow: row, over: graph.Relation(row.Predicate) != row.Predicate}
		a.fit = r.fitOfRelation(row, relations)
		shared := sharedOf(without(content, prose.Words(namedEnd(row))), prose.Words(strings.ReplaceAll(row.Predicate, "_", " ")+" "+row.Fact+" "+row.Target))
		mine := r.question.asker != "" && !row.Outgoing && strings.EqualFold(row.Source, r.question.asker) // "my appointment"
		both := ends[row.ID] > 1 || mine
		answers := a.fit > 0 || both || shared >= enoughShared || about && row.Outgoing
		if happened {
			answers = r.happenedThen(row) && (len(content) == 0 || shared >= enoughShared)
		}
		if seen[row.ID] || !answers || !r.atItsTime(&a) {
			continue
		}
		seen[row.ID] = true
		a.score += 4*a.fit + shared
		if len(without(prose.Words(row.Target), when)) == 0 { // it only says when: "Where did she work before Casa Azul?"
			a.score -= 5
		}
		if about && row.Kind == graph.FactEvent && asksDone().MatchString(r.query.Text) {
			a.score += 5
		}
		if both {
			a.score += 2
		}
		found = append(found, a)
	}
	return append(found, r.beside(found, rows)...)
}

// beside returns what held before: the ended facts of the relations that answer, if such a relation
// holds one value at a time.
func (r *relating) beside(found []answering, rows []db.NamedFactsRow) []answering {
	var more []answering
	for _, row := range rows {
		same := func(a answering) bool {
			return a.SourceID == row.SourceID && a.Predicate == row.Predicate && relation.IsSingle(a.Predicate)
		}
		is := func(a answering) bool { return a.ID == row.ID }
		a := answering{NamedFactsRow: row}
		if slices.ContainsFunc(found, same) && !slices.ContainsFunc(found, is) && !slices.ContainsFunc(more, is) && r.atItsTime(&a) && a.ended {
			more = append(more, a)
		}
	}
	return more
}

// namedEnd is the name of the entity by which a fact was found.
func namedEnd(row db.NamedFactsRow) string {
	if row.Outgoing {
		return row.Source
	}
	return row.Target
}

// fitOfRelation is how well a fact answers by its relation, from 0 to 1. A predicate that no
// relation lists fits less well, if it has a word of the question, or its fact a thing that the
// relation is about.
func (r *relating) fitOfRelation(row db.NamedFactsRow, relations []relation.Relation) float64 {
	predicate := graph.Relation(row.Predicate)
	if len(relations) == 0 || relation.OfOtherSex(predicate, r.query.Text, row.Outgoing) {
		return 0
	}
	best := 0.0
	for _, one := range relations {
		if !one.AnsweredBy(predicate, row.Fact, row.Outgoing, r.turned) && !(one.Planned && r.isPlan(row)) {
			continue
		}
		if place := one.Place(predicate); place >= 0 || one.Planned {
			best = max(best, 1-0.01*float64(max(place, 0)))
		} else {
			best = max(best, 0.7)
		}
	}
	if best > 0 || slices.ContainsFunc(r.relations, func(one relation.Relation) bool { return one.Place(predicate) >= 0 }) {
		return best
	}
	words := prose.Words(strings.ReplaceAll(predicate, "_", " "))
	if slices.ContainsFunc(r.askedBy, func(word string) bool { return prose.Holds(words, word) }) {
		return 0.8
	}
	return 0
}

// isPlan reports whether a fact is an intention, or begins later.
func (r *relating) isPlan(row db.NamedFactsRow) bool {
	return strings.HasPrefix(row.Predicate, "PLANS_") || strings.HasPrefix(row.Predicate, "WANTS_") ||
		db.Interval(row.Valid).Start.After(r.now())
}

// sharedOf is the share of the question's words that a text has.
func sharedOf(question, text []string) float64 {
	n := 0
	for _, word := range question {
		if prose.Holds(text, word) {
			n++
		}
	}
	return float64(n) / math.Max(1, float64(len(question)))
}

// chosen returns the best facts: up to mostAnswers that hold or happened and, if the query asks for
// former ones, up to mostFormer that have ended.
func (r *relating) chosen(all []answering) []answering {
	slices.SortStableFunc(all, func(a, b answering) int {
		return cmp.Or(cmp.Compare(b.score, a.score), db.Interval(b.Valid).Start.Compare(db.Interval(a.Valid).Start))
	})
	former := r.query.Former || r.query.IncludeEnded
	var chosen []answering
	answers, ended := 0, 0
	for _, a := range all {
		switch {
		case a.repeated(all) || a.tellsEndOf(all) || a.ended && r.onlyEndedThen(a, all):
			continue
		case a.ended && (!former || ended == mostFormer), !a.ended && answers == mostAnswers:
			continue
		case a.ended:
			ended++
		default:
			answers++
		}
		chosen = append(chosen, a)
	}
	for i := range chosen {
		chosen[i].score = 1 + 0.2*float64(len(chosen)-i) // any step is more than fusion gives
	}
	return chosen
}

// repeated reports whether another fact has said the same since an earlier time.
func (a answering) repeated(others []answering) bool {
	return slices.ContainsFunc(others, func(o answering) bool {
		same := o.SourceID == a.SourceID && o.TargetID == a.TargetID && o.Predicate == a.Predicate && o.Kind == graph.FactState && a.Kind == graph.FactState
		return same && !a.ended && !o.ended && cmp.Or(db.Interval(o.Valid).Start.Compare(db.Interval(a.Valid).Start), slices.Compare(o.ID[:], a.ID[:])) < 0
	})
}

// tellsEndOf reports whether a fact only says that one of the others has ended.
func (a answering) tellsEndOf(others []answering) bool {
	return relation.OnlyEnds(a.Fact) && slices.ContainsFunc(others, func(o answering) bool {
		return o.ended && a.isEndOf(o)
	})
}

// isEndOf reports whether a fact that something is over is the end of another one.
func (a answering) isEndOf(o answering) bool {
	return a.over && o.SourceID == a.SourceID && o.TargetID == a.TargetID && o.Predicate == graph.Relation(a.Predicate)
}
