package annals

import (
	"context"
	"math"
	"sort"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// Observation is what several facts together show about an entity. [graph.Observation] has its
// fields and methods.
type Observation = graph.Observation

// Observe brings the observations of a group up to date: what several of its facts together show.
// What is said at least twice of the same two entities is counted; [Config.LLM] finds what else the
// facts show. Called again it changes nothing. From then on the group keeps observations, as all
// groups do with [Config.Observations].
func (c *Client) Observe(ctx context.Context, groupID string) error {
	return c.change(groupID, func() error { return c.engine.Observe(ctx, groupID) })
}

// ObservationFilter selects observations. Zero fields do not narrow the selection.
type ObservationFilter struct {
	GroupID  string
	EntityID uuid.UUID    // only those about this entity
	ValidAt  time.Time    // only those that held at this time; zero: that have not ended
	KnownAt  time.Time    // as they were believed at this time; zero: now
	Ended    bool         // also those that did not hold at that time
	After    *Observation // list those after this one, the last of the page before; nil: from the first
	Limit    int          // 1 to MaxRows; zero: DefaultRows
}

// Observations lists observations, those with the most proof first.
func (c *Client) Observations(ctx context.Context, f ObservationFilter) ([]Observation, error) {
	limit, err := c.listBounds(f.GroupID, f.Limit)
	if err == nil {
		err = validateTimes(f.ValidAt, f.KnownAt)
	}
	if err != nil {
		return nil, err
	}
	asked := db.ObservationListParams{
		GroupID: f.GroupID, KnownAt: db.Nullable(f.KnownAt), ValidAt: db.Nullable(f.ValidAt), SubjectID: db.Nullable(f.EntityID), Ended: f.Ended, MaxRows: limit,
	}
	if f.After != nil {
		asked.AfterProof, asked.AfterID = new(int32(f.After.Proof)), &f.After.ID
	}
	rows, err := query(ctx, c, f.GroupID, func(ctx context.Context, q *db.Queries) ([]db.ObservationListRow, error) {
		return q.ObservationList(ctx, asked)
	}, "list observations of %s", f.GroupID)
	return observations(f.GroupID, rows), err
}

// ObservationHistory lists all versions of an observation, the oldest first. It fails with
// [CodeNotFound] if it never existed.
func (c *Client) ObservationHistory(ctx context.Context, groupID string, id uuid.UUID) ([]Observation, error) {
	rows, err := query(ctx, c, groupID, func(ctx context.Context, q *db.Queries) ([]db.ObservationListRow, error) {
		return q.ObservationList(ctx, db.ObservationListParams{GroupID: groupID, ID: &id, EveryVersion: true, Ended: true, MaxRows: math.MaxInt32})
	}, "read the history of observation %s", id)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, change.NotFound("observation", "group %s never had %s; 'annals observations' lists them", groupID, id)
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i].Recorded.Lower.Time.Before(rows[j].Recorded.Lower.Time) })
	return observations(groupID, rows), nil
}

func observations(groupID string, rows []db.ObservationListRow) []Observation {
	return each.Of(rows, func(row db.ObservationListRow) Observation { return db.Observation(groupID, row) })
}
