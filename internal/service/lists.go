package service

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// List selects a page of a group's facts, entities or episodes, in an order of the caller's choice.
// [annals.Client.Facts] and the like are simpler, and can list what was known at another time.
type List struct {
	GroupID   string
	Filter    annals.Filter // as in a search
	OrderBy   string        // facts: created_at or valid_at; entities: created_at or degree, the number of their facts; episodes: occurred_at; else: the id
	Ascending bool
	After     uuid.UUID // the last row of the page before; zero: start at the first row
	Skip      int       // how many rows to skip; with After, only if that row is gone
	Limit     int       // 1 to MaxRows; zero: DefaultRows

	IDs        []uuid.UUID // of facts: only these; empty: any
	EntityIDs  []uuid.UUID // of facts: only those with one of these entities at either end; empty: any
	SourceIDs  []uuid.UUID // of facts: only those whose source is one of these entities; empty: any
	TargetIDs  []uuid.UUID // of facts: only those whose target is one of these entities; empty: any
	EpisodeIDs []uuid.UUID // of facts: only those that one of these episodes states or ends; of entities: only those that one of them mentions; empty: any
	Mentions   []uuid.UUID // of episodes: only those that mention one of these entities or have one of these ids; empty: any
}

// Degree is an entity with the number of its facts.
type Degree struct {
	annals.Entity
	Facts int // set only if the list is ordered by degree
}

// bounds checks the group, the limit and the filter of a list.
func (s *Service) bounds(l List) (limit int32, narrowed bool, filter json.RawMessage, err error) {
	if limit, err = s.listBounds(l.GroupID, l.Limit); err == nil {
		narrowed, filter, err = l.Filter.Document()
	}
	return limit, narrowed, filter, err
}

// ListEntities lists entities.
func (s *Service) ListEntities(ctx context.Context, l List) ([]Degree, error) {
	limit, narrowed, filter, err := s.bounds(l)
	if err != nil {
		return nil, err
	}
	rows, err := db.New(s.pool).EntityPage(ctx, db.EntityPageParams{
		GroupID: l.GroupID, Narrowed: narrowed, Filter: filter, OrderBy: l.OrderBy, Ascending: l.Ascending, Skip: int32(l.Skip), MaxRows: limit,
		AfterID: db.Nullable(l.After), EpisodeIds: l.EpisodeIDs,
	})
	return listed(rows, err, func(row db.EntityPageRow) Degree {
		return Degree{Facts: int(row.Degree), Entity: db.Entity(row.EntityRow)}
	}, "list entities of %s", l.GroupID)
}

// ListFacts lists facts, including those that have ended.
func (s *Service) ListFacts(ctx context.Context, l List) ([]annals.Fact, error) {
	limit, narrowed, filter, err := s.bounds(l)
	if err != nil {
		return nil, err
	}
	ids, err := db.New(s.pool).FactPage(ctx, db.FactPageParams{
		GroupID: l.GroupID, Narrowed: narrowed, Filter: filter, OrderBy: l.OrderBy, Ascending: l.Ascending, Skip: int32(l.Skip), MaxRows: limit,
		AfterID: db.Nullable(l.After), Ids: l.IDs, EntityIds: l.EntityIDs, SourceIds: l.SourceIDs, TargetIds: l.TargetIDs,
		EpisodeIds: l.EpisodeIDs,
	})
	if err != nil {
		return nil, fmt.Errorf("list facts of %s: %w", l.GroupID, err)
	}
	return s.FactsByID(ctx, l.GroupID, ids)
}

// ListEpisodes lists episodes.
func (s *Service) ListEpisodes(ctx context.Context, l List) ([]annals.Episode, error) {
	limit, narrowed, filter, err := s.bounds(l)
	if err != nil {
		return nil, err
	}
	rows, err := db.New(s.pool).EpisodePage(ctx, db.EpisodePageParams{
		GroupID: l.GroupID, Narrowed: narrowed, Filter: filter, ByTime: l.OrderBy == "occurred_at", Ascending: l.Ascending,
		AfterID: db.Nullable(l.After), Mentioning: l.Mentions, Skip: int32(l.Skip), MaxRows: limit,
	})
	return listed(rows, err, db.Episode, "list episodes of %s", l.GroupID)
}

// Statement is one sentence about one or several pairs of entities: the current facts that were
// read from it, or were added together.
type Statement struct {
	ID    uuid.UUID
	Facts []annals.Fact // sorted by their ids
}

// ListStatements lists the statements of current facts. ids are the statements to list; none: all.
// It uses these fields of the [List]: IDs, which are ids of facts, EntityIDs, EpisodeIDs, OrderBy
// with created_at or the id, Ascending, Skip and Limit.
func (s *Service) ListStatements(ctx context.Context, l List, ids ...uuid.UUID) ([]Statement, error) {
	limit, err := s.listBounds(l.GroupID, l.Limit)
	if err != nil {
		return nil, err
	}
	rows, err := db.New(s.pool).StatementPage(ctx, db.StatementPageParams{
		GroupID: l.GroupID, Ids: ids, FactIds: l.IDs, EntityIds: l.EntityIDs, EpisodeIds: l.EpisodeIDs,
		ByTime: l.OrderBy == "created_at", Ascending: l.Ascending, Skip: int32(l.Skip), MaxRows: limit,
	})
	if err != nil {
		return nil, fmt.Errorf("list the statements of %s: %w", l.GroupID, err)
	}
	var statements []Statement
	for _, row := range rows {
		if n := len(statements); n == 0 || statements[n-1].ID != row.StatementID {
			statements = append(statements, Statement{ID: row.StatementID})
		}
		last := &statements[len(statements)-1]
		last.Facts = append(last.Facts, db.Fact(row))
	}
	return statements, nil
}

// FactsByID returns facts in the order of their ids. It leaves out those that do not exist.
func (s *Service) FactsByID(ctx context.Context, groupID string, ids []uuid.UUID) ([]annals.Fact, error) {
	if err := s.admit(groupID); err != nil {
		return nil, err
	}
	rows, err := db.New(s.pool).FactsByIDs(ctx, db.FactsByIDsParams{GroupID: groupID, Ids: ids})
	facts, err := listed(rows, err, db.Fact, "read facts of %s", groupID)
	inOrder(facts, ids, func(f annals.Fact) uuid.UUID { return f.ID })
	return facts, err
}

// EntitiesByID returns entities in the order of their ids. It leaves out those that do not exist.
func (s *Service) EntitiesByID(ctx context.Context, groupID string, ids []uuid.UUID) ([]annals.Entity, error) {
	if err := s.admit(groupID); err != nil {
		return nil, err
	}
	rows, err := db.New(s.pool).EntitiesByIDs(ctx, db.EntitiesByIDsParams{GroupID: groupID, Ids: ids})
	entities, err := listed(rows, err, db.Entity, "read entities of %s", groupID)
	inOrder(entities, ids, func(e annals.Entity) uuid.UUID { return e.ID })
	return entities, err
}

// EpisodesByID returns episodes in the order of their ids. It leaves out those that do not exist.
func (s *Service) EpisodesByID(ctx context.Context, groupID string, ids []uuid.UUID) ([]annals.Episode, error) {
	if err := s.admit(groupID); err != nil {
		return nil, err
	}
	rows, err := db.New(s.pool).EpisodesByIDs(ctx, db.EpisodesByIDsParams{GroupID: groupID, Ids: ids})
	episodes, err := listed(rows, err, db.Episode, "read episodes of %s", groupID)
	inOrder(episodes, ids, func(e annals.Episode) uuid.UUID { return e.ID })
	return episodes, err
}

// inOrder sorts rows into the order of ids.
func inOrder[Row any](rows []Row, ids []uuid.UUID, id func(Row) uuid.UUID) {
	place := placesOf(ids)
	each.Sort(rows, func(a, b Row) int { return place[id(a)] - place[id(b)] })
}

// placesOf returns the place of each id in the list.
func placesOf(ids []uuid.UUID) map[uuid.UUID]int {
	place := make(map[uuid.UUID]int, len(ids))
	for i, id := range ids {
		place[id] = i
	}
	return place
}

// EpisodesMentioning returns, by the id of each entity, the ids of the newest episodes that mention
// it, newest first. limit applies to each entity.
func (s *Service) EpisodesMentioning(ctx context.Context, groupID string, entityIDs []uuid.UUID, limit int) (map[uuid.UUID][]uuid.UUID, error) {
	bound, err := s.listBounds(groupID, limit)
	if err != nil {
		return nil, err
	}
	rows, err := db.New(s.pool).EpisodesOfEntities(ctx, db.EpisodesOfEntitiesParams{GroupID: groupID, Ids: entityIDs, MaxEach: bound})
	if err != nil {
		return nil, fmt.Errorf("list the episodes of entities of %s: %w", groupID, err)
	}
	episodes := make(map[uuid.UUID][]uuid.UUID, len(entityIDs))
	for _, row := range rows {
		episodes[row.EntityID] = append(episodes[row.EntityID], row.EpisodeID)
	}
	return episodes, nil
}

// EntitiesMentioned lists the entities that an episode mentions.
func (s *Service) EntitiesMentioned(ctx context.Context, groupID string, episodeID uuid.UUID) ([]annals.Entity, error) {
	if err := s.admit(groupID); err != nil {
		return nil, err
	}
	ids, err := db.New(s.pool).EntitiesOfEpisode(ctx, db.EntitiesOfEpisodeParams{GroupID: groupID, EpisodeID: episodeID, MaxRows: annals.MaxRows})
	if err != nil {
		return nil, fmt.Errorf("list what episode %s mentions: %w", episodeID, err)
	}
	return s.EntitiesByID(ctx, groupID, ids)
}

// ThreadMessages lists the messages of a thread from the beginning, without those that are in
// quarantine or have expired.
func (s *Service) ThreadMessages(ctx context.Context, groupID, threadID string, skip, limit int) ([]annals.Episode, error) {
	return s.threadMessages(ctx, groupID, threadID, graph.TrustBelieved, skip, limit)
}

// DocumentParts lists the parts of a document, which is stored as a thread, including those in
// quarantine.
func (s *Service) DocumentParts(ctx context.Context, groupID, document string, skip, limit int) ([]annals.Episode, error) {
	return s.threadMessages(ctx, groupID, document, graph.TrustAll, skip, limit)
}

func (s *Service) threadMessages(ctx context.Context, groupID, threadID string, trust graph.Trust, skip, limit int) ([]annals.Episode, error) {
	maxRows, err := s.listBounds(groupID, limit)
	if err != nil {
		return nil, err
	}
	rows, err := db.New(s.pool).ThreadMessages(ctx, db.ThreadMessagesParams{
		GroupID: groupID, ThreadID: threadID, Trust: string(trust), Documents: trust == graph.TrustAll, Skip: int32(max(0, min(skip, 1<<30))), MaxRows: maxRows,
	})
	return listed(rows, err, db.Episode, "list what was said in thread %q", threadID)
}

// ThreadMessageCount counts the messages that ThreadMessages lists.
func (s *Service) ThreadMessageCount(ctx context.Context, groupID, threadID string) (int, error) {
	if err := s.admit(groupID); err != nil {
		return 0, err
	}
	n, err := db.New(s.pool).ThreadMessageCount(ctx, db.ThreadMessageCountParams{GroupID: groupID, ThreadID: threadID})
	if err != nil {
		return 0, fmt.Errorf("count what was said in thread %q: %w", threadID, err)
	}
	return int(n), nil
}

// listBounds checks the group and the limit of a list.
func (s *Service) listBounds(groupID string, limit int) (int32, error) {
	rows, err := graph.RowLimit(limit)
	if err != nil {
		return 0, err
	}
	return rows, s.admit(groupID)
}

// bounded lists rows of a group, after it checked the group and the limit and set the default one.
func bounded[Row any](s *Service, groupID string, limit *int, list func() ([]Row, error)) ([]Row, error) {
	rows, err := s.listBounds(groupID, *limit)
	if err != nil {
		return nil, err
	}
	*limit = int(rows)
	return list()
}
