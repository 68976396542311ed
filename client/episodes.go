package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/paging"
)

// The limits of one request of [Client.AddAll]. Within them the answer names each
// episode.
const (
	maxLines = 1000
	maxBytes = 32 << 20
)

// accepted is the answer for a stored episode.
type accepted struct {
	ID    uuid.UUID   `json:"id"`
	New   bool        `json:"new"`
	State graph.State `json:"state"`
	Note  string      `json:"note"`
}

func (a accepted) stored() annals.Stored {
	return annals.Stored{ID: a.ID, New: a.New, State: a.State, Note: a.Note}
}

// inputOf converts an episode to the form of REST.
func inputOf(e annals.Episode) (graph.EpisodeInput, error) {
	if e.ID != uuid.Nil {
		return graph.EpisodeInput{}, graph.Invalid("id", "cannot be chosen over REST; give an external_id of your own")
	}
	if e.Source == "" {
		e.Source = graph.SourceMessage
	}
	if err := e.Validate(); err != nil {
		return graph.EpisodeInput{}, err
	}
	return input.Say[graph.EpisodeInput](e), nil
}

// Add stores an episode, as [annals.Client.Add] does.
func (c *Client) Add(ctx context.Context, episode annals.Episode) (annals.Stored, error) {
	said, err := inputOf(episode)
	if err != nil {
		return annals.Stored{}, err
	}
	return get(ctx, c, in(http.MethodPost, episode.GroupID, "episodes").saying(said).doing(), accepted.stored)
}

// AddAll stores several episodes in order, as [annals.Client.AddAll] does, but in
// requests of up to 1000 episodes. All are checked before the first request. If the
// service refuses an episode, the earlier ones stay stored.
func (c *Client) AddAll(ctx context.Context, episodes []annals.Episode) ([]annals.Stored, error) {
	lines := make([][]byte, len(episodes))
	for i, e := range episodes {
		said, err := inputOf(e)
		if err == nil {
			lines[i], err = json.Marshal(said)
		}
		if err != nil {
			return nil, err
		}
	}
	var all []annals.Stored
	for len(all) < len(episodes) {
		group, some := episodes[len(all)].GroupID, [][]byte{}
		size := 0
		for i := len(all); i < len(episodes) && episodes[i].GroupID == group && len(some) < maxLines && size < maxBytes; i++ {
			some, size = append(some, lines[i]), size+len(lines[i])
		}
		stored, err := c.addLines(ctx, group, some)
		if err != nil {
			return nil, err
		}
		all = append(all, stored...)
	}
	return all, nil
}

// addLines stores episodes of one group.
func (c *Client) addLines(ctx context.Context, group string, lines [][]byte) ([]annals.Stored, error) {
	k := in(http.MethodPost, group, "episodes")
	k.lines, k.once = append(bytes.Join(lines, []byte("\n")), '\n'), true
	out, _, err := send[struct {
		Episodes []accepted `json:"episodes"`
		Refused  []struct {
			Reason string `json:"reason"`
		} `json:"refused_lines"`
	}](ctx, c, k)
	if err != nil {
		return nil, err
	}
	if len(out.Refused) > 0 {
		return nil, &annals.Error{
			Code: annals.CodeConflict, Field: graph.ErasedField, Message: fmt.Sprintf("of %s %d repeat what was erased, the others are stored: %s", each.Count(len(lines), "episode"), len(out.Refused), out.Refused[0].Reason),
		}
	}
	stored := each.Of(out.Episodes, accepted.stored)
	if len(stored) != len(lines) {
		return nil, &annals.Error{Code: annals.CodeInternal, Message: fmt.Sprintf("the service names %d of %s", len(stored), each.Count(len(lines), "episode"))}
	}
	return stored, nil
}

// Episode returns an episode. If there is none, the code is [annals.CodeNotFound].
func (c *Client) Episode(ctx context.Context, groupID string, id uuid.UUID) (annals.Episode, error) {
	return get(ctx, c, in(http.MethodGet, groupID, "episodes", id.String()), episodeIn(groupID))
}

// Episodes lists episodes, latest first.
func (c *Client) Episodes(ctx context.Context, f annals.EpisodeFilter) ([]annals.Episode, error) {
	k := in(http.MethodGet, f.GroupID, "episodes").asking(input.Say[input.ListEpisodes](f))
	return page(ctx, c, k, paging.Episodes, f.After, f.Limit, "episodes", episodeIn(f.GroupID))
}

// EpisodeCounts returns the number of the group's episodes in each state, without
// empty states.
func (c *Client) EpisodeCounts(ctx context.Context, groupID string) (map[graph.State]int, error) {
	found, err := member[map[graph.State]int](ctx, c, in(http.MethodGet, groupID), "episodes")
	if annals.CodeOf(err) == annals.CodeNotFound {
		return map[graph.State]int{}, nil // a missing group has none
	}
	counts := map[graph.State]int{}
	for state, n := range found {
		if n > 0 {
			counts[state] = n
		}
	}
	return counts, err
}

// decision is the JSON form of a trace entry.
type decision struct {
	Step, Decision, Subject, Reason string

	EntityID *uuid.UUID `json:"entity_id"`
	FactID   *uuid.UUID `json:"fact_id"`
}

// Trace lists the decisions about an episode with their reasons, in order.
func (c *Client) Trace(ctx context.Context, groupID string, episodeID uuid.UUID) ([]annals.TraceEntry, error) {
	return list(ctx, c, in(http.MethodGet, groupID, "episodes", episodeID.String(), "trace"), "trace", func(d decision) annals.TraceEntry {
		return annals.TraceEntry{
			Step: d.Step, Decision: d.Decision, Subject: d.Subject, Reason: d.Reason, EntityID: orZero(d.EntityID), FactID: orZero(d.FactID),
		}
	})
}

// Retry queues failed and deferred episodes for reading, and returns their number.
func (c *Client) Retry(ctx context.Context, groupID string) (int, error) {
	return member[int](ctx, c, in(http.MethodPost, groupID, "retry").doing(), "retried")
}

// Undo undoes an episode.
func (c *Client) Undo(ctx context.Context, groupID string, id uuid.UUID) (annals.Undone, error) {
	return c.UndoAll(ctx, annals.Undoing{GroupID: groupID, EpisodeIDs: []uuid.UUID{id}})
}

// UndoAll undoes the only episode of undoing: REST takes one at a time.
func (c *Client) UndoAll(ctx context.Context, undoing annals.Undoing) (annals.Undone, error) {
	ids := slices.Compact(slices.Clone(undoing.EpisodeIDs))
	if len(ids) != 1 {
		return annals.Undone{}, graph.Invalid("episodes", "are %d; over REST undo one at a time", len(ids))
	}
	k := in(http.MethodDelete, undoing.GroupID, "episodes", ids[0].String()).asking(input.Say[input.Judged](undoing))
	return member[annals.Undone](ctx, c, k, "undone")
}
