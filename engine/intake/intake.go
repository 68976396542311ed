// Package intake stores episodes that are to be read, and makes the groups, users and conversations
// that they belong to.
package intake

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/telemetry"
)

// Stored is the id of an added episode, and whether it is new.
type Stored struct {
	ID    uuid.UUID
	New   bool        // false: the group already had an episode of this external id
	State graph.State // new ones are pending
	Note  string      // a warning: its time is ambiguous or missing on the group's clocks, or some of its words are not searched
}

// Store validates the episodes and writes them, in order, within the caller's transaction: all or
// none. The error names the first invalid one. They stay pending until the group is processed.
func Store(ctx context.Context, tx pgx.Tx, episodes []graph.Episode) ([]Stored, error) {
	q := db.New(tx)
	episodes, notes, err := onClocks(ctx, q, episodes)
	if err != nil {
		return nil, err
	}
	rows, err := episodeRows(ctx, episodes)
	if err != nil {
		return nil, err
	}
	stored, err := storeRuns(ctx, q, append([]db.EpisodeRun{groupRun(episodes)}, episodeRuns(ctx, episodes, rows)...))
	if err != nil {
		return nil, err
	}
	for i, note := range notes {
		stored[i].Note = joined(note, stored[i].Note)
	}
	return stored, nil
}

// joined joins two notes.
func joined(a, b string) string {
	return strings.Join(slices.DeleteFunc([]string{a, b}, func(note string) bool { return note == "" }), "; ")
}

// LeftOut returns the note for an episode with words that searches do not find it by.
func LeftOut(words int32) string {
	if words == 0 {
		return ""
	}
	return fmt.Sprintf("%s of it, the last, are not searched: it has more different ones than fit", each.Count(int(words), "word"))
}

// groupRun makes the groups of episodes in a fixed order, so that writers do not deadlock. Force of
// an episode does not readmit an erased group.
func groupRun(episodes []graph.Episode) db.EpisodeRun {
	groups := map[string]bool{}
	for _, e := range episodes {
		groups[e.GroupID] = true
	}
	return db.EpisodeRun{Groups: slices.Sorted(maps.Keys(groups))}
}

// episodeRuns returns the rows of episodes, in runs with and without Force.
func episodeRuns(ctx context.Context, episodes []graph.Episode, rows []db.EpisodeInsertParams) []db.EpisodeRun {
	var runs []db.EpisodeRun
	for begin, end := 0, 0; begin < len(rows); begin = end {
		for end = begin + 1; end < len(rows) && episodes[end].Force == episodes[begin].Force; {
			end++
		}
		run := db.EpisodeRun{Episodes: rows[begin:end], Again: episodes[begin].Force, By: graph.OriginOf(ctx).Doing("readmit")}
		for _, e := range episodes[begin:end] {
			run.Expires = append(run.Expires, db.Nullable(e.ExpiresAt))
		}
		runs = append(runs, run)
	}
	return runs
}

// EnsureGroup makes a group if it is missing and was not erased.
func EnsureGroup(ctx context.Context, queries *db.Queries, id string) error {
	_, err := storeRuns(ctx, queries, []db.EpisodeRun{{Groups: []string{id}}})
	return err
}

func storeRuns(ctx context.Context, queries *db.Queries, runs []db.EpisodeRun) ([]Stored, error) {
	rows, err := queries.StoreEpisodes(ctx, runs)
	if failure, ok := errors.AsType[*db.StoreFailure](err); ok {
		return nil, explainStore(failure)
	}
	if err != nil {
		return nil, fmt.Errorf("store episodes: %w", err)
	}
	return each.Of(rows, func(row db.EpisodeInsertRow) Stored {
		return Stored{ID: row.ID, New: row.Added, State: row.State, Note: LeftOut(row.LeftOut)}
	}), nil
}

func episodeRows(ctx context.Context, episodes []graph.Episode) ([]db.EpisodeInsertParams, error) {
	rows := make([]db.EpisodeInsertParams, len(episodes))
	for i, e := range episodes {
		var err error
		if rows[i], err = episodeRow(ctx, e); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func episodeRow(ctx context.Context, e graph.Episode) (db.EpisodeInsertParams, error) {
	if e.Source == "" {
		e.Source = graph.SourceMessage
	}
	if err := e.Validate(); err != nil {
		return db.EpisodeInsertParams{}, err
	}
	if e.ID == uuid.Nil {
		e.ID = change.NewID()
	}
	var previous *int32
	if e.Previous != nil {
		previous = new(int32(*e.Previous)) // validated
	}
	origin := graph.OriginOf(ctx)
	if e.Authority.Known() { // the authority of whoever put it into a batch
		origin = origin.Capped(e.Authority)
	}
	return db.EpisodeInsertParams{
		TraceContext: telemetry.Carried(ctx),
		GroupID:      e.GroupID, ID: e.ID, Source: e.Source, Content: e.Content, Actor: e.Actor, Role: e.Role, Name: e.Name,
		SourceDescription: e.SourceDescription, ThreadID: e.ThreadID, OccurredAt: db.Nullable(e.OccurredAt),
		Metadata: change.Object(e.Metadata), ExternalID: db.Nullable(e.ExternalID), Deferred: e.Deferred,
		Previous: previous, Door: origin.Door, WrittenBy: origin.Key, Cap: origin.Cap,
	}, nil
}

func explainStore(failure *db.StoreFailure) error {
	err := failure.Err
	if failure.Episode == nil && isErased(err) {
		refused := erasedGroup()
		refused.Field = "group"
		return refused
	}
	if refused := change.Refused(err); !errors.Is(err, refused) {
		return refused
	}
	if failure.Episode == nil {
		return fmt.Errorf("make group %s: %w", failure.Group, err)
	}
	return fmt.Errorf("store an episode: %w", err)
}

// StoreHanded stores episodes whose graph the same transaction writes.
func StoreHanded(ctx context.Context, q *db.Queries, episodes []graph.Episode) error {
	rows, err := episodeRows(ctx, episodes)
	if err != nil {
		return err
	}
	for i := range rows {
		rows[i].Handed = true
	}
	runs := episodeRuns(ctx, episodes, rows)
	for i := range runs {
		runs[i].By = "" // the transaction has the origin
	}
	stored, err := storeRuns(ctx, q, runs)
	if err != nil {
		return err
	}
	for i, s := range stored {
		if !s.New {
			return change.Conflict("external_id", "%q is already there; nothing was added", episodes[i].ExternalID)
		}
		if _, err := q.EpisodeTake(ctx, db.EpisodeTakeParams{GroupID: episodes[i].GroupID, ID: s.ID}); err != nil {
			return err
		}
	}
	return nil
}
