package annals

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
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
	rows, err := read(ctx, c, groupID, func(ctx context.Context, from source) ([]db.FactVersionsRow, error) {
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
	versions := make([]FactVersion, len(rows))
	for i, row := range rows {
		fact := db.Fact(groupID, db.FactsByIDsRow{
			ID: row.ID, SourceID: row.SourceID, TargetID: row.TargetID, Source: row.Source, Target: row.Target,
			Predicate: row.Predicate, Fact: row.Fact, Attributes: row.Attributes, Valid: row.Valid, Recorded: row.Recorded,
			CreatedAt: row.CreatedAt, ExpiredAt: row.ExpiredAt, StatementID: row.StatementID, Episodes: row.Episodes,
		})
		versions[i] = FactVersion{
			Fact: fact, Current: fact.Recorded.Ongoing(), CausedBy: row.CausedBy, EndedBy: row.EndedBy,
		}
	}
	return versions, nil
}

// EntityHistory lists every state an entity was in, the oldest first. An entity
// that the group never had is a [CodeNotFound].
func (c *Client) EntityHistory(ctx context.Context, groupID string, entityID uuid.UUID) ([]EntityVersion, error) {
	if err := c.admit(groupID); err != nil {
		return nil, err
	}
	rows, err := read(ctx, c, groupID, func(ctx context.Context, from source) ([]db.EntityVersionsRow, error) {
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
	versions := make([]EntityVersion, len(rows))
	for i, row := range rows {
		entity := db.Entity(groupID, db.EntitiesByIDsRow{
			ID: row.ID, Name: row.Name, Aliases: row.Aliases, Labels: row.Labels, Summary: row.Summary,
			Attributes: row.Attributes, CreatedAt: row.CreatedAt, Recorded: row.Recorded,
		})
		versions[i] = EntityVersion{
			Entity: entity, Current: entity.Recorded.Ongoing(), CausedBy: row.CausedBy, EndedBy: row.EndedBy,
		}
	}
	return versions, nil
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

// Change is one line of the timeline: something began or ended to hold.
type Change struct {
	At         time.Time // in the world
	Event      string    // "began" or "ended"
	FactID     uuid.UUID
	Words      string
	RecordedAt time.Time // when we learned of it
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
	rows, err := read(ctx, c, f.GroupID, func(ctx context.Context, from source) ([]db.TimelineRow, error) {
		return f.rows(ctx, db.New(from.pool), limit)
	})
	if err != nil {
		return nil, fmt.Errorf("read the timeline of %s: %w", f.GroupID, err)
	}
	changes := make([]Change, len(rows))
	for i, row := range rows {
		changes[i] = Change{
			At: row.At.UTC(), Event: row.Event, FactID: row.FactID, Words: row.Words, RecordedAt: row.RecordedAt.UTC(),
		}
	}
	return changes, nil
}

func (f TimelineFilter) rows(ctx context.Context, q *db.Queries, limit int32) ([]db.TimelineRow, error) {
	now := db.TimelineParams{GroupID: f.GroupID, AsOf: db.Nullable(f.AsOf), MaxRows: limit}
	if f.After != nil {
		now.AfterAt, now.AfterEvent, now.AfterFact = &f.After.At, &f.After.Event, &f.After.FactID
	}
	switch {
	case !f.KnownAt.IsZero():
		rows, err := q.TimelineKnown(ctx, db.TimelineKnownParams{
			GroupID: f.GroupID, KnownAt: f.KnownAt, AsOf: now.AsOf, LatestFirst: f.LatestFirst,
			AfterAt: now.AfterAt, AfterEvent: now.AfterEvent, AfterFact: now.AfterFact, MaxRows: limit,
		})
		return convert(rows, func(r db.TimelineKnownRow) db.TimelineRow { return db.TimelineRow(r) }), err
	case f.LatestFirst:
		rows, err := q.TimelineBack(ctx, db.TimelineBackParams(now))
		return convert(rows, func(r db.TimelineBackRow) db.TimelineRow { return db.TimelineRow(r) }), err
	}
	return q.Timeline(ctx, now)
}
