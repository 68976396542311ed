package annals

import (
	"context"
	"fmt"
	"math"
	"sort"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// Observation is what several facts together show of an entity.
// [graph.Observation] has its fields and methods.
type Observation = graph.Observation

// Observe finds what several facts of a group together show: what is said at least
// twice of the same two entities is counted, and [Config.LLM] says what else its
// facts show. It brings all observations up to date; called again it changes
// nothing. From then on the group keeps observations, as all do with
// [Config.Observations].
func (c *Client) Observe(ctx context.Context, groupID string) error {
	return c.change(groupID, func() error { return c.engine.Observe(ctx, groupID) })
}

// ObservationFilter chooses observations. Fields that are zero do not narrow the
// choice.
type ObservationFilter struct {
	GroupID  string
	EntityID uuid.UUID    // of this one
	ValidAt  time.Time    // that held then; zero: that have not ended
	KnownAt  time.Time    // as they were believed then; zero: now
	Ended    bool         // also those that do not hold then
	After    *Observation // that come after this one, the last that was listed; nil: from the first
	Limit    int          // 1 to MaxRows; zero: DefaultRows
}

// Observations lists observations, those with most proof first.
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
	rows, err := read(ctx, c, f.GroupID, func(ctx context.Context, from source) ([]db.ObservationListRow, error) {
		return db.New(from.pool).ObservationList(ctx, asked)
	})
	if err != nil {
		return nil, fmt.Errorf("list observations of %s: %w", f.GroupID, err)
	}
	list := make([]Observation, len(rows))
	for i, row := range rows {
		list[i] = db.Observation(f.GroupID, row)
	}
	return list, nil
}

// ObservationHistory lists every version of an observation, the first first. It
// fails with [CodeNotFound] where there never was one.
func (c *Client) ObservationHistory(ctx context.Context, groupID string, id uuid.UUID) ([]Observation, error) {
	if err := c.admit(groupID); err != nil {
		return nil, err
	}
	rows, err := read(ctx, c, groupID, func(ctx context.Context, from source) ([]db.ObservationListRow, error) {
		return db.New(from.pool).ObservationList(ctx, db.ObservationListParams{
			GroupID: groupID, ID: &id, EveryVersion: true, Ended: true, MaxRows: math.MaxInt32,
		})
	})
	if err != nil {
		return nil, fmt.Errorf("read the history of observation %s: %w", id, err)
	}
	if len(rows) == 0 {
		return nil, &Error{
			Code: CodeNotFound, Field: "observation", Message: fmt.Sprintf("group %s never had %s; 'annals observations' lists them", groupID, id),
		}
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i].Recorded.Lower.Time.Before(rows[j].Recorded.Lower.Time) })
	list := make([]Observation, len(rows))
	for i, row := range rows {
		list[i] = db.Observation(groupID, row)
	}
	return list, nil
}
