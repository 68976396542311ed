package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

const (
	idempotencyKey = "Idempotency-Key"
	maxKeptReply   = 1 << 20 // bytes; a longer response is not stored, and a repeated request is executed again
)

// Once answers a POST that repeats an Idempotency-Key within a day with the first response, marked
// Idempotent-Replayed: true. It stores only successful responses.
//
// It runs behind [Server.Protect] and [Server.Bounded]: the same key from two callers counts as two
// keys. Requests about a group that the caller may not use go to next. It refuses them, or creates
// a group, which cannot happen twice.
func (s *Server) Once(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		group := groupOf(r.URL)
		if !CallerOf(r.Context()).Opens(group) {
			next.ServeHTTP(w, r)
			return
		}
		s.OnceIn(group, func(w http.ResponseWriter, _ *http.Request, p *Problem) { p.Write(w) }, next).ServeHTTP(w, r)
	})
}

// OnceIn is [Server.Once] for requests about a group that the caller may use, in an interface with
// its own form of errors.
func (s *Server) OnceIn(group string, refuse Refuse, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := r.Header.Get(idempotencyKey)
		if r.Method != http.MethodPost || key == "" || streams(r) {
			next.ServeHTTP(w, r)
			return
		}
		if len(key) > graph.MaxName {
			refuse(w, r, NewProblem(http.StatusUnprocessableEntity, fmt.Sprintf("%s is %d bytes long; the limit is %d", idempotencyKey, len(key), graph.MaxName)))
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			refuse(w, r, NewProblem(http.StatusBadRequest, "the body cannot be read to its end"))
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		request := s.request(r, key, body)
		request.GroupID = group
		if problem := s.once(w, r, request, next); problem != nil {
			refuse(w, r, problem)
		}
	})
}

// streams reports whether a body is a stream, which is too long to buffer.
func streams(r *http.Request) bool {
	return strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-ndjson")
}

func (s *Server) request(r *http.Request, key string, body []byte) service.Request {
	hash := sha256.New()
	fmt.Fprintf(hash, "%s %s\n%s\n", r.Method, r.URL.RequestURI(), r.Header.Get("Content-Type"))
	hash.Write(body)
	request := service.Request{Caller: CallerOf(r.Context()).ID, Key: strings.ToValidUTF8(key, "?")}
	copy(request.Hash[:], hash.Sum(nil))
	return request
}

// groupOf returns the group in a path such as /v1/groups/alice/episodes; empty: it has none.
func groupOf(u *url.URL) string {
	parts := strings.Split(u.EscapedPath(), "/")
	if len(parts) < 4 || parts[2] != "groups" {
		return ""
	}
	group, err := url.PathUnescape(parts[3])
	if err != nil || graph.ValidateGroupID(group) != nil {
		return ""
	}
	return group
}

// once answers a request, or returns the problem that prevents it.
func (s *Server) once(w http.ResponseWriter, r *http.Request, request service.Request, next http.Handler) *Problem {
	memory := service.New(s.ClientOf(r.Context()))
	reply, err := memory.ClaimKey(r.Context(), request)
	switch {
	case errors.Is(err, service.ErrKeyReused):
		return NewProblem(http.StatusUnprocessableEntity, idempotencyKey+" was used for another request; make up a new one for each")
	case errors.Is(err, service.ErrInProgress):
		w.Header().Set("Retry-After", "1")
		return NewProblem(http.StatusConflict, "the first request with this "+idempotencyKey+" is being worked on; ask again in a moment")
	case errors.Is(err, service.ErrDone):
		return NewProblem(http.StatusConflict, "the first request with this "+idempotencyKey+" was done, but its answer was lost when the service stopped; "+
			"it is not done again: read what is there")
	case err != nil:
		s.log.ErrorContext(r.Context(), "request not claimed", "error", err)
		return ProblemOf(err)
	case reply != nil:
		replay(w, reply)
	default:
		s.first(w, r, request, next)
	}
	return nil
}

func replay(w http.ResponseWriter, reply *service.Reply) {
	for name, value := range reply.Header {
		w.Header().Set(name, value)
	}
	w.Header().Set("Idempotent-Replayed", "true")
	w.WriteHeader(reply.Status)
	_, _ = w.Write(reply.Body) // the caller may have disconnected
}

// first executes a request and stores its response.
func (s *Server) first(w http.ResponseWriter, r *http.Request, request service.Request, next http.Handler) {
	kept := &keptResponse{response: response{ResponseWriter: w}}
	ended := false
	ctx := context.WithoutCancel(r.Context()) // the work is finished even if the caller disconnects
	answering := &promise{request: request}
	r = r.WithContext(context.WithValue(request.Doing(r.Context()), promiseKey{}, answering))
	defer func() {
		if answering.kept && ended && kept.statusCode() < http.StatusBadRequest {
			return
		}
		err := s.end(ctx, request, kept, ended)
		if err != nil {
			s.log.ErrorContext(ctx, "answer not kept", "error", err)
		}
	}()
	next.ServeHTTP(kept, r)
	ended = true
}

// promise is the stored response of a request with an Idempotency-Key.
type promise struct {
	request service.Request
	kept    bool // whether KeepReply stored it in the transaction that did the work
}

type promiseKey struct{}

// Promised reports whether the response to a request has to be stored with [Server.KeepReply].
func Promised(ctx context.Context) bool { return ctx.Value(promiseKey{}) != nil }

// KeepReply stores the response to a request in the transaction that does the work. It must be the
// last statement there.
func (s *Server) KeepReply(ctx context.Context, tx pgx.Tx, reply service.Reply) error {
	p, ok := ctx.Value(promiseKey{}).(*promise)
	if !ok {
		return nil
	}
	p.kept = true
	return service.New(s.ClientOf(ctx)).SaveReplyTx(ctx, tx, p.request, reply)
}

func (s *Server) end(ctx context.Context, request service.Request, kept *keptResponse, ended bool) error {
	if !ended || kept.statusCode() >= http.StatusBadRequest || kept.overflow {
		return service.New(s.ClientOf(ctx)).ReleaseKey(ctx, request)
	}
	header := map[string]string{}
	for _, name := range []string{"Content-Type", "Etag", "Location"} {
		if value := kept.Header().Get(name); value != "" {
			header[name] = value
		}
	}
	return service.New(s.ClientOf(ctx)).SaveReply(ctx, request, service.Reply{Status: kept.statusCode(), Header: header, Body: kept.body.Bytes()})
}

// keptResponse keeps a copy of the body that it writes.
type keptResponse struct {
	response
	body     bytes.Buffer
	overflow bool
}

// Write writes a part of the body and keeps a copy.
func (w *keptResponse) Write(p []byte) (int, error) {
	if w.overflow = w.overflow || w.body.Len()+len(p) > maxKeptReply; !w.overflow {
		w.body.Write(p)
	}
	return w.response.Write(p)
}
