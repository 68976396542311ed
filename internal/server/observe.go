package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/internal/telemetry"
)

// seen holds what the log and the metrics record about a request.
type seen struct {
	id      string
	caller  string
	route   string
	episode string
}

type seenKey struct{}

func seenOf(ctx context.Context) *seen {
	if s, ok := ctx.Value(seenKey{}).(*seen); ok {
		return s
	}
	return &seen{}
}

// RequestID returns the id of a request, as in the log.
func RequestID(ctx context.Context) string { return seenOf(ctx).id }

// NoteRoute records the route of a request, such as /v1/groups/{group}, for the log and the
// metrics.
func NoteRoute(ctx context.Context, route string) { seenOf(ctx).route = route }

// NoteEpisode records the episode that a request is about, for the log.
func NoteEpisode(ctx context.Context, id string) { seenOf(ctx).episode = id }

func noteCaller(ctx context.Context, id string) { seenOf(ctx).caller = id }

// observed gives each request an id, logs and counts it, and recovers panics. It logs no bodies,
// queries or headers.
func (s *Server) observed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		note := &seen{id: requestID(r)}
		r = r.WithContext(telemetry.With(context.WithValue(r.Context(), seenKey{}, note), slog.String("request_id", note.id)))
		out := &response{ResponseWriter: w}
		out.Header().Set("X-Request-Id", note.id)
		s.metrics.inFlight.Inc()
		defer func() {
			s.metrics.inFlight.Dec()
			s.recovered(out, r, recover())
			if note.route == "" {
				note.route = r.Pattern
			}
			nameSpan(r, note, out)
			s.metrics.request(r.Method, note.route, out.statusCode(), time.Since(began))
			s.log.LogAttrs(r.Context(), level(out.statusCode()), "request", append(note.attributes(),
				slog.String("method", r.Method), slog.String("path", r.URL.Path),
				slog.Int("status", out.statusCode()), slog.Int64("bytes", out.bytes),
				slog.Float64("ms", float64(time.Since(began).Microseconds())/1000), slog.String("remote", r.RemoteAddr))...)
		}()
		timely(w, r, s.options.BodyTimeout)
		next.ServeHTTP(out, r)
	})
}

func (s *seen) attributes() []slog.Attr {
	attributes := []slog.Attr{slog.String("route", s.route), slog.String("key", s.caller)}
	if s.episode != "" {
		attributes = append(attributes, slog.String("episode", s.episode))
	}
	return attributes
}

func level(status int) slog.Level {
	if status >= http.StatusInternalServerError && status != http.StatusNotImplemented {
		return slog.LevelError
	}
	return slog.LevelInfo
}

func (s *Server) recovered(w *response, r *http.Request, panicked any) {
	if panicked == nil {
		return
	}
	if r.Context().Err() != nil { // the caller disconnected, which is no defect
		w.status = statusGone
		return
	}
	if err, ok := panicked.(error); ok && errors.Is(err, http.ErrAbortHandler) { // the response was aborted: only closing the connection can signal that
		panic(panicked)
	}
	s.log.ErrorContext(r.Context(), "panic", "panic", panicked, "stack", string(debug.Stack()))
	if w.status == 0 {
		WriteProblem(w, http.StatusInternalServerError, "something went wrong here; the log has the request's id and what")
	}
}

// statusGone is the status that is logged if the caller disconnected.
const statusGone = 499

// requestID returns the client's request id if it is printable ASCII without spaces, else a new
// one.
func requestID(r *http.Request) string {
	id := r.Header.Get("X-Request-Id")
	if id == "" || len(id) > 128 {
		return uuid.NewString()
	}
	for _, c := range []byte(id) {
		if c <= ' ' || c > '~' {
			return uuid.NewString()
		}
	}
	return id
}

// response records the status and the size of a response.
type response struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// WriteHeader records the status.
func (w *response) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	if status == http.StatusServiceUnavailable && w.Header().Get("Retry-After") == "" {
		w.Header().Set("Retry-After", "5")
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write counts the bytes.
func (w *response) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

// Flush sends what was written. The compressing writer looks for this method here and does not call
// Unwrap.
func (w *response) Flush() {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	_ = http.NewResponseController(w.ResponseWriter).Flush() // the writer of a test may not support it
}

// Unwrap gives http.ResponseController the underlying writer.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *response) statusCode() int {
	if w.status == 0 {
		return http.StatusOK
	}
	return w.status
}
