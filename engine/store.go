package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/telemetry"
)

// Stored says whether an episode that was added is new, and its id.
type Stored struct {
	ID    uuid.UUID
	New   bool        // false: the group already had the episode, by its external id or as the same words of the same time
	State graph.State // how far it has come; new ones are pending
}

// Store validates the episodes and writes them, in order, within the caller's
// transaction. All or none are written; the error names the first that is not
// acceptable. They wait in the state pending until [Engine.Process].
func Store(ctx context.Context, tx pgx.Tx, episodes []graph.Episode) ([]Stored, error) {
	rows, err := episodeRows(ctx, episodes)
	if err != nil {
		return nil, err
	}
	return storeRuns(ctx, db.New(tx), append([]db.EpisodeRun{groupRun(episodes)}, episodeRuns(episodes, rows)...))
}

// groupRun makes the groups of episodes, sorted: all who store lock them in one
// order. One that was erased is refused, also where episodes are forced: what
// takes in one episode does not open the group to the others.
func groupRun(episodes []graph.Episode) db.EpisodeRun {
	groups := map[string]bool{}
	for _, e := range episodes {
		groups[e.GroupID] = true
	}
	return db.EpisodeRun{Groups: slices.Sorted(maps.Keys(groups))}
}

// episodeRuns are the rows of episodes. Those with Force take in again what was
// erased.
func episodeRuns(episodes []graph.Episode, rows []db.EpisodeInsertParams) []db.EpisodeRun {
	var runs []db.EpisodeRun
	for begin, end := 0, 0; begin < len(rows); begin = end {
		for end = begin + 1; end < len(rows) && episodes[end].Force == episodes[begin].Force; {
			end++
		}
		run := db.EpisodeRun{Episodes: rows[begin:end], Again: episodes[begin].Force}
		for _, e := range episodes[begin:end] {
			run.Expires = append(run.Expires, db.Nullable(e.ExpiresAt))
		}
		runs = append(runs, run)
	}
	return runs
}

// EnsureGroup makes a group where it is not there. Its name must not be that of
// a group that was erased.
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
	stored := make([]Stored, len(rows))
	for i, row := range rows {
		stored[i] = Stored{ID: row.ID, New: row.Added, State: row.State}
	}
	return stored, nil
}

// readmitting inserts; with force also what was erased.
func readmitting(ctx context.Context, queries *db.Queries, force bool, insert func() error) error {
	if !force {
		return insert()
	}
	if err := queries.Readmit(ctx, "on"); err != nil {
		return fmt.Errorf("take in again what was erased: %w", err)
	}
	if err := insert(); err != nil {
		return err
	}
	return queries.Readmit(ctx, "")
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
		id, err := uuid.NewV7()
		if err != nil {
			return db.EpisodeInsertParams{}, fmt.Errorf("make an episode id: %w", err)
		}
		e.ID = id
	}
	if len(e.Metadata) == 0 {
		e.Metadata = []byte("{}")
	}
	origin := graph.OriginOf(ctx)
	return db.EpisodeInsertParams{
		TraceContext: telemetry.Carried(ctx),
		GroupID:      e.GroupID, ID: e.ID, Source: e.Source, Content: e.Content, Actor: e.Actor, Role: e.Role, Name: e.Name,
		SourceDescription: e.SourceDescription, ThreadID: e.ThreadID, OccurredAt: db.Nullable(e.OccurredAt),
		Metadata: e.Metadata, ExternalID: db.Nullable(e.ExternalID), Deferred: e.Deferred,
		Previous: smallInt(e.Previous), Door: origin.Door, WrittenBy: origin.Key, Cap: origin.Cap,
	}, nil
}

// CreateGroup makes a group, and reports whether it was not there before. One
// that was erased is a [graph.CodeConflict].
func (e *Engine) CreateGroup(ctx context.Context, g graph.Group) (bool, error) {
	if err := g.Validate(); err != nil {
		return false, err
	}
	var made bool
	err := db.InTx(ctx, e.pool, func(q *db.Queries) error {
		var err error
		made, err = createGroup(ctx, q, g)
		return err
	})
	return made, err
}

// createGroup makes a group. With Force the name of one that was erased is free
// again, on record with who asked for it; a model's word does not do that.
func createGroup(ctx context.Context, q *db.Queries, g graph.Group) (bool, error) {
	origin := graph.OriginOf(ctx)
	force := g.Force && origin.Cap != graph.AuthorityAssistant
	var made int64
	err := readmitting(ctx, q, force, func() error {
		var err error
		if force {
			if err = q.OriginSet(ctx, origin.Doing("readmit")); err != nil {
				return err
			}
		}
		made, err = q.GroupCreate(ctx, db.GroupCreateParams{
			GroupID: g.ID, Kind: g.Kind, Name: g.Name, Description: g.Description, TimeZone: g.TimeZone,
		})
		return err
	})
	if isErased(err) {
		return false, erasedGroup(g.Force)
	}
	if err != nil {
		return false, fmt.Errorf("make group %s: %w", g.ID, err)
	}
	return made > 0, nil
}

// CreateUser makes a group of the kind user, and notes whose it is. It reports
// whether the group was not there before.
func (e *Engine) CreateUser(ctx context.Context, u graph.User) (bool, error) {
	if err := u.Validate(); err != nil {
		return false, err
	}
	var made bool
	err := db.InTx(ctx, e.pool, func(q *db.Queries) error {
		var err error
		made, err = createGroup(ctx, q, graph.Group{ID: u.GroupID, Kind: graph.GroupUser, TimeZone: u.TimeZone, Force: u.Force})
		if err != nil || !made {
			return err
		}
		_, err = q.UserInsert(ctx, db.UserInsertParams{
			GroupID: u.GroupID, Email: u.Email, FirstName: u.FirstName, LastName: u.LastName, Metadata: object(u.Metadata), Plain: u.Plain,
		})
		if refused := refusal(err); refused != nil {
			return refused
		}
		return err
	})
	return made, err
}

func explainStore(failure *db.StoreFailure) error {
	err := failure.Err
	if failure.Episode != nil && failure.Episode.ExternalID != nil && errors.Is(err, pgx.ErrNoRows) {
		return &graph.Error{
			Code: graph.CodeConflict, Field: "external_id",
			Message: fmt.Sprintf("%q is being added by somebody else at this moment; add it again", *failure.Episode.ExternalID),
		}
	}
	if failure.Episode == nil && isErased(err) {
		refused := erasedGroup(false)
		refused.Field = "group"
		return refused
	}
	if refused := refusal(err); refused != nil {
		return refused
	}
	if failure.Episode == nil {
		return fmt.Errorf("make group %s: %w", failure.Group, err)
	}
	return fmt.Errorf("store an episode: %w", err)
}

// erasedGroup refuses a group that was erased. Where it was forced all the same,
// a model asked for it.
func erasedGroup(forced bool) *graph.Error {
	e := &graph.Error{
		Code: graph.CodeConflict, Field: graph.ErasedField,
		Message: "this group was erased and is not made again unasked. Where it is meant to be, POST /v1/users or /v1/groups with \"force\": true, " +
			"or 'annals groups create --group ID --force', frees its name; what it held is not refused then",
	}
	if forced {
		e.Message = "this group was erased, and the word of a model does not bring it back; ask with the key of a person"
	}
	return e
}

func isErased(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && pg.Code == db.CodeErased
}

// refusal explains an error of the database about the data it was given. All
// but metadata, which it takes apart itself, was validated before. It is nil
// for any other error.
func refusal(err error) error {
	const dataException = "22" // the class of SQLSTATE
	if erased := db.RefusedText(err); erased != nil {
		return erased
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == db.CodeErased {
		return &graph.Error{
			Code: graph.CodeConflict, Field: graph.ErasedField,
			Message: pg.Message + "; leave it out, or take in again this one episode: with \"force\": true in it, or on the command line by its id",
		}
	}
	if !errors.As(err, &pg) || !strings.HasPrefix(pg.Code, dataException) {
		return nil
	}
	return graph.Invalid("metadata", "cannot be stored: %s; change or remove it", pg.Message)
}

func smallInt(n *int) *int32 {
	if n == nil {
		return nil
	}
	small := int32(*n) // validated
	return &small
}

// storeHanded stores episodes whose graph is written in the same transaction.
func storeHanded(ctx context.Context, q *db.Queries, episodes []graph.Episode) error {
	rows, err := episodeRows(ctx, episodes)
	if err != nil {
		return err
	}
	for i := range rows {
		rows[i].Handed = true
	}
	stored, err := storeRuns(ctx, q, episodeRuns(episodes, rows))
	if err != nil {
		return err
	}
	for i, s := range stored {
		if !s.New {
			return &graph.Error{
				Code: graph.CodeConflict, Field: "external_id",
				Message: fmt.Sprintf("%q is already there; nothing was added", episodes[i].ExternalID),
			}
		}
		if _, err := q.EpisodeTake(ctx, db.EpisodeTakeParams{GroupID: episodes[i].GroupID, ID: s.ID}); err != nil {
			return err
		}
	}
	return nil
}
