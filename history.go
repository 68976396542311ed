package annals

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/temporal"
)

// The versions that history tells of, explained in package graph.
type (
	// FactVersion is one state a fact was in.
	FactVersion = graph.FactVersion
	// EntityVersion is one state an entity was in.
	EntityVersion = graph.EntityVersion
)

// History lists every state a fact was in, the oldest first, each with the
// names its entities had when it began. A fact that the group never had is a
// [CodeNotFound].
func (c *Client) History(ctx context.Context, groupID string, factID uuid.UUID) ([]FactVersion, error) {
	if err := c.admit(groupID); err != nil {
		return nil, err
	}
	rows, err := read(ctx, c, groupID, func(ctx context.Context, from source) ([]db.FactRow, error) {
		return db.New(from.pool).FactVersions(ctx, db.FactVersionsParams{GroupID: groupID, ID: factID})
	})
	if err != nil {
		return nil, fmt.Errorf("read the history of fact %s: %w", factID, err)
	}
	if len(rows) == 0 {
		return nil, &Error{
			Code: CodeNotFound, Field: "fact", Message: fmt.Sprintf("group %s has no fact %s; 'annals facts' lists them", groupID, factID),
		}
	}
	return each.Of(rows, db.FactVersion), nil
}

// EntityHistory lists every state an entity was in, the oldest first. An entity
// that the group never had is a [CodeNotFound].
func (c *Client) EntityHistory(ctx context.Context, groupID string, entityID uuid.UUID) ([]EntityVersion, error) {
	if err := c.admit(groupID); err != nil {
		return nil, err
	}
	rows, err := read(ctx, c, groupID, func(ctx context.Context, from source) ([]db.EntityRow, error) {
		return db.New(from.pool).EntityVersions(ctx, db.EntityVersionsParams{GroupID: groupID, ID: entityID})
	})
	if err != nil {
		return nil, fmt.Errorf("read the history of entity %s: %w", entityID, err)
	}
	if len(rows) == 0 {
		return nil, &Error{
			Code: CodeNotFound, Field: "entity",
			Message: fmt.Sprintf("group %s has no entity %s; 'annals entities' lists them", groupID, entityID),
		}
	}
	return each.Of(rows, db.EntityVersion), nil
}

// TimelineFilter chooses changes. Fields that are zero do not narrow the choice.
type TimelineFilter struct {
	GroupID string
	AsOf    time.Time // what had changed in the world by this time; zero: all that is known
	KnownAt time.Time // as we believed then; zero: as we believe now
	After   *Change   // that come after this one, the last that was listed; nil: from the first
	Limit   int       // 1 to MaxRows; zero: DefaultRows

	LatestFirst bool // the other way round; After too
}

// Change is one line of the timeline: something began or ended to hold, or happened.
type Change struct {
	At         time.Time // in the world; of a week, month, year … its first moment, or the last where it ended
	Event      string    // "began", "ended", "happened", or "planned" where nobody has said that it came
	FactID     uuid.UUID
	Words      string
	RecordedAt time.Time      // when we learned of it
	Known      temporal.Bound // how At is known; by [temporal.Said] it held, or was over, by then, and nobody told since when
}

// When says in words what is known of the time, as exactly as that is: "since the
// week of 4 March 2024", "known since 10 January 2023", "until May 2024"; of an
// event its beginning alone: "11 March 2024".
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

// Timeline lists what changed when, the earliest first, or the latest.
func (c *Client) Timeline(ctx context.Context, f TimelineFilter) ([]Change, error) {
	limit, err := c.listBounds(f.GroupID, f.Limit)
	if err == nil {
		err = validateTimes(f.AsOf, f.KnownAt)
	}
	if err != nil {
		return nil, err
	}
	rows, err := read(ctx, c, f.GroupID, func(ctx context.Context, from source) ([]db.ChangeRow, error) {
		return f.rows(ctx, db.New(from.pool), limit)
	})
	if err != nil {
		return nil, fmt.Errorf("read the timeline of %s: %w", f.GroupID, err)
	}
	changes := make([]Change, len(rows))
	for i, row := range rows {
		changes[i] = Change{
			At: row.At.UTC(), Event: row.Event, FactID: row.FactID, Words: row.Words, RecordedAt: row.RecordedAt.UTC(),
			Known: db.BoundOf(row.AtBasis, row.AtPrecision),
		}
	}
	return changes, nil
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
