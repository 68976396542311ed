package annals

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/retrieval"
)

// DefaultReadWait is for how long a read waits for the replica.
const DefaultReadWait = 100 * time.Millisecond

// LSN is a place in the primary's write-ahead log, such as 16/B374D848: what is
// committed before it can be demanded of a read; see [ReadAfter].
type LSN = db.LSN

// ParseLSN reads what [LSN.String] wrote.
func ParseLSN(s string) (LSN, error) { return db.ParseLSN(s) }

// LSN returns the place in the log behind all that is committed by now. A Client
// that reads from a replica always sees what it wrote itself. To see what was
// written by another process, by [Client.AddTx] or in SQL, ask for the LSN after
// the commit and read with [ReadAfter].
func (c *Client) LSN(ctx context.Context) (LSN, error) { return db.Committed(ctx, c.pool) }

type readAfterKey struct{}

// ReadAfter makes the reads with this context see all that is committed before a
// place in the log, from the replica if it gets there in time, else from the
// primary. Without a replica it changes nothing.
func ReadAfter(ctx context.Context, lsn LSN) context.Context {
	if before, _ := ctx.Value(readAfterKey{}).(LSN); before > lsn {
		return ctx
	}
	return context.WithValue(ctx, readAfterKey{}, lsn)
}

// HasReplica reports whether reads go to a replica.
func (c *Client) HasReplica() bool { return c.replica != nil }

// ReplicaStatus is how far a replica has come.
type ReplicaStatus struct {
	Following bool  // false: it is no replica but takes writes itself
	Behind    int64 // bytes of the primary's log that it has not replayed
}

// Replica asks the replica how far it has come. Without one it fails with
// [CodeNotFound].
func (c *Client) Replica(ctx context.Context) (ReplicaStatus, error) {
	if c.replica == nil {
		return ReplicaStatus{}, &Error{Code: CodeNotFound, Field: "replica", Message: "there is none; set ANNALS_READ_DATABASE_URL"}
	}
	written, err := c.LSN(ctx)
	if err != nil {
		return ReplicaStatus{}, err
	}
	following, replayed, err := db.Replayed(ctx, c.replica.source.pool)
	return ReplicaStatus{Following: following, Behind: max(int64(written)-int64(replayed), 0)}, err
}

// source is where reads are answered from.
type source struct {
	pool     db.Pool
	engine   *engine.Engine
	searcher *retrieval.Searcher
}

// replica is a source that follows the primary, and what its reads must see.
type replica struct {
	*db.Replica
	source
	written *written // shared by all tenants
}

// follow sends reads to a replica; nil: to none.
func (c *Client) follow(to *db.Replica) {
	if to != nil {
		c.replica = &replica{Replica: to, written: &written{groups: map[string]mark{}}}
		c.replica.source = c.sourceOn(to.Pool())
	}
}

// sourceOn is a source on another pool than the primary's.
func (c *Client) sourceOn(pool db.Pool) source {
	return source{pool: pool, engine: c.engine.With(pool, c.analyst, c.embedder), searcher: c.searcherOn(pool)}
}

// read answers a read about one group, from the replica, or from the primary
// where there is none or it cannot answer yet. It refuses a group that is not
// the client's.
func read[T any](ctx context.Context, c *Client, groupID string, do func(context.Context, source) (T, error)) (T, error) {
	if err := c.admit(groupID); err != nil {
		return *new(T), err
	}
	return readAll(ctx, c, []string{groupID}, do)
}

// readAll is read for several groups that are the client's, all groups where
// there are none.
func readAll[T any](ctx context.Context, c *Client, groups []string, do func(context.Context, source) (T, error)) (T, error) {
	if c.replica == nil {
		return do(ctx, c.source)
	}
	after, err := c.replica.written.before(ctx, c.pool, groups)
	if err != nil {
		return do(ctx, c.source)
	}
	if demanded, _ := ctx.Value(readAfterKey{}).(LSN); demanded > after {
		after = demanded
	}
	var out T
	answered := c.replica.Read(ctx, after, func(ctx context.Context) error {
		if out, err = do(ctx, c.replica.source); errors.As(err, new(*model.AnswerError)) {
			return nil // the replica had no part in it
		}
		return err
	})
	if answered {
		return out, err
	}
	return do(ctx, c.source)
}

// changed does what changes a group, and notes that. It refuses a group that is
// not the client's.
func changed[T any](c *Client, groupID string, do func() (T, error)) (T, error) {
	if err := c.admit(groupID); err != nil {
		return *new(T), err
	}
	defer c.wrote(groupID)
	return do()
}

// change is changed for what returns nothing.
func (c *Client) change(groupID string, do func() error) error {
	_, err := changed(c, groupID, func() (struct{}, error) { return struct{}{}, do() })
	return err
}

// wrote notes that groups may have been written to: from now on their reads
// see it. Naming none stands for all.
func (c *Client) wrote(groups ...string) {
	if c.replica != nil {
		c.replica.written.note(groups)
	}
}

// maxWritten is for how many groups a mark of their own is kept.
const maxWritten = 10_000

// written knows how far in the log the reads of each group must see. The first
// read after a write asks the primary for that place, as most writes are followed
// by another one.
type written struct {
	mu     sync.Mutex
	groups map[string]mark
	rest   mark // of all groups that are not among them, and the least of those that are
}

// mark is how far a read must see.
type mark struct {
	lsn   LSN
	stale bool   // something was written since
	turn  uint64 // of the last write
}

func (m mark) wrote() mark { return mark{m.lsn, true, m.turn + 1} }

func (w *written) note(groups []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(groups) == 0 {
		w.rest = w.rest.wrote()
	}
	for _, group := range groups {
		if len(w.groups) >= maxWritten {
			w.forget()
		}
		w.groups[group] = w.groups[group].wrote()
	}
}

// forget drops the marks of single groups: their reads see what those of all do.
func (w *written) forget() {
	w.rest = w.rest.wrote()
	clear(w.groups)
}

// before returns how far the reads of groups have to see; none: those of all.
func (w *written) before(ctx context.Context, primary db.Pool, groups []string) (LSN, error) {
	rest, among := w.marks(groups)
	stale := rest.stale
	for _, m := range among {
		stale = stale || m.stale
	}
	if stale {
		now, err := db.Committed(ctx, primary)
		if err != nil {
			return 0, err
		}
		w.seen(now, rest, among)
		return now, nil
	}
	after := rest.lsn
	for _, m := range among {
		after = max(after, m.lsn)
	}
	return after, nil
}

func (w *written) marks(groups []string) (mark, map[string]mark) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(groups) == 0 {
		return w.rest, maps.Clone(w.groups)
	}
	among := map[string]mark{}
	for _, group := range groups {
		if m, ok := w.groups[group]; ok {
			among[group] = m
		}
	}
	return w.rest, among
}

// seen notes where the log was when the marks were as they are given. What was
// written meanwhile leaves a mark stale.
func (w *written) seen(now LSN, rest mark, among map[string]mark) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.rest == rest {
		w.rest = mark{now, false, rest.turn}
	}
	for group, m := range among {
		if w.groups[group] == m {
			w.groups[group] = mark{now, false, m.turn}
		}
	}
}
