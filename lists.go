package annals

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
)

// List chooses a page of a group's rows, in an order of your own.
type List struct {
	GroupID   string
	Filter    Filter // as a search has it
	OrderBy   string // of facts and entities created_at; of facts valid_at; of entities degree, which is how many facts they have; of episodes occurred_at; else: the id
	Ascending bool
	After     uuid.UUID // the row that was listed last, behind which the page begins; zero: none
	Skip      int       // how many rows to leave out; beside After, only where that row is gone
	Limit     int       // 1 to MaxRows; zero: DefaultRows

	IDs        []uuid.UUID // of facts: these; empty: any
	EntityIDs  []uuid.UUID // of facts: those with any of these entities at either end; empty: any
	SourceIDs  []uuid.UUID // of facts: those that begin at any of these entities; empty: any
	TargetIDs  []uuid.UUID // of facts: those that lead to any of these entities; empty: any
	EpisodeIDs []uuid.UUID // of facts: those that any of these episodes states or ends; of entities: that it mentions; empty: any
	Mentions   []uuid.UUID // of episodes: those that mention any of these entities, or have one of these ids; empty: any
}

// Degree is an entity and how many facts it has.
type Degree struct {
	Entity
	Facts int // only where the list is ordered by it
}

// ListEntities lists entities.
func (c *Client) ListEntities(ctx context.Context, l List) ([]Degree, error) {
	limit, err := c.listBounds(l.GroupID, l.Limit)
	if err != nil {
		return nil, err
	}
	narrowed, filter, err := l.Filter.Document()
	if err != nil {
		return nil, err
	}
	rows, err := db.New(c.pool).EntityPage(ctx, db.EntityPageParams{
		GroupID: l.GroupID, Narrowed: narrowed, Filter: filter, OrderBy: l.OrderBy, Ascending: l.Ascending, Skip: int32(l.Skip), MaxRows: limit,
		AfterID: db.Nullable(l.After), EpisodeIds: l.EpisodeIDs,
	})
	if err != nil {
		return nil, fmt.Errorf("list entities of %s: %w", l.GroupID, err)
	}
	entities := make([]Degree, len(rows))
	for i, row := range rows {
		entities[i] = Degree{Facts: int(row.Degree), Entity: db.Entity(l.GroupID, db.EntitiesByIDsRow{
			ID: row.ID, Name: row.Name, Aliases: row.Aliases, Labels: row.Labels, Summary: row.Summary, Attributes: row.Attributes,
			CreatedAt: row.CreatedAt, Recorded: row.Recorded,
		})}
	}
	return entities, nil
}

// ListFacts lists facts, those that have ended too.
func (c *Client) ListFacts(ctx context.Context, l List) ([]Fact, error) {
	limit, err := c.listBounds(l.GroupID, l.Limit)
	if err != nil {
		return nil, err
	}
	narrowed, filter, err := l.Filter.Document()
	if err != nil {
		return nil, err
	}
	ids, err := db.New(c.pool).FactPage(ctx, db.FactPageParams{
		GroupID: l.GroupID, Narrowed: narrowed, Filter: filter, OrderBy: l.OrderBy, Ascending: l.Ascending, Skip: int32(l.Skip), MaxRows: limit,
		AfterID: db.Nullable(l.After), Ids: l.IDs, EntityIds: l.EntityIDs, SourceIds: l.SourceIDs, TargetIds: l.TargetIDs,
		EpisodeIds: l.EpisodeIDs,
	})
	if err != nil {
		return nil, fmt.Errorf("list facts of %s: %w", l.GroupID, err)
	}
	return c.FactsByID(ctx, l.GroupID, ids)
}

// ListEpisodes lists episodes.
func (c *Client) ListEpisodes(ctx context.Context, l List) ([]Episode, error) {
	limit, err := c.listBounds(l.GroupID, l.Limit)
	if err != nil {
		return nil, err
	}
	narrowed, filter, err := l.Filter.Document()
	if err != nil {
		return nil, err
	}
	rows, err := db.New(c.pool).EpisodePage(ctx, db.EpisodePageParams{
		GroupID: l.GroupID, Narrowed: narrowed, Filter: filter, ByTime: l.OrderBy == "occurred_at", Ascending: l.Ascending,
		AfterID: db.Nullable(l.After), Mentioning: l.Mentions, Skip: int32(l.Skip), MaxRows: limit,
	})
	if err != nil {
		return nil, fmt.Errorf("list episodes of %s: %w", l.GroupID, err)
	}
	episodes := make([]Episode, len(rows))
	for i, row := range rows {
		episodes[i] = db.Episode(l.GroupID, db.EpisodeListRow(row))
	}
	return episodes, nil
}

// FactsByID returns facts in the order of their ids; those that are not there
// are left out.
func (c *Client) FactsByID(ctx context.Context, groupID string, ids []uuid.UUID) ([]Fact, error) {
	if err := c.admit(groupID); err != nil {
		return nil, err
	}
	rows, err := db.New(c.pool).FactsByIDs(ctx, db.FactsByIDsParams{GroupID: groupID, Ids: ids})
	if err != nil {
		return nil, fmt.Errorf("read facts of %s: %w", groupID, err)
	}
	facts := make([]Fact, len(rows))
	for i, row := range rows {
		facts[i] = db.Fact(groupID, row)
	}
	place := placesOf(ids)
	slices.SortFunc(facts, func(a, b Fact) int { return place[a.ID] - place[b.ID] })
	return facts, nil
}

// EntitiesByID returns entities in the order of their ids; those that are not
// there are left out.
func (c *Client) EntitiesByID(ctx context.Context, groupID string, ids []uuid.UUID) ([]Entity, error) {
	if err := c.admit(groupID); err != nil {
		return nil, err
	}
	rows, err := db.New(c.pool).EntitiesByIDs(ctx, db.EntitiesByIDsParams{GroupID: groupID, Ids: ids})
	if err != nil {
		return nil, fmt.Errorf("read entities of %s: %w", groupID, err)
	}
	entities := make([]Entity, len(rows))
	for i, row := range rows {
		entities[i] = db.Entity(groupID, row)
	}
	place := placesOf(ids)
	slices.SortFunc(entities, func(a, b Entity) int { return place[a.ID] - place[b.ID] })
	return entities, nil
}

// placesOf is where each id stands.
func placesOf(ids []uuid.UUID) map[uuid.UUID]int {
	place := make(map[uuid.UUID]int, len(ids))
	for i, id := range ids {
		place[id] = i
	}
	return place
}

// EpisodesMentioning lists the ids of the episodes that mention entities, by
// the entities' ids: of each the newest, at most limit of them, newest first.
func (c *Client) EpisodesMentioning(ctx context.Context, groupID string, entityIDs []uuid.UUID, limit int) (map[uuid.UUID][]uuid.UUID, error) {
	bound, err := c.listBounds(groupID, limit)
	if err != nil {
		return nil, err
	}
	rows, err := db.New(c.pool).EpisodesOfEntities(ctx, db.EpisodesOfEntitiesParams{GroupID: groupID, Ids: entityIDs, MaxEach: bound})
	if err != nil {
		return nil, fmt.Errorf("list the episodes of entities of %s: %w", groupID, err)
	}
	episodes := make(map[uuid.UUID][]uuid.UUID, len(entityIDs))
	for _, row := range rows {
		episodes[row.EntityID] = append(episodes[row.EntityID], row.EpisodeID)
	}
	return episodes, nil
}

// Mentioned lists the entities that an episode mentions.
func (c *Client) Mentioned(ctx context.Context, groupID string, episodeID uuid.UUID) ([]Entity, error) {
	if err := c.admit(groupID); err != nil {
		return nil, err
	}
	ids, err := db.New(c.pool).EntitiesOfEpisode(ctx, db.EntitiesOfEpisodeParams{GroupID: groupID, EpisodeID: episodeID, MaxRows: MaxRows})
	if err != nil {
		return nil, fmt.Errorf("list what episode %s mentions: %w", episodeID, err)
	}
	return c.EntitiesByID(ctx, groupID, ids)
}

// Progress says how far a stretch of a group's episodes has come.
type Progress struct {
	Episodes    int
	Done        int
	Failed      int
	Processing  int
	Deferred    int       // that wait for nothing
	CreatedAt   time.Time // of the first
	ProcessedAt time.Time // of the last that is done
	Error       string    // of one that failed
}

// Ended reports whether nothing of it waits any more.
func (p Progress) Ended() bool { return p.Done+p.Failed+p.Deferred >= p.Episodes }

// Progress says how far the episodes have come that were stored from one to
// another, both included.
func (c *Client) Progress(ctx context.Context, groupID string, first, last uuid.UUID) (Progress, error) {
	if err := c.admit(groupID); err != nil {
		return Progress{}, err
	}
	row, err := db.New(c.pool).EpisodeProgress(ctx, db.EpisodeProgressParams{GroupID: groupID, FirstID: first, LastID: last})
	if err != nil {
		return Progress{}, fmt.Errorf("ask how far episodes of %s have come: %w", groupID, err)
	}
	return Progress{
		Episodes: int(row.Episodes), Done: int(row.Done), Failed: int(row.Failed), Processing: int(row.Processing), Deferred: int(row.Deferred),
		CreatedAt: row.CreatedAt.UTC(), ProcessedAt: row.ProcessedAt.UTC(), Error: row.Error,
	}, nil
}
