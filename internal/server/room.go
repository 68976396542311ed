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

// The defaults of how much memory requests may take; see [Options].
const (
	DefaultRequestMemory = 512 << 20
	keyShare             = 4 // a key may take one part in so many of it
	roomWait             = 5 * time.Second
)

// The limits on bodies. Interfaces choose among them by route.
const (
	SmallBody = 256 << 10 // a question
	LargeBody = 4 << 20   // an episode of the greatest length, also where most of its characters are escaped
	agentBody = 8 << 20   // all that an agent knows
)

// What a body is reckoned to take until its request is answered: it is copied
// while it is decoded, and each value in it becomes a value of Go.
const (
	perByte       = 4
	perValue      = 256
	streamedBytes = 8 << 20 // of a body of JSON lines, that are held at once
)

// How a body has to come. Room for all of it is taken when its beginning is
// there, and given back by one that stops coming before those who wait for room
// give up. A line of 4 KB a second is quick enough, as long as the whole comes in
// time.
const (
	firstPortion = 4 << 10
	firstWait    = headerTimeout // for the first portion
	nextPortion  = 12 << 10
	portionWait  = roomWait - time.Second // for each portion after the first
)

// room bounds the memory that bodies take at once: all together, and those of
// each key, so that one cannot take the room of all.
type room struct {
	total int64
	all   *semaphore.Weighted
	keys  perCaller[*semaphore.Weighted]
}

func newRoom(total int64) *room {
	return &room{total: total, all: semaphore.NewWeighted(total)}
}

// held is the room that a request takes.
type held struct {
	room   *room
	key    *semaphore.Weighted
	weight int64
}

// take waits a little for room. What takes more than a key may have has it for
// itself alone.
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

// shrink gives back what is not needed after all.
func (h *held) shrink(to int64) {
	if spare := h.weight - to; spare > 0 {
		h.key.Release(spare)
		h.room.all.Release(spare)
		h.weight = to
	}
}

// Refuse answers a request with a problem, in the form of an interface.
type Refuse func(http.ResponseWriter, *http.Request, *Problem)

// Bounded admits requests whose bodies are within limits, which it checks
// before anything is decoded: their length, by route; how deep they are nested
// and how many values they hold; and what all bodies take together. It runs
// behind [Server.Protect]. Streams of JSON lines are bounded by those who read
// them.
func (s *Server) Bounded(limit func(*http.Request) int64, refuse Refuse, next http.Handler) http.Handler {
	return s.BoundedAs(func(_ *http.Request, body []byte) (int, *Problem) { return CheckShape(body) }, limit, refuse, next)
}

// Shape refuses a body that is nested too deep or holds too many values, and counts them.
type Shape func(r *http.Request, body []byte) (values int, problem *Problem)

// BoundedAs is [Server.Bounded] for bodies that may be no JSON.
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

// expected returns how long a body will be, or may be at the most.
func expected(r *http.Request, most int64) int64 {
	if r.ContentLength > 0 {
		return min(r.ContentLength, most)
	}
	return most
}

// read reads a body to its end and checks it. Those who come after it read it
// from memory.
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
	// Those who set a deadline before they read it have it removed at its end.
	r.Body = &timelyBody{io.NopCloser(bytes.NewReader(body.Bytes())), http.NewResponseController(w)}
	r.ContentLength = int64(body.Len())
	return nil
}

// receive reads the first portion of a body and, when it is there, takes room
// for the rest, which has to keep coming. So a caller who promises much and sends
// nothing takes no room from others.
func (s *Server) receive(h *held, w http.ResponseWriter, r *http.Request, most int64) (*bytes.Buffer, *Problem) {
	var body bytes.Buffer
	from, end := http.MaxBytesReader(w, r.Body, most), time.Now().Add(s.options.BodyTimeout)
	connection := http.NewResponseController(w)
	_ = connection.SetReadDeadline(earlier(end, time.Now().Add(firstWait))) // a test's writer may have none
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
		// The body may have ended before the last deadline was set, which then
		// nobody else removes: it would cancel the request.
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

// The bounds on the shape of a body.
const (
	maxDepth  = 100
	MaxValues = 100_000
)

// CheckShape refuses JSON that is nested too deep or holds too many values, and
// counts them. It only looks at the bytes: whether they are JSON, the decoder
// says.
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

// LimitByPath returns the limits of routes that take a question or a whole
// agent, and of others.
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
