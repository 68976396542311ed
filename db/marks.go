package db

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
)

// Marks reads the marks of rows, now or as of a time; nil: now. Rows without a mark are left out.
func (q *Queries) Marks(ctx context.Context, groupID string, knownAt *time.Time, ids []uuid.UUID) (map[uuid.UUID]graph.Marks, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := q.MarksOf(ctx, MarksOfParams{GroupID: groupID, Ids: ids, KnownAt: knownAt})
	marks := make(map[uuid.UUID]graph.Marks, len(rows))
	for _, row := range rows {
		m := marks[row.SubjectID]
		switch graph.Mark(row.Mark) {
		case graph.MarkExpires:
			m.ExpiresAt = row.ExpiresAt.UTC()
		case graph.MarkPinned:
			m.Pinned = true
		case graph.MarkUseful:
			m.Useful = int(row.Times)
		case graph.MarkWrong:
			m.Wrong = int(row.Times)
		case graph.MarkOutdated:
			m.Outdated = int(row.Times)
		}
		marks[row.SubjectID] = m
	}
	return marks, err
}

// MarkFacts sets the marks of facts.
func (q *Queries) MarkFacts(ctx context.Context, groupID string, knownAt *time.Time, facts []graph.Fact) error {
	return mark(ctx, q, groupID, knownAt, facts, func(f *graph.Fact) (uuid.UUID, *graph.Marks) { return f.ID, &f.Marks })
}

// MarkEpisodes sets the marks of episodes.
func (q *Queries) MarkEpisodes(ctx context.Context, groupID string, knownAt *time.Time, episodes []graph.Episode) error {
	err := mark(ctx, q, groupID, knownAt, episodes, func(e *graph.Episode) (uuid.UUID, *graph.Marks) { return e.ID, &e.Marks })
	for i, e := range episodes {
		episodes[i].ExpiresAt = e.Marks.ExpiresAt
	}
	return err
}

// MarkEntities sets the marks of entities.
func (q *Queries) MarkEntities(ctx context.Context, groupID string, knownAt *time.Time, entities []graph.Entity) error {
	return mark(ctx, q, groupID, knownAt, entities, func(e *graph.Entity) (uuid.UUID, *graph.Marks) { return e.ID, &e.Marks })
}

func mark[Row any](ctx context.Context, q *Queries, groupID string, knownAt *time.Time, rows []Row, of func(*Row) (uuid.UUID, *graph.Marks)) error {
	ids := make([]uuid.UUID, len(rows))
	for i := range rows {
		ids[i], _ = of(&rows[i])
	}
	marks, err := q.Marks(ctx, groupID, knownAt, ids)
	for i := range rows {
		_, noted := of(&rows[i])
		*noted = marks[ids[i]]
	}
	return err
}
