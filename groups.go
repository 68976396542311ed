package annals

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// Group is one memory: of a user, a team, an agent.
type Group = graph.Group

// GroupFilter chooses groups. Its zero fields choose nothing out.
type GroupFilter struct {
	Among []string // only these; nil: all there are
	After string   // only those whose ids sort after this one
	Limit int      // 1 to MaxRows; zero: DefaultRows
}

// Groups lists groups by their ids. A Client that is bound to a group sees that
// one alone.
func (c *Client) Groups(ctx context.Context, f GroupFilter) ([]Group, error) {
	limit, err := rowLimit(f.Limit)
	if err != nil {
		return nil, err
	}
	for _, group := range f.Among {
		if err := c.admit(group); err != nil {
			return nil, err
		}
	}
	rows, err := read(ctx, c, "", func(ctx context.Context, from source) ([]db.GroupListRow, error) {
		return db.New(from.pool).GroupList(ctx, db.GroupListParams{After: f.After, Among: f.Among, MaxRows: limit})
	})
	if err != nil {
		return nil, fmt.Errorf("list groups: %w", err)
	}
	groups := make([]Group, len(rows))
	for i, row := range rows {
		groups[i] = Group{ID: row.GroupID, Kind: row.Kind, CreatedAt: row.CreatedAt.UTC()}
	}
	return groups, nil
}

// Group returns one group, or a [CodeNotFound].
func (c *Client) Group(ctx context.Context, groupID string) (Group, error) {
	if err := c.admit(groupID); err != nil {
		return Group{}, err
	}
	row, err := read(ctx, c, groupID, func(ctx context.Context, from source) (db.GroupGetRow, error) {
		return db.New(from.pool).GroupGet(ctx, groupID)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return Group{}, &Error{Code: CodeNotFound, Field: "group", Message: fmt.Sprintf("there is none called %q", groupID)}
	}
	if err != nil {
		return Group{}, fmt.Errorf("read group %s: %w", groupID, err)
	}
	return Group{ID: row.GroupID, Kind: row.Kind, CreatedAt: row.CreatedAt.UTC()}, nil
}

// CreateGroup makes a group and returns it; its Kind is graph where none is
// given. There is no need to: the first episode that names a group makes it. A
// group that is there already, or was erased, is a [CodeConflict].
func (c *Client) CreateGroup(ctx context.Context, g Group) (Group, error) {
	g.Kind = cmp.Or(g.Kind, graph.GroupGraph)
	if err := c.admit(g.ID); err != nil {
		return Group{}, err
	}
	made, err := c.engine.CreateGroup(ctx, g)
	c.wrote(g.ID)
	if err != nil {
		return Group{}, err
	}
	if !made {
		return Group{}, &Error{Code: CodeConflict, Field: "id", Message: fmt.Sprintf("there is a group %s already", g.ID)}
	}
	return c.Group(ctx, g.ID)
}

// WaitingGroups lists the groups with episodes that wait for [Client.Process].
// A Client that is bound to a group hears of that one alone.
func (c *Client) WaitingGroups(ctx context.Context) ([]string, error) {
	groups, err := db.New(c.pool).GroupsWaiting(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the groups with waiting episodes: %w", err)
	}
	return groups, nil
}
