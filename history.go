package annals

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/temporal"
)

// The versions that the history lists; see package graph.
type (
	// FactVersion is one version of a fact.
	FactVersion = graph.FactVersion
	// EntityVersion is one version of an entity.
	EntityVersion = graph.EntityVersion
)

// History lists all versions of a fact, the oldest first, each with the names its entities had when
// it began. It fails with [CodeNotFound] if the group never had this fact.
func (c *Client) History(ctx context.Context, groupID string, factID uuid.UUID) ([]FactVersion, error) {
	rows, err := query(ctx, c, groupID, func(ctx context.Context, q *db.Queries) ([]db.FactRow, error) {
		return q.FactVersions(ctx, db.FactVersionsParams{GroupID: groupID, ID: factID})
	}, "read the history of fact %s", factID)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, change.NotFound("fact", "group %s has no fact %s; 'annals facts' lists them", groupID, factID)
	}
	return each.Of(rows, db.FactVersion), nil
}

// EntityHistory lists all versions of an entity, the oldest first. It fails with [CodeNotFound] if
// the group never had this entity.
func (c *Client) EntityHistory(ctx context.Context, groupID string, entityID uuid.UUID) ([]EntityVersion, error) {
	rows, err := query(ctx, c, groupID, func(ctx context.Context, q *db.Queries) ([]db.EntityRow, error) {
		return q.EntityVersions(ctx, db.EntityVersionsParams{GroupID: groupID, ID: entityID})
	}, "read the history of entity %s", entityID)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, change.NotFound("entity", "group %s has no entity %s; 'annals entities' lists them", groupID, entityID)
	}
	return each.Of(rows, db.EntityVersion), nil
}

// TimelineFilter selects changes. Zero fields do not narrow the selection.
type TimelineFilter struct {
	GroupID string
	AsOf    time.Time // only what changed in the world by this time; zero: all changes
	KnownAt time.Time // as the group believed then; zero: as it believes now
	After   *Change   // list those after this one, the last of the page before; nil: from the first
	Limit   int       // 1 to MaxRows; zero: DefaultRows

	LatestFirst bool // latest first; After then goes back in time
}

// Change is one line of the timeline: a fact began or ended, or an event happened.
type Change struct {
	At         time.Time // in the world; the first moment of a week, month, year …, or its last if something ended
	Event      string    // "began", "ended", "happened", or "planned" if nobody has said that it took place
	FactID     uuid.UUID
	Words      string
	RecordedAt time.Time      // when the group learned of it
	Known      temporal.Bound // how At is known; [temporal.Said]: it held, or had ended, by then, and nobody said since when
}

// When returns the time in words, as precisely as it is known: "since the week of 4 March 2024",
// "known since 10 January 2023", "until May 2024". For an event it is only the beginning: "11 March
// 2024".
func (c Change) When() string {
	switch c.Event {
	case "planned":
		unit := c.Known.Unit(c.At)
		return temporal.Validity{Interval: unit, From: c.Known, Until: c.Known}.PhraseOfEvent(time.Now())
	case "began":
		return temporal.Validity{Interval: temporal.Interval{Start: c.At}, From: c.Known}.Phrase(time.Now())
	case "ended":
		return temporal.Validity{Interval: temporal.Interval{End: c.At}, Until: c.Known}.Phrase(time.Now())
	}
	return c.Known.Name(c.At)
}

// Timeline lists changes, the earliest first, or with LatestFirst the latest.
func (c *Client) Timeline(ctx context.Context, f TimelineFilter) ([]Change, error) {
	limit, err := c.listBounds(f.GroupID, f.Limit)
	if err == nil {
		err = validateTimes(f.AsOf, f.KnownAt)
	}
	if err != nil {
		return nil, err
	}
	rows, err := query(ctx, c, f.GroupID, func(ctx context.Context, q *db.Queries) ([]db.ChangeRow, error) {
		return f.rows(ctx, q, limit)
	}, "read the timeline of %s", f.GroupID)
	return each.Of(rows, func(row db.ChangeRow) Change {
		return Change{
			At: row.At.UTC(), Event: row.Event, FactID: row.FactID, Words: row.Words, RecordedAt: row.RecordedAt.UTC(),
			Known: db.BoundOf(row.AtBasis, row.AtPrecision),
		}
	}), err
}

func (f TimelineFilter) rows(ctx context.Context, q *db.Queries, limit int32) ([]db.ChangeRow, error) {
	now := db.TimelineParams{GroupID: f.GroupID, AsOf: db.Nullable(f.AsOf), LatestFirst: f.LatestFirst, MaxRows: limit}
	if f.After != nil {
		now.AfterAt, now.AfterEvent, now.AfterFact = &f.After.At, &f.After.Event, &f.After.FactID
	}
	if !f.KnownAt.IsZero() {
		return q.TimelineKnown(ctx, db.TimelineKnownParams{
			GroupID: f.GroupID, KnownAt: f.KnownAt, AsOf: now.AsOf, LatestFirst: f.LatestFirst,
			AfterAt: now.AfterAt, AfterEvent: now.AfterEvent, AfterFact: now.AfterFact, MaxRows: limit,
		})
	}
	return q.Timeline(ctx, now)
}
