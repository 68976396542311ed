package annals

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// User is a person whose memory a group is.
type User = graph.User

// UserChange is what becomes different about a user; nil: that stays.
type UserChange struct {
	Email     *string
	FirstName *string
	LastName  *string
	TimeZone  *string
	Metadata  json.RawMessage // nil: it stays
	Plain     *bool
}

// CreateUser makes the group of a user, and notes who they are. A group that is
// there already, or was erased and not forced, is a [CodeConflict].
func (c *Client) CreateUser(ctx context.Context, u User) (User, error) {
	if err := c.admit(u.GroupID); err != nil {
		return User{}, err
	}
	defer c.wrote(u.GroupID)
	made, err := c.engine.CreateUser(ctx, u)
	if err != nil {
		return User{}, err
	}
	if !made {
		return User{}, &Error{Code: CodeConflict, Field: "id", Message: fmt.Sprintf("there is a group %s already", u.GroupID)}
	}
	return c.User(ctx, u.GroupID)
}

// User returns one user, or a [CodeNotFound].
func (c *Client) User(ctx context.Context, groupID string) (User, error) {
	if err := c.admit(groupID); err != nil {
		return User{}, err
	}
	row, err := db.New(c.pool).UserGet(ctx, groupID)
	if errors.Is(err, pgx.ErrNoRows) {
		return User{}, &Error{Code: CodeNotFound, Field: "user", Message: fmt.Sprintf("there is none called %q", groupID)}
	}
	if err != nil {
		return User{}, fmt.Errorf("read user %s: %w", groupID, err)
	}
	return userOf(row), nil
}

func userOf(row db.UserGetRow) User {
	return User{
		GroupID: row.GroupID, Email: row.Email, FirstName: row.FirstName, LastName: row.LastName, TimeZone: row.TimeZone,
		Metadata: row.Metadata, Plain: row.Plain, CreatedAt: row.CreatedAt.UTC(), UpdatedAt: row.UpdatedAt.UTC(),
	}
}

// UpdateUser changes what is noted about a user.
func (c *Client) UpdateUser(ctx context.Context, groupID string, change UserChange) (User, error) {
	u, err := c.User(ctx, groupID)
	if err != nil {
		return User{}, err
	}
	defer c.wrote(groupID)
	for _, field := range []struct{ from, to *string }{
		{change.Email, &u.Email}, {change.FirstName, &u.FirstName}, {change.LastName, &u.LastName}, {change.TimeZone, &u.TimeZone},
	} {
		if field.from != nil {
			*field.to = *field.from
		}
	}
	if change.Metadata != nil {
		u.Metadata = change.Metadata
	}
	if err := u.Validate(); err != nil {
		return User{}, err
	}
	err = db.InTx(ctx, c.pool, func(q *db.Queries) error {
		if change.TimeZone != nil {
			if _, err := q.GroupDescribe(ctx, db.GroupDescribeParams{GroupID: groupID, TimeZone: change.TimeZone}); err != nil {
				return err
			}
		}
		params := db.UserUpdateParams{
			GroupID: groupID, Email: change.Email, FirstName: change.FirstName, LastName: change.LastName, Plain: change.Plain,
		}
		if change.Metadata != nil {
			params.Metadata = change.Metadata
		}
		_, err := q.UserUpdate(ctx, params)
		return err
	})
	if err != nil {
		return User{}, fmt.Errorf("change user %s: %w", groupID, err)
	}
	return c.User(ctx, groupID)
}
