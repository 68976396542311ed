package client

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/paging"
)

// Fact returns one fact as it is believed now, or a [annals.CodeNotFound].
func (c *Client) Fact(ctx context.Context, groupID string, id uuid.UUID) (annals.Fact, error) {
	return c.oneFact(ctx, in(http.MethodGet, groupID, "facts", id.String()), groupID)
}

func (c *Client) oneFact(ctx context.Context, k call, groupID string) (annals.Fact, error) {
	out, _, err := send[graph.FactJSON](ctx, c, k)
	if err != nil {
		return annals.Fact{}, err
	}
	return factOf(groupID, out), nil
}

// Facts lists facts in the order in which they began to hold.
func (c *Client) Facts(ctx context.Context, f annals.FactFilter) ([]annals.Fact, error) {
	k := in(http.MethodGet, f.GroupID, "facts")
	k.times(f.ValidAt, f.KnownAt)
	if f.EntityID != uuid.Nil {
		k.set("entity", f.EntityID.String())
	}
	k.set("trust", string(f.Trust))
	for _, name := range f.ToldBy {
		k.query.Add("told_by", name)
	}
	if f.After != nil {
		k.set("cursor", paging.Cursor{List: "facts", ID: &f.After.ID, At: f.After.Valid.Start, Created: f.After.CreatedAt}.String())
	}
	if err := k.limit(f.Limit); err != nil {
		return nil, err
	}
	out, _, err := send[struct {
		Facts []graph.FactJSON `json:"facts"`
	}](ctx, c, k)
	return factsOf(f.GroupID, out.Facts), err
}

// times sets the two times of a reading.
func (k call) times(asOf, knownAt time.Time) {
	k.set("as_of", written(asOf))
	k.set("known_at", written(knownAt))
}

// AddTriple takes one fact into the graph at once, without a text to read it from.
// Its ends are named; further pairs and statements are for the library alone.
func (c *Client) AddTriple(ctx context.Context, t annals.Triple) (annals.AddedTriple, error) {
	for field, refused := range map[string]bool{
		"more": len(t.More) > 0, "statement_id": t.StatementID != uuid.Nil, "source": t.Source.ID != uuid.Nil, "target": t.Target.ID != uuid.Nil,
	} {
		if refused {
			return annals.AddedTriple{}, graph.Invalid(field, "is not taken over REST, where a triple is one pair of entities by their names")
		}
	}
	k := in(http.MethodPost, t.GroupID, "facts")
	k.once, k.body = true, struct {
		Source           string          `json:"source"`
		Predicate        string          `json:"predicate"`
		Target           string          `json:"target"`
		Fact             string          `json:"fact,omitempty"`
		SourceLabel      string          `json:"source_label,omitempty"`
		TargetLabel      string          `json:"target_label,omitempty"`
		Attributes       json.RawMessage `json:"attributes,omitempty"`
		SourceAttributes json.RawMessage `json:"source_attributes,omitempty"`
		TargetAttributes json.RawMessage `json:"target_attributes,omitempty"`
		ValidAt          string          `json:"valid_at,omitempty"`
		InvalidAt        string          `json:"invalid_at,omitempty"`
		OccurredAt       string          `json:"occurred_at,omitempty"`
		ExternalID       string          `json:"external_id,omitempty"`
		Force            bool            `json:"force,omitempty"`
	}{
		t.Source.Name, t.Predicate, t.Target.Name, t.Fact, t.Source.Label, t.Target.Label, t.Attributes, t.Source.Attributes, t.Target.Attributes,
		written(t.ValidAt), written(t.InvalidAt), written(t.OccurredAt), t.ExternalID, t.Force,
	}
	out, _, err := send[struct {
		EpisodeID uuid.UUID `json:"episode_id"`
		SourceID  uuid.UUID `json:"source_id"`
		TargetID  uuid.UUID `json:"target_id"`
		FactID    uuid.UUID `json:"fact_id"`
		Repeated  bool      `json:"repeated"`
	}](ctx, c, k)
	if err != nil {
		return annals.AddedTriple{}, err
	}
	return annals.AddedTriple{
		EpisodeID: out.EpisodeID, SourceID: out.SourceID, TargetID: out.TargetID,
		FactID: out.FactID, Repeated: out.Repeated, FactIDs: []uuid.UUID{out.FactID},
	}, nil
}

// EditFact puts right what a current fact says and when it holds. Versions are as in
// [annals.Client.EditFact].
func (c *Client) EditFact(ctx context.Context, groupID string, id uuid.UUID, edit annals.FactEdit, versions ...time.Time) (annals.Fact, error) {
	k := in(http.MethodPatch, groupID, "facts", id.String())
	k.unless(versions)
	body := map[string]any{}
	for name, text := range map[string]*string{"predicate": edit.Predicate, "fact": edit.Fact} {
		if text != nil {
			body[name] = *text
		}
	}
	for name, at := range map[string]*time.Time{"valid_at": edit.ValidAt, "invalid_at": edit.InvalidAt} {
		if at != nil {
			body[name] = written(*at)
		}
	}
	if edit.Attributes != nil {
		body["attributes"] = edit.Attributes
	}
	if !edit.AsKnownAt.IsZero() {
		body["as_known_at"] = written(edit.AsKnownAt)
	}
	k.body = body
	return c.oneFact(ctx, k, groupID)
}

// WithdrawFact ends the belief in a fact, by hand.
func (c *Client) WithdrawFact(ctx context.Context, groupID string, factID uuid.UUID, versions ...time.Time) error {
	k := in(http.MethodDelete, groupID, "facts", factID.String())
	k.unless(versions)
	_, _, err := send[struct{}](ctx, c, k)
	return err
}

// RestoreFact readmits a fact that was rejected. It returns the fact, which is zero
// where nothing of it is left to bring back.
func (c *Client) RestoreFact(ctx context.Context, groupID string, id uuid.UUID) (annals.Fact, error) {
	k := in(http.MethodPost, groupID, "facts", id.String(), "restore")
	k.once = true
	out, _, err := send[struct {
		Fact *graph.FactJSON `json:"fact"`
	}](ctx, c, k)
	if err != nil || out.Fact == nil {
		return annals.Fact{}, err
	}
	return factOf(groupID, *out.Fact), nil
}

// History lists every state a fact was in, the oldest first. Which episodes made and
// ended each is not sent.
func (c *Client) History(ctx context.Context, groupID string, factID uuid.UUID) ([]annals.FactVersion, error) {
	out, _, err := send[struct {
		Versions []graph.FactJSON `json:"versions"`
	}](ctx, c, in(http.MethodGet, groupID, "facts", factID.String(), "history"))
	versions := make([]annals.FactVersion, len(out.Versions))
	for i, j := range out.Versions {
		versions[i] = annals.FactVersion{Fact: factOf(groupID, j), Current: j.KnownUntil == nil}
	}
	return versions, err
}

// Timeline lists what changed when, the earliest first, or the latest.
func (c *Client) Timeline(ctx context.Context, f annals.TimelineFilter) ([]annals.Change, error) {
	k := in(http.MethodGet, f.GroupID, "timeline")
	k.times(f.AsOf, f.KnownAt)
	list := "timeline"
	if f.LatestFirst {
		list = "timeline-back"
		k.set("latest_first", "true")
	}
	if f.After != nil {
		k.set("cursor", paging.Cursor{List: list, ID: &f.After.FactID, At: f.After.At, Name: f.After.Event}.String())
	}
	if err := k.limit(f.Limit); err != nil {
		return nil, err
	}
	out, _, err := send[struct {
		Changes []struct {
			At         time.Time `json:"at"`
			Event      string    `json:"event"`
			FactID     uuid.UUID `json:"fact_id"`
			Words      string    `json:"words"`
			RecordedAt time.Time `json:"recorded_at"`
			graph.BoundJSON
		} `json:"changes"`
	}](ctx, c, k)
	changes := make([]annals.Change, len(out.Changes))
	for i, j := range out.Changes {
		changes[i] = annals.Change{At: j.At, Event: j.Event, FactID: j.FactID, Words: j.Words, RecordedAt: j.RecordedAt, Known: boundOf(j.BoundJSON)}
	}
	return changes, err
}

// Diff compares what was believed at two times.
func (c *Client) Diff(ctx context.Context, f annals.DiffFilter) (annals.Diff, error) {
	k := in(http.MethodGet, f.GroupID, "diff")
	if f.From.IsZero() {
		return annals.Diff{}, graph.Invalid("from", "is missing; say since when, as in 2024-03-15")
	}
	k.set("from", written(f.From))
	k.set("to", written(f.To))
	if err := k.limit(f.Limit); err != nil {
		return annals.Diff{}, err
	}
	out, _, err := send[annals.DiffJSON](ctx, c, k)
	if err != nil {
		return annals.Diff{}, err
	}
	diff := annals.Diff{From: out.From, To: out.To}
	for _, j := range out.Facts {
		change := annals.FactChange{Change: j.Change, ChangedAt: j.ChangedAt, CausedBy: j.CausedBy}
		for _, side := range []struct {
			from *graph.FactJSON
			to   **annals.Fact
		}{{j.Before, &change.Before}, {j.After, &change.After}} {
			if side.from != nil {
				*side.to = new(factOf(f.GroupID, *side.from))
			}
		}
		diff.Facts = append(diff.Facts, change)
	}
	for _, j := range out.Entities {
		change := annals.EntityChange{Change: j.Change, ChangedAt: j.ChangedAt, CausedBy: j.CausedBy, MergedInto: idOr(j.MergedInto)}
		for _, side := range []struct {
			from *graph.EntityJSON
			to   **annals.Entity
		}{{j.Before, &change.Before}, {j.After, &change.After}} {
			if side.from != nil {
				*side.to = new(entityOf(f.GroupID, *side.from, nil))
			}
		}
		diff.Entities = append(diff.Entities, change)
	}
	return diff, nil
}
