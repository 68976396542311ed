package service

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// The limits on a [Picture].
const (
	DefaultPictureFacts = 6_000
	MaxPictureFacts     = 20_000
	MaxPictureAround    = 20 // entities in PictureQuery.Around
	MaxPictureHops      = 3

	pictureVersions = 20        // former versions of one fact
	pictureSeeds    = 40        // entities at which a picture of a large group begins
	pictureEach     = 100       // facts of one entity in each direction, even if it is one of many
	countBound      = 1_000_000 // the highest count
)

// PictureQuery selects the part of a group's graph to draw.
type PictureQuery struct {
	GroupID  string
	MaxFacts int         // 1 to MaxPictureFacts; zero: DefaultPictureFacts
	Around   []uuid.UUID // entities to draw it around; empty: the whole graph, or the most salient entities of a large one
	Hops     int         // facts between these entities and the others, 1 to MaxPictureHops; zero: 1
}

// Picture returns the entities and facts of a group with every version of each fact. With it, a
// caller can show what held, and what was believed, at any time without another request. If the
// group has more facts than MaxFacts, the picture is partial: it has the entities of Around, or the
// most salient ones, and what is near them.
func (s *Service) Picture(ctx context.Context, q PictureQuery) (Picture, error) {
	if err := s.checkPicture(&q); err != nil {
		return Picture{}, err
	}
	var p painter
	err := db.InSnapshot(ctx, s.pool, q.GroupID, func(queries *db.Queries) error {
		p = painter{queries: queries, query: q}
		return p.paint(ctx)
	})
	if err != nil {
		return Picture{}, wrapCoded(err, "draw the graph of %s", q.GroupID)
	}
	return p.picture, nil
}

func (s *Service) checkPicture(q *PictureQuery) error {
	for _, bound := range []struct {
		field           string
		value           *int
		otherwise, most int
	}{
		{"max_facts", &q.MaxFacts, DefaultPictureFacts, MaxPictureFacts},
		{"hops", &q.Hops, 1, MaxPictureHops},
	} {
		*bound.value = cmp.Or(*bound.value, bound.otherwise)
		if *bound.value < 1 || *bound.value > bound.most {
			return graph.Invalid(bound.field, "is %d; it has to be 1 to %d", *bound.value, bound.most)
		}
	}
	if len(q.Around) > MaxPictureAround {
		return graph.Invalid("around", "names %d entities; the limit is %d", len(q.Around), MaxPictureAround)
	}
	return s.admit(q.GroupID)
}

// painter draws a picture from one snapshot.
type painter struct {
	queries *db.Queries
	query   PictureQuery
	picture Picture
	said    time.Time // the time of the last episode, as of which salience is computed
	places  map[uuid.UUID]int
}

func (p *painter) paint(ctx context.Context) error {
	group := p.query.GroupID
	size, err := p.queries.ExploreGraphSize(ctx, db.ExploreGraphSizeParams{GroupID: group, Bound: countBound})
	if err != nil {
		return err
	}
	p.said = size.LastSaid
	p.picture = Picture{FactsTotal: int(size.Facts + size.Gone), EntitiesTotal: int(size.Entities)}
	p.picture.Partial = len(p.query.Around) > 0 || p.picture.FactsTotal > p.query.MaxFacts || p.picture.EntitiesTotal > 2*p.query.MaxFacts
	if p.picture.Partial {
		return p.near(ctx)
	}
	facts, err := p.queries.ExploreFactIDs(ctx, group)
	if err != nil {
		return err
	}
	rows, err := p.queries.ExploreFacts(ctx, db.ExploreFactsParams{GroupID: group, Ids: facts, MaxVersions: pictureVersions})
	if err != nil {
		return err
	}
	ids, err := p.queries.ExploreEntityIDs(ctx, db.ExploreEntityIDsParams{GroupID: group, MaxRows: int32(2 * p.query.MaxFacts)})
	if err != nil {
		return err
	}
	return p.draw(ctx, ids, rows)
}

// near draws the neighbourhood of the entities of Around, or of the most salient ones.
func (p *painter) near(ctx context.Context) error {
	group, from := p.query.GroupID, p.query.Around
	if len(from) == 0 {
		seeds, err := salient(ctx, p.queries, group, p.said, pictureSeeds)
		if err != nil {
			return err
		}
		from = each.Of(seeds, func(row db.ExploreEntitiesRow) uuid.UUID { return row.ID })
	}
	entities := slices.Clone(from)
	seen, facts := map[uuid.UUID]bool{}, map[uuid.UUID]bool{}
	for _, id := range from {
		seen[id] = true
	}
	for hop := range p.query.Hops {
		// The fewer entities there are, the more facts each of them gets.
		each := max(pictureEach, p.query.MaxFacts/(2*max(len(from), 1)*(p.query.Hops-hop)))
		rows, err := p.queries.ExploreFactsAround(ctx, db.ExploreFactsAroundParams{
			GroupID: group, EntityIds: from, Each: int32(each), MaxRows: int32(2 * p.query.MaxFacts),
		})
		if err != nil {
			return err
		}
		from = nil
		for _, row := range rows {
			if len(facts) >= p.query.MaxFacts && !facts[row.ID] {
				break
			}
			facts[row.ID] = true
			if !seen[row.Other] {
				seen[row.Other] = true
				from, entities = append(from, row.Other), append(entities, row.Other)
			}
		}
	}
	rows, err := p.queries.ExploreFacts(ctx, db.ExploreFactsParams{GroupID: group, Ids: slices.Collect(maps.Keys(facts)), MaxVersions: pictureVersions})
	if err != nil {
		return err
	}
	return p.draw(ctx, entities, rows)
}

// draw adds entities and versions of facts to the picture.
func (p *painter) draw(ctx context.Context, ids []uuid.UUID, versions []db.ExploreFactsRow) error {
	seen := map[uuid.UUID]bool{}
	for _, id := range ids {
		seen[id] = true
	}
	for _, v := range versions {
		for _, id := range []uuid.UUID{v.SourceID, v.TargetID} {
			if !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
	}
	if err := p.drawEntities(ctx, ids); err != nil {
		return err
	}
	p.picture.Facts.draw(p, versions)
	return nil
}

func (p *painter) drawEntities(ctx context.Context, ids []uuid.UUID) error {
	group := p.query.GroupID
	rows, err := p.queries.ExploreEntities(ctx, db.ExploreEntitiesParams{GroupID: group, Ids: ids, At: p.said, Latest: latestOf(len(ids))})
	if err != nil {
		return err
	}
	gone := []db.ExploreEntitiesGoneRow{}
	if len(rows) < len(ids) {
		if gone, err = p.queries.ExploreEntitiesGone(ctx, db.ExploreEntitiesGoneParams{GroupID: group, Ids: ids}); err != nil {
			return err
		}
	}
	names, err := p.queries.ExploreEntityNames(ctx, db.ExploreEntityNamesParams{GroupID: group, Ids: ids, MaxRows: annals.MaxRows})
	if err != nil {
		return err
	}
	communities, err := p.queries.ExploreEntityCommunities(ctx, db.ExploreEntityCommunitiesParams{GroupID: group, Ids: ids})
	if err != nil {
		return err
	}
	if len(p.query.Around) > 0 && len(rows)+len(gone) == 0 {
		return change.NotFound("around", "group %s has no such entity", group)
	}
	p.picture.draw(p, rows, gone, names, communities)
	return nil
}

// latestOf returns from how many mentions of each entity salience is computed. It falls with the
// number of entities, so that the number of episodes read stays about the same.
func latestOf(entities int) int32 {
	const episodes, least, most = 40_000, 10, 200
	return int32(min(max(episodes/max(entities, 1), least), most))
}
