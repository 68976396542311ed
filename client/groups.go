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

// Groups lists the groups that the key opens by their ids; Among is for the library
// alone.
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

// Group returns one group, or a [annals.CodeNotFound].
func (c *Client) Group(ctx context.Context, groupID string) (annals.Group, error) {
	return get(ctx, c, in(http.MethodGet, groupID), itself[annals.Group])
}

// CreateGroup makes a group and returns it. It takes a key that opens all groups.
func (c *Client) CreateGroup(ctx context.Context, g annals.Group) (annals.Group, error) {
	if err := graph.ValidateGroupID(g.ID); err != nil {
		return annals.Group{}, err
	}
	return get(ctx, c, to(http.MethodPost, "groups").saying(input.Say[input.NewGroup](g)), itself[annals.Group])
}

// UpdateGroup changes what a group is called and described by.
func (c *Client) UpdateGroup(ctx context.Context, groupID string, change annals.GroupChange) (annals.Group, error) {
	return get(ctx, c, in(http.MethodPatch, groupID).saying(input.Say[input.GroupChange](change)), itself[annals.Group])
}

// threadJSON is a conversation as REST sends it.
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

// Threads lists conversations, the latest first.
func (c *Client) Threads(ctx context.Context, f annals.ThreadFilter) ([]annals.Thread, error) {
	return page(ctx, c, in(http.MethodGet, f.GroupID, "threads"), paging.Threads, f.After, f.Limit, "threads", threadJSON.thread)
}

// Thread returns one conversation, or a [annals.CodeNotFound].
func (c *Client) Thread(ctx context.Context, groupID, threadID string) (annals.Thread, error) {
	return get(ctx, c, in(http.MethodGet, groupID, "threads", threadID), threadJSON.thread)
}

// SummariseThread extends the summary of a conversation by what was said since.
func (c *Client) SummariseThread(ctx context.Context, groupID, threadID string) (string, error) {
	return member[string](ctx, c, in(http.MethodPost, groupID, "threads", threadID, "summary").doing(), "summary")
}

// Ontology returns the kinds of entities and facts that a group looks for.
func (c *Client) Ontology(ctx context.Context, groupID string) (annals.Ontology, error) {
	out, _, err := send[json.RawMessage](ctx, c, in(http.MethodGet, groupID, "ontology"))
	if err != nil {
		return annals.Ontology{}, err
	}
	return graph.ParseOntology(out)
}

// SetOntology gives a group its kinds of entities and facts.
func (c *Client) SetOntology(ctx context.Context, groupID string, o annals.Ontology) error {
	_, _, err := send[json.RawMessage](ctx, c, in(http.MethodPut, groupID, "ontology").saying(o))
	return err
}

// Retention returns how long a group keeps its episodes, to the second.
func (c *Client) Retention(ctx context.Context, groupID string) (annals.Retention, error) {
	out, _, err := send[input.Retention](ctx, c, in(http.MethodGet, groupID, "retention"))
	if err != nil {
		return annals.Retention{}, err
	}
	return input.Read(out, annals.Retention{MaxAge: time.Duration(orZero(out.MaxAgeSeconds)) * time.Second})
}

// SetRetention gives a group a policy of how long it keeps its episodes; the zero
// value removes it.
func (c *Client) SetRetention(ctx context.Context, groupID string, r annals.Retention) error {
	said := input.Say[input.Retention](annals.Retention{MaxEpisodes: r.MaxEpisodes})
	if seconds := int64(math.Ceil(r.MaxAge.Seconds())); seconds != 0 {
		said.MaxAgeSeconds = &seconds
	}
	_, _, err := send[input.Retention](ctx, c, in(http.MethodPut, groupID, "retention").saying(said))
	return err
}

// ApplyRetention undoes what a group keeps for longer than its policy says.
func (c *Client) ApplyRetention(ctx context.Context, groupID string, anyReader bool) (annals.Undone, error) {
	k := in(http.MethodPost, groupID, "retention", "apply").asking(input.Judged{AnyReader: anyReader}).doing()
	return member[annals.Undone](ctx, c, k, "undone")
}

// Usage says what a group has cost so far, by prompt and model.
func (c *Client) Usage(ctx context.Context, groupID string) ([]annals.Usage, error) {
	return list(ctx, c, in(http.MethodGet, groupID, "usage"), "usage", itself[annals.Usage])
}
