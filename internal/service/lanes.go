package service

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/lanes"
)

// The limits on [Lanes].
const (
	DefaultLaneFacts = 2_000
	MaxLaneFacts     = 5_000

	laneEntities = 12 // the number of entities whose lanes a whole group shows
)

// LaneQuery selects lanes of a group.
type LaneQuery struct {
	GroupID  string
	Entities []string // ids or names of the entities; empty: those with the highest salience
	Relation string   // only the lane with this name, or with this predicate; empty: any
	MaxFacts int      // 1 to MaxLaneFacts; zero: DefaultLaneFacts
}

// Lanes hold what can change about some entities, and what was believed of it at any time.
type Lanes struct {
	Lanes   []lanes.Lane `json:"lanes" doc:"Those of an entity together"`
	Edits   []Edit       `json:"edits" doc:"What was decided and changed by hand when bars changed, as at their shown_from"`
	Partial bool         `json:"partial" doc:"There are more facts; the newest are shown"`
}

// Lanes returns everything that was ever believed of some entities. There is a lane for each thing
// that can change, with a bar for each belief about it.
func (s *Service) Lanes(ctx context.Context, q LaneQuery) (Lanes, error) {
	if q.MaxFacts == 0 {
		q.MaxFacts = DefaultLaneFacts
	}
	if q.MaxFacts < 1 || q.MaxFacts > MaxLaneFacts {
		return Lanes{}, graph.Invalid("max_facts", "is %d; it has to be 1 to %d", q.MaxFacts, MaxLaneFacts)
	}
	if err := s.admit(q.GroupID); err != nil {
		return Lanes{}, err
	}
	entities, err := s.entitiesOf(ctx, q)
	if err != nil {
		return Lanes{}, err
	}
	var found Lanes
	err = db.InSnapshot(ctx, s.pool, q.GroupID, func(queries *db.Queries) (err error) {
		found, err = q.read(ctx, queries, entities)
		return err
	})
	return found, wrapCoded(err, "set out the lanes of %s", q.GroupID)
}

// entitiesOf resolves the entities of the query. Entities that are gone are found by their ids
// only.
func (s *Service) entitiesOf(ctx context.Context, q LaneQuery) (ids []uuid.UUID, err error) {
	for _, name := range q.Entities {
		entity, err := s.client.Entity(ctx, q.GroupID, name)
		if id, wrong := uuid.Parse(name); wrong == nil && annals.CodeOf(err) == annals.CodeNotFound {
			entity.ID, err = id, nil
		}
		if err != nil {
			return nil, err
		}
		ids = append(ids, entity.ID)
	}
	return ids, nil
}

func (q LaneQuery) read(ctx context.Context, queries *db.Queries, entities []uuid.UUID) (Lanes, error) {
	if len(entities) == 0 {
		size, err := queries.ExploreGraphSize(ctx, db.ExploreGraphSizeParams{GroupID: q.GroupID, Bound: 1})
		if err != nil {
			return Lanes{}, err
		}
		rows, err := salient(ctx, queries, q.GroupID, size.LastSaid, laneEntities)
		if err != nil {
			return Lanes{}, err
		}
		entities = each.Of(rows, func(row db.ExploreEntitiesRow) uuid.UUID { return row.ID })
	}
	predicates, events := lanes.Asked(q.Relation)
	ids, err := queries.ExploreLaneFacts(ctx, db.ExploreLaneFactsParams{
		GroupID: q.GroupID, EntityIds: entities, BothWays: len(q.Entities) > 0, MaxRows: int32(q.MaxFacts) + 1,
		Filtered: q.Relation != "", Predicates: predicates, Events: events,
	})
	if err != nil {
		return Lanes{}, err
	}
	partial := len(ids) > q.MaxFacts
	ids = ids[:min(len(ids), q.MaxFacts)]
	rows, err := queries.ExploreLaneVersions(ctx, db.ExploreLaneVersionsParams{GroupID: q.GroupID, Ids: ids})
	if err != nil {
		return Lanes{}, err
	}
	ended, err := queries.ExploreLaneEnds(ctx, db.ExploreLaneEndsParams{GroupID: q.GroupID, Ids: ids})
	if err != nil {
		return Lanes{}, err
	}
	ends := each.Of(ended, func(row db.ExploreLaneEndsRow) lanes.End {
		return lanes.End{FactID: row.FactID, At: row.At, How: lanes.Ending(row.How)}
	})
	found := Lanes{Lanes: lanes.Of(each.Of(rows, db.FactVersion), ends, entities), Partial: partial}
	found.Edits, err = q.edits(ctx, queries, found.Lanes)
	return found, err
}

// edits returns the changes by hand that were made when bars of the lanes changed.
func (q LaneQuery) edits(ctx context.Context, queries *db.Queries, of []lanes.Lane) ([]Edit, error) {
	var times []time.Time
	for _, lane := range of {
		for _, bar := range lane.Bars {
			times = append(times, bar.ShownFrom)
			if bar.ShownUntil != nil {
				times = append(times, *bar.ShownUntil)
			}
		}
	}
	rows, err := queries.ExploreLaneEdits(ctx, db.ExploreLaneEditsParams{GroupID: q.GroupID, Times: times, MaxRows: annals.MaxRows})
	return each.Of(rows, editOf), err
}
