package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/worker"
)

const workerHelp = `Reads what is added in the background, whichever program added it: several groups
at once, each in its own order. Start as many as there is work for, on any
machines; they need the database and the model. docs/workers.md says what to watch.

Ctrl-C or SIGTERM ends it: the episodes that are being read come to an end,
within twenty seconds, and the rest is left to others.

Standard error has the log, a JSON object a line.`

func workerCommand(a *app) *cobra.Command {
	var workers int
	var listen string
	var o outside
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "Read what is added in the background",
		Long:  workerHelp,
		Example: `  annals worker
  annals worker --workers 8 --listen 127.0.0.1:9090`,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.work(cmd.Context(), workers, listen, &o) },
	}
	cmd.Flags().IntVar(&workers, "workers", a.config.Workers, "groups that are read at once (ANNALS_WORKERS)")
	o.serviceFlags(a, cmd)
	cmd.Flags().StringVar(&listen, "listen", "", "host:port to answer /healthz, /readyz and /metrics on; empty: none")
	return cmd
}

// checkWorkers checks the number of groups that are read at once.
func checkWorkers(workers, least int) error {
	if workers < least || workers > worker.MaxWorkers {
		return graph.Invalid("workers", "are %d; it must be %d to %d: for more, start several processes", workers, least, worker.MaxWorkers)
	}
	return nil
}

func (a *app) work(ctx context.Context, workers int, listen string, o *outside) error {
	if err := checkWorkers(workers, 1); err != nil {
		return err
	}
	a.logs(slog.LevelInfo)
	registry := prometheus.NewRegistry()
	client, where, err := a.openCounted(ctx, registry)
	if err != nil {
		return err
	}
	defer client.Close()
	told := fmt.Sprintf("Reading what is added, %s at once. Ctrl-C stops it.\n%s\n", each.Count(workers, "group"), readBy(client))
	if listen == "" {
		fmt.Fprint(a.stdout, told)
		return worker.Run(ctx, client, worker.Options{Agents: a.agents(client, o).Work(), Workers: workers})
	}
	listener, err := listenOn(ctx, listen)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(a.stdout, "%sIts metrics are on http://%s/metrics.\n", told, listener.Addr()); err != nil {
		return errors.Join(err, listener.Close())
	}
	door := server.New(server.Options{
		Agents: a.agents(client, o).Work(), Client: client, Log: a.config.log, Workers: workers, Registry: registry, TracerProvider: a.config.traces,
		Ready: func(ctx context.Context) error { return migrated(ctx, where.url) },
	})
	return door.Run(ctx, listener)
}

// outside holds the flags for what agents may use outside their memory.
type outside struct {
	folder   string
	perGroup bool
	hosts    []string
}

func (o *outside) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.folder, "folder", "", "folder in which agents may read and append to files, where their settings allow it")
	cmd.Flags().StringSliceVar(&o.hosts, "hosts", nil, "hosts that agents may send requests to, where their settings allow it")
}

// serviceFlags adds the flags for programs that run agents of several groups.
func (o *outside) serviceFlags(a *app, cmd *cobra.Command) {
	o.perGroup = true
	cmd.Flags().StringVar(&o.folder, "agent-folder", a.config.AgentFolder,
		"folder with one for each group, named after it, in which agents may read and append to files, where their settings allow it (ANNALS_AGENT_FOLDER)")
	cmd.Flags().StringSliceVar(&o.hosts, "agent-hosts", a.config.AgentHosts, "hosts that agents may send requests to, where their settings allow it (ANNALS_AGENT_HOSTS)")
}

// options returns the flags as options of the library.
func (o *outside) options(a *app) agent.Options {
	return agent.Options{Log: a.config.log, Folder: o.folder, FolderOfGroup: o.perGroup, Hosts: o.hosts}
}

func (a *app) agents(client *annals.Client, o *outside) *agent.Agents {
	if o == nil {
		o = &outside{}
	}
	return agent.New(client, o.options(a))
}
