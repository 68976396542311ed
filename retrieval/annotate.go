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
	"github.com/annalsdb/annals/internal/each"
)

// Annotate sets the changes of hits that come from a list and not from a search, as [Query.Changes]
// does for a search. All hits are of one group. Of the query it reads only GroupID, ValidAt,
// AskedAt and KnownAt.
func Annotate(ctx context.Context, queries *db.Queries, q Query, r *Result) error {
	ids := map[graph.Kind][]uuid.UUID{
		graph.KindFact:    each.Of(r.Facts, func(h FactHit) uuid.UUID { return h.ID }),
		graph.KindEntity:  each.Of(r.Entities, func(h EntityHit) uuid.UUID { return h.ID }),
		graph.KindEpisode: each.Of(r.Episodes, func(h EpisodeHit) uuid.UUID { return h.ID }),
	}
	reading := cmp.Or(q.readAt(), time.Now())
	var behind db.Behind
	together := queries.Together()
	together.Behind(q.GroupID, db.Nullable(q.KnownAt), reading, db.AnyStale(), ids, &behind)
	if err := together.Send(ctx); err != nil {
		return fmt.Errorf("read what became of rows of %s: %w", q.GroupID, err)
	}
	noteChanges(r, behind, reading)
	return nil
}

// Note is the note that a context puts in parentheses before the message: "until 1 May 2024, now
// Porto". It is empty if no change is known or none was read.
func (h EpisodeHit) Note(reading time.Time) string {
	return strings.Join(notesAt(reading).OfEpisode(h), "; ")
}

// Note is the note that a context puts in parentheses before the fact: when it holds or happened,
// what disputes it, and what else in its sentence has ended.
func (h FactHit) Note(reading time.Time) string {
	n := notesAt(reading)
	return strings.Join(append([]string{n.Dates(h)}, n.OfChanges(h.Changes)...), "; ")
}

// Caveat is the note without the dates, for forms that have fields for dates.
func (h FactHit) Caveat(reading time.Time) string { return notesAt(reading).Caveat(h) }

// JSON is the fact with its note for when it holds.
func (h FactHit) JSON() graph.FactJSON {
	j := h.Fact.JSON()
	j.When = h.Note(time.Now())
	return j
}

// JSON is the entity with the part of its summary that still holds.
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
