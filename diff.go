package annals

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// DiffFilter selects the group and the two times to compare.
type DiffFilter struct {
	GroupID string
	From    time.Time // required
	To      time.Time // zero: now
	Limit   int       // at most this many facts, and as many entities: 1 to MaxRows; zero: DefaultRows
}

// Diff is the difference between what was believed at two times, in order of change. Each fact and
// each entity occurs once, however often it changed in between.
type Diff struct {
	From, To time.Time // the two times, in UTC
	Facts    []FactChange
	Entities []EntityChange
}

// FactChange is a change of a fact. Change is one of "added", "ended" (it is now believed to have
// stopped holding, or to have stopped earlier), "changed" (its words, entities, attributes or
// dates), "withdrawn" (it is no longer believed at all) and "expired" (it was removed because it
// was only kept until then).
type FactChange struct {
	Change        string
	Before, After *Fact // nil: not believed then
	ChangedAt     time.Time
	CausedBy      []uuid.UUID // the episodes behind the last change; none: it was made by hand
}

// EntityChange is a change of an entity. Change is one of "added", "renamed", "summary" (its
// summary changed, its name did not), "changed" (only its aliases, labels or attributes), "merged"
// and "removed".
type EntityChange struct {
	Change        string
	Before, After *Entity   // nil: not known then
	MergedInto    uuid.UUID // zero if it was not merged
	ChangedAt     time.Time
	CausedBy      []uuid.UUID
}

// Diff compares what a group believed at two times. It fails with [CodeInvalid] unless From is set
// and before To.
func (c *Client) Diff(ctx context.Context, f DiffFilter) (Diff, error) {
	if f.To.IsZero() {
		f.To = time.Now().UTC()
	}
	if err := f.validate(); err != nil {
		return Diff{}, err
	}
	limit, err := c.listBounds(f.GroupID, f.Limit)
	if err != nil {
		return Diff{}, err
	}
	d, err := read(ctx, c, f.GroupID, func(ctx context.Context, from source) (d Diff, err error) {
		d.From, d.To = f.From.UTC(), f.To.UTC()
		err = db.InSnapshot(ctx, from.pool, f.GroupID, func(q *db.Queries) error {
			if d.Facts, err = factChanges(ctx, q, f, limit); err != nil {
				return err
			}
			d.Entities, err = entityChanges(ctx, q, f, limit)
			return err
		})
		return d, err
	})
	if err != nil {
		return Diff{}, fmt.Errorf("compare what %s believed: %w", f.GroupID, err)
	}
	return d, nil
}

func (f DiffFilter) validate() error {
	if f.From.IsZero() {
		return graph.Invalid("from", "is missing; say since when, as in 2024-03-15")
	}
	for name, at := range map[string]time.Time{"from": f.From, "to": f.To} {
		if err := graph.ValidateTime(name, at); err != nil {
			return err
		}
	}
	if !f.From.Before(f.To) {
		return graph.Invalid("from", "is %s; it must be before %s", f.From.Format(time.RFC3339), f.To.Format(time.RFC3339))
	}
	return nil
}

func factChanges(ctx context.Context, q *db.Queries, f DiffFilter, limit int32) ([]FactChange, error) {
	rows, err := q.FactChanges(ctx, db.FactChangesParams{GroupID: f.GroupID, FromAt: f.From, ToAt: f.To, MaxRows: limit})
	if err != nil {
		return nil, err
	}
	ids := each.Of(rows, func(row db.FactChangesRow) uuid.UUID { return row.ID })
	before, after, err := atBoth(f, func(at time.Time) (map[uuid.UUID]*Fact, error) {
		known, err := q.FactsKnownByIDs(ctx, db.FactsKnownByIDsParams{GroupID: f.GroupID, KnownAt: at, Ids: ids})
		return each.Map(known, func(row db.FactRow) (uuid.UUID, *Fact) { return row.ID, new(db.Fact(row)) }), err
	})
	if err != nil {
		return nil, err
	}
	return each.Of(rows, func(row db.FactChangesRow) FactChange {
		return FactChange{
			Change: row.Change, Before: before[row.ID], After: after[row.ID], ChangedAt: row.ChangedAt.UTC(), CausedBy: row.CausedBy,
		}
	}), nil
}

func entityChanges(ctx context.Context, q *db.Queries, f DiffFilter, limit int32) ([]EntityChange, error) {
	rows, err := q.EntityChanges(ctx, db.EntityChangesParams{GroupID: f.GroupID, FromAt: f.From, ToAt: f.To, MaxRows: limit})
	if err != nil {
		return nil, err
	}
	ids := each.Of(rows, func(row db.EntityChangesRow) uuid.UUID { return row.ID })
	before, after, err := atBoth(f, func(at time.Time) (map[uuid.UUID]*Entity, error) {
		known, err := q.EntitiesKnownByIDs(ctx, db.EntitiesKnownByIDsParams{GroupID: f.GroupID, KnownAt: at, Ids: ids})
		return each.Map(known, func(row db.EntityRow) (uuid.UUID, *Entity) { return row.ID, new(db.Entity(row)) }), err
	})
	if err != nil {
		return nil, err
	}
	return each.Of(rows, func(row db.EntityChangesRow) EntityChange {
		return EntityChange{
			Change: row.Change, Before: before[row.ID], After: after[row.ID], MergedInto: row.MergedInto,
			ChangedAt: row.ChangedAt.UTC(), CausedBy: row.CausedBy,
		}
	}), nil
}

// atBoth returns what was known at the two times.
func atBoth[Known any](f DiffFilter, known func(at time.Time) (Known, error)) (before, after Known, err error) {
	if before, err = known(f.From); err == nil {
		after, err = known(f.To)
	}
	return before, after, err
}

// DiffJSON is the JSON form of a [Diff], the same in the CLI, REST and MCP.
type DiffJSON struct {
	From     time.Time          `json:"from"`
	To       time.Time          `json:"to"`
	Facts    []FactChangeJSON   `json:"facts"`
	Entities []EntityChangeJSON `json:"entities"`
}

// FactChangeJSON is the JSON form of a [FactChange].
type FactChangeJSON struct {
	Change    string          `json:"change" enum:"added,ended,changed,withdrawn,expired,reopened" doc:"expired: it was kept no longer, by its mark or the retention of the group; reopened, that it would hold longer, is said by previews alone"`
	Before    *graph.FactJSON `json:"before,omitempty" doc:"Left out: it was not believed then"`
	After     *graph.FactJSON `json:"after,omitempty" doc:"Left out: it is no longer believed"`
	ChangedAt time.Time       `json:"changed_at"`
	CausedBy  []uuid.UUID     `json:"caused_by" doc:"The episodes behind the last change; none: made by hand"`
}

// EntityChangeJSON is the JSON form of an [EntityChange].
type EntityChangeJSON struct {
	Change     string            `json:"change" enum:"added,renamed,summary,changed,merged,removed"`
	Before     *graph.EntityJSON `json:"before,omitempty" doc:"Left out: it was not known then"`
	After      *graph.EntityJSON `json:"after,omitempty" doc:"Left out: it is gone"`
	MergedInto *uuid.UUID        `json:"merged_into,omitempty" format:"uuid"`
	ChangedAt  time.Time         `json:"changed_at"`
	CausedBy   []uuid.UUID       `json:"caused_by" doc:"The episodes behind the last change; none: made by hand"`
}

// JSON returns the JSON form of the difference.
func (d Diff) JSON() DiffJSON {
	return DiffJSON{From: d.From, To: d.To, Facts: each.Of(d.Facts, FactChange.json), Entities: each.Of(d.Entities, EntityChange.json)}
}

func (c FactChange) json() FactChangeJSON {
	return FactChangeJSON{
		Change: c.Change, Before: viewed(c.Before, Fact.JSON), After: viewed(c.After, Fact.JSON), ChangedAt: c.ChangedAt,
		CausedBy: append([]uuid.UUID{}, c.CausedBy...),
	}
}

func (c EntityChange) json() EntityChangeJSON {
	return EntityChangeJSON{
		Change: c.Change, Before: viewed(c.Before, Entity.JSON), After: viewed(c.After, Entity.JSON), MergedInto: db.Nullable(c.MergedInto),
		ChangedAt: c.ChangedAt, CausedBy: append([]uuid.UUID{}, c.CausedBy...),
	}
}

// viewed returns the JSON form of a row that may be nil.
func viewed[Row, View any](row *Row, view func(Row) View) *View {
	if row == nil {
		return nil
	}
	v := view(*row)
	return &v
}
