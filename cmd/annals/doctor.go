package main

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/migrations"
)

// doctorJSON is the report of doctor.
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
	Language           string              `json:"language,omitempty"`
	LanguageFrom       string              `json:"language_from,omitempty"`
	Replica            *replicaJSON        `json:"replica,omitempty"`
	Vectors            service.Vectors     `json:"vectors"`
	Checks             []checkJSON         `json:"checks"`
	Fixed              []string            `json:"fixed,omitempty"`
}

// replicaJSON is the state of the replica.
type replicaJSON struct {
	URL       string `json:"read_database_url"`
	Reachable bool   `json:"reachable"`
	Following bool   `json:"following"`
	Behind    int64  `json:"behind_bytes"`
}

const doctorHelp = `Shows what is in force, and looks at the extensions, the schema, the indexes, the
episodes that wait and that failed, dead rows, the clocks, the disk and the
models, each of which is asked a tiny question, for a fraction of a cent; without
that: --no-models. Next to each problem stands what to do.

After a restore it says what has to be rebuilt, and --fix rebuilds it: the queue,
policies, grants and the role of tenants, indexes, counts, what the planner knows.
Others may read and write meanwhile. Where nothing is to be done it does nothing.

It fails when something is broken, and not for a warning.`

func doctorCommand(a *app) *cobra.Command {
	var noModels, fix bool
	cmd := &cobra.Command{
		Use:     "doctor",
		Short:   "Show what is in force, and what is wrong",
		Long:    doctorHelp,
		Example: "  annals doctor\n  annals doctor --fix    # after a restore\n  annals doctor --no-models --json | jq '.checks[] | select(.state != \"ok\")'\n  psql \"$(annals doctor --json | jq -r .database_url)\"",
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := a.examine(cmd.Context(), !noModels, fix)
			if err != nil {
				return err
			}
			if a.json {
				report.DatabaseURL = withoutPassword(report.DatabaseURL)
				if report.Replica != nil {
					report.Replica.URL = withoutPassword(report.Replica.URL)
				}
				err = a.printJSON(report)
			} else {
				err = a.printDoctor(report)
			}
			if wrong := broken(report.Checks); err == nil && len(wrong) > 0 {
				return fmt.Errorf("broken: %s; see above what to do", strings.Join(wrong, ", "))
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&noModels, "no-models", false, "ask no model anything")
	cmd.Flags().BoolVar(&fix, "fix", false, "rebuild what can be rebuilt, as after a restore")
	return cmd
}

func (a *app) examine(ctx context.Context, models, fix bool) (doctorJSON, error) {
	where, settings, err := a.locate(ctx)
	if err != nil {
		return doctorJSON{}, err
	}
	report := doctorJSON{DatabaseURL: where.url, Embedded: where.embedded, DataDir: where.dir, Group: a.group}
	if a.config.Tenant != "" && fix {
		return report, graph.Invalid("--fix", "mends the whole database: leave out the tenant")
	}
	if whole, err := report.checkStructure(ctx, a.config.Tenant, fix); err != nil || !whole {
		return report, err
	}
	client, err := a.openIn(ctx, where, settings)
	if err != nil {
		return report, err
	}
	defer client.Close()
	if err := report.checkContents(ctx, client, a.config.ReadURL, fix); err != nil || !models {
		return report, err
	}
	checks, err := a.checkModels(ctx, where)
	report.Checks = append(report.Checks, checks...)
	return report, err
}

// checkContents checks what a client can see.
func (d *doctorJSON) checkContents(ctx context.Context, client *annals.Client, readURL string, fix bool) error {
	d.Analyst, d.Embedder = client.Analyst(), client.Embedder().Name()
	if fix {
		d.fixed(service.New(client).Mend(ctx))
	}
	if client.HasReplica() {
		status, err := client.Replica(ctx)
		d.Replica = &replicaJSON{readURL, err == nil, status.Following, status.Behind}
	}
	if err := d.fill(ctx, client); err != nil {
		return err
	}
	return d.check(ctx, client)
}

// check checks all groups, or only the tenant's.
func (d *doctorJSON) check(ctx context.Context, client *annals.Client) error {
	d.Checks = append([]checkJSON{judge("schema", d.MigrationsPending > 0, checkBroken, fmt.Sprintf("%s applied, %d missing", each.Count(d.MigrationsApplied, "migration"), d.MigrationsPending),
		"run 'annals migrate up'")}, d.Checks...)
	if d.Replica != nil {
		d.Checks = append(d.Checks, d.Replica.judge())
	}
	if client.Tenant() != "" {
		d.Checks = append(d.Checks, judgeEpisodes(d.Episodes))
		return nil
	}
	health, err := service.New(client).Health(ctx)
	if err == nil {
		d.Checks = append(d.Checks, judgeHealth(health)...)
	}
	return err
}

func (r *replicaJSON) judge() checkJSON {
	if r.Reachable && !r.Following {
		return judge("replica", true, checkBroken, r.String(), "set ANNALS_READ_DATABASE_URL to a replica of the database, or unset it")
	}
	return judge("replica", !r.Reachable, checkWarning, r.String(), "see that the replica runs, or unset ANNALS_READ_DATABASE_URL")
}

// String describes the state of the replica.
func (r *replicaJSON) String() string {
	switch {
	case !r.Reachable:
		return "does not answer: reads go to the primary"
	case !r.Following:
		return "follows no primary, but takes writes itself"
	case r.Behind == 0:
		return "has all that is written"
	}
	return each.Count(r.Behind, "byte") + " of the log behind"
}

func (d *doctorJSON) fill(ctx context.Context, client *annals.Client) error {
	server, err := service.New(client).Server(ctx)
	if err != nil {
		return err
	}
	d.ServerVersion, d.PgvectorVersion, d.EmbeddingDimension = server.Version, server.PgvectorVersion, server.EmbeddingDimension
	if err := d.countMigrations(ctx); err != nil {
		return err
	}
	if d.Vectors, err = service.New(client).Vectors(ctx, d.Group); err != nil {
		return err
	}
	if d.Episodes, err = client.EpisodeCounts(ctx, d.Group); err != nil {
		return err
	}
	switch group, err := client.Group(ctx, d.Group); {
	case err == nil:
		d.Language, d.LanguageFrom = group.Language, group.LanguageFrom
	case graph.CodeOf(err) != graph.CodeNotFound:
		return err
	}
	for _, state := range []graph.State{graph.StatePending, graph.StateProcessing, graph.StateDone, graph.StateFailed} {
		d.Episodes[state] += 0 // adds states without episodes
	}
	return nil
}

func (d *doctorJSON) countMigrations(ctx context.Context) error {
	steps, err := migrations.Status(ctx, d.DatabaseURL)
	d.MigrationsApplied, d.MigrationsPending = 0, 0
	for _, step := range steps {
		if step.AppliedAt.IsZero() {
			d.MigrationsPending++
		} else {
			d.MigrationsApplied++
		}
	}
	return err
}

func (p *printer) printDoctor(d doctorJSON) error {
	rows := [][]string{{"database", withoutPassword(d.DatabaseURL)}}
	if d.Embedded {
		rows = append(rows, []string{"", "embedded, in " + d.DataDir})
	}
	if r := d.Replica; r != nil {
		rows = append(rows, []string{"read from", withoutPassword(r.URL)})
	}
	if d.ServerVersion != "" { // otherwise the database was not reached
		rows = append(rows,
			[]string{"server", fmt.Sprintf("PostgreSQL %s, pgvector %s", d.ServerVersion, d.PgvectorVersion)},
			[]string{"analyst", d.Analyst},
			[]string{"embedder", d.Embedder + ", " + each.Count(d.EmbeddingDimension, "dimension")},
			[]string{"group " + d.Group, fmt.Sprintf("%s done, %d waiting, %d failed", each.Count(d.Episodes[graph.StateDone], "episode"),
				d.Episodes[graph.StatePending]+d.Episodes[graph.StateProcessing], d.Episodes[graph.StateFailed])},
		)
	}
	if d.Language != "" {
		rows = append(rows, []string{"language", language(d.Language, d.LanguageFrom)})
	}
	for _, fixed := range d.Fixed {
		rows = append(rows, []string{"fixed", fixed})
	}
	for i, wrong := range d.vectorsWrong() {
		rows = append(rows, []string{[]string{"vectors", ""}[min(i, 1)], wrong})
	}
	for _, c := range d.Checks {
		rows = append(rows, []string{c.Name, strings.TrimPrefix(c.State+": ", checkFine+": ") + c.Found})
		if c.Do != "" {
			rows = append(rows, []string{"", "→ " + c.Do})
		}
	}
	return p.table("", rows)
}

// vectorsWrong returns what is wrong with the vectors and what to do.
func (d *doctorJSON) vectorsWrong() []string {
	var wrong []string
	if v := d.Vectors; v.Embedder != "" && v.Embedder != d.Embedder {
		wrong = append(wrong, fmt.Sprintf("made by %s, not by the embedder that is set: set ANNALS_EMBEDDER to it, or run 'annals reembed'", v.Embedder))
	}
	if v := d.Vectors; v.Next != "" {
		wrong = append(wrong, fmt.Sprintf("being made anew by %s: where no 'annals reembed' runs, run it with that embedder to go on", v.Next))
	}
	if n := d.Vectors.Missing.Total(); n > 0 {
		wrong = append(wrong, fmt.Sprintf("%s of group %s without one by the embedder that is set, found by words only: run 'annals reembed'",
			each.Count(n, "row"), d.Group))
	}
	return wrong
}

// withoutPassword hides the password in a URL. If it is no URL, it returns "(set)".
func withoutPassword(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "" {
		return "(set)"
	}
	// PostgreSQL also accepts passwords as parameters.
	parameters := u.Query()
	for _, name := range []string{"password", "sslpassword"} {
		if parameters.Has(name) {
			parameters.Set(name, "xxxxx")
			u.RawQuery = parameters.Encode()
		}
	}
	return u.Redacted()
}
