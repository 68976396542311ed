package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"runtime/debug"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/explorer"
	"github.com/annalsdb/annals/internal/server/graphiti"
	"github.com/annalsdb/annals/internal/server/mcp"
	"github.com/annalsdb/annals/internal/server/otlp"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/internal/server/zep"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/migrations"
)

const serveHelp = `Serves the memory over HTTP and reads what is added in the background, as
'annals worker' does; with --workers 0 that is left to others. Ctrl-C or SIGTERM
ends it: requests that have begun are answered, and what was accepted and is not
yet read is read by the next to run.

/ shows the memory in a browser, to who has an API key.

/v1/…, /mcp, for agents, /api/v2/… and /api/v4/…, for clients of Zep, take an API key:
'annals keys create' makes one, ANNALS_API_KEYS sets some. /docs and /openapi.json
describe the routes of /v1; /healthz, /readyz and /metrics are for those who
operate it, and need no key.

Standard error has the log, a JSON object a line. It holds neither keys nor
bodies nor queries.`

// serving holds the flags of serve.
type serving struct {
	listen, cert, key string
	origins           []string
	rateLimit         float64
	graphiti          bool
	keyOptional       bool // for Graphiti's clients
	check             bool
	workers           int
	agents            outside
}

func serveCommand(a *app) *cobra.Command {
	var s serving
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the memory over HTTP",
		Long:  serveHelp,
		Example: `  annals keys create --admin
  annals serve --listen 127.0.0.1:8080
  annals serve --listen 0.0.0.0:8443 --tls-cert server.crt --tls-key server.key`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if s.check {
				return s.ask(cmd.Context())
			}
			if a.config.Tenant != "" && cmd.Flags().Changed("workers") && s.workers > 0 {
				return graph.Invalid("workers", "are %d, but a service for one tenant reads nothing: the queue is of all groups. "+
					"Leave --workers out, and run 'annals worker' beside it without --tenant", s.workers)
			}
			if a.config.Tenant != "" {
				s.workers = 0
			}
			return a.serve(cmd.Context(), s)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&s.listen, "listen", a.config.Listen, "host:port to listen on (ANNALS_LISTEN)")
	flags.StringVar(&s.cert, "tls-cert", a.config.TLSCert, "certificate to serve HTTPS with, a PEM file (ANNALS_TLS_CERT)")
	flags.StringVar(&s.key, "tls-key", a.config.TLSKey, "its private key, a PEM file (ANNALS_TLS_KEY)")
	flags.StringSliceVar(&s.origins, "cors-origins", a.config.CORSOrigins, "web origins whose pages may use it (ANNALS_CORS_ORIGINS)")
	flags.Float64Var(&s.rateLimit, "rate-limit", a.config.RateLimit, "requests a second for each key, 0: no limit (ANNALS_RATE_LIMIT)")
	flags.BoolVar(&s.graphiti, "graphiti", false, "answer clients of Graphiti's REST server too, at the root")
	flags.BoolVar(&s.keyOptional, "graphiti-key-optional", false, "let those clients in without an API key from this machine; needs a loopback address to listen on, and no proxy before it")
	flags.BoolVar(&s.check, "check", false, "ask the service that listens there whether it is ready, and fail if it is not")
	flags.IntVar(&s.workers, "workers", a.config.Workers, "groups that are read at once in the background, 0: none (ANNALS_WORKERS)")
	s.agents.serviceFlags(a, cmd)
	return cmd
}

func (a *app) serve(ctx context.Context, s serving) error {
	if err := checkWorkers(s.workers, 0); err != nil {
		return err
	}
	keys, err := server.ParseKeys(a.config.APIKeys)
	if err != nil {
		return err
	}
	if a.config.log == nil {
		a.config.log = a.logger(slog.LevelInfo)
	}
	registry := prometheus.NewRegistry()
	options := server.Options{
		Keys: keys, CORSOrigins: s.origins, RateLimit: s.rateLimit, Workers: s.workers, Log: a.config.log, Registry: registry,
		TracerProvider: a.config.traces,
	}
	if options.TLS, err = s.tls(); err != nil {
		return err
	}
	client, where, err := a.openCounted(ctx, registry)
	if err != nil {
		return err
	}
	defer client.Close()
	options.Client, options.Agents = client, a.agents(client, &s.agents).Work()
	options.Ready = func(ctx context.Context) error { return migrated(ctx, where.url) }
	if err := options.Ready(ctx); err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", s.listen)
	if err != nil {
		return graph.Invalid("listen", "cannot listen on %q: %v", s.listen, err)
	}
	at, ok := listener.Addr().(*net.TCPAddr)
	options.ThisMachine = ok && at.IP.IsLoopback()
	if err := s.checkKeyOptional(listener.Addr(), options.ThisMachine); err != nil {
		return errors.Join(err, listener.Close())
	}
	collectSeldom()
	door := server.New(options)
	rest.Mount(door, rest.Options{Version: version(), Agents: s.agents.options(a)})
	otlp.Mount(door, otlp.Options{})
	explorer.Mount(door, explorer.Options{})
	mcp.Mount(door, mcp.Options{Group: a.group, Version: version()})
	zep.Mount(door)
	if s.graphiti {
		graphiti.Mount(door, graphiti.Options{KeyOptional: s.keyOptional})
	}
	if err := (&session{a, client}).announce(ctx, keys, s.url(listener), s.workers); err != nil {
		return errors.Join(err, listener.Close())
	}
	return door.Run(ctx, listener)
}

// checkKeyOptional refuses to serve without API keys if other machines can connect.
func (s serving) checkKeyOptional(at net.Addr, thisMachine bool) error {
	if !s.keyOptional {
		return nil
	}
	if !s.graphiti {
		return graph.Invalid("graphiti-key-optional", "is for Graphiti's clients; give --graphiti too")
	}
	if !thisMachine {
		return graph.Invalid("graphiti-key-optional", "lets everybody in who reaches %s; listen on this machine alone, as with --listen 127.0.0.1:8080", at)
	}
	return nil
}

// tls loads the certificate; nil if none is configured.
func (s serving) tls() (*tls.Config, error) {
	if s.cert == "" && s.key == "" {
		return nil, nil
	}
	if s.cert == "" || s.key == "" {
		return nil, graph.Invalid("tls-cert", "a certificate and its key go together; give both --tls-cert and --tls-key")
	}
	pair, err := tls.LoadX509KeyPair(s.cert, s.key)
	if err != nil {
		return nil, fmt.Errorf("read the certificate and its key: %w", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}

func (s serving) url(listener net.Listener) string {
	scheme := "http"
	if s.cert != "" {
		scheme = "https"
	}
	return scheme + "://" + listener.Addr().String()
}

// announce prints the address, and what is missing before clients can connect.
func (s *session) announce(ctx context.Context, keys []server.Key, url string, workers int) error {
	reading := readBy(s.Client)
	if workers == 0 {
		reading = "What is added is stored here and read elsewhere: by 'annals worker', run without --tenant."
	}
	fmt.Fprintf(s.stdout, "Annals serves on %s; %s/docs describes it. Ctrl-C stops it.\n%s\n", url, url, reading)
	if len(keys) > 0 || s.Tenant() != "" { // a tenant has no keys in the database
		return nil
	}
	stored, err := service.New(s.Client).APIKeys(ctx)
	if err == nil && len(stored) == 0 {
		fmt.Fprintln(s.stdout, "There is no API key yet: 'annals keys create --admin' makes one.")
	}
	return err
}

// migrated returns an error if the database is not migrated to this version.
func migrated(ctx context.Context, url string) error {
	steps, err := migrations.Status(ctx, url)
	if err != nil {
		return err
	}
	var missing []string
	for _, step := range steps {
		if step.AppliedAt.IsZero() {
			missing = append(missing, step.Name)
		}
	}
	if len(missing) > 0 {
		return &annals.Error{
			Code: annals.CodeConflict, Field: "database", Message: "lacks " + strings.Join(missing, ", ") + "; run 'annals migrate up'",
		}
	}
	return nil
}

// collectSeldom lets the heap grow fivefold between two garbage collections, unless GOGC says
// otherwise. A server holds little memory and makes garbage with each request: at Go's default, a
// third of a search's processor time is collection.
func collectSeldom() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
