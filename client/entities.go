package client

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/paging"
	"github.com/annalsdb/annals/temporal"
)

// Entities lists entities, the most mentioned first.
func (c *Client) Entities(ctx context.Context, f annals.EntityFilter) ([]annals.Entity, error) {
	k := in(http.MethodGet, f.GroupID, "entities")
	k.times(f.ValidAt, f.KnownAt)
	if f.After != nil {
		k.set("cursor", paging.Cursor{List: "entities", ID: &f.After.ID, Name: f.After.Name, Count: f.After.Mentions}.String())
	}
	if err := k.limit(f.Limit); err != nil {
		return nil, err
	}
	out, _, err := send[struct {
		Entities []graph.EntityJSON `json:"entities"`
	}](ctx, c, k)
	entities := make([]annals.Entity, len(out.Entities))
	for i, j := range out.Entities {
		entities[i] = entityOf(f.GroupID, j, nil)
	}
	return entities, err
}

// Entity returns the entity with this id, or the only one that goes by this name.
func (c *Client) Entity(ctx context.Context, groupID, idOrName string) (annals.Entity, error) {
	return c.EntityAt(ctx, groupID, idOrName, time.Time{})
}

// EntityAt is [Client.Entity] as it was known at a time; the zero time is now.
func (c *Client) EntityAt(ctx context.Context, groupID, idOrName string, knownAt time.Time) (annals.Entity, error) {
	k := in(http.MethodGet, groupID, "entities", idOrName)
	k.set("known_at", written(knownAt))
	return c.oneEntity(ctx, k, groupID)
}

func (c *Client) oneEntity(ctx context.Context, k call, groupID string) (annals.Entity, error) {
	out, header, err := send[graph.EntityJSON](ctx, c, k)
	if err != nil {
		return annals.Entity{}, err
	}
	return entityOf(groupID, out, header), nil
}

// EntityHistory lists every state an entity was in, the oldest first.
func (c *Client) EntityHistory(ctx context.Context, groupID string, entityID uuid.UUID) ([]annals.EntityVersion, error) {
	out, _, err := send[struct {
		Versions []struct {
			graph.EntityJSON
			KnownFrom  time.Time   `json:"known_from"`
			KnownUntil *time.Time  `json:"known_until"`
			CausedBy   []uuid.UUID `json:"caused_by"`
			EndedBy    []uuid.UUID `json:"ended_by"`
		} `json:"versions"`
	}](ctx, c, in(http.MethodGet, groupID, "entities", entityID.String(), "history"))
	versions := make([]annals.EntityVersion, len(out.Versions))
	for i, j := range out.Versions {
		entity := entityOf(groupID, j.EntityJSON, nil)
		entity.Recorded = temporal.Interval{Start: j.KnownFrom, End: orZero(j.KnownUntil)}
		versions[i] = annals.EntityVersion{Entity: entity, Current: j.KnownUntil == nil, CausedBy: j.CausedBy, EndedBy: j.EndedBy}
	}
	return versions, err
}

// RenameEntity gives an entity another name. Versions are as in
// [annals.Client.RenameEntity].
func (c *Client) RenameEntity(ctx context.Context, groupID string, id uuid.UUID, name string, versions ...time.Time) (annals.Entity, error) {
	k := in(http.MethodPatch, groupID, "entities", id.String())
	k.unless(versions)
	k.body = map[string]string{"name": name}
	return c.oneEntity(ctx, k, groupID)
}

// MergeEntities makes two entities one.
func (c *Client) MergeEntities(ctx context.Context, groupID string, from, into uuid.UUID) (annals.Entity, error) {
	k := in(http.MethodPost, groupID, "entities", from.String(), "merge")
	k.once, k.body = true, map[string]string{"into": into.String()}
	return c.oneEntity(ctx, k, groupID)
}

// SplitEntity makes a new entity of the listed facts of one that was two.
func (c *Client) SplitEntity(ctx context.Context, groupID string, from uuid.UUID, name string, factIDs []uuid.UUID) (annals.Entity, error) {
	k := in(http.MethodPost, groupID, "entities", from.String(), "split")
	k.once, k.body = true, map[string]any{"name": name, "facts": append([]uuid.UUID{}, factIDs...)}
	return c.oneEntity(ctx, k, groupID)
}

// Communities lists communities with their members, the biggest first.
func (c *Client) Communities(ctx context.Context, f annals.CommunityFilter) ([]annals.Membership, error) {
	k := in(http.MethodGet, f.GroupID, "communities")
	k.set("known_at", written(f.KnownAt))
	if f.After != nil {
		k.set("cursor", paging.Cursor{List: "communities", ID: &f.After.ID, Name: f.After.Name, Count: f.After.Size}.String())
	}
	if err := k.limit(f.Limit); err != nil {
		return nil, err
	}
	out, _, err := send[struct {
		Communities []graph.MembershipJSON `json:"communities"`
	}](ctx, c, k)
	communities := make([]annals.Membership, len(out.Communities))
	for i, j := range out.Communities {
		communities[i] = annals.Membership{Community: communityOf(f.GroupID, j.CommunityJSON), Size: len(j.Members)}
		for _, m := range j.Members {
			communities[i].Members = append(communities[i].Members, annals.Member(m))
		}
	}
	return communities, err
}

// BuildCommunities works out the group's communities anew.
func (c *Client) BuildCommunities(ctx context.Context, groupID string) (annals.Built, error) {
	k := in(http.MethodPost, groupID, "communities", "build")
	k.once = true
	out, _, err := send[struct {
		Built annals.Built `json:"built"`
	}](ctx, c, k)
	return out.Built, err
}
