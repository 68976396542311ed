package retrieval

import (
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/retrieval/prose"
	"github.com/annalsdb/annals/retrieval/relation"
)

// ofRelative finds questions about a relative: "Where does her boss live?", and not "Where did she
// live before she married?"
var ofRelative = pattern.New(`(?i)(?:['’]s|\b(?:her|his|their|my|our|your)) (?:\w+ )?(?:husband|wife|spouse|fianc\w+|partner|boyfriend|girlfriend|boss|manager|supervisor|` +
	`siblings?|brothers?|sisters?|parents?|mother|father|mum|mom|dad|child|children|kids?|sons?|daughters?|baby|colleague|co-?worker|friend|neighbou?r|cousin|aunt|uncle|niece|nephew|grand(?:mother|father|ma|pa))\b`)

// asksWho finds questions that a person answers: "Who is her boss at work?"
var asksWho = pattern.New(`(?i)\b(?:who|whom|whose)\b`)

// split divides the relations of the question: those that lead to a relative, and those asked of
// that relative.
func (r *relating) split() (kin, asked []relation.Relation) {
	for _, one := range r.relations {
		if one.Kin {
			kin = append(kin, one)
		} else {
			asked = append(asked, one)
		}
	}
	return kin, asked
}

// lookFurther reads the facts of relatives, if the question asks about them: "Where does Nora's
// husband work?"
func (r *relating) lookFurther(together *db.Together) {
	kin, asked := r.split()
	if len(kin) == 0 || len(asked) == 0 {
		return
	}
	if people := r.relatives(kin, func(db.NamedFactsRow) bool { return true }); len(people) > 0 {
		together.FactsOfNamed(*r.namedFacts("", people), r.knownAt(), &r.around.further)
	}
}

// ofWholeNames leaves out the facts of an entity whose name is only part of another named entity's
// name: Ben, in "Ben's mother", if she has no other name.
func ofWholeNames(rows []db.NamedFactsRow) []db.NamedFactsRow {
	names := each.Map(rows, func(row db.NamedFactsRow) (uuid.UUID, []string) { return row.By(), prose.Words(namedEnd(row)) })
	within := func(id uuid.UUID) bool {
		for _, other := range names {
			if len(other) > len(names[id]) && len(without(names[id], other)) == 0 {
				return true
			}
		}
		return false
	}
	return slices.DeleteFunc(slices.Clone(rows), func(row db.NamedFactsRow) bool { return within(row.By()) })
}

// relationsBeside returns the relations of the question, not counting words that are the name of
// somebody's thing: "When is Sam's team meeting?" asks about no team.
func (r *relating) relationsBeside(rows []db.NamedFactsRow) []relation.Relation {
	text := r.query.Text
	for _, row := range rows {
		if _, thing, owned := strings.Cut(namedEnd(row), "'s "); owned {
			text = strings.ReplaceAll(text, thing, " ")
		}
	}
	if text == r.query.Text {
		return r.relations
	}
	asked, _ := relation.Asked(text)
	return asked
}

// relatives returns the relatives of the named entities: those that kin facts lead to, or else
// those that such facts start from. For "Ben's brother Kim" it is Kim.
func (r *relating) relatives(kin []relation.Relation, by func(db.NamedFactsRow) bool) []uuid.UUID {
	var to, from []uuid.UUID
	for _, row := range r.looked.related {
		switch {
		case r.fitOfRelation(row, kin) == 0 || graph.Relation(row.Predicate) != row.Predicate || !by(row):
		case row.Outgoing:
			to = append(to, row.Other())
		default:
			from = append(from, row.Other())
		}
	}
	if len(to) > 0 {
		return to
	}
	return from
}

// answersFurther returns the answering facts of a relative, one step on in the graph. The relative
// is that of the time asked about.
func (r *relating) answersFurther(rows []db.NamedFactsRow) []answering {
	kin, asked := r.split()
	people := r.relatives(kin, r.heldWhenAsked)
	if len(asked) == 0 || len(people) == 0 {
		return nil
	}
	theirs := slices.DeleteFunc(r.around.further, func(row db.NamedFactsRow) bool { return !row.Outgoing || r.fitOfRelation(row, asked) == 0 })
	found := r.answeringOf(theirs, asked, r.contentOf(rows))
	r.kinOnly = len(found) == 0 && ofRelative().MatchString(r.query.Text) && !asksWho().MatchString(r.query.Text)
	for i := range found {
		found[i].score += 4
	}
	return found
}

// heldWhenAsked reports whether a fact held at one of the question's times or, if there are none,
// holds now.
func (r *relating) heldWhenAsked(row db.NamedFactsRow) bool {
	a := answering{NamedFactsRow: row}
	if !r.atItsTime(&a) {
		return false
	}
	return len(r.times) == 0 && !a.ended || slices.ContainsFunc(r.times, func(asked askedTime) bool { return asked.fit(db.Interval(row.Valid), r.now()) > noFit })
}
