package annals

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/telemetry"
)

// Group is one memory, for example of a user, a team or an agent.
type Group = graph.Group

// GroupFilter selects groups. Zero fields do not narrow the selection.
type GroupFilter struct {
	Among []string // only these groups and those of these namespaces, written acme:*; nil: all
	After string   // only groups whose ids sort after this one
	Limit int      // 1 to MaxRows; zero: DefaultRows
}

// Groups lists groups by id. A Client that is bound to a group lists only that group.
func (c *Client) Groups(ctx context.Context, f GroupFilter) ([]Group, error) {
	limit, err := graph.RowLimit(f.Limit)
	if err == nil {
		err = graph.ValidateText("after", f.After, math.MaxInt)
	}
	if err != nil {
		return nil, err
	}
	for _, group := range f.Among {
		if namespace, ok := graph.NamespaceOf(group); ok {
			group = namespace
		}
		if err := c.admit(group); err != nil {
			return nil, err
		}
	}
	rows, err := readAll(ctx, c, nil, func(ctx context.Context, from source) ([]db.GroupRow, error) {
		return db.New(from.pool).GroupList(ctx, db.GroupListParams{After: f.After, Among: f.Among, MaxRows: limit})
	})
	if err != nil {
		return nil, fmt.Errorf("list groups: %w", err)
	}
	return each.Of(rows, groupOf), nil
}

// Group returns a group. It fails with [CodeNotFound] if there is none of this id.
func (c *Client) Group(ctx context.Context, groupID string) (Group, error) {
	row, err := query(ctx, c, groupID, func(ctx context.Context, q *db.Queries) (db.GroupRow, error) {
		return q.GroupGet(ctx, groupID)
	}, "read group %s", groupID)
	if errors.Is(err, pgx.ErrNoRows) {
		return Group{}, noGroup(groupID)
	}
	if err != nil {
		return Group{}, err
	}
	return groupOf(row), nil
}

func noGroup(groupID string) error {
	return change.NotFound("group", "there is none called %q", groupID)
}

func groupOf(row db.GroupRow) Group {
	return Group{
		ID: row.GroupID, Kind: row.Kind, Name: row.Name, Description: row.Description, TimeZone: row.TimeZone,
		CreatedAt: row.CreatedAt.UTC(), UpdatedAt: row.UpdatedAt.UTC(), Language: row.Language, LanguageFrom: row.TextSearchFrom,
	}
}

// GroupChange holds the new values of a group's fields; nil: unchanged.
type GroupChange struct {
	Name        *string
	Description *string
	TimeZone    *string
}

// UpdateGroup changes the name, description and time zone of a group.
func (c *Client) UpdateGroup(ctx context.Context, groupID string, change GroupChange) (Group, error) {
	g, err := c.Group(ctx, groupID)
	if err != nil {
		return Group{}, err
	}
	for _, field := range []struct{ from, to *string }{
		{change.Name, &g.Name}, {change.Description, &g.Description}, {change.TimeZone, &g.TimeZone},
	} {
		if field.from != nil {
			*field.to = *field.from
		}
	}
	if err := g.Validate(); err != nil {
		return Group{}, err
	}
	defer c.wrote(groupID)
	var row db.GroupRow
	err = db.InTxBy(ctx, c.pool, func(q *db.Queries) error {
		if _, err := q.GroupDescribe(ctx, db.GroupDescribeParams{
			GroupID: groupID, Name: change.Name, Description: change.Description, TimeZone: change.TimeZone,
		}); err != nil {
			return err
		}
		row, err = q.GroupGet(ctx, groupID)
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) { // it was erased meanwhile
		return Group{}, noGroup(groupID)
	}
	if erased := db.RefusedText(err); erased != nil {
		return Group{}, erased
	}
	if err != nil {
		return Group{}, fmt.Errorf("change group %s: %w", groupID, err)
	}
	return groupOf(row), nil
}

// CreateGroup creates a group and returns it. An empty Kind stands for graph. Calling it is
// optional: the first episode that names a group creates it. It fails with [CodeConflict] if the
// group exists, or was erased and Force is not set.
func (c *Client) CreateGroup(ctx context.Context, g Group) (Group, error) {
	g.Kind = cmp.Or(g.Kind, graph.GroupGraph)
	if err := c.admit(g.ID); err != nil {
		return Group{}, err
	}
	made, err := telemetry.Memory(ctx, telemetry.CreateMemoryStore, g.ID, one, func(ctx context.Context) (bool, error) { return c.engine.CreateGroup(ctx, g) })
	c.wrote(g.ID)
	if err != nil {
		return Group{}, err
	}
	if !made {
		return Group{}, change.Conflict("id", "there is a group %s already", g.ID)
	}
	return c.Group(ctx, g.ID)
}
