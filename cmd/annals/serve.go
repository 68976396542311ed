package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
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
	Listen      string   `json:"listen" doc:"host:port to listen on (ANNALS_LISTEN)"`
	Cert        string   `json:"tls_cert" doc:"certificate to serve HTTPS with, a PEM file (ANNALS_TLS_CERT)"`
	Key         string   `json:"tls_key" doc:"its private key, a PEM file (ANNALS_TLS_KEY)"`
	Origins     []string `json:"cors_origins" doc:"web origins whose pages may use it (ANNALS_CORS_ORIGINS)"`
	RateLimit   float64  `json:"rate_limit" doc:"requests a second for each key, 0: no limit (ANNALS_RATE_LIMIT)"`
	Graphiti    bool     `json:"graphiti" doc:"answer clients of Graphiti's REST server too, at the root"`
	KeyOptional bool     `json:"graphiti_key_optional" doc:"let those clients in without an API key from this machine; needs a loopback address to listen on, and no proxy before it"`
	Check       bool     `json:"check" doc:"ask the service that listens there whether it is ready, and fail if it is not"`
	Workers     int      `json:"workers" doc:"groups that are read at once in the background, 0: none (ANNALS_WORKERS)"`
	agents      outside
}

func serveCommand(a *app) *cobra.Command {
	c := a.config
	s := serving{Listen: c.Listen, Cert: c.TLSCert, Key: c.TLSKey, Origins: c.CORSOrigins, RateLimit: c.RateLimit, Workers: c.Workers}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the memory over HTTP",
		Long:  serveHelp,
		Example: `  annals keys create --admin
  annals serve --listen 127.0.0.1:8080
  annals serve --listen 0.0.0.0:8443 --tls-cert server.crt --tls-key server.key`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if s.Check {
				return s.ask(cmd.Context())
			}
			if a.config.Tenant != "" && cmd.Flags().Changed("workers") && s.Workers > 0 {
				return graph.Invalid("workers", "are %d, but a service for one tenant reads nothing: the queue is of all groups. "+
					"Leave --workers out, and run 'annals worker' beside it without --tenant", s.Workers)
			}
			if a.config.Tenant != "" {
				s.Workers = 0
			}
			return a.serve(cmd.Context(), s)
		},
	}
	bind(cmd.Flags(), &s)
	s.agents.serviceFlags(a, cmd)
	return cmd
}

func (a *app) serve(ctx context.Context, s serving) error {
	if err := checkWorkers(s.Workers, 0); err != nil {
		return err
	}
	keys, err := server.ParseKeys(a.config.APIKeys)
	if err != nil {
		return err
	}
	a.logs(slog.LevelInfo)
	registry := prometheus.NewRegistry()
	options := server.Options{
		Keys: keys, CORSOrigins: s.Origins, RateLimit: s.RateLimit, Workers: s.Workers, Log: a.config.log, Registry: registry,
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
	listener, err := listenOn(ctx, s.Listen)
	if err != nil {
		return err
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
	if s.Graphiti {
		graphiti.Mount(door, graphiti.Options{KeyOptional: s.KeyOptional})
	}
	if err := a.announce(ctx, client, keys, s.url(listener), s.Workers); err != nil {
		return errors.Join(err, listener.Close())
	}
	return door.Run(ctx, listener)
}

// listenOn listens on host:port.
func listenOn(ctx context.Context, address string) (net.Listener, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, graph.Invalid("listen", "cannot listen on %q: %v", address, err)
	}
	return listener, nil
}

// checkKeyOptional refuses to serve without API keys if other machines can connect.
func (s serving) checkKeyOptional(at net.Addr, thisMachine bool) error {
	if !s.KeyOptional {
		return nil
	}
	if !s.Graphiti {
		return graph.Invalid("graphiti-key-optional", "is for Graphiti's clients; give --graphiti too")
	}
	if !thisMachine {
		return graph.Invalid("graphiti-key-optional", "lets everybody in who reaches %s; listen on this machine alone, as with --listen 127.0.0.1:8080", at)
	}
	return nil
}

// tls loads the certificate; nil if none is configured.
func (s serving) tls() (*tls.Config, error) {
	if s.Cert == "" && s.Key == "" {
		return nil, nil
	}
	if s.Cert == "" || s.Key == "" {
		return nil, graph.Invalid("tls-cert", "a certificate and its key go together; give both --tls-cert and --tls-key")
	}
	pair, err := tls.LoadX509KeyPair(s.Cert, s.Key)
	if err != nil {
		return nil, fmt.Errorf("read the certificate and its key: %w", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}

func (s serving) url(listener net.Listener) string {
	scheme := "http"
	if s.Cert != "" {
		scheme = "https"
	}
	return scheme + "://" + listener.Addr().String()
}

// announce prints the address, and what is missing before clients can connect.
func (a *app) announce(ctx context.Context, client *annals.Client, keys []server.Key, url string, workers int) error {
	reading := readBy(client)
	if workers == 0 {
		reading = "What is added is stored here and read elsewhere: by 'annals worker', run without --tenant."
	}
	fmt.Fprintf(a.stdout, "Annals serves on %s; %s/docs describes it. Ctrl-C stops it.\n%s\n", url, url, reading)
	if len(keys) > 0 || client.Tenant() != "" { // a tenant has no keys in the database
		return nil
	}
	stored, err := service.New(client).APIKeys(ctx)
	if err == nil && len(stored) == 0 {
		fmt.Fprintln(a.stdout, "There is no API key yet: 'annals keys create --admin' makes one.")
	}
	return err
}

// migrated returns an error if the database is not migrated to this version.
func migrated(ctx context.Context, url string) error {
	pending, err := migrations.Pending(ctx, url)
	if err != nil || len(pending) == 0 {
		return err
	}
	missing := each.Of(pending, func(s migrations.Step) string { return s.Name })
	return &annals.Error{Code: annals.CodeConflict, Field: "database", Message: "lacks " + strings.Join(missing, ", ") + "; run 'annals migrate up'"}
}

// collectSeldom lets the heap grow fivefold between two garbage collections, unless GOGC says
// otherwise. A server holds little memory and makes garbage with each request: at Go's default, a
// third of a search's processor time is collection.
func collectSeldom() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// checkTimeout is longer than the service needs to give up on its database.
const checkTimeout = 6 * time.Second

// ask checks whether the service on this machine is ready. It is the health check of a container,
// which has no curl.
func (s serving) ask(ctx context.Context) error {
	host, port, err := net.SplitHostPort(s.Listen)
	if err != nil {
		return graph.Invalid("listen", "%q is not host:port", s.Listen)
	}
	if ip := net.ParseIP(host); host == "" || ip.IsUnspecified() {
		host = "localhost"
	}
	scheme := "http"
	transport := &http.Transport{}
	if s.Cert != "" { // the certificate names the public host, not this machine
		scheme, transport.TLSClientConfig = "https", &tls.Config{InsecureSkipVerify: true} //nolint:gosec // nothing is sent
	}
	defer transport.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, scheme+"://"+net.JoinHostPort(host, port)+"/readyz", nil)
	if err != nil {
		return fmt.Errorf("ask %s: %w", s.Listen, err)
	}
	response, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		return fmt.Errorf("nothing answers: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(io.LimitReader(response.Body, 1000)) // the body only adds detail
		return fmt.Errorf("it is not ready: %s", said)
	}
	return nil
}
