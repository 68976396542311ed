package annals

import (
	"context"
	"time"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/community"
	"github.com/annalsdb/annals/graph"
)

// Community is a cluster of entities. [graph.Community] has its fields and methods.
type Community = graph.Community

type (
	// Membership is a community with its members.
	Membership = graph.Membership
	// Member is an entity as a member of a community.
	Member = graph.Member
	// Built counts what building communities changed.
	Built = community.Built
)

// BuildCommunities computes the communities of a group: clusters of entities that many current
// facts connect. The analyst summarises and names those that are new or changed; the others keep
// their id, name and summary. If the graph has not changed, no model is called.
//
// It is all or nothing: if the analyst fails, everything stays as it was. A community that changes
// while it is described is described again. If it keeps changing, the next build describes it.
func (c *Client) BuildCommunities(ctx context.Context, groupID string) (Built, error) {
	return changed(c, groupID, func() (Built, error) { return c.engine.BuildCommunities(ctx, groupID) })
}

// CommunityFilter selects communities. Zero fields do not narrow the selection.
type CommunityFilter struct {
	GroupID string
	KnownAt time.Time   // as they were at this time; zero: as they are now
	After   *Membership // list those after this one, the last of the page before; nil: from the first
	Limit   int         // 1 to MaxRows; zero: DefaultRows
}

// Communities lists communities with their members, the largest first.
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
	rows, err := query(ctx, c, f.GroupID, func(ctx context.Context, q *db.Queries) ([]db.CommunityListRow, error) {
		return q.CommunityList(ctx, asked)
	}, "list communities of %s", f.GroupID)
	if err != nil {
		return nil, err
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
