package annals

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/retrieval"
)

// DefaultReadWait is how long a read waits for the replica by default.
const DefaultReadWait = 100 * time.Millisecond

// LSN is a position in the primary's write-ahead log, such as 16/B374D848. A read can demand to see
// everything committed before it; see [ReadAfter].
type LSN = db.LSN

// ParseLSN parses the output of [LSN.String].
func ParseLSN(s string) (LSN, error) { return db.ParseLSN(s) }

// LSN returns a position in the log that is after everything committed so far. A Client that reads
// from a replica always sees its own writes. To see those of another process, of [Client.AddTx] or
// of plain SQL, get the LSN after the commit and read with [ReadAfter].
func (c *Client) LSN(ctx context.Context) (LSN, error) { return db.Committed(ctx, c.pool) }

type readAfterKey struct{}

// ReadAfter returns a context whose reads see everything committed before a position in the log.
// The replica answers them if it reaches the position in time, otherwise the primary. Without a
// replica it has no effect.
func ReadAfter(ctx context.Context, lsn LSN) context.Context {
	if before, _ := ctx.Value(readAfterKey{}).(LSN); before > lsn {
		return ctx
	}
	return context.WithValue(ctx, readAfterKey{}, lsn)
}

// HasReplica reports whether the Client reads from a replica.
func (c *Client) HasReplica() bool { return c.replica != nil }

// ReplicaStatus is the state of a replica.
type ReplicaStatus struct {
	Following bool  // false: the server is not a replica, it accepts writes
	Behind    int64 // bytes of the primary's log that are not replayed yet
}

// Replica returns the state of the replica. It fails with [CodeNotFound] if the Client has none.
func (c *Client) Replica(ctx context.Context) (ReplicaStatus, error) {
	if c.replica == nil {
		return ReplicaStatus{}, change.NotFound("replica", "there is none; set ANNALS_READ_DATABASE_URL")
	}
	written, err := c.LSN(ctx)
	if err != nil {
		return ReplicaStatus{}, err
	}
	following, replayed, err := db.Replayed(ctx, c.replica.source.pool)
	return ReplicaStatus{Following: following, Behind: max(int64(written)-int64(replayed), 0)}, err
}

// source is what answers reads.
type source struct {
	pool     db.Pool
	engine   *engine.Engine
	searcher *retrieval.Searcher
}

// replica is a source that follows the primary, with the positions that its reads must reach.
type replica struct {
	*db.Replica
	source
	written *written // shared by all tenants
}

// follow makes reads go to a replica, if it is not nil.
func (c *Client) follow(to *db.Replica) {
	if to != nil {
		c.replica = &replica{Replica: to, written: &written{groups: map[string]mark{}}}
		c.replica.source = c.sourceOn(to.Pool())
	}
}

// sourceOn returns a source on another pool than the primary's.
func (c *Client) sourceOn(pool db.Pool) source {
	return source{pool: pool, engine: c.engine.With(pool, c.analyst, c.embedder), searcher: c.searcherOn(pool)}
}

// read runs a read of one group on the replica, or on the primary if there is no replica or it
// cannot answer yet. It refuses a group that the client may not use.
func read[T any](ctx context.Context, c *Client, groupID string, do func(context.Context, source) (T, error)) (T, error) {
	if err := c.admit(groupID); err != nil {
		return *new(T), err
	}
	return readAll(ctx, c, []string{groupID}, do)
}

// query runs queries about one group as read does. Its errors of the database say what was being
// done.
func query[T any](
	ctx context.Context, c *Client, groupID string, ask func(context.Context, *db.Queries) (T, error), doing string, args ...any,
) (answer T, err error) {
	if err := c.admit(groupID); err != nil {
		return answer, err
	}
	answer, err = readAll(ctx, c, []string{groupID}, func(ctx context.Context, from source) (T, error) { return ask(ctx, db.New(from.pool)) })
	if err != nil {
		return answer, fmt.Errorf("%s: %w", fmt.Sprintf(doing, args...), err)
	}
	return answer, nil
}

// readAll runs a read of several groups that the client may use; no groups stands for all.
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
			return nil // the replica is not at fault
		}
		return err
	})
	if answered {
		return out, err
	}
	return do(ctx, c.source)
}

// changed runs a write to a group and records that the group was written to. It refuses a group
// that the client may not use.
func changed[T any](c *Client, groupID string, do func() (T, error)) (T, error) {
	if err := c.admit(groupID); err != nil {
		return *new(T), err
	}
	defer c.wrote(groupID)
	return do()
}

// change is like changed, for a write without a result.
func (c *Client) change(groupID string, do func() error) error {
	_, err := changed(c, groupID, func() (struct{}, error) { return struct{}{}, do() })
	return err
}

// wrote records that groups may have been written to, so that later reads see it. No groups stands
// for all.
func (c *Client) wrote(groups ...string) {
	if c.replica != nil {
		c.replica.written.note(groups)
	}
}

// maxWritten is the number of groups that have a mark of their own.
const maxWritten = 10_000

// written records how far in the log the reads of each group must see. The first read after a write
// asks the primary for the position, since most writes are followed by another one.
type written struct {
	mu     sync.Mutex
	groups map[string]mark
	rest   mark // the mark of all other groups, and the minimum for these
}

// mark is the position that a read must see.
type mark struct {
	lsn   LSN
	stale bool   // something was written since lsn
	turn  uint64 // number of the last write
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

// forget drops the marks of single groups. Their reads then use the mark of all groups.
func (w *written) forget() {
	w.rest = w.rest.wrote()
	clear(w.groups)
}

// before returns the position that reads of groups must see; no groups stands for all.
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

// seen sets marks to the position that the log had when they had the given values. A mark that a
// write has changed meanwhile stays stale.
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
