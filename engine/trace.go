package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/guard"
	"github.com/annalsdb/annals/internal/telemetry"
)

// The steps that decide, by their names in the trace.
const (
	stepExtractEntities = "extract entities"
	stepResolveEntities = "resolve entities"
	stepExtractFacts    = "extract facts"
	stepExtractDates    = "extract dates"
	stepResolveFacts    = "resolve facts"
	stepApplyTime       = "apply time"
	stepSummarise       = "summarise"
	stepCommit          = "commit"
	stepEmbed           = "embed"

	// The steps that decide nothing.
	stepPrepare    = "prepare"
	stepEmbedNames = "embed names"
	stepEmbedFacts = "embed facts"
	stepStore      = "store"
)

// readSteps are the steps before an episode is compared with the graph.
var readSteps = []string{stepExtractEntities, stepExtractFacts, stepExtractDates}

// The decisions, by their names in the trace.
const (
	decidedExtracted  = "extracted"
	decidedDropped    = "dropped"
	decidedRefused    = "refused"
	decidedReadmitted = "readmitted"
	decidedMended     = "mended"
	decidedMatched    = "matched"
	decidedCreated    = "created"
	decidedRepeated   = "repeated"
	decidedClosed     = "closed"
	decidedDated      = "dated"
	decidedRetracted  = "retracted"
	decidedReopened   = "reopened"
	decidedDisputed   = "disputed"
	decidedExpired    = "expired"
	decidedShortened  = "shortened"
	decidedLeftOut    = "left out"
	decidedFailed     = "failed"
)

// maxNote is the longest subject or reason that is stored, in bytes.
const maxNote = 500

// note is one decision about an episode.
type note struct {
	episodes []int // indices of the episodes that it concerns; none: all
	step     string
	decision string
	subject  string // the name or sentence it is about
	reason   string
	entity   *change.Entity
	fact     uuid.UUID
}

// note adds a decision about the draft.
func (d *draft) note(n note) { d.placed = append(d.placed, n) }

func (d *draft) decide(episode int, step, decision, subject string, fact uuid.UUID, reason string) {
	d.note(note{episodes: []int{episode}, step: step, decision: decision, subject: subject, fact: fact, reason: reason})
}

// TraceEntry is one decision taken about an episode on its way into the graph.
type TraceEntry struct {
	Step     string // such as "resolve entities"
	Decision string // extracted, dropped, refused, readmitted, mended, matched, created, repeated, closed, dated, retracted, reopened, disputed, expired, shortened, left out or failed
	Subject  string // the name or sentence it is about
	Reason   string
	EntityID uuid.UUID // zero: none
	FactID   uuid.UUID // zero: none
}

// Trace lists the decisions about an episode, in order. It is empty before the episode was
// processed.
func (e *Engine) Trace(ctx context.Context, groupID string, episodeID uuid.UUID) ([]TraceEntry, error) {
	rows, err := db.New(e.pool).TraceList(ctx, db.TraceListParams{GroupID: groupID, EpisodeID: episodeID})
	if err != nil {
		return nil, fmt.Errorf("read the trace of episode %s: %w", episodeID, err)
	}
	entries := each.Of(rows, func(row db.TraceListRow) TraceEntry {
		return TraceEntry{row.Step, row.Decision, row.Subject, row.Reason, change.Value(row.EntityID), change.Value(row.FactID)}
	})
	leftOut, err := db.New(e.pool).EpisodeLeftOut(ctx, db.EpisodeLeftOutParams{GroupID: groupID, ID: episodeID})
	if err != nil {
		return nil, fmt.Errorf("count the words that episode %s is not found by: %w", episodeID, err)
	}
	if leftOut > 0 {
		entries = append(entries, TraceEntry{Step: stepStore, Decision: decidedLeftOut, Reason: intake.LeftOut(leftOut)})
	}
	return entries, nil
}

func writeTrace(ctx context.Context, t *change.Tx, d *draft) error {
	var rows []db.TraceInsertParams
	for i := range d.episodes {
		rows = append(rows, d.traceOf(i)...)
	}
	return errors.Join(
		t.Queries.TraceDelete(ctx, db.TraceDeleteParams{GroupID: d.groupID, EpisodeIds: d.episodeIDs()}),
		db.Exec(t.Queries.TraceInsert(ctx, rows)), traceExpired(ctx, t, d))
}

// traceExpired adds to the traces of earlier episodes that a fact of theirs has no time left. It
// does not quote the later statement, which may be erased.
func traceExpired(ctx context.Context, t *change.Tx, d *draft) error {
	var rows []db.TraceExpiredParams
	for _, k := range d.known {
		taken := slices.ContainsFunc(d.placed, func(n note) bool { return n.fact == k.ID && n.decision == decidedExpired })
		if !k.expired || !taken || k.sibling != nil {
			continue
		}
		for _, episode := range k.Episodes {
			rows = append(rows, db.TraceExpiredParams{
				GroupID: d.groupID, EpisodeID: episode, Step: stepApplyTime, Decision: decidedExpired,
				Subject: wording.Cut(k.Fact.Fact, maxNote), Reason: "no time is left to it beside what was said since", FactID: k.ID,
			})
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return db.Exec(t.Queries.TraceExpired(ctx, rows))
}

func (d *draft) traceOf(episode int) []db.TraceInsertParams {
	var rows []db.TraceInsertParams
	for _, notes := range [][]note{d.read, d.placed} {
		for _, n := range notes {
			if !n.concerns(episode) {
				continue
			}
			row := db.TraceInsertParams{
				GroupID: d.groupID, EpisodeID: d.episodes[episode].ID, Place: int32(len(rows) + 1), Step: n.step, Decision: n.decision,
				Subject: wording.Cut(n.subject, maxNote), Reason: wording.Cut(n.reason, maxNote), FactID: db.Nullable(n.fact),
			}
			if n.entity != nil {
				row.EntityID = &n.entity.ID
			}
			rows = append(rows, row)
		}
	}
	return rows
}

func (n note) concerns(episode int) bool {
	return len(n.episodes) == 0 || slices.Contains(n.episodes, episode)
}

// step is a step of a draft. A step without a name only groups others.
type step struct {
	name string
	do   func(context.Context, *draft) error
}

// take runs the steps on a draft. A step with a name gets a span and a debug line.
func (w *walk) take(ctx context.Context, d *draft, steps ...step) error {
	for _, s := range steps {
		if err := w.takeOne(ctx, d, s); err != nil {
			return err
		}
	}
	return nil
}

func (w *walk) takeOne(ctx context.Context, d *draft, s step) error {
	if s.name == "" {
		return w.ownFailure(ctx, "", guard.Run(func() error { return s.do(ctx, d) }))
	}
	began := time.Now()
	ctx, span := telemetry.Start(ctx, s.name)
	err := w.ownFailure(ctx, s.name, guard.Run(func() error { return s.do(ctx, d) }))
	telemetry.End(span, err)
	w.log.DebugContext(ctx, "step taken", "step", s.name, "ms", time.Since(began).Milliseconds(), "ok", err == nil)
	return err
}

// ownFailure turns a panic into a failure of the episode, and logs its stack.
func (w *walk) ownFailure(ctx context.Context, step string, err error) error {
	panicked, ok := errors.AsType[*guard.Panic](err)
	_, analysis := errors.AsType[*analyst.Failure](err)
	if !ok || analysis && step == "" { // the inner step has logged it
		return err
	}
	w.log.ErrorContext(ctx, "panic", "step", step, "panic", panicked.Value, "stack", panicked.Stack)
	if analysis {
		return err
	}
	return &analyst.Failure{Step: cmp.Or(step, "read"), Err: panicked}
}

// spanOf begins the span of reading episodes, within the span of the request that stored the first.
func (w *walk) spanOf(ctx context.Context, episodes []graph.Episode) (_ context.Context, end func(error)) {
	first := episodes[0]
	origin, _ := ctx.Value(originKey{}).(trace.SpanContext)
	ctx = telemetry.With(ctx, slog.String("group", first.GroupID), slog.String("episode", first.ID.String()))
	ctx, span := telemetry.Begin(ctx, w.options.TracerProvider, origin, "process episode",
		attribute.String("annals.group", first.GroupID), attribute.String("annals.episode", first.ID.String()),
		attribute.Int("annals.episodes", len(episodes)))
	return ctx, func(err error) { telemetry.End(span, err) }
}

type originKey struct{}

// askedIn makes the next reading part of the trace of the request that stored the episode.
func askedIn(ctx context.Context, origin trace.SpanContext) context.Context {
	return context.WithValue(ctx, originKey{}, origin)
}
