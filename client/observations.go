package client

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/paging"
	"github.com/annalsdb/annals/temporal"
)

// Observations lists what several facts together show, that with most proof first.
func (c *Client) Observations(ctx context.Context, f annals.ObservationFilter) ([]annals.Observation, error) {
	k := in(http.MethodGet, f.GroupID, "observations")
	k.set("as_of", written(f.ValidAt))
	k.set("known_at", written(f.KnownAt))
	if f.EntityID != uuid.Nil {
		k.set("entity", f.EntityID.String())
	}
	if f.Ended {
		k.set("include_ended", "true")
	}
	if f.After != nil {
		k.set("cursor", paging.Cursor{List: "observations", ID: &f.After.ID, Count: f.After.Proof}.String())
	}
	if err := k.limit(f.Limit); err != nil {
		return nil, err
	}
	out, _, err := send[struct {
		Observations []graph.ObservationJSON `json:"observations"`
	}](ctx, c, k)
	return observationsOf(out.Observations), err
}

// Observe finds what several facts together show, and has the group keep it.
func (c *Client) Observe(ctx context.Context, groupID string) error {
	k := in(http.MethodPost, groupID, "observations", "build")
	k.once = true
	_, _, err := send[struct {
		Observations int `json:"observations"`
	}](ctx, c, k)
	return err
}

// ObservationHistory lists every version of an observation, the first first.
func (c *Client) ObservationHistory(ctx context.Context, groupID string, id uuid.UUID) ([]annals.Observation, error) {
	out, _, err := send[struct {
		Versions []graph.ObservationJSON `json:"versions"`
	}](ctx, c, in(http.MethodGet, groupID, "observations", id.String(), "history"))
	return observationsOf(out.Versions), err
}

func observationsOf(list []graph.ObservationJSON) []annals.Observation {
	out := make([]annals.Observation, len(list))
	for i, j := range list {
		out[i] = observationOf(j)
	}
	return out
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
