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

// Annotate adds to hits of one group that no search found what became of them, as
// [Query.Changes] does: rows of a list are hits without a score. Of the query only the
// group matters, and the times at which and as of which they are read.
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

// Note is what a context notes in parentheses before the message: "until 1 May 2024, now
// Porto". Empty: nothing is known that became of it, or it was not asked.
func (h EpisodeHit) Note(reading time.Time) string {
	return strings.Join(notesAt(reading).OfEpisode(h), "; ")
}

// Note is what a context notes in parentheses before the fact: when it holds or happened,
// what disputes it, and what else its sentence says that has ended.
func (h FactHit) Note(reading time.Time) string {
	n := notesAt(reading)
	return strings.Join(append([]string{n.Dates(h)}, n.OfChanges(h.Changes)...), "; ")
}

// Caveat is what of its note is no date: it is for forms that have fields for those.
func (h FactHit) Caveat(reading time.Time) string { return notesAt(reading).Caveat(h) }

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
