package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"
)

// The defaults of the memory that requests may take; see [Options].
const (
	DefaultRequestMemory = 512 << 20
	keyShare             = 4 // one API key may take the total divided by this
	roomWait             = 5 * time.Second
)

// The limits on bodies in bytes. Interfaces choose among them by route.
const (
	SmallBody = 256 << 10 // a question
	LargeBody = 4 << 20   // the longest episode, even if most of its characters are escaped
	agentBody = 8 << 20   // an exported agent
)

// The memory that a body is estimated to take until its request is answered: decoding copies it,
// and each value in it becomes a Go value.
const (
	perByte       = 4
	perValue      = 256
	streamedBytes = 8 << 20 // how much of a body of JSON lines is held at once
)

// How fast a body has to arrive. Once its beginning has arrived, room for all of it is taken. A
// body that stalls gives the room back before other requests stop waiting for it. 4 KB a second is
// fast enough, as long as the whole body arrives in time.
const (
	firstPortion = 4 << 10
	firstWait    = headerTimeout // for the first portion
	nextPortion  = 12 << 10
	portionWait  = roomWait - time.Second // for each portion after the first
)

// room limits the memory that bodies take at once, in total and for each API key, so that one key
// cannot take it all.
type room struct {
	total int64
	all   *semaphore.Weighted
	keys  perCaller[*semaphore.Weighted]
}

func newRoom(total int64) *room {
	return &room{total: total, all: semaphore.NewWeighted(total)}
}

// held is the room that a request has taken.
type held struct {
	room   *room
	key    *semaphore.Weighted
	weight int64
}

// take waits for room, for a few seconds at most. A request that needs more than a key's share
// takes that whole share.
func (m *room) take(ctx context.Context, caller string, weight int64) (*held, *Problem) {
	key := m.keys.get(caller, func() *semaphore.Weighted { return semaphore.NewWeighted(m.total / keyShare) })
	h := &held{room: m, key: key}
	return h, h.grow(ctx, weight)
}

func (h *held) grow(ctx context.Context, weight int64) *Problem {
	weight = min(weight, h.room.total/keyShare-h.weight)
	if weight <= 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, roomWait)
	defer cancel()
	if h.key.Acquire(ctx, weight) != nil {
		return NewProblem(http.StatusTooManyRequests, "this key has too much being worked on at once; send fewer or smaller requests at a time")
	}
	if h.room.all.Acquire(ctx, weight) != nil {
		h.key.Release(weight)
		return NewProblem(http.StatusServiceUnavailable, "the service has too much to work on at once; ask again as Retry-After says")
	}
	h.weight += weight
	return nil
}

// shrink gives back room until only to bytes are left.
func (h *held) shrink(to int64) {
	if spare := h.weight - to; spare > 0 {
		h.key.Release(spare)
		h.room.all.Release(spare)
		h.weight = to
	}
}

// Refuse writes a problem in the form of an interface.
type Refuse func(http.ResponseWriter, *http.Request, *Problem)

// Bounded admits requests whose bodies are within limits, which it checks before anything is
// decoded: the length, by route; the nesting and the number of values; and the memory of all bodies
// together. It runs behind [Server.Protect]. Handlers of JSON lines check the length themselves.
func (s *Server) Bounded(limit func(*http.Request) int64, refuse Refuse, next http.Handler) http.Handler {
	return s.BoundedAs(func(_ *http.Request, body []byte) (int, *Problem) { return CheckShape(body) }, limit, refuse, next)
}

// Shape refuses a body that is nested too deep or holds too many values, and counts them.
type Shape func(r *http.Request, body []byte) (values int, problem *Problem)

// BoundedAs is [Server.Bounded] for bodies that may not be JSON.
func (s *Server) BoundedAs(shape Shape, limit func(*http.Request) int64, refuse Refuse, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength == 0 {
			next.ServeHTTP(w, r)
			return
		}
		length := expected(r, limit(r))
		if streams(r) {
			length = expected(r, streamedBytes)
		} else {
			length = min(length, firstPortion)
		}
		h, problem := s.room.take(r.Context(), CallerOf(r.Context()).ID, perByte*length)
		defer h.shrink(0)
		if problem == nil && !streams(r) {
			problem = s.read(h, w, r, limit(r), shape)
		}
		if problem != nil {
			if problem.Status == http.StatusTooManyRequests || problem.Status == http.StatusServiceUnavailable {
				w.Header().Set("Retry-After", "1")
			}
			refuse(w, r, problem)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// expected returns the length of a body; if it is not known, the limit.
func expected(r *http.Request, most int64) int64 {
	if r.ContentLength > 0 {
		return min(r.ContentLength, most)
	}
	return most
}

// read reads a body to its end and checks it. Later handlers read it from memory.
func (s *Server) read(h *held, w http.ResponseWriter, r *http.Request, most int64, shape Shape) *Problem {
	body, problem := s.receive(h, w, r, most)
	if problem != nil {
		return problem
	}
	values, problem := shape(r, body.Bytes())
	if problem != nil {
		return problem
	}
	h.shrink(perByte * int64(body.Len()))
	if problem := h.grow(r.Context(), perValue*int64(values)); problem != nil {
		return problem
	}
	// Handlers may set a deadline before they read; this body removes it at its end.
	r.Body = &timelyBody{io.NopCloser(bytes.NewReader(body.Bytes())), http.NewResponseController(w)}
	r.ContentLength = int64(body.Len())
	return nil
}

// receive reads the first portion of a body, then takes room for the rest, which has to keep
// arriving. So a caller who announces a long body and sends nothing takes no room from others.
func (s *Server) receive(h *held, w http.ResponseWriter, r *http.Request, most int64) (*bytes.Buffer, *Problem) {
	var body bytes.Buffer
	from, end := http.MaxBytesReader(w, r.Body, most), time.Now().Add(s.options.BodyTimeout)
	connection := http.NewResponseController(w)
	_ = connection.SetReadDeadline(earlier(end, time.Now().Add(firstWait))) // the writer of a test may not support it
	_, err := io.CopyN(&body, from, firstPortion)
	if err == nil {
		if problem := h.grow(r.Context(), perByte*(expected(r, most)-firstPortion)); problem != nil {
			return nil, problem
		}
		body.Grow(int(max(expected(r, most)-firstPortion, 0)) + bytes.MinRead)
	}
	for err == nil {
		_ = connection.SetReadDeadline(earlier(end, time.Now().Add(portionWait)))
		_, err = io.CopyN(&body, from, nextPortion)
	}
	if errors.Is(err, io.EOF) {
		// The body may have ended before the last deadline was set. Nothing else removes that
		// deadline, and it would cancel the request.
		_ = connection.SetReadDeadline(time.Time{})
		return &body, nil
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, NewProblem(http.StatusRequestEntityTooLarge, fmt.Sprintf("the body %s %d bytes, the limit of this route", exceeds(r), most))
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, s.stalled()
	}
	return nil, NewProblem(http.StatusBadRequest, "the body cannot be read to its end"+orUnpacked(r))
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// The limits on the shape of a body.
const (
	maxDepth  = 100
	MaxValues = 100_000
)

// CheckShape refuses JSON that is nested too deep or holds too many values, and counts the values.
// It only scans the bytes; whether they are valid JSON is left to the decoder.
func CheckShape(body []byte) (values int, problem *Problem) {
	depth, deepest, quoted := 0, 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			values++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		case c == ',':
			values++
		}
	}
	switch {
	case deepest > maxDepth:
		return values, NewProblem(http.StatusUnprocessableEntity, fmt.Sprintf("the body is nested %d levels deep; the limit is %d", deepest, maxDepth))
	case values > MaxValues:
		return values, NewProblem(http.StatusUnprocessableEntity, fmt.Sprintf("the body holds about %d values; the limit is %d: send it in parts", values, MaxValues))
	}
	return values, nil
}

// LimitByPath returns the limit on the body by path: a low one for questions, a high one for
// imported agents, else others.
func LimitByPath(others int64) func(*http.Request) int64 {
	return func(r *http.Request) int64 {
		switch path := r.URL.Path; {
		case strings.HasSuffix(path, "/search"), strings.HasSuffix(path, "/search/why"), strings.HasSuffix(path, "/context"):
			return min(SmallBody, others)
		case strings.HasSuffix(path, "/agents/import"):
			return max(agentBody, others)
		}
		return others
	}
}
