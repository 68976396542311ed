package client

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/paging"
)

// Groups lists the groups that the key may open, by id. Among is refused: only the
// library takes it.
func (c *Client) Groups(ctx context.Context, f annals.GroupFilter) ([]annals.Group, error) {
	if f.Among != nil {
		return nil, graph.Invalid("among", "is not taken over REST, which lists the groups that the key opens")
	}
	var after *annals.Group
	if f.After != "" {
		after = &annals.Group{ID: f.After}
	}
	return page(ctx, c, to(http.MethodGet, "groups"), paging.Groups, after, f.Limit, "groups", itself[annals.Group])
}

// Group returns a group. If there is none, the code is [annals.CodeNotFound].
func (c *Client) Group(ctx context.Context, groupID string) (annals.Group, error) {
	return get(ctx, c, in(http.MethodGet, groupID), itself[annals.Group])
}

// CreateGroup creates a group and returns it. The key must open all groups.
func (c *Client) CreateGroup(ctx context.Context, g annals.Group) (annals.Group, error) {
	if err := graph.ValidateGroupID(g.ID); err != nil {
		return annals.Group{}, err
	}
	return get(ctx, c, to(http.MethodPost, "groups").saying(input.Say[input.NewGroup](g)), itself[annals.Group])
}

// UpdateGroup changes the name and description of a group.
func (c *Client) UpdateGroup(ctx context.Context, groupID string, change annals.GroupChange) (annals.Group, error) {
	return get(ctx, c, in(http.MethodPatch, groupID).saying(input.Say[input.GroupChange](change)), itself[annals.Group])
}

// threadJSON is the JSON form of a conversation.
type threadJSON struct {
	ID           string          `json:"id"`
	Summary      string          `json:"summary"`
	Messages     int             `json:"messages"`
	Unsummarised int             `json:"unsummarised"`
	LastAt       time.Time       `json:"last_at"`
	Metadata     json.RawMessage `json:"metadata"`
	CreatedAt    time.Time       `json:"created_at"`
}

func (j threadJSON) thread() annals.Thread {
	return annals.Thread{
		ID: j.ID, Summary: j.Summary, Messages: j.Messages, Unsummarised: j.Unsummarised, LastAt: j.LastAt, Metadata: j.Metadata, CreatedAt: j.CreatedAt,
	}
}

// Threads lists conversations, latest first.
func (c *Client) Threads(ctx context.Context, f annals.ThreadFilter) ([]annals.Thread, error) {
	return page(ctx, c, in(http.MethodGet, f.GroupID, "threads"), paging.Threads, f.After, f.Limit, "threads", threadJSON.thread)
}

// Thread returns a conversation. If there is none, the code is
// [annals.CodeNotFound].
func (c *Client) Thread(ctx context.Context, groupID, threadID string) (annals.Thread, error) {
	return get(ctx, c, in(http.MethodGet, groupID, "threads", threadID), threadJSON.thread)
}

// SummariseThread extends the summary of a conversation to its latest messages,
// and returns it.
func (c *Client) SummariseThread(ctx context.Context, groupID, threadID string) (string, error) {
	return member[string](ctx, c, in(http.MethodPost, groupID, "threads", threadID, "summary").doing(), "summary")
}

// Ontology returns the ontology of a group.
func (c *Client) Ontology(ctx context.Context, groupID string) (annals.Ontology, error) {
	out, _, err := send[json.RawMessage](ctx, c, in(http.MethodGet, groupID, "ontology"))
	if err != nil {
		return annals.Ontology{}, err
	}
	return graph.ParseOntology(out)
}

// SetOntology replaces the ontology of a group.
func (c *Client) SetOntology(ctx context.Context, groupID string, o annals.Ontology) error {
	_, _, err := send[json.RawMessage](ctx, c, in(http.MethodPut, groupID, "ontology").saying(o))
	return err
}

// Retention returns the retention policy of a group; MaxAge is exact to the
// second.
func (c *Client) Retention(ctx context.Context, groupID string) (annals.Retention, error) {
	out, _, err := send[input.Retention](ctx, c, in(http.MethodGet, groupID, "retention"))
	if err != nil {
		return annals.Retention{}, err
	}
	return input.Read(out, annals.Retention{MaxAge: time.Duration(orZero(out.MaxAgeSeconds)) * time.Second})
}

// SetRetention replaces the retention policy of a group; the zero value removes
// it. MaxAge is rounded up to seconds.
func (c *Client) SetRetention(ctx context.Context, groupID string, r annals.Retention) error {
	said := input.Say[input.Retention](annals.Retention{MaxEpisodes: r.MaxEpisodes})
	if seconds := int64(math.Ceil(r.MaxAge.Seconds())); seconds != 0 {
		said.MaxAgeSeconds = &seconds
	}
	_, _, err := send[input.Retention](ctx, c, in(http.MethodPut, groupID, "retention").saying(said))
	return err
}

// ApplyRetention undoes the episodes beyond a group's policy, as
// [annals.Client.ApplyRetention] does.
func (c *Client) ApplyRetention(ctx context.Context, groupID string, anyReader bool) (annals.Undone, error) {
	k := in(http.MethodPost, groupID, "retention", "apply").asking(input.Judged{AnyReader: anyReader}).doing()
	return member[annals.Undone](ctx, c, k, "undone")
}

// Usage returns the cost of a group so far, by prompt and model.
func (c *Client) Usage(ctx context.Context, groupID string) ([]annals.Usage, error) {
	return list(ctx, c, in(http.MethodGet, groupID, "usage"), "usage", itself[annals.Usage])
}
