package annals

import (
	"context"
	"fmt"
	"time"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/community"
	"github.com/annalsdb/annals/graph"
)

// Community is a cluster of entities.
// [graph.Community] has its fields and methods.
type Community = graph.Community

type (
	// Membership is a community and who belongs to it.
	Membership = graph.Membership
	// Member is an entity as part of a community.
	Member = graph.Member
	// Built says what building communities did.
	Built = community.Built
)

// BuildCommunities works out the group's communities, which are clusters of
// entities that many current facts connect, and has the analyst summarise and
// name those that are new or changed. The others keep their id, name and
// summary; without changes in the graph nothing is asked of the analyst. It is
// all or nothing: where the analyst fails, everything stays as it was. A
// community that changed while it was being described is described again; one
// that goes on changing is left to the next build.
func (c *Client) BuildCommunities(ctx context.Context, groupID string) (Built, error) {
	return changed(c, groupID, func() (Built, error) { return c.engine.BuildCommunities(ctx, groupID) })
}

// CommunityFilter chooses communities. Fields that are zero do not narrow the
// choice.
type CommunityFilter struct {
	GroupID string
	KnownAt time.Time   // as they were then; zero: as they are now
	After   *Membership // that come after this one, the last that was listed; nil: from the first
	Limit   int         // 1 to MaxRows; zero: DefaultRows
}

// Communities lists communities with their members, the biggest first.
func (c *Client) Communities(ctx context.Context, f CommunityFilter) ([]Membership, error) {
	limit, err := c.listBounds(f.GroupID, f.Limit)
	if err == nil {
		err = validateTimes(time.Time{}, f.KnownAt)
	}
	if err != nil {
		return nil, err
	}
	asked := db.CommunityListParams{GroupID: f.GroupID, KnownAt: db.Nullable(f.KnownAt), MaxRows: limit}
	if f.After != nil {
		asked.AfterSize, asked.AfterName, asked.AfterID = new(int32(f.After.Size)), &f.After.Name, &f.After.ID
	}
	rows, err := read(ctx, c, f.GroupID, func(ctx context.Context, from source) ([]db.CommunityListRow, error) {
		return db.New(from.pool).CommunityList(ctx, asked)
	})
	if err != nil {
		return nil, fmt.Errorf("list communities of %s: %w", f.GroupID, err)
	}
	communities := make([]Membership, len(rows))
	for i, row := range rows {
		communities[i].Community = Community{
			GroupID: f.GroupID, ID: row.ID, Name: row.Name, Summary: row.Summary, CreatedAt: row.CreatedAt.UTC(),
		}
		communities[i].Size = len(row.MemberIds)
		for j, id := range row.MemberIds {
			communities[i].Members = append(communities[i].Members, Member{ID: id, Name: row.MemberNames[j]})
		}
	}
	return communities, nil
}
