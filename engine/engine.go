// Package engine is not an API: it may change with every release. It writes the
// graph: it takes an episode through the steps extract entities → resolve entities →
// extract facts → resolve facts → apply time → summarise → commit, one file per step.
//
// Nothing of an episode is visible before its commit, which is one
// transaction. An episode that fails stays stored, failed, with its error.
package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"go.opentelemetry.io/otel/trace"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/community"
	"github.com/annalsdb/annals/engine/edit"
	"github.com/annalsdb/annals/engine/erase"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/engine/lock"
	"github.com/annalsdb/annals/engine/observe"
	"github.com/annalsdb/annals/engine/thread"
	"github.com/annalsdb/annals/engine/undo"
	"github.com/annalsdb/annals/internal/telemetry"
	"github.com/annalsdb/annals/model"
)

// Bounds that keep the work on an episode independent of the size of the graph.
const (
	DefaultPrevious  = 4  // earlier messages of the thread, as context: two turns
	entityCandidates = 15 // known entities that a name is compared with
	factCandidates   = 10 // known facts, of either sort, that a new fact is compared with
	DefaultWindow    = 8  // messages that are read in one go when many wait
)

// Options says how the engine works. The zero value is ready to use.
type Options struct {
	// Previous is how many earlier messages of the thread are shown with an
	// episode as context, at most graph.MaxPrevious. Zero: DefaultPrevious;
	// negative: none. An episode may say otherwise for itself.
	Previous int

	// Window is how many waiting messages of one thread are read in one go, with as many calls as
	// one message takes. Zero or one: each alone.
	Window int

	// Reflexion asks the model once more about each episode, for entities that it missed or
	// invented. Coverage is better, for one more call.
	Reflexion bool

	// Communities keeps the communities up to date as entities arrive, at one
	// or two calls for each community that changes.
	Communities bool

	// Observations keeps observations in every group, at no more than a quarter of a call per
	// message. An observation is what several facts together show. Without the option they are kept
	// in groups where Observe was called once.
	Observations bool

	// IndexedVectors is the number of vectors of one kind from which a group gets an
	// index of its own. Zero: embeddings.DefaultIndexed; negative: never.
	IndexedVectors int

	// Log receives messages for the operator. Nil: none.
	Log *slog.Logger

	// TracerProvider makes the spans of background work, such as reading episodes.
	// Nil: work is traced only within a span of the caller's.
	TracerProvider trace.TracerProvider
}

// Engine turns stored episodes into the graph, and embeds the other writers of the graph. It is
// safe for concurrent use.
type Engine struct {
	*intake.Groups
	*edit.Editor
	*undo.Undoer
	*erase.Eraser
	*thread.Conversations
	observer *observe.Observer
	keeper   Keeper // nil: no answers are kept

	pool  db.Pool
	walk  *walk
	locks *lock.Locks
	log   *slog.Logger
}

// New returns an engine on a migrated database. The vectors of the database must have as many
// dimensions as the embedder's.
func New(pool db.Pool, by analyst.Analyst, embedder model.Embedder, options Options) *Engine {
	if options.Previous == 0 {
		options.Previous = DefaultPrevious
	}
	options.Previous = max(options.Previous, 0)
	options.Window = max(options.Window, 1)
	options.Log = telemetry.Logger(options.Log)
	e := &Engine{locks: lock.New(pool), log: options.Log}
	e.assemble(pool, by, embedder, options)
	e.Eraser = erase.New(e.Undoer)
	return e
}

// With returns the engine on another view of the same database, such as that of one tenant. Both
// share their locks.
func (e *Engine) With(pool db.Pool, by analyst.Analyst, embedder model.Embedder) *Engine {
	view := *e
	view.locks = e.locks.On(pool)
	view.assemble(pool, by, embedder, e.walk.options)
	view.Eraser = e.Eraser.On(view.Undoer)
	return &view
}

func (e *Engine) assemble(pool db.Pool, by analyst.Analyst, embedder model.Embedder, options Options) {
	writer := &change.Writer{Pool: pool, Embedder: embedder}
	e.pool = pool
	e.walk = &walk{
		Writer: writer, store: pool, analyst: by, options: options, log: e.log,
		communities: community.New(pool, by, embedder, e.log),
	}
	e.Groups, e.Editor = intake.NewGroups(pool), &edit.Editor{Writer: writer}
	e.Undoer = &undo.Undoer{
		Writer: writer, Locks: e.locks, Replayer: e.walk, Reader: by.Name(), Previous: max(options.Previous, DefaultPrevious),
	}
	e.Conversations = &thread.Conversations{Pool: pool, Analyst: by, Undoer: e.Undoer}
	e.observer = &observe.Observer{Pool: pool, Analyst: by, Locks: e.locks, Always: options.Observations}
}

// Keeper keeps the standing answers of groups up to date.
type Keeper interface {
	// Renew asks those questions of a group again that something written since bears on.
	Renew(ctx context.Context, groupID string) error
}

// Keeping makes the engine renew the standing answers of a group after a write, and returns the
// engine.
func (e *Engine) Keeping(k Keeper) *Engine {
	e.keeper = k
	return e
}

// Observe brings the observations of a group up to date. The engine keeps them from then on.
func (e *Engine) Observe(ctx context.Context, groupID string) error {
	return e.observer.Observe(ctx, groupID)
}

// BuildCommunities builds the group's communities from its current facts; see
// [community.Builder.Build].
func (e *Engine) BuildCommunities(ctx context.Context, groupID string) (community.Built, error) {
	return e.walk.communities.Build(ctx, groupID)
}

// tend brings everything derived from the graph of a group up to date, after numbers of
// messages of some threads were read. If a model fails, that part waits for the next time.
func (e *Engine) tend(ctx context.Context, groupID string, threads map[string]int) error {
	warn := func(what string) func(error) {
		return func(err error) {
			e.log.WarnContext(ctx, "not brought up to date", "group", groupID, "what", what, "error", err)
		}
	}
	return errors.Join(
		unlessFailed(e.Tend(ctx, groupID, threads), warn("thread not summarised")),
		unlessFailed(e.tendCommunities(ctx, groupID), warn("communities left as they were")),
		e.tendKept(ctx, groupID, warn("observations or skills left as they were")))
}

// unlessFailed passes an error that a model caused to tell, and returns any other.
func unlessFailed(err error, tell func(error)) error {
	if _, ok := errors.AsType[*analyst.Failure](err); !ok {
		return err
	}
	tell(err)
	return nil
}

func (e *Engine) tendCommunities(ctx context.Context, groupID string) error {
	if !e.walk.options.Communities {
		return nil
	}
	return e.walk.communities.Tend(ctx, groupID)
}

// tendKept brings the observations, skills and standing answers of a group up to date, where it has
// any.
func (e *Engine) tendKept(ctx context.Context, groupID string, failed func(error)) error {
	keeps, err := db.New(e.pool).GroupKeeps(ctx, groupID)
	if err != nil {
		return fmt.Errorf("look what %s keeps: %w", groupID, err)
	}
	err = unlessFailed(e.observer.Tend(ctx, groupID, keeps.Observations), failed)
	if keeps.UnwordedSkills {
		err = errors.Join(err, unlessFailed(e.observer.WordSkills(ctx, groupID), failed))
	}
	if e.keeper == nil || !keeps.Answers {
		return err
	}
	return errors.Join(err, e.keeper.Renew(ctx, groupID))
}
