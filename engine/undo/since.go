package undo

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// findSince finds when the episodes first changed the graph, and the messages that had them as
// context when they were read. It returns false if they never changed it. For an imported episode
// the time is that of the first reading after it.
func (r *rehearsal) findSince(ctx context.Context, t *change.Tx, gone []db.UndoneEpisodesRow) (bool, error) {
	var times []time.Time
	for _, row := range gone {
		if row.ProcessedAt != nil && row.Read {
			times = append(times, *row.ProcessedAt)
			r.together = append(r.together, *row.ProcessedAt)
		} else if row.ProcessedAt != nil {
			r.imported = append(r.imported, row.ID)
			first, err := t.Queries.ReadSince(ctx, db.ReadSinceParams{GroupID: t.GroupID, Since: *row.ProcessedAt})
			if errors.Is(err, pgx.ErrNoRows) {
				first = r.began
			} else if err != nil {
				return false, err
			}
			times = append(times, first)
		}
		if row.Source != graph.SourceMessage {
			continue
		}
		shown, err := t.Queries.EpisodesShown(ctx, db.EpisodesShownParams{
			GroupID: t.GroupID, ThreadID: row.ThreadID, OccurredAt: row.OccurredAt, ID: row.ID, MaxRows: graph.MaxPrevious,
		})
		if err != nil {
			return false, err
		}
		for i, next := range shown {
			if i < r.mayShow(next.Previous) && sawIt(next, row) && !slices.Contains(r.gone, next.ID) {
				r.reread[next.ID] = true
				times = append(times, *next.ProcessedAt)
			}
		}
	}
	if len(times) == 0 {
		return false, nil
	}
	r.since = slices.MinFunc(times, time.Time.Compare)
	return true, r.skipUndone(ctx, t)
}

// mayShow returns how many earlier messages a message may have had as context.
func (u *Undoer) mayShow(own *int32) int {
	if own != nil {
		return int(*own)
	}
	return u.Previous
}

// sawIt reports whether a message was read when another one was already stored.
func sawIt(next db.EpisodesShownRow, gone db.UndoneEpisodesRow) bool {
	return next.Read && next.ProcessedAt != nil && !next.ProcessedAt.Before(gone.CreatedAt)
}

// skipUndone moves since before the times in which the graph depended on episodes that were undone
// later. It does the same for times in which a decision changed what facts end: when they are
// placed again, approved facts end others as they are read.
func (r *rehearsal) skipUndone(ctx context.Context, t *change.Tx) error {
	undone, err := t.Queries.UndoneList(ctx, t.GroupID)
	if err != nil {
		return err
	}
	for moved := true; moved; {
		moved = false
		for _, u := range undone {
			if u.Since.Before(r.since) && r.since.Before(u.UndoneAt) {
				r.since, moved = u.Since, true
			}
		}
	}
	return nil
}

type later struct {
	graph.Episode
	processedAt time.Time
	reader      string
	reading     json.RawMessage
}

func laterOf(groupID string, row db.EpisodesProcessedSinceRow) later {
	return later{
		Episode: db.ClaimedEpisode(groupID, db.EpisodesClaimRow{
			ID: row.ID, Source: row.Source, Content: row.Content, Actor: row.Actor, Role: row.Role, Name: row.Name,
			SourceDescription: row.SourceDescription, ThreadID: row.ThreadID, OccurredAt: row.OccurredAt, Previous: row.Previous,
			Authority: row.Authority, ExpiresAt: row.ExpiresAt,
		}),
		processedAt: row.ProcessedAt, reader: row.Reader, reading: row.Reading,
	}
}

// findLater reads the later episodes, and the facts and entities without a reading.
func (r *rehearsal) findLater(ctx context.Context, t *change.Tx, anyReader bool) error {
	rows, err := t.Queries.EpisodesProcessedSince(ctx, db.EpisodesProcessedSinceParams{GroupID: t.GroupID, Since: r.since})
	if err != nil {
		return err
	}
	for _, row := range rows {
		if slices.Contains(r.gone, row.ID) {
			continue
		}
		if row.Reader != "" && row.Reader != r.Reader && !anyReader {
			return change.Conflict("llm", "episode %s, which came later and has to be placed again, was read by %s, "+
				"and now %s would judge it; name that model, or allow any reader", row.ID, row.Reader, r.Reader)
		}
		if slices.ContainsFunc(r.together, row.ProcessedAt.Equal) {
			r.reread[row.ID] = true
		}
		r.later = append(r.later, laterOf(t.GroupID, row))
	}
	var since *time.Time // nil: nothing without a reading is ever remade
	if !r.since.Equal(beginning) {
		since = &r.since
	}
	if r.kept, err = t.Queries.RebuildKept(ctx, db.RebuildKeptParams{GroupID: t.GroupID, Since: since, ExceptIds: append([]uuid.UUID{}, r.gone...)}); err != nil {
		return err
	}
	approved, err := t.Queries.ApprovedOf(ctx, db.ApprovedOfParams{GroupID: t.GroupID, EpisodeIds: r.laterIDs()})
	if err != nil {
		return err
	}
	r.approved = each.Groups(approved, func(row db.ApprovedOfRow) (uuid.UUID, db.ApprovedOfRow) { return row.EpisodeID, row })
	traces, err := t.Queries.TracesOf(ctx, db.TracesOfParams{GroupID: t.GroupID, EpisodeIds: r.laterIDs()})
	r.traces = each.Groups(traces, func(row db.TracesOfRow) (uuid.UUID, db.TracesOfRow) { return row.EpisodeID, row })
	return err
}

func (r *rehearsal) laterIDs() []uuid.UUID {
	return each.Of(r.later, func(l later) uuid.UUID { return l.ID })
}
