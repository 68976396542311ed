package rest

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/service"
)

// maxNamed is how many episodes a report lists at most.
const maxNamed = 1000

// bulkReport is the outcome of a request of JSON lines.
type bulkReport struct {
	BatchID  *uuid.UUID        `json:"batch_id,omitempty" format:"uuid" doc:"What webhooks are told of as read, by batch.completed; left out: nothing was added"`
	Added    int               `json:"added" doc:"Episodes that are new"`
	Existing int               `json:"existing" doc:"Episodes whose external_id was there already"`
	Refused  int               `json:"refused,omitempty" doc:"Episodes that are left out because they were erased"`
	Left     []service.Refused `json:"refused_lines,omitempty" doc:"Those one by one, the first 1000"`
	Episodes []accepted        `json:"episodes" doc:"One by one where there are at most 1000, else none"`
}

func (a *api) addEpisodes(ctx context.Context, in *addInput) (*acceptedAnswer, error) {
	switch {
	case isLines(in.ContentType):
		return a.addLines(ctx, in)
	case !isJSON(in.ContentType):
		return nil, server.NewProblem(http.StatusUnsupportedMediaType, "send application/json or application/x-ndjson")
	}
	data, err := io.ReadAll(http.MaxBytesReader(in.writer, in.request.Body, a.options.MaxBody))
	if err != nil {
		return nil, unread(err)
	}
	return a.addEpisode(ctx, in, data)
}

// unread returns the problem for a body that could not be read to its end.
func unread(err error) error {
	if tooLong, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return server.NewProblem(http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is longer than %d bytes", tooLong.Limit))
	}
	if errors.Is(err, bufio.ErrTooLong) {
		return server.NewProblem(http.StatusRequestEntityTooLarge, fmt.Sprintf("a line is longer than %d MiB", graph.MaxEpisodeJSON>>20))
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return server.NewProblem(http.StatusRequestTimeout, "the body stopped coming; send what is left again")
	}
	return server.NewProblem(http.StatusBadRequest, "the body cannot be read to its end")
}

// bulk loads the JSON lines of a request.
type bulk struct {
	api    *api
	in     *addInput
	report bulkReport
	named  []accepted
	added  service.Upload // the new episodes
	ended  error          // the error that ended the body: io.EOF, or why it did not arrive
}

// untilEnd records the end of a body. A deadline that is set after it would cancel the storing of
// the last lines.
type untilEnd struct {
	io.Reader
	ended *error
}

// Read records the first error.
func (r untilEnd) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if *r.ended == nil {
		*r.ended = err
	}
	return n, err
}

func (a *api) addLines(ctx context.Context, in *addInput) (*acceptedAnswer, error) {
	b := &bulk{api: a, in: in}
	lines := graph.NewEpisodeLines(in.Group, untilEnd{http.MaxBytesReader(in.writer, in.request.Body, a.options.MaxBulk), &b.ended})
	if in.Key != "" {
		lines.Identify = func(_ annals.Episode, number int, line []byte) string { return derivedID(in.Key, number, line) }
	}
	b.renewDeadline()
	var err error
	b.report.Refused, b.report.Left, err = service.Load(ctx, a.client(ctx), lines.Next, b.count)
	if errors.Is(b.ended, os.ErrDeadlineExceeded) { // it ended ctx too, and so the other work
		err = unread(b.ended)
	}
	if err := errors.Join(badLines(err), b.end(context.WithoutCancel(ctx))); err != nil {
		return nil, b.stopped(ctx, err)
	}
	b.report.Episodes = []accepted{}
	if len(b.named) <= maxNamed {
		b.report.Episodes = append(b.report.Episodes, b.named...)
	}
	return &acceptedAnswer{Status: http.StatusAccepted, Body: b.report}, nil
}

// renewDeadline extends the read deadline for the lines of the next transaction, by BodyTimeout,
// unless the body has ended.
func (b *bulk) renewDeadline() {
	if b.ended != nil {
		return
	}
	_ = http.NewResponseController(b.in.writer).SetReadDeadline(time.Now().Add(b.api.server.BodyTimeout())) // the writer of a test may not support it
}

// derivedID makes the external id of a line from the Idempotency-Key, the line number and the text,
// so that sending the line again changes nothing.
func derivedID(key string, line int, text []byte) string {
	hash := sha256.New()
	fmt.Fprintf(hash, "%s\x00%d\x00%s", key, line, text)
	return "sha256:" + hex.EncodeToString(hash.Sum(nil))
}

func (b *bulk) count(episodes []annals.Episode, stored []annals.Stored) {
	for i, s := range stored {
		if s.New {
			b.report.Added++
			b.extend(s.ID)
		} else {
			b.report.Existing++
		}
		if len(b.named) <= maxNamed {
			b.named = append(b.named, acceptedOf(episodes[i], s))
		}
	}
	b.renewDeadline()
}

// extend adds a new episode to the upload.
func (b *bulk) extend(id uuid.UUID) {
	if b.added.Episodes == 0 {
		b.added.ID, b.added.First = uuid.Must(uuid.NewV7()), id
	}
	b.added.Last = id
	b.added.Episodes++
}

// end completes the upload, also if a bad line ended the request.
func (b *bulk) end(ctx context.Context) error {
	if b.added.Episodes == 0 {
		return nil
	}
	b.report.BatchID = &b.added.ID
	return b.api.service(ctx).CompleteUpload(ctx, b.in.Group, b.added)
}

// badLines converts errors about the input to problems that name the line. It returns other errors
// unchanged.
func badLines(err error) error {
	if _, ok := errors.AsType[*graph.ReadError](err); ok || errors.Is(err, bufio.ErrTooLong) {
		return unread(err)
	}
	wrong, ok := errors.AsType[*graph.LineError](err)
	if !ok {
		return err
	}
	known, ok := errors.AsType[*annals.Error](asEpisode(wrong.Err))
	if !ok {
		return err
	}
	status := http.StatusUnprocessableEntity
	if graph.IsErased(wrong.Err) {
		status = http.StatusConflict
	}
	p := server.NewProblem(status, fmt.Sprintf("line %d: %s: %s", wrong.Number, known.Field, known.Message))
	p.Errors = []server.ProblemDetail{{Message: known.Message, Location: fmt.Sprintf("body.line[%d].%s", wrong.Number, known.Field)}}
	return p
}

// stopped adds to a problem how many episodes were stored before it.
func (b *bulk) stopped(ctx context.Context, err error) error {
	p, ok := errors.AsType[*server.Problem](err)
	if !ok {
		p = server.ProblemOf(err)
		b.api.server.Log().ErrorContext(ctx, "bulk request failed", "request_id", server.RequestID(ctx), "error", err)
	}
	p.Added, p.Existing = &b.report.Added, &b.report.Existing
	if kept := b.report.Added + b.report.Existing; kept > 0 {
		p.Detail = strings.TrimSuffix(p.Detail, ".") + fmt.Sprintf(" (kept before it: %s)", each.Count(kept, "episode"))
	}
	return p
}
