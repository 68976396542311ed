package engine

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// Erasure says what to remove for good: a whole group, the group of a user, or
// of a group either episodes or an entity.
type Erasure struct {
	GroupID string

	// UserID names the user whose group is erased, in place of GroupID.
	UserID string

	// EpisodeIDs are erased with all that only they support, and the rest of
	// the group stays.
	EpisodeIDs []uuid.UUID

	// EntityID is erased with every episode that mentions it: their text names it.
	EntityID uuid.UUID

	// AnyReader is that of a [Deletion].
	AnyReader bool

	// Later leaves the vacuum after it to a worker: see [Engine.FinishErasures].
	Later bool

	// Copies erases the same from the groups that were cloned or imported from it.
	Copies bool
}

// Certificate says what was erased. It holds nothing of it.
type Certificate struct {
	Scope      string    `json:"scope"` // group, user, episode or entity
	ErasedAt   time.Time `json:"erased_at"`
	Episodes   int       `json:"episodes"`            // that were removed
	Removed    []Removal `json:"removed"`             // by table, in the order of their names
	Edited     []Removal `json:"edited"`              // rows that stay without what they said of it, likewise
	Emptied    int       `json:"model_calls_emptied"` // entries of the ledger that keep only their cost
	Tombstones []string  `json:"tombstones"`          // keyed hashes by which what was erased is refused, in hexadecimal
	Sentences  []string  `json:"sentences"`           // likewise, of the sentences of episodes, each as hash:marks:length
	Key        string    `json:"key"`                 // names the key of those hashes

	EpisodeIDs []uuid.UUID `json:"episode_ids"` // of the episodes, by which copies and backups are known

	Copies []Certificate `json:"copies,omitempty"` // of the groups that were cloned or imported from it
}

// Removal is how many rows of a table were removed, or edited.
type Removal struct {
	Table string `json:"table"`
	Rows  int64  `json:"rows"`
}

// Erase removes every trace of something: rows, history, vectors, postings,
// traces, summaries and communities that may speak of it, what agents wrote
// down of it, and the answers of models since. A keyed hash stays of every
// episode, or of the group, and refuses it when it comes again. The rest of the
// graph becomes what it would be had the erased never come; see [Engine.Undo].
//
// The certificate is kept in the transaction that erases, with the tables that
// are to be vacuumed so that the planner's statistics forget too. Should the
// process end before that, a worker or [Engine.FinishErasures] does it.
//
// Backups, replicas that lag behind and the write-ahead log are beyond its
// reach; see docs/erase.md.
func (e *Engine) Erase(ctx context.Context, what Erasure) (Certificate, error) {
	scope, err := e.scopeOf(ctx, &what)
	if err != nil {
		return Certificate{}, err
	}
	var x *eraser
	err = e.lockGroup(ctx, what.GroupID, Portion{}, func(func() error) error {
		return db.Retrying(ctx, func() error {
			x = e.eraser(what, scope)
			return pgx.BeginFunc(ctx, e.pool, func(tx pgx.Tx) error { return x.erase(ctx, tx) })
		})
	})
	if err != nil {
		return Certificate{}, wrapEdit(err, "erase the %s", scope)
	}
	return x.done(), e.forgetStatistics(ctx, x.certificate.Scope, what)
}

// EraseWithin erases episodes as [Engine.Erase] does, within a transaction of the
// caller that began the group and keeps others from it. Once that is committed,
// [Engine.FinishErasures] is due.
func (e *Engine) EraseWithin(ctx context.Context, tx pgx.Tx, what Erasure) error {
	return e.eraser(what, "episode").erase(ctx, tx)
}

func (e *Engine) eraser(what Erasure, scope string) *eraser {
	return &eraser{engine: e, Erasure: what, certificate: Certificate{Scope: scope}, removed: map[string]int64{}, edited: map[string]int64{}}
}

// scopeOf says what is to be erased. It replaces a user by the user's group.
func (e *Engine) scopeOf(ctx context.Context, what *Erasure) (string, error) {
	part := "group"
	switch {
	case what.UserID != "" && what.GroupID != "":
		return "", graph.Invalid("user", "cannot be named beside a group; erase one of them")
	case what.UserID != "":
		part, what.GroupID = "user", what.UserID
	case len(what.EpisodeIDs) > 0 && what.EntityID != uuid.Nil:
		return "", graph.Invalid("episode", "cannot be named beside an entity; erase one of them")
	case len(what.EpisodeIDs) > 0:
		part = "episode"
	case what.EntityID != uuid.Nil:
		part = "entity"
	}
	if part == "user" && (len(what.EpisodeIDs) > 0 || what.EntityID != uuid.Nil) {
		return "", graph.Invalid("user", "cannot be named beside an episode or an entity; name their group instead")
	}
	if err := graph.ValidateGroupID(what.GroupID); err != nil {
		return "", err
	}
	kind, err := db.New(e.pool).GroupKind(ctx, what.GroupID)
	if err == nil && part == "user" && kind != "user" {
		return "", &graph.Error{Code: graph.CodeNotFound, Field: part, Message: "there is none of this name; it is a group of another kind, which is erased by the name of the group"}
	}
	if errors.Is(err, pgx.ErrNoRows) {
		return "", &graph.Error{Code: graph.CodeNotFound, Field: part, Message: "there is none of this name"}
	}
	return part, err
}

// eraser is one erasure under way.
type eraser struct {
	Erasure
	engine      *Engine
	tx          pgx.Tx
	q           *db.Queries
	certificate Certificate
	removed     map[string]int64 // rows by table
	edited      map[string]int64
	look        Look   // nil: it is no preview
	undone      Undone // by undoing the episodes
}

// erase does all of it within a transaction.
func (x *eraser) erase(ctx context.Context, tx pgx.Tx) error {
	x.tx, x.q = tx, db.New(tx)
	part := x.erasePart
	if x.certificate.Scope == "group" || x.certificate.Scope == "user" {
		part = x.eraseGroup
	}
	if err := part(ctx); err != nil {
		return err
	}
	return x.note(ctx)
}

// note keeps the certificate, and which tables are to be vacuumed.
func (x *eraser) note(ctx context.Context) error {
	certificate, err := json.Marshal(x.done())
	if err != nil {
		return fmt.Errorf("write the certificate: %w", err)
	}
	touched, err := x.q.TablesTouched(ctx)
	if err != nil {
		return fmt.Errorf("list the tables that were touched: %w", err)
	}
	_, err = x.q.ErasureNote(ctx, db.ErasureNoteParams{
		GroupID: x.GroupID, Scope: x.certificate.Scope, Certificate: certificate, ToVacuum: append([]string{}, touched...),
	})
	return err
}

func (x *eraser) count(table string, rows int64) { x.removed[table] += rows }

// done completes the certificate.
func (x *eraser) done() Certificate {
	c := x.certificate
	c.Removed, c.Edited = removals(x.removed), removals(x.edited)
	slices.Sort(c.Tombstones)
	slices.Sort(c.Sentences)
	c.EpisodeIDs = slices.Clone(x.EpisodeIDs)
	return c
}

func removals(rows map[string]int64) []Removal {
	var list []Removal
	for _, table := range slices.Sorted(maps.Keys(rows)) {
		if rows[table] > 0 {
			list = append(list, Removal{Table: table, Rows: rows[table]})
		}
	}
	return list
}

// tombstones notes keyed hashes. Those of ids are left out: the certificate
// lists the ids.
func (x *eraser) tombstones(buried ...db.TombstoneEpisodesRow) {
	for _, b := range buried {
		switch digest := hex.EncodeToString(b.Digest); b.Kind {
		case "id":
		case "sentence":
			x.certificate.Sentences = append(x.certificate.Sentences, fmt.Sprintf("%s:%x:%d", digest, b.Opens, b.Size))
		default:
			x.certificate.Tombstones = append(x.certificate.Tombstones, digest)
		}
	}
}

// begin begins the transaction's time, once no other process writes to the group
// or keeps what a model answered. From here on no model is asked.
func (x *eraser) begin(ctx context.Context) error {
	if err := errors.Join(x.q.GroupLock(ctx, x.GroupID), x.q.AnswersHold(ctx, x.GroupID)); err != nil {
		return err
	}
	var err error
	if x.certificate.Key, err = x.q.TombstoneKey(ctx); err != nil {
		return err
	}
	began, err := x.q.EditBegin(ctx, db.EditBeginParams{GroupID: x.GroupID, Origin: graph.OriginOf(ctx).Doing("undo")})
	x.certificate.ErasedAt = began.UTC()
	return err
}

func (x *eraser) eraseGroup(ctx context.Context) error {
	if err := x.begin(ctx); err != nil {
		return err
	}
	indexed, err := x.q.GroupHasVectorIndexes(ctx, x.GroupID)
	if err != nil {
		return err
	}
	if indexed { // dropping one while it is built would deadlock
		free, err := x.q.LockTry(ctx, db.LockVectorIndexes)
		if err != nil {
			return err
		}
		if !free {
			return &graph.Error{Code: graph.CodeConflict, Field: "group", Message: "its vector indexes are being built at this moment; erase it when that is done"}
		}
	}
	rows, err := x.q.EraseGroup(ctx, x.GroupID)
	if err != nil {
		return err
	}
	x.countBoth(rows)
	x.certificate.Episodes = int(x.removed["episodes"])
	digest, err := x.q.TombstoneGroup(ctx, x.GroupID)
	x.tombstones(db.TombstoneEpisodesRow{Kind: "group", Digest: digest})
	return err
}

// forgetStatistics removes erased values from the statistics of the planner and of
// search, and dead rows from the tables.
func (e *Engine) forgetStatistics(ctx context.Context, scope string, what Erasure) error {
	if _, err := db.New(e.pool).RepliesDelete(ctx, what.GroupID); err != nil { // those made just before the erasure was committed
		return fmt.Errorf("everything is erased, but replies of the last seconds may speak of it until tomorrow: %w", err)
	}
	if scope == "episode" || scope == "entity" {
		if err := db.RefreshStatistics(ctx, e.pool, what.GroupID); err != nil {
			return err
		}
	}
	if what.Later {
		return nil
	}
	if _, err := e.FinishErasures(ctx); err != nil {
		return fmt.Errorf("everything is erased, but traces may be left in the planner's statistics until 'annals doctor --fix' or a worker has vacuumed: %w", err)
	}
	return nil
}

// FinishErasures vacuums and analyses the tables that erasures touched, once for
// all that still wait for it, and returns how many did. One of this process does
// so at a time, and the next finds little left to do.
func (e *Engine) FinishErasures(ctx context.Context) (int, error) {
	e.vacuuming.Lock()
	defer e.vacuuming.Unlock()
	return db.VacuumErased(ctx, e.pool, true)
}
