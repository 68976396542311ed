package service

import (
	"context"
	"crypto/sha256"
	"fmt"
	"regexp"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/internal/each"
)

// NewNameless returns an id for a group or a thread that the application gave none. It is a UUID by
// which the group or thread can also be found. Its version is 8, which programs do not use for
// their own ids.
func NewNameless() string {
	id := uuid.Must(uuid.NewV7())
	id[6] = id[6]&0x0f | 0x80
	return id.String()
}

var nameless = regexp.MustCompile(`^([^:/]*:|[^/]*/)?[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// IsNameless reports whether the id of a thread or a template was made by [NewNameless]. Longer ids
// that contain such a UUID are the application's own.
func IsNameless(name string) bool { return len(name) == namelessBytes && nameless.MatchString(name) }

// IsNamelessGroup is [IsNameless] for the id of a group, with or without its namespace.
func IsNamelessGroup(name string) bool {
	return !strings.Contains(name, "/") && nameless.MatchString(name)
}

const namelessBytes = 36

// GroupUUID returns the UUID of a group. It is the same in every database.
func GroupUUID(group string) uuid.UUID { return namedUUID(group) }

// ThreadUUID returns the UUID of a thread, as [GroupUUID] does of a group.
func ThreadUUID(group, id string) uuid.UUID { return namedUUID(group + "/" + id) }

// namedUUID computes the same as annals_internal.named_uuid in the database.
func namedUUID(name string) uuid.UUID {
	if nameless.MatchString(name) {
		return uuid.MustParse(name[len(name)-namelessBytes:])
	}
	hash := sha256.Sum256([]byte(name))
	id := uuid.UUID(hash[:16])
	id[6] = id[6]&0x0f | 0x80
	id[8] = id[8]&0x3f | 0x80
	return id
}

// GroupOfUUID returns the group with a [GroupUUID]; empty: there is none.
func (s *Service) GroupOfUUID(ctx context.Context, w Within, id uuid.UUID) (string, error) {
	if err := s.unbound(); err != nil {
		return "", err
	}
	groups, err := db.New(s.pool).GroupsOfUUID(ctx, db.GroupsOfUUIDParams{ID: id, Namespace: w.Namespace, Among: w.Among})
	if err != nil {
		return "", fmt.Errorf("find the group of %s: %w", id, err)
	}
	return only(groups, "the UUID "+id.String())
}

// ThreadOfUUID returns the thread with a [ThreadUUID]; the zero value: there is none.
func (s *Service) ThreadOfUUID(ctx context.Context, w Within, id uuid.UUID) (ThreadPlace, error) {
	if err := s.unbound(); err != nil {
		return ThreadPlace{}, err
	}
	rows, err := db.New(s.pool).ThreadsOfUUID(ctx, db.ThreadsOfUUIDParams{ID: id, Namespace: w.Namespace, Among: w.Among})
	if err != nil {
		return ThreadPlace{}, fmt.Errorf("find the thread of %s: %w", id, err)
	}
	groups := each.Of(rows, func(row db.ThreadsOfUUIDRow) string { return row.GroupID })
	if _, err := only(groups, "the thread "+id.String()); err != nil || len(rows) == 0 {
		return ThreadPlace{}, err
	}
	t := rows[0]
	return ThreadPlace{GroupID: t.GroupID, ID: t.ID, CreatedAt: t.CreatedAt.UTC(), UpdatedAt: t.UpdatedAt.UTC()}, nil
}
