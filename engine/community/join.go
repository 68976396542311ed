package community

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/clustering"
)

// DriftPercent is how many entities may arrive, in percent, before communities are built anew.
// Arrivals only join the communities of their neighbours, so communities drift away from a fresh
// build.
const DriftPercent = 20

// Join adds each new entity to the community that most of its facts lead to, and returns the
// communities that need a new description. It runs in the caller's transaction, which holds the
// group's lock. An entity whose neighbours are in no community joins none. An entity that is in a
// community stays there.
func (b *Builder) Join(ctx context.Context, q *db.Queries, groupID string, newEntities []uuid.UUID) ([]uuid.UUID, error) {
	if len(newEntities) == 0 {
		return nil, nil
	}
	err := q.CommunityBuildArrived(ctx, db.CommunityBuildArrivedParams{GroupID: groupID, Arrived: int32(len(newEntities))})
	if err != nil {
		return nil, fmt.Errorf("count the new entities: %w", err)
	}
	var joined []uuid.UUID
	for { // again for entities whose neighbours are new themselves
		votes, err := q.CommunityVotes(ctx, db.CommunityVotesParams{GroupID: groupID, Ids: newEntities})
		if err != nil {
			return nil, fmt.Errorf("ask the neighbours of new entities for their communities: %w", err)
		}
		if len(votes) == 0 {
			return distinctIDs(joined), nil
		}
		var communities, entities []uuid.UUID
		for _, v := range votes {
			communities, entities = append(communities, v.CommunityID), append(entities, v.EntityID)
		}
		if err := addMembers(ctx, q, groupID, communities, entities); err != nil {
			return nil, fmt.Errorf("add new entities to communities: %w", err)
		}
		joined = append(joined, communities...)
	}
}

// addMembers ends the current versions of communities, then adds members.
func addMembers(ctx context.Context, q *db.Queries, groupID string, communities, entities []uuid.UUID) error {
	err := q.CommunitiesOutdate(ctx, db.CommunitiesOutdateParams{GroupID: groupID, Ids: communities})
	if err != nil {
		return err
	}
	return q.CommunityMembersInsert(ctx, db.CommunityMembersInsertParams{
		GroupID: groupID, CommunityIds: communities, EntityIds: entities,
	})
}

func distinctIDs(ids []uuid.UUID) []uuid.UUID {
	slices.SortFunc(ids, compareIDs)
	return slices.Compact(ids)
}

// refresh describes changed communities anew. It removes a community with fewer than two members.
func (b *Builder) refresh(ctx context.Context, groupID string, ids []uuid.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := b.carryOut(ctx, groupID, func() (*plan, error) { return b.planRefresh(ctx, groupID, ids) })
	if err != nil {
		return fmt.Errorf("refresh communities of %s: %w", groupID, err)
	}
	return nil
}

func (b *Builder) planRefresh(ctx context.Context, groupID string, ids []uuid.UUID) (*plan, error) {
	p := &plan{groupID: groupID, ids: ids}
	err := db.InSnapshot(ctx, b.pool, "", func(q *db.Queries) error {
		if err := p.readStored(ctx, q, b.embedder.Name()); err != nil {
			return err
		}
		for _, row := range p.stored {
			if len(row.Members) < 2 {
				p.gone = append(p.gone, row.ID)
				continue
			}
			edges, err := q.FactEdges(ctx, db.FactEdgesParams{GroupID: groupID, Among: row.Members})
			if err != nil {
				return fmt.Errorf("read what connects the members: %w", err)
			}
			p.communities = append(p.communities, &community{id: row.ID, members: clustering.ByStrength(row.Members, clusteringEdges(edges))})
		}
		return p.readMembers(ctx, q)
	})
	return p, err
}

// Tend builds the communities anew if they drifted. Otherwise it refreshes those that an entity
// joined.
func (b *Builder) Tend(ctx context.Context, groupID string) error {
	drifted, err := b.drifted(ctx, groupID)
	if err != nil {
		return err
	}
	if drifted {
		_, err := b.Build(ctx, groupID)
		return err
	}
	ids, err := db.New(b.pool).CommunitiesOutOfDate(ctx, groupID)
	if err != nil {
		return fmt.Errorf("find the communities of %s that are out of date: %w", groupID, err)
	}
	return b.refresh(ctx, groupID, ids)
}

// drifted reports whether a new build is due; see [DriftPercent]. The first arrivals make one due.
func (b *Builder) drifted(ctx context.Context, groupID string) (bool, error) {
	state, err := db.New(b.pool).CommunityBuildState(ctx, groupID)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read how far the communities of %s drifted: %w", groupID, err)
	}
	return int64(state.Arrived)*100 > int64(state.Entities)*DriftPercent, nil
}
