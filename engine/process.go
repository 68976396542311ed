package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/db/embeddings"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/telemetry"
	"github.com/annalsdb/annals/model"
)

// Processed reports the result for one episode.
type Processed struct {
	Episode  graph.Episode
	Entities int   // entities it mentions
	Facts    int   // facts it states, new and known
	Closed   int   // facts that ended by it
	Refused  int   // facts that it states and that are refused, because they were withdrawn before
	Err      error // why it failed; nil: it is done
}

// Process reads the waiting episodes of a group in their order and calls report after each. It
// waits while another process works on the group. An episode whose analysis fails is marked as
// failed, and the next one is read. An error means that work cannot go on: the database is lost, or
// a model does not answer. The other episodes wait for the next Process.
func (e *Engine) Process(ctx context.Context, groupID string, report func(Processed)) error {
	_, err := e.work(ctx, groupID, Portion{}, report)
	return err
}

// Portion bounds what [Engine.Drain] does in one go.
type Portion struct {
	// Attempts is how often an episode is tried while a model does not answer, before it fails.
	// Other failures are not tried again, as they would only repeat.
	Attempts int

	// Until is when to leave the rest to a later portion, once the begun episodes are read. The
	// zero value means no limit.
	Until time.Time

	// Stop ends the portion after the episode that is being read.
	Stop <-chan struct{}
}

// wait reports whether to wait for others who work on the group.
func (p Portion) wait() bool { return p.Attempts == 0 }

func (p Portion) stopped() bool {
	select {
	case <-p.Stop:
		return true
	default:
		return false
	}
}

func (p Portion) over() bool {
	return p.stopped() || !p.Until.IsZero() && !time.Now().Before(p.Until)
}

// Drain is [Engine.Process] for a worker. It stops when the portion is over and reports
// whether episodes may be left. It returns [lock.ErrBusy] if another process works on the
// group. After an error, call it again later: the order is kept, and a model may answer
// then.
func (e *Engine) Drain(ctx context.Context, groupID string, portion Portion, report func(Processed)) (left bool, err error) {
	portion.Attempts = max(portion.Attempts, 1)
	return e.work(ctx, groupID, portion, report)
}

func (e *Engine) work(ctx context.Context, groupID string, portion Portion, report func(Processed)) (left bool, err error) {
	if err := graph.ValidateGroupID(groupID); err != nil {
		return false, err
	}
	ctx, span := telemetry.Begin(ctx, e.walk.options.TracerProvider, trace.SpanContext{}, "process group", attribute.String("annals.group", groupID))
	defer func() { telemetry.End(span, err) }()
	if _, err := e.Sweep(ctx, groupID); err != nil { // an expired fact would keep its repetition from being stored
		e.log.WarnContext(ctx, "what has expired was not taken out", "group", groupID, "error", err)
	}
	err = e.locks.HoldUntil(ctx, groupID, portion.wait(), portion.Stop, func(held func() error) error {
		threads := map[string]int{}
		d := &drainer{walk: e.walk, undoer: e.Undoer, groupID: groupID, portion: portion}
		d.report = func(p Processed) {
			if id := p.Episode.ThreadID; id != "" && p.Episode.Source == graph.SourceMessage {
				threads[id]++
			}
			report(p)
		}
		left, err = d.drain(ctx, held)
		if err != nil || portion.stopped() {
			return err
		}
		return errors.Join(e.embedDeferred(ctx, groupID), db.RefreshStatistics(ctx, e.pool, groupID), e.tend(ctx, groupID, threads))
	})
	if err != nil || portion.stopped() {
		return left, err
	}
	return left, e.indexVectors(ctx, groupID) // without the lock, as building an index would wait for its transaction
}

// embedDeferred makes the vectors of episodes that no model may read.
func (e *Engine) embedDeferred(ctx context.Context, groupID string) error {
	for {
		rows, err := db.New(e.pool).EpisodesUnembedded(ctx, db.EpisodesUnembeddedParams{
			GroupID: groupID, Model: e.walk.Embedder.Name(), MaxRows: claimSize,
		})
		if err != nil || len(rows) == 0 {
			return err
		}
		texts := each.Of(rows, func(row db.EpisodesUnembeddedRow) []string {
			return EpisodeTexts(e.walk.Embedder, graph.Episode{Content: row.Content, Source: row.Source, Role: row.Role})
		})
		vectors, err := e.walk.embedLists(model.WithSubject(ctx, model.Subject{GroupID: groupID}), texts)
		var analysis *analyst.Failure
		if errors.As(err, &analysis) {
			return fmt.Errorf("what was kept from the model is stored, but found by its words only: see to the embedder, "+
				"and the next 'annals add --group %s' makes the vectors too: %w", groupID, analysis)
		}
		if err != nil {
			return err
		}
		var params []db.EpisodeEmbeddingUpsertParams
		for i, row := range rows {
			params = append(params, db.EpisodeVectors(groupID, e.walk.Embedder.Name(), row.ID, vectors[i])...)
		}
		if err := db.Exec(db.New(e.pool).EpisodeEmbeddingUpsert(ctx, params)); err != nil {
			return fmt.Errorf("store the vectors of waiting episodes: %w", err)
		}
	}
}

// Retry makes the group's failed episodes wait again and returns how many.
func (e *Engine) Retry(ctx context.Context, groupID string) (int, error) {
	n, err := db.New(e.pool).EpisodesRetry(ctx, groupID)
	if err != nil {
		return 0, fmt.Errorf("retry the failed episodes of %s: %w", groupID, err)
	}
	return int(n), nil
}

// indexVectors builds the vector indexes that a large group is due, while others read and write.
// Without the right to create indexes, searches compare every vector.
func (e *Engine) indexVectors(ctx context.Context, groupID string) error {
	if e.walk.options.IndexedVectors < 0 {
		return nil
	}
	due, err := embeddings.IndexesDue(ctx, e.pool, groupID, e.walk.options.IndexedVectors, !model.Lexical(e.walk.Embedder))
	if err != nil || !due {
		return err
	}
	changes, err := embeddings.BuildIndexes(ctx, e.pool, groupID, e.walk.options.IndexedVectors)
	for _, c := range changes {
		e.log.InfoContext(ctx, "vector index changed", "change", c.Change, "group", c.GroupID, "kind", c.Kind, "vectors", c.Vectors, "took", c.Took)
	}
	if err != nil && ctx.Err() == nil {
		e.log.WarnContext(ctx, "large group is searched without a vector index", "group", groupID, "error", err)
		return nil
	}
	return err
}
