package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// NotedMark is a mark as it is on record: who set it, and who ended it.
type NotedMark struct {
	ID        uuid.UUID
	SubjectID uuid.UUID
	Kind      graph.Kind // of the subject
	Mark      graph.Mark // expires, pinned, useful, wrong or outdated
	ExpiresAt time.Time  // zero unless Mark is expires
	Since     time.Time
	Until     time.Time // zero: it stands
	Door      string    // by which it was set
	WrittenBy string    // the API key or the user of the database that set it
	EndedDoor string    // by which it was ended
	EndedBy   string    // the API key or the user of the database that ended it
	SweptAt   time.Time // when what had expired was taken out; zero: it was not
}

// MarkFilter chooses marks of a group.
type MarkFilter struct {
	GroupID   string
	SubjectID uuid.UUID  // zero: of all
	After     *NotedMark // that come after this one, the last that was listed; nil: from the first
	Limit     int
}

// Marks lists marks, also those that were ended, the latest first.
func (e *Engine) Marks(ctx context.Context, f MarkFilter) ([]NotedMark, error) {
	params := db.MarkListParams{GroupID: f.GroupID, SubjectID: db.Nullable(f.SubjectID), MaxRows: int32(f.Limit)}
	if f.After != nil {
		params.BeforeAt, params.BeforeID = &f.After.Since, &f.After.ID
	}
	rows, err := db.New(e.pool).MarkList(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("list the marks of %s: %w", f.GroupID, err)
	}
	marks := make([]NotedMark, len(rows))
	for i, row := range rows {
		marks[i] = NotedMark{
			ID: row.ID, SubjectID: row.SubjectID, Kind: row.Kind, Mark: graph.Mark(row.Mark), ExpiresAt: timeOf(row.ExpiresAt), Since: row.Since.UTC(),
			Until: timeOf(row.Until), Door: row.Door, WrittenBy: row.WrittenBy, EndedDoor: textOf(row.EndedDoor), EndedBy: textOf(row.EndedBy),
			SweptAt: timeOf(row.SweptAt),
		}
	}
	return marks, nil
}

func timeOf(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.UTC()
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
