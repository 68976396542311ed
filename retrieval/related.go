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

// A question that names somebody and a relation, "Where does Nora work?", asks the
// graph by its shape: the facts of that relation which start from her or lead to her
// answer it, whatever words they have. What holds comes first, then what is planned,
// what happened, and what has ended.

const (
	namedRows     = 200 // facts that are looked at of each entity and direction, and again of the relations
	mostAnswers   = 6   // facts of those that hold or happened, which come first
	mostFormer    = 3   // that have ended
	enoughShared  = 0.5 // of the words of a question: a fact that has so many answers it
	nearByMeaning = 0.5 // of the nearness of the nearest fact: one so near bears on the question
)

// answering is a fact of an entity that the question names, and how it answers.
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
	askedBy   []string            // the words by which it does
	turned    bool                // it asks for whom somebody is the relation of
	found     bool                // some facts say how things are, or are of one of the relations
	kinOnly   bool                // it asks something of a relative of whom that is not known
}

// asksGraph reports whether the question is asked of the graph by its shape.
func (p *plan) asksGraph() bool {
	return p.wants(graph.KindFact) && p.uses(MethodTerms) && p.uses(MethodVector) && (!p.query.Conversation || strings.ContainsAny(p.query.Text, prose.QuestionMarks))
}

// look reads, with the shape of a group, the facts of whom the question names: to answer by
// relations, or to let them count more.
func (r *relating) look(together *db.Together) {
	if !r.asksGraph() && !(r.wants(graph.KindFact) && r.fits(graph.KindFact)) {
		return
	}
	if r.asksGraph() {
		r.relations, r.askedBy = relation.Asked(r.query.Text)
		r.turned = relation.IsTurned(r.query.Text)
	}
	together.FactsOfNamed(*r.namedFacts(r.query.Text, nil), r.knownAt(), &r.looked.related)
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

// findNear notes which facts and episodes mean about what the question does, beside what
// few facts of whom it names are known at all.
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

// fewFacts are so few of whom a question names that a context has room for all: whatever
// words it asks with, it asks of these.
const fewFacts = 12

// allOfFew are the facts of whom the question names, where there are few and none answers
// by its relation: what holds first, what has ended last. They come behind what was found.
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

// leastScore makes a score less than any that fusion gives.
const leastScore = 1e-3

// thatMayBeFound are those that the filter lets pass, whether or not they have ended.
func (v *view) thatMayBeFound(ctx context.Context, ranking []scored) ([]scored, error) {
	if v.asKnown(graph.KindFact) {
		return v.thatCouldBeFound(ctx, graph.KindFact, ranking)
	}
	ids, err := v.queries.FactsPassing(ctx, db.FactsPassingParams{
		GroupID: v.query.GroupID, Ids: idsOf(ranking), Filter: v.filterOf(graph.KindFact), ValidAt: v.validAt(), IncludeEnded: true,
	})
	return slices.DeleteFunc(ranking, func(s scored) bool { return !slices.Contains(ids, s.ID) }), err
}

// contentOf are the words of the question that say neither who nor of what relation.
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

// answeringOf are those of the facts that answer by one of the relations, by both their
// ends or by their words.
func (r *relating) answeringOf(rows []db.NamedFactsRow, relations []relation.Relation, content []string) []answering {
	ends, named := map[uuid.UUID]int{}, map[uuid.UUID]bool{}
	for _, row := range rows {
		ends[row.ID]++ // from either end, where the question names both
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
		both := ends[row.ID] > 1
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

// beside are the other facts of the relations that answer, where one holds at a time: what
// somebody was before.
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

// namedEnd is the name of the end by which a fact was found.
func namedEnd(row db.NamedFactsRow) string {
	if row.Outgoing {
		return row.Source
	}
	return row.Target
}

// fitOfRelation is how well a fact answers by its relation, up to 1; 0: not at all. A
// predicate that none lists fits a little less well, if it has a word of the question.
func (r *relating) fitOfRelation(row db.NamedFactsRow, relations []relation.Relation) float64 {
	predicate := graph.Relation(row.Predicate)
	if len(relations) == 0 || relation.OfOtherSex(predicate, r.query.Text, row.Outgoing) {
		return 0
	}
	best := 0.0
	for _, one := range relations {
		if one.AnsweredBy(predicate, row.Fact, row.Outgoing, r.turned) || one.Planned && r.isPlan(row) {
			best = max(best, 1-0.01*float64(max(one.Place(predicate), 0)))
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

// isPlan reports whether a fact tells of what somebody means to do, or of what is to begin.
func (r *relating) isPlan(row db.NamedFactsRow) bool {
	return strings.HasPrefix(row.Predicate, "PLANS_") || strings.HasPrefix(row.Predicate, "WANTS_") ||
		db.Interval(row.Valid).Start.After(r.now())
}

// sharedOf is the share of the words of a question that a text has.
func sharedOf(question, text []string) float64 {
	n := 0
	for _, word := range question {
		if prose.Holds(text, word) {
			n++
		}
	}
	return float64(n) / math.Max(1, float64(len(question)))
}

// chosen are the best of them: some that hold or happened, and of what has ended some
// where the query asks for it or the question does.
func (r *relating) chosen(all []answering) []answering {
	slices.SortStableFunc(all, func(a, b answering) int {
		return cmp.Or(cmp.Compare(b.score, a.score), db.Interval(b.Valid).Start.Compare(db.Interval(a.Valid).Start))
	})
	former := r.query.Former || r.query.IncludeEnded
	var chosen []answering
	answers, ended := 0, 0
	for _, a := range all {
		switch {
		case a.repeated(all) || a.over && a.tellsEndOf(all) || a.ended && r.onlyEndedThen(a, all):
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

// repeated reports whether a fact only says again what one of the others has said since
// before.
func (a answering) repeated(others []answering) bool {
	return slices.ContainsFunc(others, func(o answering) bool {
		same := o.SourceID == a.SourceID && o.TargetID == a.TargetID && o.Predicate == a.Predicate && o.Kind == graph.FactState && a.Kind == graph.FactState
		return same && !a.ended && !o.ended && cmp.Or(db.Interval(o.Valid).Start.Compare(db.Interval(a.Valid).Start), slices.Compare(o.ID[:], a.ID[:])) < 0
	})
}

// tellsEndOf reports whether one of the others is what a fact says the end of, and no more.
func (a answering) tellsEndOf(others []answering) bool {
	return relation.OnlyEnds(a.Fact) && slices.ContainsFunc(others, func(o answering) bool {
		return o.ended && o.SourceID == a.SourceID && o.TargetID == a.TargetID && o.Predicate == graph.Relation(a.Predicate)
	})
}
