// Package erase removes every trace of episodes, entities and groups.
package erase

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/undo"
	"github.com/annalsdb/annals/graph"
)

// Erasure says what to erase: a whole group, the group of a user, some episodes of a group, or an
// entity of a group.
type Erasure struct {
	GroupID string

	// UserID names the user whose group is erased, in place of GroupID.
	UserID string

	// EpisodeIDs are erased with everything that only they support. The rest of the group stays.
	EpisodeIDs []uuid.UUID

	// EntityID is erased with every episode that mentions it, as their text names it.
	EntityID uuid.UUID

	// AnyReader is as in [undo.Undoing].
	AnyReader bool

	// Later leaves the vacuum to a worker: see [Eraser.FinishErasures].
	Later bool

	// Copies also erases it from groups that were cloned or imported from this one.
	Copies bool
}

// Certificate says what was erased, without repeating any of it. Its lists are sorted and, but for
// Copies, never nil.
type Certificate struct {
	Scope      string      `json:"scope" enum:"group,user,episode,entity"`
	ErasedAt   time.Time   `json:"erased_at"`
	Episodes   int         `json:"episodes"`
	Removed    []Removal   `json:"removed" doc:"Rows by table"`
	Edited     []Removal   `json:"edited" doc:"Rows that stay without what they said of it, by table"`
	Emptied    int         `json:"model_calls_emptied" doc:"Entries of the ledger of which only the cost is left"`
	Tombstones []string    `json:"tombstones" doc:"Keyed hashes by which it is refused when it comes again"`
	Sentences  []string    `json:"sentences" doc:"Likewise, of the sentences of episodes, each as hash:beginning:length"`
	Key        string      `json:"key" doc:"Names the key of the hashes"`
	EpisodeIDs []uuid.UUID `json:"episode_ids" doc:"Of the episodes, by which copies and backups are known"`

	Copies []Certificate `json:"copies,omitempty" doc:"Of the groups that were cloned or imported from it"`
}

// Removal is how many rows of a table were removed or edited.
type Removal struct {
	Table string `json:"table"`
	Rows  int64  `json:"rows"`
}

// Eraser erases from a database.
type Eraser struct {
	*undo.Undoer
	vacuuming *sync.Mutex // held while vacuuming after erasures
}

// New returns an eraser that undoes episodes with an undoer.
func New(u *undo.Undoer) *Eraser { return &Eraser{u, &sync.Mutex{}} }

// On returns the eraser of another view of the same database.
func (e *Eraser) On(u *undo.Undoer) *Eraser { return &Eraser{u, e.vacuuming} }

// Erase removes every trace of what it names: rows, history, vectors, postings, traces, summaries,
// communities, texts of agents, and answers of models. A keyed hash of every episode, or of the
// group, refuses it if it comes again. The rest of the graph becomes what it would be without it;
// see [undo.Undoer.Undo]. The certificate is written in the same transaction, with the tables to
// vacuum. If the process ends before the vacuum, a worker or [Eraser.FinishErasures] does it.
// Backups, lagging replicas and the write-ahead log are out of reach; see docs/erase.md.
func (e *Eraser) Erase(ctx context.Context, what Erasure) (Certificate, error) {
	scope, err := e.scopeOf(ctx, &what)
	if err != nil {
		return Certificate{}, err
	}
	var x *erasure
	err = e.Locks.Hold(ctx, what.GroupID, func() error {
		return e.InTx(ctx, func(tx pgx.Tx) error {
			x = e.erasure(what, scope, tx)
			return x.erase(ctx)
		})
	})
	if err != nil {
		return Certificate{}, change.Failed(err, "erase the %s", scope)
	}
	return x.done(), e.forgetStatistics(ctx, x.certificate.Scope, what)
}

// EraseWithin erases episodes in the caller's transaction, which must have begun and locked the
// group. Call [Eraser.FinishErasures] after the commit.
func (e *Eraser) EraseWithin(ctx context.Context, tx pgx.Tx, what Erasure) error {
	return e.erasure(what, "episode", tx).erase(ctx)
}

func (e *Eraser) erasure(what Erasure, scope string, tx pgx.Tx) *erasure {
	return &erasure{
		Tx: e.In(db.New(tx), what.GroupID), tx: tx, what: what, episodes: what.EpisodeIDs, undoer: e.Undoer,
		certificate: Certificate{Scope: scope}, removed: map[string]int64{}, edited: map[string]int64{},
	}
}

// scopeOf returns the scope of an erasure. It replaces a user by their group.
func (e *Eraser) scopeOf(ctx context.Context, what *Erasure) (string, error) {
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
	kind, err := db.New(e.Pool).GroupKind(ctx, what.GroupID)
	if err == nil && part == "user" && kind != "user" {
		return "", change.NotFound(part,
			"there is none of this name; it is a group of another kind, which is erased by the name of the group")
	}
	if errors.Is(err, pgx.ErrNoRows) {
		return "", change.NotFound(part, "there is none of this name")
	}
	return part, err
}

type erasure struct {
	*change.Tx
	tx          pgx.Tx
	what        Erasure
	episodes    []uuid.UUID
	undoer      *undo.Undoer
	certificate Certificate
	removed     map[string]int64 // rows by table
	edited      map[string]int64
	look        undo.Look   // nil: this is no preview
	undone      undo.Undone // the effect of undoing the episodes
}

func (x *erasure) erase(ctx context.Context) error {
	if err := change.MayErase(ctx); err != nil {
		return err
	}
	part := x.erasePart
	if x.certificate.Scope == "group" || x.certificate.Scope == "user" {
		part = x.eraseGroup
	}
	if err := part(ctx); err != nil {
		return err
	}
	return x.note(ctx)
}

// note stores the certificate and the tables to vacuum.
func (x *erasure) note(ctx context.Context) error {
	certificate, err := json.Marshal(x.done())
	if err != nil {
		return fmt.Errorf("write the certificate: %w", err)
	}
	touched, err := x.Queries.TablesTouched(ctx)
	if err != nil {
		return fmt.Errorf("list the tables that were touched: %w", err)
	}
	_, err = x.Queries.ErasureNote(ctx, db.ErasureNoteParams{
		GroupID: x.GroupID, Scope: x.certificate.Scope, Certificate: certificate, ToVacuum: list(touched),
	})
	return err
}

// list returns a list that is never nil, as the database reads nil as NULL.
func list[T any](of []T) []T { return append([]T{}, of...) }

// removes returns a function that counts the removed rows of a table.
func (x *erasure) removes(table string) func(rows int64, err error) error {
	return func(rows int64, err error) error {
		x.removed[table] += rows
		return err
	}
}

// counts adds up removed and edited rows of several tables.
func (x *erasure) counts(rows []db.ErasedRow, err error) error {
	for _, row := range rows {
		x.removed[row.Source] += row.Removed
		x.edited[row.Source] += row.Edited
	}
	return err
}

func (x *erasure) empties(calls int64, err error) error {
	x.certificate.Emptied += int(calls)
	return err
}

func (x *erasure) done() Certificate {
	c := x.certificate
	c.Removed, c.Edited = removals(x.removed), removals(x.edited)
	c.Tombstones, c.Sentences, c.EpisodeIDs = list(c.Tombstones), list(c.Sentences), list(x.episodes)
	slices.Sort(c.Tombstones)
	slices.Sort(c.Sentences)
	return c
}

func removals(rows map[string]int64) []Removal {
	list := []Removal{}
	for _, table := range slices.Sorted(maps.Keys(rows)) {
		if rows[table] > 0 {
			list = append(list, Removal{Table: table, Rows: rows[table]})
		}
	}
	return list
}

// tombstones adds keyed hashes to the certificate. Those of ids are left out, as the certificate
// lists the ids.
func (x *erasure) tombstones(buried ...db.TombstoneEpisodesRow) {
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

// begin waits for other writers of the group and its answers, and sets the time of the transaction.
// No model is asked from then on.
func (x *erasure) begin(ctx context.Context) error {
	if err := errors.Join(x.Queries.GroupLock(ctx, x.GroupID), x.Queries.AnswersHold(ctx, x.GroupID)); err != nil {
		return err
	}
	var err error
	if x.certificate.Key, err = x.Queries.TombstoneKey(ctx); err != nil {
		return err
	}
	began, err := x.Queries.EditBegin(ctx, db.EditBeginParams{GroupID: x.GroupID, Origin: graph.OriginOf(ctx).Doing("undo")})
	x.certificate.ErasedAt = began.UTC()
	return err
}

func (x *erasure) eraseGroup(ctx context.Context) error {
	if err := x.begin(ctx); err != nil {
		return err
	}
	if err := x.MayEraseGroup(ctx); err != nil {
		return err
	}
	indexed, err := x.Queries.GroupHasVectorIndexes(ctx, x.GroupID)
	if err != nil {
		return err
	}
	if indexed { // dropping an index during its build would deadlock
		free, err := x.Queries.LockTry(ctx, db.LockVectorIndexes)
		if err != nil {
			return err
		}
		if !free {
			return change.Conflict("group", "its vector indexes are being built at this moment; erase it when that is done")
		}
	}
	if err := x.counts(x.Queries.EraseGroup(ctx, x.GroupID)); err != nil {
		return err
	}
	x.certificate.Episodes = int(x.removed["episodes"])
	digest, err := x.Queries.TombstoneGroup(ctx, x.GroupID)
	x.tombstones(db.TombstoneEpisodesRow{Kind: "group", Digest: digest})
	return err
}

// forgetStatistics removes erased values from planner statistics, and dead rows from tables.
func (e *Eraser) forgetStatistics(ctx context.Context, scope string, what Erasure) error {
	if _, err := db.New(e.Pool).RepliesDelete(ctx, what.GroupID); err != nil { // replies made just before the erasure was committed
		return fmt.Errorf("everything is erased, but replies of the last seconds may speak of it until tomorrow: %w", err)
	}
	if scope == "episode" || scope == "entity" {
		if err := db.RefreshStatistics(ctx, e.Pool, what.GroupID); err != nil {
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

// FinishErasures vacuums and analyses the tables of all erasures that wait for it, and returns how
// many waited.
func (e *Eraser) FinishErasures(ctx context.Context) (int, error) {
	e.vacuuming.Lock()
	defer e.vacuuming.Unlock()
	return db.VacuumErased(ctx, e.Pool, true)
}

// PreviewErase erases episodes or an entity and rolls back. look reads the graph after the episodes
// were undone. The certificate holds only counts. For a group PreviewErase counts the rows, and
// does not call look.
func (e *Eraser) PreviewErase(ctx context.Context, what Erasure, look undo.Look) (Certificate, undo.Undone, error) {
	scope, err := e.scopeOf(ctx, &what)
	if err != nil {
		return Certificate{}, undo.Undone{}, err
	}
	x := e.erasure(what, scope, nil)
	if scope == "episode" || scope == "entity" {
		err = e.Preview(ctx, what.GroupID, func(tx pgx.Tx) error {
			x = e.erasure(what, scope, tx)
			x.look = look
			return x.erase(ctx)
		})
	} else {
		q := db.New(e.Pool)
		err = errors.Join(change.MayErase(ctx), e.In(q, what.GroupID).MayEraseGroup(ctx), x.counts(q.GroupHolds(ctx, what.GroupID)))
		x.certificate.Episodes = int(x.removed["episodes"])
	}
	if err != nil {
		return Certificate{}, undo.Undone{}, change.Failed(err, "rehearse erasing the %s", scope)
	}
	return x.done(), x.undone, nil
}
