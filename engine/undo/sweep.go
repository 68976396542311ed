package undo

import (
	"context"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// Sweep removes what has expired: it undoes expired episodes and ends the belief in expired facts.
// A later repetition makes a fact again. The history keeps what was believed, but the texts of
// episodes are gone. It is cheap if nothing has expired.
func (u *Undoer) Sweep(ctx context.Context, groupID string) (Undone, error) {
	return u.sweep(ctx, groupID, u.Undo)
}

// SweepHeld is [Undoer.Sweep] for a caller that holds the group's lock.
func (u *Undoer) SweepHeld(ctx context.Context, groupID string) (Undone, error) {
	return u.sweep(ctx, groupID, u.undoHeld)
}

func (u *Undoer) sweep(ctx context.Context, groupID string, undo func(context.Context, Undoing) (Undone, error)) (Undone, error) {
	origin := graph.OriginOf(ctx)
	origin.Cap = graph.AuthorityPerson // the caller's authority does not matter: a mark has the authority of whoever set it, see MarksOutrankedEnd
	ctx = graph.WithOrigin(ctx, origin)
	q := db.New(u.Pool)
	due, err := q.MarksDue(ctx, groupID)
	if err == nil && len(due) > 0 {
		if err = q.MarksOutrankedEnd(ctx, groupID); err == nil {
			due, err = q.MarksDue(ctx, groupID)
		}
	}
	if err != nil || len(due) == 0 {
		return Undone{}, change.Failed(err, "find what of %s has expired", groupID)
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
	done, err := u.sweepEpisodes(ctx, groupID, episodes, undo)
	if err != nil {
		return Undone{}, err
	}
	err = u.ByHand(ctx, groupID, "sweep", func(t *change.Tx) error {
		for _, id := range facts {
			switch err := takeOut(ctx, t, id); {
			case graph.CodeOf(err) == graph.CodeNotFound: // it was removed before
			case err != nil:
				return err
			default:
				done.FactsRemoved++
			}
		}
		return t.Queries.MarksSwept(ctx, db.MarksSweptParams{GroupID: groupID, Ids: all})
	})
	if err != nil {
		return Undone{}, change.Failed(err, "take out what of %s has expired", groupID)
	}
	return done, nil
}

func (u *Undoer) sweepEpisodes(ctx context.Context, groupID string, ids []uuid.UUID, undo func(context.Context, Undoing) (Undone, error)) (Undone, error) {
	if len(ids) == 0 {
		return Undone{}, nil
	}
	rows, err := db.New(u.Pool).UndoneEpisodes(ctx, db.UndoneEpisodesParams{GroupID: groupID, Ids: ids})
	if err != nil || len(rows) == 0 {
		return Undone{}, err
	}
	there := each.Of(rows, func(row db.UndoneEpisodesRow) uuid.UUID { return row.ID })
	return undo(ctx, Undoing{GroupID: groupID, EpisodeIDs: there, AnyReader: true, outlived: true})
}

// takeOut ends the belief in an expired fact without rejecting it.
func takeOut(ctx context.Context, t *change.Tx, id uuid.UUID) error {
	fact, err := t.Fact(ctx, id)
	if err != nil {
		return err
	}
	if _, err := t.Lock(ctx, fact.SourceID, fact.TargetID); err != nil {
		return err
	}
	return t.TakeOut(ctx, fact)
}
