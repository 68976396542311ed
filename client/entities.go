package client

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/paging"
	"github.com/annalsdb/annals/temporal"
)

// Entities lists entities, most mentioned first.
func (c *Client) Entities(ctx context.Context, f annals.EntityFilter) ([]annals.Entity, error) {
	k := in(http.MethodGet, f.GroupID, "entities").asking(input.Say[input.ListEntities](f))
	return page(ctx, c, k, paging.Entities, f.After, f.Limit, "entities", func(j graph.EntityJSON) annals.Entity { return entityOf(f.GroupID, j, nil) })
}

// Entity returns the entity with this id, or the only entity with this name.
func (c *Client) Entity(ctx context.Context, groupID, idOrName string) (annals.Entity, error) {
	return c.EntityAt(ctx, groupID, idOrName, time.Time{})
}

// EntityAt is [Client.Entity] as known at a time; the zero time is now.
func (c *Client) EntityAt(ctx context.Context, groupID, idOrName string, knownAt time.Time) (annals.Entity, error) {
	k := in(http.MethodGet, groupID, "entities", idOrName)
	if !knownAt.IsZero() {
		k.query.Set("known_at", knownAt.UTC().Format(time.RFC3339Nano))
	}
	return c.oneEntity(ctx, k, groupID)
}

func (c *Client) oneEntity(ctx context.Context, k call, groupID string) (annals.Entity, error) {
	out, header, err := send[graph.EntityJSON](ctx, c, k)
	if err != nil {
		return annals.Entity{}, err
	}
	return entityOf(groupID, out, header), nil
}

// entityVersion is the JSON form of an entity's version.
type entityVersion struct {
	graph.EntityJSON
	KnownFrom  time.Time   `json:"known_from"`
	KnownUntil *time.Time  `json:"known_until"`
	CausedBy   []uuid.UUID `json:"caused_by"`
	EndedBy    []uuid.UUID `json:"ended_by"`
}

// EntityHistory lists every version of an entity, oldest first.
func (c *Client) EntityHistory(ctx context.Context, groupID string, entityID uuid.UUID) ([]annals.EntityVersion, error) {
	return list(ctx, c, in(http.MethodGet, groupID, "entities", entityID.String(), "history"), "versions", func(j entityVersion) annals.EntityVersion {
		entity := entityOf(groupID, j.EntityJSON, nil)
		entity.Recorded = temporal.Interval{Start: j.KnownFrom, End: orZero(j.KnownUntil)}
		return annals.EntityVersion{Entity: entity, Current: j.KnownUntil == nil, CausedBy: j.CausedBy, EndedBy: j.EndedBy}
	})
}

// RenameEntity changes the name of an entity. Versions are as in
// [annals.Client.RenameEntity].
func (c *Client) RenameEntity(ctx context.Context, groupID string, id uuid.UUID, name string, versions ...time.Time) (annals.Entity, error) {
	k := in(http.MethodPatch, groupID, "entities", id.String()).saying(input.EntityChange{Name: name}).unless(versions)
	return c.oneEntity(ctx, k, groupID)
}

// MergeEntities merges the entity from into another and returns that.
func (c *Client) MergeEntities(ctx context.Context, groupID string, from, into uuid.UUID) (annals.Entity, error) {
	k := in(http.MethodPost, groupID, "entities", from.String(), "merge").saying(input.MergeInto{Into: into.String()}).doing()
	return c.oneEntity(ctx, k, groupID)
}

// SplitEntity moves the listed facts of an entity to a new one, and returns the
// new one. Use it when one entity stands for two.
func (c *Client) SplitEntity(ctx context.Context, groupID string, from uuid.UUID, name string, factIDs []uuid.UUID) (annals.Entity, error) {
	said := input.SplitOff{Name: name, Facts: texts(factIDs)}
	return c.oneEntity(ctx, in(http.MethodPost, groupID, "entities", from.String(), "split").saying(said).doing(), groupID)
}

// Communities lists communities with their members, biggest first.
func (c *Client) Communities(ctx context.Context, f annals.CommunityFilter) ([]annals.Membership, error) {
	k := in(http.MethodGet, f.GroupID, "communities").asking(input.Say[input.ListCommunities](f))
	return page(ctx, c, k, paging.Communities, f.After, f.Limit, "communities", func(j graph.MembershipJSON) annals.Membership {
		membership := annals.Membership{Community: communityOf(f.GroupID, j.CommunityJSON), Size: len(j.Members)}
		for _, m := range j.Members {
			membership.Members = append(membership.Members, annals.Member(m))
		}
		return membership
	})
}

// BuildCommunities rebuilds the group's communities.
func (c *Client) BuildCommunities(ctx context.Context, groupID string) (annals.Built, error) {
	return member[annals.Built](ctx, c, in(http.MethodPost, groupID, "communities", "build").doing(), "built")
}
