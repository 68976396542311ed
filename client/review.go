package client

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/engine/edit"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/paging"
)

// Review lists facts under review with their messages. It returns those that wait for a
// decision, as [edit.Editor.Review] does; with added, those that a source, run or day
// brought, as [edit.Editor.Added] does.
func (c *Client) Review(ctx context.Context, f edit.ReviewFilter, added bool) ([]edit.Reviewed, error) {
	k := in(http.MethodGet, f.GroupID, "review").asking(input.Say[input.Waiting](f))
	if added {
		k = in(http.MethodGet, f.GroupID, "review", "added").asking(input.Say[input.Added](f))
	}
	return page(ctx, c, k, paging.Review, f.After, f.Limit, "review", func(j edit.ReviewedJSON) edit.Reviewed {
		fact := factIn(f.GroupID)
		return edit.Reviewed{
			Kind: j.Kind, Version: j.ETag, Before: side(j.Before, fact), Fact: side(j.Fact, fact), Against: each.Of(j.Against, fact),
			Ends: each.Of(j.Ends, func(e edit.EndingJSON) edit.Ending {
				return edit.Ending{Before: fact(e.Before), After: side(e.After, fact)}
			}),
			Said: each.Of(j.Said, func(e graph.EpisodeJSON) annals.Episode { return episodeOf(f.GroupID, e) }),
		}
	})
}

// Bringers lists the sources, runs and days that brought facts, latest first.
// [Client.Review] lists those facts.
func (c *Client) Bringers(ctx context.Context, groupID string, limit int) ([]edit.Bringer, error) {
	most, err := graph.RowLimit(limit)
	if err != nil {
		return nil, err
	}
	k := in(http.MethodGet, groupID, "review", "brought")
	k.query.Set("limit", strconv.Itoa(int(most)))
	return member[[]edit.Bringer](ctx, c, k, "brought")
}

// Decide approves, rejects, edits or leaves facts under review, and returns their number.
func (c *Client) Decide(ctx context.Context, d edit.Decision) (int, error) {
	decision := input.ReviewDecision{Do: d.Do, Decided: input.Decided{Facts: texts(d.FactIDs), All: d.All}}
	if d.Do == "edit" {
		decision.Edit = new(input.Say[input.FactChange](d.Edit))
	}
	k := in(http.MethodPost, d.GroupID, "review").asking(input.Say[input.Waiting](d.Filter)).saying(decision).doing()
	if len(d.Versions) > 0 {
		k.header.Set("If-Match", strings.Join(d.Versions, ", "))
	}
	return member[int](ctx, c, k, "decided")
}

// TakeBack undoes all episodes that came from a source, such as a file. A dry run only
// returns what would change.
func (c *Client) TakeBack(ctx context.Context, t edit.TakingBack) (annals.Preview, error) {
	what := input.Say[input.TakeBack](t)
	what.DryRun = t.DryRun
	type answer struct {
		Undone  annals.Undone      `json:"undone"`
		Preview annals.PreviewJSON `json:"preview"`
	}
	return get(ctx, c, in(http.MethodDelete, t.GroupID, "episodes").asking(what), func(a answer) annals.Preview {
		diff := diffOf(t.GroupID, annals.DiffJSON{Facts: a.Preview.Facts, Entities: a.Preview.Entities})
		return annals.Preview{Undone: a.Undone, Facts: diff.Facts, Entities: diff.Entities}
	})
}
