package client

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/paging"
	"github.com/annalsdb/annals/temporal"
)

// Observations lists observations, those with most proof first.
func (c *Client) Observations(ctx context.Context, f annals.ObservationFilter) ([]annals.Observation, error) {
	k := in(http.MethodGet, f.GroupID, "observations").asking(input.Say[input.ListObservations](f)).about(f.EntityID)
	return page(ctx, c, k, paging.Observations, f.After, f.Limit, "observations", observationOf)
}

// Observe brings the group's observations up to date, and makes the group keep
// them from then on.
func (c *Client) Observe(ctx context.Context, groupID string) error {
	_, err := member[int](ctx, c, in(http.MethodPost, groupID, "observations", "build").doing(), "observations")
	return err
}

// ObservationHistory lists every version of an observation, oldest first.
func (c *Client) ObservationHistory(ctx context.Context, groupID string, id uuid.UUID) ([]annals.Observation, error) {
	return list(ctx, c, in(http.MethodGet, groupID, "observations", id.String(), "history"), "versions", observationOf)
}

func observationOf(j graph.ObservationJSON) annals.Observation {
	orZeroTime := func(t *time.Time) time.Time {
		if t == nil {
			return time.Time{}
		}
		return t.UTC()
	}
	return annals.Observation{
		GroupID: j.GroupID, ID: j.ID, SubjectID: j.SubjectID, Subject: j.Subject, Predicate: j.Predicate, Text: j.Text, Reader: j.Reader,
		Proof: j.Proof, Against: j.Against, FirstSeen: j.FirstSeen, LastSeen: j.LastSeen,
		Valid:    temporal.Interval{Start: orZeroTime(j.ValidAt), End: orZeroTime(j.InvalidAt)},
		Recorded: temporal.Interval{Start: j.KnownFrom, End: orZeroTime(j.KnownUntil)}, CreatedAt: j.CreatedAt, Facts: j.Facts, Episodes: j.Episodes,
	}
}
