package main

import (
	"context"
	"fmt"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/migrations"
)

// doctorJSON is what is in force.
type doctorJSON struct {
	DatabaseURL        string              `json:"database_url"`
	Embedded           bool                `json:"embedded"`
	DataDir            string              `json:"data_dir,omitempty"`
	ServerVersion      string              `json:"server_version"`
	PgvectorVersion    string              `json:"pgvector_version"`
	MigrationsApplied  int                 `json:"migrations_applied"`
	MigrationsPending  int                 `json:"migrations_pending"`
	EmbeddingDimension int                 `json:"embedding_dimension"`
	Analyst            string              `json:"analyst"`
	Embedder           string              `json:"embedder"`
	Group              string              `json:"group"`
	Episodes           map[graph.State]int `json:"episodes"`
	Replica            *replicaJSON        `json:"replica,omitempty"`
	Vectors            annals.Vectors      `json:"vectors"`
}

// replicaJSON is what is read from, where that is a replica.
type replicaJSON struct {
	URL       string `json:"read_database_url"`
	Reachable bool   `json:"reachable"`
	Following bool   `json:"following"`
	Behind    int64  `json:"behind_bytes"`
}

func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "doctor",
		Short:   "Show what is in force, and what is wrong",
		Example: "  annals doctor\n  psql \"$(annals doctor --json | jq -r .database_url)\"",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := a.examine(cmd.Context())
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(report)
			}
			return a.printDoctor(report)
		},
	}
}

func (a *app) examine(ctx context.Context) (doctorJSON, error) {
	client, where, err := a.openAt(ctx)
	if err != nil {
		return doctorJSON{}, err
	}
	defer client.Close()
	report := doctorJSON{
		DatabaseURL: where.url, Embedded: where.embedded, DataDir: where.dir, Group: a.group,
		Analyst: client.Analyst(), Embedder: client.Embedder(),
	}
	if client.HasReplica() {
		status, err := client.Replica(ctx)
		report.Replica = &replicaJSON{a.config.ReadURL, err == nil, status.Following, status.Behind}
	}
	return report, report.fill(ctx, client)
}

// String says how the replica is.
func (r *replicaJSON) String() string {
	switch {
	case !r.Reachable:
		return "does not answer: reads go to the primary"
	case !r.Following:
		return "follows no primary, but takes writes itself"
	case r.Behind == 0:
		return "has all that is written"
	}
	return fmt.Sprintf("%d bytes of the log behind", r.Behind)
}

func (d *doctorJSON) fill(ctx context.Context, client *annals.Client) error {
	server, err := client.Server(ctx)
	if err != nil {
		return err
	}
	d.ServerVersion, d.PgvectorVersion, d.EmbeddingDimension = server.Version, server.PgvectorVersion, server.EmbeddingDimension
	steps, err := migrations.Status(ctx, d.DatabaseURL)
	if err != nil {
		return err
	}
	for _, step := range steps {
		if step.AppliedAt.IsZero() {
			d.MigrationsPending++
		} else {
			d.MigrationsApplied++
		}
	}
	if d.Vectors, err = client.Vectors(ctx, d.Group); err != nil {
		return err
	}
	if d.Episodes, err = client.EpisodeCounts(ctx, d.Group); err != nil {
		return err
	}
	for _, state := range []graph.State{graph.StatePending, graph.StateProcessing, graph.StateDone, graph.StateFailed} {
		d.Episodes[state] += 0 // a state without episodes is listed as well
	}
	return nil
}

func (a *app) printDoctor(d doctorJSON) error {
	rows := [][]string{{"database", withoutPassword(d.DatabaseURL)}}
	if d.Embedded {
		rows = append(rows, []string{"", "embedded, in " + d.DataDir})
	}
	if r := d.Replica; r != nil {
		rows = append(rows, []string{"replica", withoutPassword(r.URL)}, []string{"", r.String()})
	}
	schema := fmt.Sprintf("%d migrations applied", d.MigrationsApplied)
	if d.MigrationsPending > 0 {
		schema += fmt.Sprintf(", %d are missing: run 'annals migrate up'", d.MigrationsPending)
	}
	rows = append(rows,
		[]string{"server", fmt.Sprintf("PostgreSQL %s, pgvector %s", d.ServerVersion, d.PgvectorVersion)},
		[]string{"schema", schema},
		[]string{"analyst", d.Analyst},
		[]string{"embedder", fmt.Sprintf("%s, %d dimensions", d.Embedder, d.EmbeddingDimension)},
		[]string{"group " + d.Group, fmt.Sprintf("%d episodes done, %d waiting, %d failed", d.Episodes[graph.StateDone],
			d.Episodes[graph.StatePending]+d.Episodes[graph.StateProcessing], d.Episodes[graph.StateFailed])},
	)
	for i, wrong := range d.vectorsWrong() {
		rows = append(rows, []string{[]string{"vectors", ""}[min(i, 1)], wrong})
	}
	return a.table("", rows)
}

// vectorsWrong says what is to be done about the vectors.
func (d *doctorJSON) vectorsWrong() []string {
	var wrong []string
	if v := d.Vectors; v.Embedder != "" && v.Embedder != d.Embedder {
		wrong = append(wrong, fmt.Sprintf("made by %s, not by the embedder that is set: set ANNALS_EMBEDDER to it, or run 'annals reembed'", v.Embedder))
	}
	if v := d.Vectors; v.Next != "" {
		wrong = append(wrong, fmt.Sprintf("being made anew by %s: where no 'annals reembed' runs, run it with that embedder to go on", v.Next))
	}
	if n := d.Vectors.Missing.Total(); n > 0 {
		wrong = append(wrong, fmt.Sprintf("%d rows of group %s lack one by the embedder that is set, and are found by words only: run 'annals reembed'",
			n, d.Group))
	}
	return wrong
}

// withoutPassword hides the password of a URL. What is no URL is not shown.
func withoutPassword(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "" {
		return "(set)"
	}
	// PostgreSQL takes passwords among the parameters too.
	parameters := u.Query()
	for _, name := range []string{"password", "sslpassword"} {
		if parameters.Has(name) {
			parameters.Set(name, "xxxxx")
			u.RawQuery = parameters.Encode()
		}
	}
	return u.Redacted()
}
