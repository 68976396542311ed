package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/internal/bench"
	"github.com/annalsdb/annals/testdata"
)

func benchCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure what searching, taking in and serving cost",
		Long: `Measure what searching, taking in and serving cost.

The groups that are measured are made up, in the database at hand. Their names
begin with bench-, and they stay, so that the next run need not make them anew.`,
		RunE: showHelp,
	}
	cmd.AddCommand(benchIngestCommand(a), benchSearchCommand(a), benchServeCommand(a))
	return cmd
}

// benchOn sets the options that all benchmarks share. It migrates only the embedded database.
func (a *app) benchOn(ctx context.Context, o *bench.Options) error {
	client, where, err := a.openAt(ctx)
	if err != nil {
		return err
	}
	client.Close()
	o.DatabaseURL, o.Sample, o.Progress = where.url, string(testdata.Conversation), func(what string) { a.say("%s …", what) }
	return nil
}

func benchSearchCommand(a *app) *cobra.Command {
	var o bench.Options
	cmd := &cobra.Command{
		Use:     "search",
		Short:   "Time every search method in groups of several sizes, and compare approximate with exact results",
		Example: "  annals bench search --facts 1000,10000,100000 --others 100000",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.benchOn(cmd.Context(), &o); err != nil {
				return err
			}
			return a.printMeasured(bench.Search(cmd.Context(), o))
		},
	}
	flags := cmd.Flags()
	flags.IntSliceVar(&o.Facts, "facts", bench.DefaultSizes, "sizes of the groups, in facts")
	flags.IntVar(&o.Others, "others", 0, "facts of other groups in the database, whose sizes fall off by Zipf's law")
	flags.IntVar(&o.Queries, "queries", bench.DefaultQueries, "queries of each class")
	flags.DurationVar(&o.Budget, "budget", bench.DefaultBudget, "about how long one method is measured in one group")
	flags.IntVar(&o.IndexedFrom, "index-from", 0, "vectors from which on a group gets an index; 0: as in production, negative: none")
	return cmd
}

func benchIngestCommand(a *app) *cobra.Command {
	var o bench.Options
	cmd := &cobra.Command{
		Use:     "ingest",
		Short:   "Time what an episode costs beside the language model",
		Example: "  annals bench ingest --facts 1000,100000 --episodes 200",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.benchOn(cmd.Context(), &o); err != nil {
				return err
			}
			return a.printMeasured(bench.Ingest(cmd.Context(), o))
		},
	}
	flags := cmd.Flags()
	flags.IntSliceVar(&o.Facts, "facts", []int{1000, 10_000}, "sizes of the groups that episodes are taken into, in facts")
	flags.IntVar(&o.Queries, "episodes", 200, "episodes to take in")
	flags.IntVar(&o.IndexedFrom, "index-from", 0, "vectors from which on a group gets an index; 0: as in production, negative: none")
	return cmd
}

func benchServeCommand(a *app) *cobra.Command {
	var o bench.ServeOptions
	var facts, workers int
	var against string
	var compared bench.AgainstOptions
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Measure what 'annals serve' bears: searches, and episodes taken in",
		Long: `Starts 'annals serve' on the database at hand and puts requests to it over HTTP:
hybrid searches, then episodes one in a request, then episodes as JSON lines.
It tells the rate and the latency of each, and the most memory that the server
had. The server reads what is added meanwhile; --workers 0 keeps it from that.

With --against another build of annals, both serve the same made-up conversations, each
from a database of its own, and answer the same searches and contexts, in turns.`,
		Example: "  annals bench serve --facts 10000 --clients 8 --budget 20s\n  annals bench serve --against ./annals-before --messages 44,500",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if against != "" {
				return a.benchAgainst(cmd.Context(), against, compared)
			}
			o.Facts = []int{facts}
			if err := a.benchOn(cmd.Context(), &o.Options); err != nil {
				return err
			}
			return a.benchServe(cmd.Context(), o, workers)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&facts, "facts", 10_000, "size of the group that is searched, in facts")
	flags.IntVar(&o.Clients, "clients", 8, "requests at once")
	flags.IntVar(&o.Lines, "lines", 1000, "episodes in a request of JSON lines")
	flags.DurationVar(&o.Budget, "budget", 20*time.Second, "how long each kind of request is put")
	flags.StringVar(&against, "against", "", "another build of annals to compare this one with")
	flags.IntSliceVar(&compared.Messages, "messages", bench.DefaultMessages, "sizes of the conversations that both builds serve")
	flags.IntVar(&compared.Queries, "queries", 200, "requests of each kind to each of both builds")
	flags.IntVar(&workers, "workers", a.config.Workers, "groups that the server reads at once meanwhile")
	return cmd
}

func (p *printer) benchServe(ctx context.Context, o bench.ServeOptions, workers int) error {
	o.Key = rand.Text()
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	served, err := startServe(ctx, program, o.DatabaseURL, o.Key, workers)
	if err != nil {
		return err
	}
	o.URL = served.url
	report, err := bench.Serve(ctx, o)
	return p.printMeasured(report, errors.Join(err, served.stop()))
}

// benchAgainst compares this program with another build.
func (a *app) benchAgainst(ctx context.Context, other string, o bench.AgainstOptions) (err error) {
	this, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	o.Key, o.Sample, o.Progress = rand.Text(), string(testdata.Conversation), func(what string) { a.say("%s …", what) }
	for i, program := range []string{this, other} {
		home, err := os.MkdirTemp("", "annals-bench")
		if err != nil {
			return fmt.Errorf("make a folder for a database: %w", err)
		}
		served, err := startServe(ctx, program, "", o.Key, 2, "XDG_DATA_HOME="+home)
		if err != nil {
			return errors.Join(err, os.RemoveAll(home))
		}
		o.URLs[i] = served.url
		defer func() {
			down := exec.CommandContext(context.WithoutCancel(ctx), program, "down")
			down.Env = append(os.Environ(), "XDG_DATA_HOME="+home)
			err = errors.Join(err, served.stop(), down.Run(), os.RemoveAll(home))
		}()
	}
	return a.printMeasured(bench.CompareBuilds(ctx, o))
}

// served is a running 'annals serve'.
type served struct {
	cmd *exec.Cmd
	url string
}

// startServe starts a program as a server, offline, and waits until it serves.
func startServe(ctx context.Context, program, databaseURL, key string, workers int, settings ...string) (*served, error) {
	cmd := exec.CommandContext(ctx, program, "serve", "--listen", "127.0.0.1:0", "--rate-limit", "0", "--workers", strconv.Itoa(workers))
	cmd.Env = append(os.Environ(), "ANNALS_DATABASE_URL="+databaseURL, "ANNALS_API_KEYS="+key, "ANNALS_LLM=offline", "ANNALS_EMBEDDER=offline",
		"ANNALS_TENANT=", "ANNALS_TLS_CERT=", "ANNALS_TLS_KEY=")
	cmd.Env = append(cmd.Env, settings...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	output, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	lines := bufio.NewScanner(output)
	if !lines.Scan() {
		return nil, errors.Join(errors.New("the server ended before it served"), cmd.Wait())
	}
	_, rest, _ := strings.Cut(lines.Text(), " on ")
	url, _, _ := strings.Cut(rest, ";")
	go func() { _, _ = io.Copy(io.Discard, output) }() // ends with the process
	return &served{cmd: cmd, url: url}, nil
}

// stop stops the server with SIGTERM, as an operator does.
func (s *served) stop() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("stop the server: %w", err)
	}
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("the server ended badly: %w", err)
	}
	return nil
}
