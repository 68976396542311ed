package retrieval

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/retrieval/relation"
)

// ofRelative finds that something is asked of a relative: "Where does her boss live?", and
// not "Where did she live before she married?"
var ofRelative = pattern.New(`(?i)(?:['’]s|\b(?:her|his|their|my|our|your)) (?:\w+ )?(?:husband|wife|spouse|fianc\w+|partner|boyfriend|girlfriend|boss|manager|supervisor|` +
	`siblings?|brothers?|sisters?|parents?|mother|father|mum|mom|dad|child|children|kids?|sons?|daughters?|baby)\b`)

// asksWho finds that a question is answered by somebody: "Who is her boss at work?"
var asksWho = pattern.New(`(?i)\b(?:who|whom|whose)\b`)

// answersFurther goes one step on where the question asks something of somebody that it
// knows by another: "Where does Nora's husband work?"
func (r *relating) answersFurther(ctx context.Context, rows []db.NamedFactsRow) ([]answering, error) {
	var kin, asked []relation.Relation
	for _, one := range r.relations {
		if one.Kin {
			kin = append(kin, one)
		} else {
			asked = append(asked, one)
		}
	}
	if len(kin) == 0 || len(asked) == 0 {
		return nil, nil
	}
	var people []uuid.UUID
	for _, row := range rows {
		if r.fitOfRelation(row, kin) > 0 && graph.Relation(row.Predicate) == row.Predicate && r.heldWhenAsked(row) {
			people = append(people, row.Other())
		}
	}
	if len(people) == 0 {
		return nil, nil
	}
	theirs, err := r.queries.FactsOfNamed(ctx, *r.namedFacts("", people), r.knownAt())
	if err != nil {
		return nil, err
	}
	theirs = slices.DeleteFunc(theirs, func(row db.NamedFactsRow) bool { return !row.Outgoing || r.fitOfRelation(row, asked) == 0 })
	found := r.answeringOf(theirs, asked, r.contentOf(rows))
	r.kinOnly = len(found) == 0 && ofRelative().MatchString(r.query.Text) && !asksWho().MatchString(r.query.Text)
	for i := range found {
		found[i].score += 4
	}
	return found, nil
}

// heldWhenAsked reports whether a fact held at one of the times that the question names;
// where it names none, whether it holds.
func (r *relating) heldWhenAsked(row db.NamedFactsRow) bool {
	a := answering{NamedFactsRow: row}
	if !r.atItsTime(&a) {
		return false
	}
	return len(r.times) == 0 && !a.ended || slices.ContainsFunc(r.times, func(asked askedTime) bool { return asked.fit(db.Interval(row.Valid), r.now()) > noFit })
}
