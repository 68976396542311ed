// Package server holds what all HTTP interfaces of Annals share: authentication, rate limits, logging, metrics, and starting
// and stopping the process. The packages below it are the interfaces.
//
//	s := server.New(server.Options{Client: client, Log: log})
//	rest.Mount(s, rest.Options{})
//	err := s.Run(ctx, listener)
//
// A request passes, from the outside in: request id, log, metrics and recovery; security headers; CORS, if allowed; and,
// behind [Server.Protect], authentication and the rate limit. Responses are compressed if the caller accepts that. Every
// error is a problem document (RFC 9457).
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

// Options configures a [Server]. Only Client has no default.
type Options struct {
	// Agents is the work that workers do for agents; see [worker.Options]. Defaults to none.
	Agents annals.AgentWork

	// BodyTimeout is how long the body of a request may take to arrive. Defaults to a minute.
	BodyTimeout time.Duration

	// Client is the memory.
	Client *annals.Client

	// CORSOrigins are the web origins whose pages may use the service, such as
	// https://app.example.com. Defaults to none.
	CORSOrigins []string

	// Keys are API keys in addition to those in the database.
	Keys []Key

	// Log receives a line for each request, and errors. Defaults to no log.
	Log *slog.Logger

	// RateLimit is how many requests per second one API key may make in the long run; a burst may have twice as many.
	// Defaults to no limit.
	RateLimit float64

	// Ready returns an error if the service cannot work, because the database does not answer or has another schema. Defaults
	// to a query of the database.
	Ready func(context.Context) error

	// Registry holds further metrics for /metrics, such as those of the client. Defaults to a new one.
	Registry *prometheus.Registry

	// RequestMemory is about how many bytes the bodies of requests may take at once while they are handled; those of one API
	// key may take a quarter. Requests beyond that wait a few seconds and are then refused. Defaults to DefaultRequestMemory.
	RequestMemory int64

	// ThisMachine refuses requests whose Host is not a name of the loopback interface: a page may have pointed its own name
	// at this machine. Set it for services that listen on the loopback interface alone.
	ThisMachine bool

	// TLS has the certificate of the service. Defaults to plain HTTP.
	TLS *tls.Config

	// TracerProvider receives an OpenTelemetry span for each request. Defaults to none.
	TracerProvider trace.TracerProvider

	// Workers is how many groups are read at once in the background; see [worker.Run]. Defaults to none: another process has
	// to read new episodes.
	Workers int
}

// Server is shared by the interfaces.
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
	bodyTimeout     = time.Minute // the default of Options.BodyTimeout
	idleTimeout     = 2 * time.Minute
	shutdownTimeout = 30 * time.Second
)

// New creates a server that answers /healthz, /readyz and /metrics. Interfaces are mounted on it.
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

// Handle mounts a handler. It is public unless it is wrapped by [Server.Protect].
func (s *Server) Handle(pattern string, handler http.Handler) { s.mux.Handle(pattern, handler) }

// Handler returns the server as one handler, without workers. [Server.Run] runs them.
func (s *Server) Handler() http.Handler {
	return s.traced(s.observed(safeHeaders(s.options.TLS != nil, s.crossOrigin(compressed(textOnly(s.calledHere(KnownRoutes(s.mux))))))))
}

// Run serves, and runs the workers, until ctx ends. Then it accepts no more requests, waits up to half a minute for those
// that have begun, and lets the workers finish their episodes or leave them to others.
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
