package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/telemetry"
	"github.com/annalsdb/annals/model"
)

// How many episodes are claimed at a time.
const claimSize = 16

// Processed says what became of one episode.
type Processed struct {
	Episode  graph.Episode
	Entities int   // entities it mentions
	Facts    int   // facts it states, new and known
	Closed   int   // facts that ended by it
	Refused  int   // facts that it states and that were withdrawn before, so that they are not believed
	Err      error // why it failed; nil: it is done
}

// Process takes the group's waiting episodes, in the order they came, through
// the pipeline until none is left, and calls report after each. One process
// works on a group at a time; a second one waits and then finds nothing to do.
//
// An episode whose analysis fails is marked failed and the next is taken. An
// error is returned only when the work cannot go on: the database was lost, or a
// model answers no request. The episodes that wait are then read by the next
// Process.
func (e *Engine) Process(ctx context.Context, groupID string, report func(Processed)) error {
	_, err := e.work(ctx, groupID, Portion{}, report)
	return err
}

// work is [Engine.Process] for as long as the portion says.
func (e *Engine) work(ctx context.Context, groupID string, portion Portion, report func(Processed)) (left bool, err error) {
	if err := graph.ValidateGroupID(groupID); err != nil {
		return false, err
	}
	ctx, span := telemetry.Begin(ctx, e.options.TracerProvider, trace.SpanContext{}, "process group", attribute.String("annals.group", groupID))
	defer func() { telemetry.End(span, err) }()
	if _, err := e.Sweep(ctx, groupID); err != nil { // before what has expired can be said again
		e.log.WarnContext(ctx, "what has expired was not taken out", "group", groupID, "error", err)
	}
	err = e.lockGroup(ctx, groupID, portion, func(held func() error) error {
		threads := map[string]bool{}
		left, err = e.drain(ctx, groupID, held, portion, func(p Processed) {
			if id := p.Episode.ThreadID; id != "" && p.Episode.Source == graph.SourceMessage {
				threads[id] = true
			}
			report(p)
		})
		if err != nil || portion.stopped() {
			return err
		}
		return errors.Join(e.embedDeferred(ctx, groupID), db.RefreshStatistics(ctx, e.pool, groupID), e.summariseThreads(ctx, groupID, threads),
			e.tendCommunities(ctx, groupID), e.tendKept(ctx, groupID))
	})
	if err != nil || portion.stopped() {
		return left, err
	}
	return left, e.indexVectors(ctx, groupID) // without the lock, whose transaction building would wait for
}

// How many episodes in a row may fail because a model cannot be reached before
// the others are left waiting.
const maxUnanswered = 3

func countUnanswered(before int, err error) int {
	if !outage(err) {
		return 0
	}
	return before + 1
}

// outage reports whether a model answers no request, rather than not this one.
func outage(err error) bool {
	var call *model.CallError
	if !errors.As(err, &call) {
		return false
	}
	switch call.Status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return false
	}
	return call.Status == 0 || call.Status >= 400
}

// claimed is an episode that no other process works on.
type claimed struct {
	graph.Episode
	origin     trace.SpanContext // of the request that stored it
	leftBehind bool              // by a process that ended while it had it
}

func (e *Engine) claim(ctx context.Context, groupID string) ([]claimed, error) {
	rows, err := db.New(e.pool).EpisodesClaim(ctx, db.EpisodesClaimParams{GroupID: groupID, MaxRows: claimSize})
	if err != nil {
		return nil, fmt.Errorf("claim waiting episodes of %s: %w", groupID, err)
	}
	episodes := make([]claimed, len(rows))
	for i, row := range rows {
		episodes[i] = claimed{db.ClaimedEpisode(groupID, row), telemetry.Origin(row.TraceContext), row.LeftBehind}
	}
	slices.SortFunc(episodes, func(a, b claimed) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	return episodes, nil
}

func plain(of []claimed) []graph.Episode {
	episodes := make([]graph.Episode, len(of))
	for i, c := range of {
		episodes[i] = c.Episode
	}
	return episodes
}

// The most content of the messages that are read in one go, in bytes.
const maxWindowBytes = 6000

// windows divides claimed episodes into those that are read in one go: short
// messages of one thread, where the engine is set to, else each by itself.
func (e *Engine) windows(episodes []claimed) [][]claimed {
	var windows [][]claimed
	size := 0
	for i, episode := range episodes {
		last := len(windows) - 1
		joins := i > 0 && len(windows[last]) < e.options.Window && size+len(episode.Content) <= maxWindowBytes &&
			windowed(episodes[i-1]) && windowed(episode) && episodes[i-1].ThreadID == episode.ThreadID
		if joins {
			windows[last] = append(windows[last], episode)
			size += len(episode.Content)
			continue
		}
		windows = append(windows, []claimed{episode})
		size = len(episode.Content)
	}
	return windows
}

// windowed reports whether an episode may be read with others. One that several
// processes left behind may not: it may be what ended them, and must show.
func windowed(e claimed) bool {
	return e.Source == graph.SourceMessage && e.Previous == nil && (!e.leftBehind || e.Attempts <= trustedAttempts)
}

const trustedAttempts = 3

// processTogether reads the messages of a window in one go and returns what became
// of them. It returns nothing where that fails: each is then tried by itself, so
// that one cannot spoil the others.
func (e *Engine) processTogether(ctx context.Context, window []claimed) ([]Processed, error) {
	if len(window) == 1 {
		return nil, nil
	}
	d, err := e.ingest(askedIn(ctx, window[0].origin), plain(window))
	if err == nil {
		done := make([]Processed, len(window))
		for i := range window {
			done[i] = d.processed(i)
		}
		return done, nil
	}
	var analysis *analysisError
	if !errors.As(err, &analysis) && !errors.Is(err, errGone) && !errors.Is(err, errStale) {
		return nil, fmt.Errorf("process episodes %s to %s: %w", window[0].ID, window[len(window)-1].ID, err)
	}
	e.log.WarnContext(ctx, "messages could not be read together", "group", d.groupID, "episodes", len(window), "error", err)
	return nil, nil
}

// processOne reads one episode and records a failure of its own. With patient, a
// model that answers no request is no such failure: the episode waits for it.
func (e *Engine) processOne(ctx context.Context, c claimed, patient bool) (Processed, error) {
	episode := c.Episode
	d, err := e.ingest(askedIn(ctx, c.origin), []graph.Episode{episode})
	if errors.Is(err, errStale) && e.sweptMeanwhile(ctx, d.groupID) {
		d, err = e.ingest(askedIn(ctx, c.origin), []graph.Episode{episode})
	}
	switch {
	case err == nil:
		return d.processed(0), nil
	case errors.Is(err, errGone):
		return Processed{Episode: episode, Err: err}, nil
	case errors.Is(err, errStale):
		err = &analysisError{step: stepCommit, err: err}
	}
	var analysis *analysisError
	if !errors.As(err, &analysis) {
		return Processed{}, fmt.Errorf("process episode %s: %w", episode.ID, err)
	}
	if patient && outage(analysis) {
		return Processed{}, &silentError{model: e.analyst.Name(), err: analysis}
	}
	return e.fail(ctx, d, analysis)
}

// sweptMeanwhile takes out what expired while an episode was read, and reports whether
// there was something: it is hidden from reading, but keeps what says it again from
// being stored.
func (e *Engine) sweptMeanwhile(ctx context.Context, groupID string) bool {
	done, err := e.sweep(ctx, groupID, e.undoLocked)
	if err != nil {
		e.log.WarnContext(ctx, "what has expired was not taken out", "group", groupID, "error", err)
	}
	return done.Episodes+done.FactsRemoved > 0
}

// fail records why the draft's only episode failed, and how far it came.
func (e *Engine) fail(ctx context.Context, d *draft, cause *analysisError) (Processed, error) {
	episode := d.episodes[0]
	reason := cut(cause.Error(), maxError)
	d.note(note{step: cause.step, decision: decidedFailed, reason: reason})
	err := db.InTx(ctx, e.pool, func(q *db.Queries) error {
		return errors.Join(
			q.EpisodeFail(ctx, db.EpisodeFailParams{GroupID: d.groupID, ID: episode.ID, Error: reason}),
			writeTrace(ctx, q, d))
	})
	if err != nil {
		return Processed{}, fmt.Errorf("mark episode %s as failed: %w", episode.ID, err)
	}
	e.log.WarnContext(ctx, "episode failed", "group", episode.GroupID, "episode", episode.ID, "error", cause)
	return Processed{Episode: episode, Err: cause}, nil
}

// The longest error that is kept with an episode, in bytes.
const maxError = 2000

// embedDeferred makes the episodes that wait for no model found by their vector.
func (e *Engine) embedDeferred(ctx context.Context, groupID string) error {
	for {
		rows, err := db.New(e.pool).EpisodesUnembedded(ctx, db.EpisodesUnembeddedParams{
			GroupID: groupID, Model: e.embedder.Name(), MaxRows: claimSize,
		})
		if err != nil || len(rows) == 0 {
			return err
		}
		texts := make([][]string, len(rows))
		for i, row := range rows {
			texts[i] = EpisodeTexts(e.embedder, graph.Episode{Content: row.Content, Source: row.Source, Role: row.Role})
		}
		vectors, err := e.embedLists(model.WithSubject(ctx, model.Subject{GroupID: groupID}), texts)
		var analysis *analysisError
		if errors.As(err, &analysis) {
			return fmt.Errorf("what was kept from the model is stored, but found by its words only: see to the embedder, "+
				"and the next 'annals add --group %s' makes the vectors too: %w", groupID, analysis)
		}
		if err != nil {
			return err
		}
		var params []db.EpisodeEmbeddingUpsertParams
		for i, row := range rows {
			params = append(params, db.EpisodeVectors(groupID, e.embedder.Name(), row.ID, vectors[i])...)
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

// analysisError is a failure that is the episode's own: another episode may
// well succeed.
type analysisError struct {
	step string
	err  error
}

func (e *analysisError) Error() string { return e.step + ": " + e.err.Error() }
func (e *analysisError) Unwrap() error { return e.err }

// analysed wraps the error of a step as the episode's own, unless it is the
// caller who gave up, or the ledger that cannot be written.
func analysed(ctx context.Context, step string, err error) error {
	var ledger *ledgerError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.As(err, &ledger):
		return err
	}
	return &analysisError{step: step, err: err}
}

func newID() uuid.UUID { return uuid.Must(uuid.NewV7()) }
