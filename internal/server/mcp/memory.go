package mcp

import (
	"context"
	"fmt"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// memory decides for each call what it may use.
type memory interface {
	// fallback returns the group for a call that names none; "": the call must name one.
	fallback(ctx context.Context) string

	// over returns the client for a call about groups, and checks each of them.
	over(ctx context.Context, groups []string) (*annals.Client, error)

	// groups returns a page of the groups that the caller may use, those after the given id.
	groups(ctx context.Context, after string) ([]annals.Group, error)

	// add stores an episode and arranges for it to be read.
	add(ctx context.Context, c *annals.Client, e annals.Episode) (annals.Stored, error)
}

// maxGroups is how many groups one call may name.
const maxGroups = 20

// groupIDs are the groups that a call names.
type groupIDs []string

// OfGroup is the group of a call.
type OfGroup struct {
	GroupID string `json:"group_id,omitempty" to:"-" maxLength:"200" doc:"left out: the default group"`
}

func (g OfGroup) named() string { return g.GroupID }

// OfGroups are the groups of a call.
type OfGroups struct {
	GroupIDs groupIDs `json:"group_ids,omitempty" to:"-" maxItems:"20" doc:"a group or a list of groups; left out: the default group"`
}

// one returns the client for a call about one group: the named or the default one.
func (d *door) one(ctx context.Context, named string) (client, error) {
	names, err := d.names(ctx, groupIDs{named})
	if err != nil {
		return client{}, err
	}
	c, err := d.memory.over(ctx, names)
	return client{c, names[0]}, err
}

// several returns the client for a call about several groups, and their names.
func (d *door) several(ctx context.Context, named groupIDs) (*annals.Client, []string, error) {
	names, err := d.names(ctx, named)
	if err != nil {
		return nil, nil, err
	}
	c, err := d.memory.over(ctx, names)
	return c, names, err
}

// annotated makes hits of a group's rows, with what has become of them. Of at, only the times
// matter.
func (c client) annotated(ctx context.Context, at annals.Query, rows service.Rows) (annals.Result, error) {
	at.GroupID = c.group
	return service.New(c.Client).Annotate(ctx, at, rows)
}

// names returns the groups that a call is about, without duplicates.
func (d *door) names(ctx context.Context, named groupIDs) ([]string, error) {
	var names []string
	seen := map[string]bool{"": true} // an empty name counts as left out
	for _, name := range named {
		if !seen[name] {
			seen[name], names = true, append(names, name)
		}
	}
	if len(names) == 0 {
		name := d.memory.fallback(ctx)
		if name == "" {
			return nil, graph.Invalid("group_id", "is missing, and this key opens several groups; name one, or send the header %s", GroupHeader)
		}
		names = []string{name}
	}
	if len(names) > maxGroups {
		return nil, graph.Invalid("group_ids", "has %d groups; the most is %d", len(names), maxGroups)
	}
	for _, name := range names {
		if err := graph.ValidateGroupID(name); err != nil {
			return nil, fmt.Errorf("check the groups: %w", err)
		}
	}
	return names, nil
}
