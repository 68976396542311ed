package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// Marked is a thing that was marked.
type Marked struct {
	ID   uuid.UUID
	Kind graph.Kind // fact, episode or entity
}

// Mark notes something about facts, episodes and entities: all of them, or none.
// expiresAt goes with [graph.MarkExpires] alone. What has expired is marked no more.
// What is to expire goes out of all that is made of several facts.
func (e *Engine) Mark(ctx context.Context, groupID string, ids []uuid.UUID, mark graph.Mark, expiresAt time.Time) ([]Marked, error) {
	if err := graph.ValidateTime("expires_at", expiresAt); err != nil {
		return nil, err
	}
	var marked []Marked
	err := e.edit(ctx, groupID, "mark", func(q *db.Queries) error {
		if err := mayExpire(ctx, q, groupID, mark, ids); err != nil {
			return err
		}
		rows, err := q.MarksSet(ctx, db.MarksSetParams{GroupID: groupID, Ids: append([]uuid.UUID{}, ids...), Mark: string(mark), ExpiresAt: db.Nullable(expiresAt)})
		marked = marked[:0]
		for _, row := range rows {
			marked = append(marked, Marked{row.ID, row.Kind})
		}
		if err != nil || mark != graph.MarkExpires && mark != graph.MarkKeeps {
			return unmarkable(err)
		}
		return e.retellMarked(ctx, q, groupID, ids)
	})
	if err != nil {
		return nil, wrapEdit(err, "mark %d things of %s", len(ids), groupID)
	}
	return marked, nil
}

// retellMarked makes the summaries anew that tell of facts, or of what episodes state:
// these are to expire from now on, or stay.
func (e *Engine) retellMarked(ctx context.Context, q *db.Queries, groupID string, ids []uuid.UUID) error {
	stated, err := q.FactsStatedBy(ctx, db.FactsStatedByParams{GroupID: groupID, EpisodeIds: ids})
	if err != nil {
		return err
	}
	rows, err := q.FactsByIDs(ctx, db.FactsByIDsParams{GroupID: groupID, Ids: append(stated, ids...)})
	if err != nil {
		return err
	}
	_, err = e.retell(ctx, q, groupID, endsOf(factsIn(rows)...))
	return err
}

// mayExpire refuses to hide, or keep, what a higher authority said.
func mayExpire(ctx context.Context, q *db.Queries, groupID string, mark graph.Mark, ids []uuid.UUID) error {
	own := graph.OriginOf(ctx).Cap
	if mark != graph.MarkExpires && mark != graph.MarkKeeps || own == graph.AuthorityPerson || len(ids) == 0 {
		return nil
	}
	episodes, err := q.UndoneEpisodes(ctx, db.UndoneEpisodesParams{GroupID: groupID, Ids: ids})
	if err != nil {
		return err
	}
	others := slices.Clone(ids)
	for _, row := range episodes {
		if own.Below(row.Authority) {
			return beneath("ids", row.Authority, own)
		}
		others = slices.DeleteFunc(others, func(id uuid.UUID) bool { return id == row.ID })
	}
	facts, err := q.FactsByIDs(ctx, db.FactsByIDsParams{GroupID: groupID, Ids: others})
	if err != nil || len(facts) == 0 {
		return err
	}
	return mayChange(ctx, q, groupID, idsOf(facts, func(row db.FactRow) uuid.UUID { return row.ID })...)
}

// unmarkable is why the database refuses to mark something, in the words of the library.
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
		return &graph.Error{Code: graph.CodeNotFound, Field: pg.ColumnName, Message: message}
	}
	return err
}

// Sweep takes out what has expired: it undoes episodes, and ends the belief in facts.
// What says the same again makes a fact again. The history keeps what was believed
// until then; the texts of the episodes are gone. Where there is nothing it costs next
// to nothing.
func (e *Engine) Sweep(ctx context.Context, groupID string) (Undone, error) {
	return e.sweep(ctx, groupID, e.Undo)
}

func (e *Engine) sweep(ctx context.Context, groupID string, undo func(context.Context, Deletion) (Undone, error)) (Undone, error) {
	origin := graph.OriginOf(ctx)
	origin.Cap = graph.AuthorityPerson // whoever comes by: who may was asked when it was said to expire
	ctx = graph.WithOrigin(ctx, origin)
	q := db.New(e.pool)
	due, err := q.MarksDue(ctx, groupID)
	if err != nil {
		return Undone{}, wrapEdit(err, "find what of %s has expired", groupID)
	}
	var episodes, facts, all []uuid.UUID
	for _, row := range due {
		all = append(all, row.SubjectID)
		if row.Kind == graph.KindEpisode {
			episodes = append(episodes, row.SubjectID)
		} else {
			facts = append(facts, row.SubjectID)
		}
	}
	if len(all) == 0 {
		return Undone{}, nil
	}
	done, err := e.sweepEpisodes(ctx, groupID, episodes, undo)
	if err != nil {
		return Undone{}, err
	}
	err = e.edit(ctx, groupID, "sweep", func(q *db.Queries) error {
		for _, id := range facts {
			switch err := e.letExpire(ctx, q, groupID, id); {
			case graph.CodeOf(err) == graph.CodeNotFound: // it went before
			case err != nil:
				return err
			default:
				done.FactsRemoved++
			}
		}
		return q.MarksSwept(ctx, db.MarksSweptParams{GroupID: groupID, Ids: all})
	})
	if err != nil {
		return Undone{}, wrapEdit(err, "take out what of %s has expired", groupID)
	}
	return done, nil
}

// sweepEpisodes undoes those of the episodes that are still there.
func (e *Engine) sweepEpisodes(ctx context.Context, groupID string, ids []uuid.UUID, undo func(context.Context, Deletion) (Undone, error)) (Undone, error) {
	if len(ids) == 0 {
		return Undone{}, nil
	}
	rows, err := db.New(e.pool).UndoneEpisodes(ctx, db.UndoneEpisodesParams{GroupID: groupID, Ids: ids})
	if err != nil || len(rows) == 0 {
		return Undone{}, err
	}
	there := make([]uuid.UUID, len(rows))
	for i, row := range rows {
		there[i] = row.ID
	}
	return undo(ctx, Deletion{GroupID: groupID, EpisodeIDs: there, AnyReader: true})
}

// letExpire ends the belief in a fact that has expired. Nothing is rejected: what
// says it again makes a fact.
func (e *Engine) letExpire(ctx context.Context, q *db.Queries, groupID string, id uuid.UUID) error {
	fact, err := currentFact(ctx, q, groupID, id)
	if err != nil {
		return err
	}
	if _, err := lockNodes(ctx, q, groupID, fact.SourceID, fact.TargetID); err != nil {
		return err
	}
	return e.takeOut(ctx, q, fact)
}
