// Package observe keeps observations, which state what several facts together show.
package observe

import (
	"context"
	"crypto/md5"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
	"github.com/kljensen/snowball/english"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/lock"
	"github.com/annalsdb/annals/engine/matching"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/prompts"
)

// observedEpisodes is how many new episodes there must be before a model is asked, so that
// observations take at most a quarter of a call per episode.
const observedEpisodes = 8

// Observer keeps the observations of groups.
type Observer struct {
	Pool    db.Pool
	Analyst analyst.Analyst
	Locks   *lock.Locks
	Always  bool // in every group, not only where [Observer.Observe] was called
}

// Observe counts repeated facts, asks a model what else the facts of a group show, and makes the
// group keep observations from then on.
func (o *Observer) Observe(ctx context.Context, groupID string) error {
	if err := graph.ValidateGroupID(groupID); err != nil {
		return err
	}
	err := o.Locks.Hold(ctx, groupID, func() error {
		if err := db.New(o.Pool).ObservationsBegin(ctx, groupID); err != nil {
			return err
		}
		return o.observe(ctx, groupID, 1, true)
	})
	return change.Failed(err, "find observations of %s", groupID)
}

// Tend updates the observations of a group that keeps them.
func (o *Observer) Tend(ctx context.Context, groupID string, kept bool) error {
	if o.Always {
		if err := db.New(o.Pool).ObservationsBegin(ctx, groupID); err != nil {
			return err
		}
	} else if !kept {
		return nil
	}
	return o.observe(ctx, groupID, observedEpisodes, false)
}

// observe counts new facts, or all anew, and asks a model if there are enough new episodes.
func (o *Observer) observe(ctx context.Context, groupID string, episodes int, anew bool) error {
	var seen []observed
	var through time.Time
	if viewer, ok := o.Analyst.(analyst.Observer); ok {
		var err error
		if through, seen, err = o.look(ctx, viewer, groupID, episodes); err != nil {
			return errors.Join(err, o.store(ctx, groupID, time.Time{}, nil, anew))
		}
	}
	return o.store(ctx, groupID, through, seen, anew)
}

func (o *Observer) store(ctx context.Context, groupID string, through time.Time, seen []observed, anew bool) error {
	return change.Locked(ctx, o.Pool, groupID, func(q *db.Queries) error {
		if err := q.BeginWrite(ctx, groupID); err != nil {
			return err
		}
		for _, one := range seen {
			if err := one.write(ctx, q, groupID, o.Analyst.Name()); err != nil {
				return err
			}
		}
		ids := each.Of(seen, observed.id)
		if err := q.ObservationsRestate(ctx, db.ObservationsRestateParams{GroupID: groupID, Ids: ids}); err != nil {
			return err
		}
		if !through.IsZero() {
			if err := q.ObservationRunSet(ctx, db.ObservationRunSetParams{GroupID: groupID, Through: through}); err != nil {
				return err
			}
		}
		return q.ObservationsCount(ctx, db.ObservationsCountParams{GroupID: groupID, Anew: anew})
	})
}

// observed is an observation that a model made about one subject.
type observed struct {
	subject             uuid.UUID
	predicate, text     string
	meaning             string
	supporting, against []uuid.UUID
}

// id derives the id from the content, so that the same observation keeps its id.
func (o observed) id() uuid.UUID {
	return md5.Sum([]byte(o.subject.String() + o.predicate + o.meaning)) // an id, not a secret
}

func (o observed) write(ctx context.Context, q *db.Queries, groupID, reader string) error {
	err := q.ObservationUpsert(ctx, db.ObservationUpsertParams{
		GroupID: groupID, ID: o.id(), SubjectID: o.subject, Predicate: o.predicate, Meaning: o.meaning, Observation: o.text, Reader: reader,
	})
	if err != nil {
		return err
	}
	return q.ObservationFactsInsert(ctx, db.ObservationFactsInsertParams{
		GroupID: groupID, ObservationID: o.id(), Supporting: append([]uuid.UUID{}, o.supporting...), Against: append([]uuid.UUID{}, o.against...),
	})
}

// look asks a model. It drops observations that rest on fewer than two facts of one subject.
func (o *Observer) look(ctx context.Context, viewer analyst.Observer, groupID string, episodes int) (time.Time, []observed, error) {
	q := db.New(o.Pool)
	through, err := q.ObservationsThrough(ctx, groupID)
	if err != nil {
		return time.Time{}, nil, err
	}
	ctx = model.WithSubject(ctx, model.Subject{GroupID: groupID})
	rows, err := q.ObservationsSource(ctx, db.ObservationsSourceParams{GroupID: groupID, MaxSubjects: prompts.MaxObserved, MaxFacts: prompts.MaxObservedOf})
	if err != nil || len(rows) == 0 || int(rows[0].Episodes) < episodes {
		return time.Time{}, nil, err
	}
	stored, err := q.ObservationList(ctx, db.ObservationListParams{GroupID: groupID, Ended: true, MaxRows: maxKnownObservations})
	if err != nil {
		return time.Time{}, nil, err
	}
	times, err := timesOf(ctx, q, groupID, rows)
	if err != nil {
		return time.Time{}, nil, err
	}
	answer, err := viewer.DeriveObservations(ctx, questionOf(rows, times))
	if err != nil {
		return time.Time{}, nil, analyst.Failed(ctx, "observe", err)
	}
	var known []observed
	for _, row := range stored {
		if row.Reader != "offline" {
			known = append(known, observed{subject: row.SubjectID, predicate: row.Predicate, text: row.Observation})
		}
	}
	var seen []observed
	for _, said := range answer.Observations {
		if o, ok := seenIn(rows, said); ok {
			seen = append(seen, o.reconciled(slices.Concat(known, seen)))
		}
	}
	return through, seen, nil
}

// maxKnownObservations is how many known observations a new one is compared with.
const maxKnownObservations = 2000

func timesOf(ctx context.Context, q *db.Queries, groupID string, rows []db.ObservationsSourceRow) (map[uuid.UUID]string, error) {
	ids := each.Of(rows, func(row db.ObservationsSourceRow) uuid.UUID { return row.ID })
	facts, err := q.FactsByIDs(ctx, db.FactsByIDsParams{GroupID: groupID, Ids: ids})
	now := time.Now()
	times := make(map[uuid.UUID]string, len(facts))
	for _, row := range facts {
		times[row.ID] = db.Fact(row).When(now)
	}
	return times, err
}

func questionOf(rows []db.ObservationsSourceRow, times map[uuid.UUID]string) prompts.DeriveObservations {
	var q prompts.DeriveObservations
	for i, row := range rows {
		if i == 0 || rows[i-1].SubjectID != row.SubjectID {
			q.Subjects = append(q.Subjects, prompts.ObservedSubject{Name: row.Subject})
		}
		of := &q.Subjects[len(q.Subjects)-1]
		of.Facts = append(of.Facts, prompts.ObservedFact{ID: i + 1, Predicate: row.Predicate, Fact: row.Told, When: times[row.ID]})
	}
	return q
}

// seenIn validates an observation against the facts that were shown.
func seenIn(rows []db.ObservationsSourceRow, said prompts.DerivedObservation) (observed, bool) {
	o := observed{predicate: wording.Predicate(said.Predicate), text: strings.TrimSpace(said.Observation)}
	shown := func(numbers []int) []uuid.UUID {
		var ids []uuid.UUID
		for _, n := range numbers {
			if n < 1 || n > len(rows) || o.subject != uuid.Nil && rows[n-1].SubjectID != o.subject || slices.Contains(ids, rows[n-1].ID) {
				continue
			}
			o.subject = rows[n-1].SubjectID
			ids = append(ids, rows[n-1].ID)
		}
		return ids
	}
	o.supporting = shown(said.Facts)
	o.against = slices.DeleteFunc(shown(said.Against), func(id uuid.UUID) bool { return slices.Contains(o.supporting, id) })
	o.meaning = strings.Join(meaningOf(o.text), " ")
	ok := len(o.supporting) >= 2 && o.predicate != "" && o.meaning != "" && len(o.text) <= prompts.MaxObservation
	return o, ok && graph.ValidateText("observation", o.text, prompts.MaxObservation) == nil
}

// reconciled replaces the words of an observation by those of a known one that says the same.
func (o observed) reconciled(known []observed) observed {
	for _, k := range known {
		if k.subject == o.subject && alikeInMeaning(meaningOf(k.text), meaningOf(o.text)) {
			o.predicate, o.text, o.meaning = k.predicate, k.text, strings.Join(meaningOf(k.text), " ")
			return o
		}
	}
	return o
}

// alikeInMeaning reports whether two observations share most of their words.
func alikeInMeaning(a, b []string) bool {
	both := 0
	for _, word := range a {
		if slices.Contains(b, word) {
			both++
		}
	}
	return both > 0 && float64(both) >= sameMeaning*float64(len(a)+len(b)-both)
}

// sameMeaning is the least share of common words of two observations that say the same.
const sameMeaning = 0.75

// meaningOf returns the stems of all words but stop words, sorted.
func meaningOf(text string) []string {
	var stems []string
	for _, word := range strings.FieldsFunc(matching.Fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) }) {
		if !english.IsStopWord(word) {
			stems = append(stems, english.Stem(word, true))
		}
	}
	slices.Sort(stems)
	return slices.Compact(stems)
}
