// Package server is what every door of Annals that speaks HTTP has in common:
// who may come in, how often, what is logged and counted of it, and how the
// process starts and ends. The doors themselves are the packages below.
//
//	s := server.New(server.Options{Client: client, Log: log})
//	rest.Mount(s, rest.Options{})
//	err := s.Run(ctx, listener)
//
// A request passes, from the outside in: request id, log, metrics and recovery;
// safe headers; CORS, if allowed; and, behind [Server.Protect], the API key and
// its rate. What is refused on the way is answered with a problem document
// (RFC 9457), as everything is that goes wrong behind it.
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

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/telemetry"
)

// Options says how a [Server] works. Only Client has no default.
type Options struct {
	// Agents is what the workers do for agents; see [annals.WorkOptions]. Defaults
	// to nothing.
	Agents annals.AgentWork

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

	// TLS has the certificate to serve with. Defaults to plain HTTP.
	TLS *tls.Config

	// TracerProvider receives an OpenTelemetry span a request. Defaults to none.
	TracerProvider trace.TracerProvider

	// Workers is how many groups are read at once in the background; see
	// [annals.Client.Work]. Defaults to none: others read what is added.
	Workers int
}

// Server is the part that the doors share.
type Server struct {
	options Options
	mux     *http.ServeMux
	log     *slog.Logger
	metrics *metrics
	limits  *limits
	tenants tenants
	reading *reading
}

// How long what takes long may take.
const (
	headerTimeout   = 10 * time.Second
	bodyTimeout     = time.Minute
	idleTimeout     = 2 * time.Minute
	shutdownTimeout = 30 * time.Second
)

// New makes a server that answers /healthz, /readyz and /metrics. The doors are
// mounted on it.
func New(o Options) *Server {
	o.Log = telemetry.Logger(o.Log)
	if o.Registry == nil {
		o.Registry = prometheus.NewRegistry()
	}
	if o.Ready == nil {
		o.Ready = func(ctx context.Context) error {
			_, err := o.Client.Server(ctx)
			return err
		}
	}
	s := &Server{options: o, mux: http.NewServeMux(), log: o.Log, limits: newLimits(o.RateLimit)}
	s.reading = newReading()
	s.metrics = newMetrics(o.Registry, s.reading.episodes, newQueue(o.Client))
	s.mux.HandleFunc("GET /healthz", healthy)
	s.mux.HandleFunc("GET /readyz", s.ready)
	s.mux.Handle("GET /metrics", s.metrics.handler())
	return s
}

// Log is where what goes wrong is written.
func (s *Server) Log() *slog.Logger { return s.log }

// Handle mounts a door. What stands behind it is open to everybody unless it
// is wrapped by [Server.Protect].
func (s *Server) Handle(pattern string, handler http.Handler) { s.mux.Handle(pattern, handler) }

// Handler is all of it. It has no workers; [Server.Run] does.
func (s *Server) Handler() http.Handler {
	return s.traced(s.observed(safeHeaders(s.options.TLS != nil, s.crossOrigin(textOnly(KnownRoutes(s.mux))))))
}

// Run serves, and reads waiting episodes where there are workers, until ctx
// ends. It then takes no more requests, lets those that it has come to an end,
// for half a minute at the most, and lets what is being read come to an end or
// leaves it to others.
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
