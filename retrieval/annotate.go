package retrieval

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// Annotate adds to hits of one group that no search found what became of them, as
// [Query.Changes] does: rows of a list are hits without a score. Of the query only the
// group matters, and the times at which and as of which they are read.
func Annotate(ctx context.Context, queries *db.Queries, q Query, r *Result) error {
	ids := map[graph.Kind][]uuid.UUID{
		graph.KindFact:    each(r.Facts, func(h FactHit) uuid.UUID { return h.ID }),
		graph.KindEntity:  each(r.Entities, func(h EntityHit) uuid.UUID { return h.ID }),
		graph.KindEpisode: each(r.Episodes, func(h EpisodeHit) uuid.UUID { return h.ID }),
	}
	reading := cmp.Or(q.readAt(), time.Now())
	behind, err := queries.ReadBehind(ctx, q.GroupID, db.Nullable(q.KnownAt), reading, ids)
	if err != nil {
		return fmt.Errorf("read what became of rows of %s: %w", q.GroupID, err)
	}
	tellChanges(r, behind, reading)
	return nil
}

// Note is what a context notes in parentheses before the message: "until 1 May 2024, now
// Porto". Empty: nothing is known that became of it, or it was not asked.
func (h EpisodeHit) Note(reading time.Time) string {
	return strings.Join(noting(reading).notesOf(h), "; ")
}

// Note is what a context notes in parentheses before the fact: when it holds or happened,
// what disputes it, and what else its sentence says that has ended.
func (h FactHit) Note(reading time.Time) string {
	w := noting(reading)
	return strings.Join(append([]string{w.dates(h)}, w.changeNotes(h.Changes, false)...), "; ")
}

// Caveat is what of its note is no date: it is for forms that have fields for those.
func (h FactHit) Caveat(reading time.Time) string { return noting(reading).caveat(h) }

// StillSo is the summary without the sentences that tell what the entity is no longer.
func (h EntityHit) StillSo() string { return stillSo(h) }

// JSON is the fact with its note for when it holds.
func (h FactHit) JSON() graph.FactJSON {
	j := h.Fact.JSON()
	j.When = h.Note(time.Now())
	return j
}

// JSON is the entity with what of its summary is still so.
func (h EntityHit) JSON() graph.EntityJSON {
	j := h.Entity.JSON()
	j.Summary = h.StillSo()
	return j
}

// JSON is the episode with its note.
func (h EpisodeHit) JSON() graph.EpisodeJSON {
	j := h.Episode.JSON()
	j.Note = h.Note(time.Now())
	return j
}

func noting(reading time.Time) wording { return wording{Fence: defaultFence(), reading: reading} }

// caveat is what a fact may not be believed without, beside its dates.
func (w wording) caveat(h FactHit) string {
	notes := w.changeNotes(h.Changes, false)
	if words := w.contradicted(h, false); len(words) > 0 {
		notes = append(words, notes...)
	} else if h.Fact.Disputed() {
		notes = append([]string{"disputed"}, notes...)
	}
	return strings.Join(notes, "; ")
}
