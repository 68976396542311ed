// Package server holds what all HTTP interfaces of Annals share:
// authentication, rate limits, logging, metrics, and how the process starts and
// ends. The interfaces are the packages below it.
//
//	s := server.New(server.Options{Client: client, Log: log})
//	rest.Mount(s, rest.Options{})
//	err := s.Run(ctx, listener)
//
// A request passes, from the outside in: request id, log, metrics and recovery;
// safe headers; CORS, if allowed; and, behind [Server.Protect], the API key and
// its rate limit. Answers are packed where the caller takes that. Every error is answered with a problem document (RFC 9457).
package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
	"golang.org/x/time/rate"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/telemetry"
)

// Options says how a [Server] works. Only Client has no default.
type Options struct {
	// Agents is what the workers do for agents; see [worker.Options]. Defaults
	// to nothing.
	Agents annals.AgentWork

	// BodyTimeout is how long the body of a request may take to come. Defaults to
	// a minute.
	BodyTimeout time.Duration

	// Client is the memory.
	Client *annals.Client

	// CORSOrigins are the web origins whose pages may use the service, such as
	// https://app.example.com. Defaults to none.
	CORSOrigins []string

	// Keys open the service beside those that the database knows.
	Keys []Key

	// Log receives a line a request, and what goes wrong. Defaults to nothing.
	Log *slog.Logger

	// RateLimit is how many requests a second one key may make in the long run;
	// twice as many at once. Defaults to no limit.
	RateLimit float64

	// Ready tells what keeps the service from its work: a database that does not
	// answer or has another schema. Defaults to asking the database.
	Ready func(context.Context) error

	// Registry has the metrics that /metrics shows beside those of the server,
	// such as those of the client. Defaults to a new one.
	Registry *prometheus.Registry

	// RequestMemory is about how many bytes the bodies of requests may take at
	// once, while they are worked on; those of one key a quarter. Requests beyond
	// it wait a little and are then told to come again. Defaults to
	// DefaultRequestMemory.
	RequestMemory int64

	// ThisMachine refuses requests under another name than this machine has for
	// itself: a page elsewhere may have pointed its own name here. It is for services
	// that listen on the loopback interface alone.
	ThisMachine bool

	// TLS has the certificate to serve with. Defaults to plain HTTP.
	TLS *tls.Config

	// TracerProvider receives an OpenTelemetry span a request. Defaults to none.
	TracerProvider trace.TracerProvider

	// Workers is how many groups are read at once in the background; see
	// [worker.Run]. Defaults to none: others read what is added.
	Workers int
}

// Server is what the interfaces share.
type Server struct {
	options Options
	mux     *http.ServeMux
	log     *slog.Logger
	metrics *metrics
	limits  *limits
	room    *room
	tenants tenants
	reading *reading
}

// The time limits of a server.
const (
	headerTimeout   = 10 * time.Second
	bodyTimeout     = time.Minute // unless the options say otherwise
	idleTimeout     = 2 * time.Minute
	shutdownTimeout = 30 * time.Second
)

// New makes a server that answers /healthz, /readyz and /metrics. Interfaces
// are mounted on it.
func New(o Options) *Server {
	o.Log = telemetry.Logger(o.Log)
	if o.Registry == nil {
		o.Registry = prometheus.NewRegistry()
	}
	if o.BodyTimeout == 0 {
		o.BodyTimeout = bodyTimeout
	}
	if o.RequestMemory == 0 {
		o.RequestMemory = DefaultRequestMemory
	}
	if o.Ready == nil {
		o.Ready = func(ctx context.Context) error {
			_, err := service.New(o.Client).Server(ctx)
			return err
		}
	}
	s := &Server{options: o, mux: http.NewServeMux(), log: o.Log, limits: &limits{perSecond: rate.Limit(o.RateLimit)}, room: newRoom(o.RequestMemory)}
	s.reading = newReading()
	s.metrics = newMetrics(o.Registry, s.reading.episodes, newQueue(o.Client))
	s.mux.HandleFunc("GET /healthz", healthy)
	s.mux.HandleFunc("GET /readyz", s.ready)
	s.mux.Handle("GET /metrics", s.metrics.handler())
	return s
}

// Log returns the log of the server.
func (s *Server) Log() *slog.Logger { return s.log }

// Handle mounts a handler. It is public unless it is wrapped by
// [Server.Protect].
func (s *Server) Handle(pattern string, handler http.Handler) { s.mux.Handle(pattern, handler) }

// Handler returns the whole server as one handler. It runs no workers;
// [Server.Run] does.
func (s *Server) Handler() http.Handler {
	return s.traced(s.observed(safeHeaders(s.options.TLS != nil, s.crossOrigin(compressed(textOnly(s.calledHere(KnownRoutes(s.mux))))))))
}

// Run serves, and runs the workers, until ctx ends. It then accepts no more
// requests, waits up to half a minute for those that have begun, and lets the
// workers finish their episodes or leaves them to others.
func (s *Server) Run(ctx context.Context, listener net.Listener) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	worked := make(chan error, 1)
	go func() {
		err := s.work(ctx)
		worked <- err
		stop(err)
	}()
	err := s.serve(ctx, listener)
	stop(nil)
	return errors.Join(err, <-worked)
}

// serve answers requests until ctx ends.
func (s *Server) serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, TLSConfig: s.options.TLS,
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	served := make(chan error, 1)
	go func() {
		if s.options.TLS != nil {
			served <- server.ServeTLS(listener, "", "")
			return
		}
		served <- server.Serve(listener)
	}()
	var err error
	select {
	case err = <-served:
	case <-ctx.Done():
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
		defer cancel()
		err = server.Shutdown(last)
	}
	if err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve on %s: %w", listener.Addr(), err)
	}
	return nil
}
