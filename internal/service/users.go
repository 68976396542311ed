package service

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
)

// User is the person to whom a group belongs.
type User = graph.User

// UserChange is a change of a user; nil fields stay unchanged.
type UserChange struct {
	Email     *string
	FirstName *string
	LastName  *string
	TimeZone  *string
	Metadata  json.RawMessage // nil: unchanged
	Plain     *bool
}

// CreateUser creates the group of a user, with the user's details. It fails with
// [annals.CodeConflict] if the group exists, or if it was erased and Force is not set.
func (s *Service) CreateUser(ctx context.Context, u User) (User, error) {
	if err := s.admit(u.GroupID); err != nil {
		return User{}, err
	}
	defer s.wrote(u.GroupID)
	made, err := s.engine.CreateUser(ctx, u)
	if err != nil {
		return User{}, err
	}
	if !made {
		return User{}, change.Conflict("id", "there is a group %s already", u.GroupID)
	}
	return s.User(ctx, u.GroupID)
}

// User returns one user. It fails with [annals.CodeNotFound] if there is none.
func (s *Service) User(ctx context.Context, groupID string) (User, error) {
	if err := s.admit(groupID); err != nil {
		return User{}, err
	}
	row, err := db.New(s.pool).UserGet(ctx, groupID)
	return found(row, err, userOf, change.NotFound("user", "there is none called %q", groupID), "read user %s", groupID)
}

func userOf(row db.UserRow) User {
	return User{
		GroupID: row.GroupID, Email: row.Email, FirstName: row.FirstName, LastName: row.LastName, TimeZone: row.TimeZone,
		Metadata: row.Metadata, Plain: row.Plain, CreatedAt: row.CreatedAt.UTC(), UpdatedAt: row.UpdatedAt.UTC(),
	}
}

// UpdateUser changes the details of a user.
func (s *Service) UpdateUser(ctx context.Context, groupID string, change UserChange) (User, error) {
	u, err := s.User(ctx, groupID)
	if err != nil {
		return User{}, err
	}
	defer s.wrote(groupID)
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
	err = db.InTxBy(ctx, s.pool, func(q *db.Queries) error {
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
	return s.User(ctx, groupID)
}
