package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"go.opentelemetry.io/otel/trace"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/internal/telemetry"
	"github.com/annalsdb/annals/model"
)

// The bounds that keep the work on an episode independent of the graph's size.
const (
	DefaultPrevious         = 4   // earlier messages of the thread, as context: two turns
	DefaultEntityCandidates = 15  // known entities that a name is compared with
	DefaultFactCandidates   = 10  // known facts that a new fact is compared with, of either sort
	DefaultSummaryLimit     = 500 // bytes of an entity's summary
	DefaultWindow           = 8   // messages that are read in one go when many wait
)

// Options says how the engine works. The zero value is ready to use.
type Options struct {
	// Previous is how many earlier messages of the thread are shown with an
	// episode as context, at most graph.MaxPrevious. Zero: DefaultPrevious;
	// negative: none. An episode may say otherwise for itself.
	Previous int

	// Window is how many waiting messages of one thread are read in one go,
	// which takes as many calls as one message does. Zero or one: each by itself.
	Window int

	// Reflexion asks of every episode once more what was missed and what was
	// invented: better coverage for one more call.
	Reflexion bool

	// Communities keeps the communities up to date as entities arrive, at one
	// or two calls for each community that changes.
	Communities bool

	// Observations keeps observations in every group: what several facts together
	// show, at a quarter of a call for each message at the most. Without it they are
	// kept in groups where [Engine.Observe] was called once.
	Observations bool

	// IndexedVectors is the number of vectors of one kind from which a group gets an
	// index of its own. Zero: embeddings.DefaultIndexed; negative: never.
	IndexedVectors int

	// Log receives what an operator wants to know. Nil: nothing.
	Log *slog.Logger

	// TracerProvider makes the spans of background work, such as reading episodes.
	// Nil: work is traced only within a span of the caller's.
	TracerProvider trace.TracerProvider
}

// Engine turns stored episodes into the graph. It is safe for concurrent use.
type Engine struct {
	pool     db.Pool
	store    db.Store // where episodes are placed: the pool, or the transaction of a rehearsal
	analyst  Analyst
	embedder model.Embedder
	options  Options
	log      *slog.Logger
	places   *places // of groups in work
	turns    *turns
	keeper   Keeper // nil: no answers are kept

	vacuuming *sync.Mutex // after erasures
}

// New is an engine on a migrated database whose vectors have as many
// dimensions as the embedder's.
func New(pool db.Pool, analyst Analyst, embedder model.Embedder, options Options) *Engine {
	if options.Previous == 0 {
		options.Previous = DefaultPrevious
	}
	options.Previous = max(options.Previous, 0)
	options.Window = max(options.Window, 1)
	options.Log = telemetry.Logger(options.Log)
	return &Engine{
		pool: pool, store: pool, analyst: analyst, embedder: embedder, options: options, log: options.Log,
		places: newPlaces(), turns: &turns{}, vacuuming: &sync.Mutex{},
	}
}

// Keeper keeps the questions of groups answered.
type Keeper interface {
	// Renew asks those questions of a group again on which something bears that was
	// written since.
	Renew(ctx context.Context, groupID string) error
}

// Keeping has the engine renew the standing answers of a group after it was written
// to, and returns it.
func (e *Engine) Keeping(k Keeper) *Engine {
	e.keeper = k
	return e
}

// tendKept brings the observations and standing answers of a group up to date, where
// it keeps any.
func (e *Engine) tendKept(ctx context.Context, groupID string) error {
	keeps, err := db.New(e.pool).GroupKeeps(ctx, groupID)
	if err != nil {
		return fmt.Errorf("look what %s keeps: %w", groupID, err)
	}
	err = e.tendObservations(ctx, groupID, keeps.Observations)
	if e.keeper == nil || !keeps.Answers {
		return err
	}
	return errors.Join(err, e.keeper.Renew(ctx, groupID))
}

// With is the engine on another view of the same database, such as that of one
// tenant. Both share their turns and places.
func (e *Engine) With(pool db.Pool, analyst Analyst, embedder model.Embedder) *Engine {
	view := *e
	view.pool, view.store, view.analyst, view.embedder = pool, pool, analyst, embedder
	return &view
}
