package client

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"net/url"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/paging"
)

// Groups lists the groups that the key opens by their ids; Among is for the library
// alone.
func (c *Client) Groups(ctx context.Context, f annals.GroupFilter) ([]annals.Group, error) {
	if f.Among != nil {
		return nil, graph.Invalid("among", "is not taken over REST, which lists the groups that the key opens")
	}
	k := call{method: http.MethodGet, path: []string{"groups"}, query: url.Values{}, header: http.Header{}}
	if f.After != "" {
		k.set("cursor", paging.Cursor{List: "groups", Name: f.After}.String())
	}
	if err := k.limit(f.Limit); err != nil {
		return nil, err
	}
	out, _, err := send[struct {
		Groups []annals.Group `json:"groups"`
	}](ctx, c, k)
	return out.Groups, err
}

// Group returns one group, or a [annals.CodeNotFound].
func (c *Client) Group(ctx context.Context, groupID string) (annals.Group, error) {
	out, _, err := send[annals.Group](ctx, c, in(http.MethodGet, groupID))
	return out, err
}

// CreateGroup makes a group and returns it. It takes a key that opens all groups.
func (c *Client) CreateGroup(ctx context.Context, g annals.Group) (annals.Group, error) {
	if err := graph.ValidateGroupID(g.ID); err != nil {
		return annals.Group{}, err
	}
	out, _, err := send[annals.Group](ctx, c, call{method: http.MethodPost, path: []string{"groups"}, header: http.Header{}, body: struct {
		ID          string          `json:"id"`
		Kind        graph.GroupKind `json:"kind,omitempty"`
		Name        string          `json:"name,omitempty"`
		Description string          `json:"description,omitempty"`
		TimeZone    string          `json:"time_zone,omitempty"`
		Force       bool            `json:"force,omitempty"`
	}{g.ID, g.Kind, g.Name, g.Description, g.TimeZone, g.Force}})
	return out, err
}

// UpdateGroup changes what a group is called and described by.
func (c *Client) UpdateGroup(ctx context.Context, groupID string, change annals.GroupChange) (annals.Group, error) {
	k := in(http.MethodPatch, groupID)
	k.body = struct {
		Name        *string `json:"name,omitempty"`
		Description *string `json:"description,omitempty"`
		TimeZone    *string `json:"time_zone,omitempty"`
	}{change.Name, change.Description, change.TimeZone}
	out, _, err := send[annals.Group](ctx, c, k)
	return out, err
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
	k := in(http.MethodGet, f.GroupID, "threads")
	if f.After != nil {
		k.set("cursor", paging.Cursor{List: "threads", Name: f.After.ID, At: f.After.LastAt}.String())
	}
	if err := k.limit(f.Limit); err != nil {
		return nil, err
	}
	out, _, err := send[struct {
		Threads []threadJSON `json:"threads"`
	}](ctx, c, k)
	threads := make([]annals.Thread, len(out.Threads))
	for i, j := range out.Threads {
		threads[i] = j.thread()
	}
	return threads, err
}

// Thread returns one conversation, or a [annals.CodeNotFound].
func (c *Client) Thread(ctx context.Context, groupID, threadID string) (annals.Thread, error) {
	out, _, err := send[threadJSON](ctx, c, in(http.MethodGet, groupID, "threads", threadID))
	if err != nil {
		return annals.Thread{}, err
	}
	return out.thread(), nil
}

// SummariseThread extends the summary of a conversation by what was said since.
func (c *Client) SummariseThread(ctx context.Context, groupID, threadID string) (string, error) {
	k := in(http.MethodPost, groupID, "threads", threadID, "summary")
	k.once = true
	out, _, err := send[struct {
		Summary string `json:"summary"`
	}](ctx, c, k)
	return out.Summary, err
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
	k := in(http.MethodPut, groupID, "ontology")
	k.body = o
	_, _, err := send[json.RawMessage](ctx, c, k)
	return err
}

// retention is a policy as REST has it.
type retention struct {
	MaxAge      int64      `json:"max_age_seconds,omitempty"`
	MaxEpisodes int        `json:"max_episodes,omitempty"`
	AppliedAt   *time.Time `json:"applied_at,omitempty"`
}

// Retention returns how long a group keeps its episodes, to the second.
func (c *Client) Retention(ctx context.Context, groupID string) (annals.Retention, error) {
	out, _, err := send[retention](ctx, c, in(http.MethodGet, groupID, "retention"))
	return annals.Retention{MaxAge: time.Duration(out.MaxAge) * time.Second, MaxEpisodes: out.MaxEpisodes, AppliedAt: orZero(out.AppliedAt)}, err
}

// SetRetention gives a group a policy of how long it keeps its episodes; the zero
// value removes it.
func (c *Client) SetRetention(ctx context.Context, groupID string, r annals.Retention) error {
	k := in(http.MethodPut, groupID, "retention")
	k.body = retention{MaxAge: int64(math.Ceil(r.MaxAge.Seconds())), MaxEpisodes: r.MaxEpisodes}
	_, _, err := send[retention](ctx, c, k)
	return err
}

// ApplyRetention undoes what a group keeps for longer than its policy says.
func (c *Client) ApplyRetention(ctx context.Context, groupID string, anyReader bool) (annals.Undone, error) {
	k := in(http.MethodPost, groupID, "retention", "apply")
	k.once = true
	k.anyReader(anyReader)
	return c.undone(ctx, k)
}

// Usage says what a group has cost so far, by prompt and model.
func (c *Client) Usage(ctx context.Context, groupID string) ([]annals.Usage, error) {
	out, _, err := send[struct {
		Usage []struct {
			Kind         string  `json:"kind"`
			Prompt       string  `json:"prompt"`
			Model        string  `json:"model"`
			Calls        int     `json:"calls"`
			Cached       int     `json:"cached"`
			Repairs      int     `json:"repairs"`
			Failed       int     `json:"failed"`
			InputTokens  int     `json:"input_tokens"`
			OutputTokens int     `json:"output_tokens"`
			Cost         float64 `json:"cost"`
			Unpriced     int     `json:"unpriced"`
		} `json:"usage"`
	}](ctx, c, in(http.MethodGet, groupID, "usage"))
	usage := make([]annals.Usage, len(out.Usage))
	for i, j := range out.Usage {
		usage[i] = annals.Usage(j)
	}
	return usage, err
}
