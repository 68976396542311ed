package rest

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/paging"
)

type entityPage struct {
	Entities   []graph.EntityJSON `json:"entities"`
	NextCursor string             `json:"next_cursor,omitempty" doc:"For the next page; left out: this is the last"`
}

// ListInput is the input of routes that list rows of a group.
type ListInput struct {
	InGroup
	input.Page
}

// OneEntity identifies an entity in a path.
type OneEntity struct {
	InGroup
	Entity string `path:"entity" maxLength:"512" doc:"Its id, or a name that only one entity goes by"`
}

// toEntity is a request with a body about an entity.
type toEntity[T any] struct {
	OneEntity
	Body T
}

func (a *api) entities() {
	tags := []string{"entities"}
	const one = "/v1/groups/{group}/entities/{entity}"
	add(a, op("list-entities", "GET", "/v1/groups/{group}/entities", tags, "List entities, the most mentioned first",
		"With as_of, only those with a fact that held then."), calling(a.listEntities))
	addWithHeaders(a, op("get-entity", "GET", one, tags, "Get an entity", "An id that was merged away stands for the entity it went into."),
		func(ctx context.Context, in *struct {
			OneEntity
			input.Belief
			UnlessKnown
		},
		) (*tagged[graph.EntityJSON], error) {
			at, err := graph.ParseTime("known_at", in.KnownAt)
			if err != nil {
				return nil, err
			}
			entity, err := a.client(ctx).EntityAt(ctx, in.Group, in.Entity, at)
			if err != nil {
				return nil, err
			}
			return unlessTag(in.UnlessKnown, versionTag(entity.Recorded), entity.JSON())
		})
	add(a, op("get-entity-history", "GET", one+"/history", tags, "List every state an entity was in, the oldest first",
		"Of one that is gone, by its id."), a.entityHistory)
	addWithHeaders(a, op("rename-entity", "PATCH", one, tags, "Give an entity another name"), a.renameEntity)
	addWithHeaders(a, op("merge-entity", "POST", one+"/merge", tags, "Make an entity part of another",
		"The other takes over its names, types, attributes, facts and mentions; its id goes on standing for it."), a.mergeEntity)
	addWithHeaders(a, op("split-entity", "POST", one+"/split", tags, "Make a new entity of some facts of one that was two").answering(http.StatusCreated), a.splitEntity)
}

func (a *api) listEntities(ctx context.Context, in *struct {
	InGroup
	input.ListEntities
}, filter annals.EntityFilter,
) (page entityPage, err error) {
	filter.GroupID = in.Group
	page.Entities, page.NextCursor, err = pageOf(paging.Entities, annals.Entity.JSON, in.Page, &filter.After, &filter.Limit, func() ([]annals.Entity, error) { return a.client(ctx).Entities(ctx, filter) })
	return page, err
}

// entityID returns the id of the entity of a path: that which it has, or that of the one it names.
func (a *api) entityID(ctx context.Context, in *OneEntity) (uuid.UUID, error) {
	if id, err := uuid.Parse(in.Entity); err == nil {
		return id, nil
	}
	entity, err := a.client(ctx).Entity(ctx, in.Group, in.Entity)
	return entity.ID, err
}

func (a *api) renameEntity(ctx context.Context, in *struct {
	OneEntity
	IfUnchanged
	Body input.EntityChange
},
) (*tagged[graph.EntityJSON], error) {
	entity, err := a.client(ctx).Entity(ctx, in.Group, in.Entity)
	if err != nil {
		return nil, err
	}
	if _, err := a.client(ctx).RenameEntity(ctx, in.Group, entity.ID, in.Body.Name, in.versions()...); err != nil {
		return nil, err
	}
	return a.taggedEntity(ctx, in.Group, entity.ID)
}

// taggedEntity reads an entity with its ETag.
func (a *api) taggedEntity(ctx context.Context, group string, id uuid.UUID) (*tagged[graph.EntityJSON], error) {
	entity, err := a.client(ctx).Entity(ctx, group, id.String())
	if err != nil {
		return nil, err
	}
	return &tagged[graph.EntityJSON]{ETag: versionTag(entity.Recorded), Body: entity.JSON()}, nil
}

func (a *api) mergeEntity(ctx context.Context, in *toEntity[input.MergeInto]) (*tagged[graph.EntityJSON], error) {
	from, err := a.client(ctx).Entity(ctx, in.Group, in.Entity)
	if err != nil {
		return nil, err
	}
	into, err := a.client(ctx).Entity(ctx, in.Group, in.Body.Into)
	if err != nil {
		return nil, err
	}
	if _, err := a.client(ctx).MergeEntities(ctx, in.Group, from.ID, into.ID); err != nil {
		return nil, err
	}
	return a.taggedEntity(ctx, in.Group, into.ID)
}

func (a *api) splitEntity(ctx context.Context, in *toEntity[input.SplitOff]) (*tagged[graph.EntityJSON], error) {
	whole, err := a.client(ctx).Entity(ctx, in.Group, in.Entity)
	if err != nil {
		return nil, err
	}
	facts, err := input.IDs("facts", in.Body.Facts)
	if err != nil {
		return nil, err
	}
	part, err := a.client(ctx).SplitEntity(ctx, in.Group, whole.ID, in.Body.Name, facts)
	if err != nil {
		return nil, err
	}
	return a.taggedEntity(ctx, in.Group, part.ID)
}
