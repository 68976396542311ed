package edit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// Marked is a thing that was marked.
type Marked struct {
	ID   uuid.UUID
	Kind graph.Kind // fact, episode, entity or skill
}

// Mark marks facts, episodes, entities and skills: all of them, or none. expiresAt goes with
// [graph.MarkExpires] only. Summaries and observations leave out facts that expire.
func (e *Editor) Mark(ctx context.Context, groupID string, ids []uuid.UUID, mark graph.Mark, expiresAt time.Time) ([]Marked, error) {
	if err := graph.ValidateTime("expires_at", expiresAt); err != nil {
		return nil, err
	}
	var marked []Marked
	expires := mark == graph.MarkExpires || mark == graph.MarkKeeps
	err := e.ByHand(ctx, groupID, "mark", func(t *change.Tx) error {
		if expires || mark == graph.MarkWrong || mark == graph.MarkOutdated {
			if err := mayLower(ctx, t, ids); err != nil {
				return err
			}
		}
		rows, err := t.Queries.MarksSet(ctx, db.MarksSetParams{GroupID: groupID, Ids: append([]uuid.UUID{}, ids...), Mark: string(mark), ExpiresAt: db.Nullable(expiresAt)})
		if err != nil {
			return unmarkable(err)
		}
		marked = each.Of(rows, func(row db.MarksSetRow) Marked { return Marked{row.ID, row.Kind} })
		if !expires {
			return nil
		}
		return retellMarked(ctx, t, ids)
	})
	if err != nil {
		return nil, change.Failed(err, "mark %s of %s", each.Count(len(ids), "thing"), groupID)
	}
	return marked, nil
}

// retellMarked remakes the summaries that tell facts which now expire, or no longer do.
func retellMarked(ctx context.Context, t *change.Tx, ids []uuid.UUID) error {
	stated, err := t.Queries.FactsStatedBy(ctx, db.FactsStatedByParams{GroupID: t.GroupID, EpisodeIds: ids})
	if err != nil {
		return err
	}
	facts, err := t.Facts(ctx, append(stated, ids...))
	if err != nil {
		return err
	}
	_, err = t.Retell(ctx, change.EndsOf(facts...))
	return err
}

// mayLower fails if the writer ranks below the authority of a thing that the mark hides or ranks
// lower.
func mayLower(ctx context.Context, t *change.Tx, ids []uuid.UUID) error {
	if graph.OriginOf(ctx).Cap == graph.AuthorityPerson || len(ids) == 0 {
		return nil
	}
	episodes, err := t.MayChangeEpisodes(ctx, ids...)
	if err != nil {
		return err
	}
	others := slices.DeleteFunc(slices.Clone(ids), func(id uuid.UUID) bool { return slices.Contains(episodes, id) })
	owner, err := t.Queries.SkillsAuthority(ctx, db.SkillsAuthorityParams{GroupID: t.GroupID, Ids: others})
	if err != nil {
		return err
	}
	if own := graph.OriginOf(ctx).Cap; own.Below(owner) {
		return change.Beneath("skill", owner, own)
	}
	facts, err := t.Facts(ctx, others)
	if err != nil || len(facts) == 0 {
		return err
	}
	return t.MayChange(ctx, each.Of(facts, factID)...)
}

// unmarkable turns the database's refusal of a mark into an error for the caller.
func unmarkable(err error) error {
	pg, refused := errors.AsType[*pgconn.PgError](err)
	if !refused {
		return err
	}
	message := strings.TrimPrefix(pg.Message, pg.ColumnName+": ")
	switch pg.Code {
	case "22023":
		return graph.Invalid(pg.ColumnName, "%s", message)
	case "P0002":
		return change.NotFound(pg.ColumnName, "%s", message)
	}
	return err
}

// NotedMark is a recorded mark, with who set and who ended it.
type NotedMark struct {
	ID        uuid.UUID  `json:"-"`
	SubjectID uuid.UUID  `json:"id" format:"uuid" doc:"Of the fact, episode, entity or skill"`
	Kind      graph.Kind `json:"kind" enum:"fact,episode,entity,skill"`
	Mark      graph.Mark `json:"mark" enum:"expires,pinned,useful,wrong,outdated"`
	ExpiresAt time.Time  `json:"expires_at,omitzero"`
	Since     time.Time  `json:"since" doc:"When it was set"`
	Until     time.Time  `json:"until,omitzero" doc:"When it was ended; left out: it stands"`
	Door      string     `json:"door" doc:"The way it was set: cli, rest, mcp, …"`
	WrittenBy string     `json:"written_by,omitempty" doc:"The key or role that set it"`
	EndedDoor string     `json:"-"` // the way it was ended
	EndedBy   string     `json:"ended_by,omitempty" doc:"The key or role that ended it"`
	SweptAt   time.Time  `json:"swept_at,omitzero" doc:"When what had expired was taken out"`
}

func notedOf(row db.MarkListRow) NotedMark {
	return NotedMark{
		ID: row.ID, SubjectID: row.SubjectID, Kind: row.Kind, Mark: graph.Mark(row.Mark), ExpiresAt: change.Value(row.ExpiresAt).UTC(),
		Since: row.Since.UTC(), Until: change.Value(row.Until).UTC(), Door: row.Door, WrittenBy: row.WrittenBy,
		EndedDoor: change.Value(row.EndedDoor), EndedBy: change.Value(row.EndedBy), SweptAt: change.Value(row.SweptAt).UTC(),
	}
}

// MarkFilter chooses marks of a group.
type MarkFilter struct {
	GroupID   string
	SubjectID uuid.UUID  // zero: all
	After     *NotedMark // the last mark of the page before; nil: from the first
	Limit     int
}

// Marks lists marks, including ended ones, the latest first.
func (e *Editor) Marks(ctx context.Context, f MarkFilter) ([]NotedMark, error) {
	params := db.MarkListParams{GroupID: f.GroupID, SubjectID: db.Nullable(f.SubjectID), MaxRows: int32(f.Limit)}
	if f.After != nil {
		params.BeforeAt, params.BeforeID = &f.After.Since, &f.After.ID
	}
	rows, err := db.New(e.Pool).MarkList(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("list the marks of %s: %w", f.GroupID, err)
	}
	return each.Of(rows, notedOf), nil
}
