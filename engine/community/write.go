package community

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/internal/each"
)

// embedCommunities embeds names without a vector, in one batch.
func (b *Builder) embedCommunities(ctx context.Context, p *plan) error {
	stored := each.Map(p.stored, func(row db.CommunitiesStoredRow) (uuid.UUID, db.CommunitiesStoredRow) { return row.ID, row })
	var open []*community
	var names []string
	for _, c := range p.communities {
		if row := stored[c.id]; !c.changed && !row.Embedded {
			c.name = row.Name
		} else if !c.changed || c.vector != nil {
			continue
		}
		open = append(open, c)
		names = append(names, c.name)
	}
	if len(open) == 0 {
		return nil
	}
	vectors, err := b.embed(ctx, names)
	if err != nil {
		return err
	}
	for i, c := range open {
		c.vector = vectors[i]
	}
	return nil
}

// writeCommunities writes the plan in one transaction. If the communities, or a member, changed
// since they were described, it returns errCommunitiesChanged. The last attempt leaves communities
// with changed members to the next build, as their summaries may tell what was erased meanwhile.
func (b *Builder) writeCommunities(ctx context.Context, p *plan, last bool) error {
	err := db.InTx(ctx, b.pool, func(q *db.Queries) error {
		if err := q.GroupLock(ctx, p.groupID); err != nil {
			return err
		}
		if err := q.BeginWrite(ctx, p.groupID); err != nil {
			return err
		}
		now := plan{groupID: p.groupID, ids: p.ids}
		if err := now.readStored(ctx, q, b.embedder.Name()); err != nil {
			return err
		}
		if !slices.EqualFunc(now.stored, p.stored, sameCommunity) {
			return errCommunitiesChanged
		}
		outdated, err := p.outdated(ctx, q)
		if err != nil {
			return err
		}
		if len(outdated) > 0 && !last {
			return errCommunitiesChanged
		}
		p.communities = slices.DeleteFunc(p.communities, func(c *community) bool { return outdated[c.id] })
		if err := b.writePlan(ctx, q, p); err != nil {
			return err
		}
		if p.ids != nil {
			return nil
		}
		return q.CommunityBuildDone(ctx, db.CommunityBuildDoneParams{GroupID: p.groupID, Unfinished: len(outdated) > 0})
	})
	if err != nil && !errors.Is(err, errCommunitiesChanged) {
		return fmt.Errorf("write: %w", err)
	}
	return err
}

// outdated finds the changed communities whose descriptions no longer fit their members.
func (p *plan) outdated(ctx context.Context, q *db.Queries) (map[uuid.UUID]bool, error) {
	now := plan{groupID: p.groupID, communities: each.Of(p.changed(), func(c *community) *community { return &community{id: c.id, members: c.members} })}
	if err := now.readMembers(ctx, q); err != nil {
		return nil, err
	}
	outdated := map[uuid.UUID]bool{}
	for i, c := range p.changed() {
		if !bytes.Equal(c.digest, now.communities[i].digest) {
			outdated[c.id] = true
		}
	}
	return outdated, nil
}

func sameCommunity(a, b db.CommunitiesStoredRow) bool {
	return a.ID == b.ID && bytes.Equal(a.Digest, b.Digest) && slices.Equal(a.Members, b.Members)
}

// writePlan updates communities before their members, so that the history keeps the old versions
// with the old members.
func (b *Builder) writePlan(ctx context.Context, q *db.Queries, p *plan) error {
	var rows []db.CommunityUpsertParams
	var changed, ofMembers, members []uuid.UUID
	for _, c := range p.changed() {
		changed = append(changed, c.id)
		rows = append(rows, db.CommunityUpsertParams{GroupID: p.groupID, ID: c.id, Name: c.name, Summary: c.summary, Digest: c.digest})
		for _, id := range c.members {
			ofMembers, members = append(ofMembers, c.id), append(members, id)
		}
	}
	return errors.Join(
		q.CommunitiesDelete(ctx, db.CommunitiesDeleteParams{GroupID: p.groupID, Ids: p.gone}),
		db.Exec(q.CommunityUpsert(ctx, rows)),
		q.CommunityMembersDelete(ctx, db.CommunityMembersDeleteParams{GroupID: p.groupID, CommunityIds: changed}),
		q.CommunityMembersInsert(ctx, db.CommunityMembersInsertParams{GroupID: p.groupID, CommunityIds: ofMembers, EntityIds: members}),
		q.CommunityEmbeddingsForget(ctx, db.CommunityEmbeddingsForgetParams{GroupID: p.groupID, Ids: changed}),
		db.Exec(q.CommunityEmbeddingUpsert(ctx, b.communityVectors(p))))
}

func (b *Builder) communityVectors(p *plan) []db.CommunityEmbeddingUpsertParams {
	embedded := each.Where(p.communities, func(c *community) bool { return c.vector != nil })
	return each.Of(embedded, func(c *community) db.CommunityEmbeddingUpsertParams {
		return db.CommunityEmbeddingUpsertParams{GroupID: p.groupID, Model: b.embedder.Name(), CommunityID: c.id, Embedding: db.Vector(c.vector)}
	})
}
