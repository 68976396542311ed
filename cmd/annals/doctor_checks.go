package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/migrations"
	"github.com/annalsdb/annals/model"
)

// The states of a check.
const (
	checkFine    = "ok"
	checkWarning = "warning" // it works now and will stop working
	checkBroken  = "broken"
)

// checkJSON is the result of one check.
type checkJSON struct {
	Name  string `json:"name"`
	State string `json:"state"`
	Found string `json:"found"`
	Do    string `json:"do,omitempty"` // what to do
}

// judge makes a check; state applies if bad is true.
func judge(name string, bad bool, state, found, do string) checkJSON {
	if !bad {
		return checkJSON{Name: name, State: checkFine, Found: found}
	}
	return checkJSON{Name: name, State: state, Found: found, Do: do}
}

const (
	longWait    = 10 * time.Minute // for an episode
	clockWarns  = time.Second
	clockBroken = time.Minute
)

// extensions are the extensions that the schema needs.
var extensions = []string{"vector", "btree_gist", "pg_trgm", "unaccent"}

// fixIt is the advice for faults that a restore leaves.
const fixIt = "run 'annals doctor --fix'"

// judgeHealth converts the health of the database to checks with advice.
func judgeHealth(h service.Health) []checkJSON {
	if h.Cluster == nil {
		return judgeDatabase(h)
	}
	cluster := judgeCluster(*h.Cluster)
	if len(h.Cluster.Unreachable) > 0 { // nothing else could be checked
		return []checkJSON{cluster}
	}
	return append([]checkJSON{cluster}, judgeDatabase(h)...)
}

// judgeCluster checks the servers of a cluster.
func judgeCluster(c db.Cluster) checkJSON {
	said := each.Count(c.Servers, "server")
	switch {
	case len(c.Unreachable) > 0:
		return judge("cluster", true, checkBroken, said+", of which these do not answer: "+strings.Join(c.Unreachable, ", "),
			"start them again: groups on the others can be read and written meanwhile")
	case len(c.Undistributed) > 0 || c.Unplannable > 0:
		return judge("cluster", true, checkBroken, fmt.Sprintf("%s; a migration left %s and %s to distribute", said, each.Count(len(c.Undistributed), "table"), each.Count(c.Unplannable, "function")),
			"run 'annals distribute --run'")
	case c.Unshown > 0:
		return judge("cluster", true, checkWarning, fmt.Sprintf("%s; read by way of the coordinator, which takes longer: %s", said, each.Count(c.Unshown, "shard")), "run 'annals distribute --run', or 'annals worker'")
	case c.Servers < 2:
		return judge("cluster", true, checkWarning, "the coordinator alone", "add workers: SELECT citus_add_node('host', 5432)")
	}
	return judge("cluster", false, checkBroken, said+", all answer", "")
}

// judgeDatabase makes the checks that single servers and clusters have in common.
func judgeDatabase(h service.Health) []checkJSON {
	var missing, dead, unindexed []string
	versions := make([]string, 0, len(extensions))
	for _, name := range extensions {
		if h.Extensions[name] == "" {
			missing = append(missing, name)
		}
		versions = append(versions, name+" "+h.Extensions[name])
	}
	for _, d := range h.DeadRows {
		dead = append(dead, fmt.Sprintf("%s %d of %d", d.Table, d.Dead, d.Dead+d.Live))
	}
	for _, u := range append(slices.Clone(h.LostIndexes), h.Unindexed...) {
		unindexed = append(unindexed, fmt.Sprintf("%s: %s of kind %s", u.GroupID, each.Count(u.Vectors, "vector"), u.Kind))
	}
	return []checkJSON{
		judge("extensions", len(missing) > 0, checkBroken, strings.Join(versions, ", "),
			"as an administrator: CREATE EXTENSION "+strings.Join(missing, "; CREATE EXTENSION ")),
		judge("indexes", len(h.InvalidIndexes) > 0, checkBroken, listed(h.InvalidIndexes, "all are valid"),
			"no statement uses these: "+fixIt+", which runs REINDEX INDEX CONCURRENTLY "+strings.Join(h.InvalidIndexes, ", ")),
		judge("vector indexes", len(unindexed) > 0, checkWarning, listed(unindexed, "every large group has its own"),
			"searches compare all of these: "+fixIt+", or add an episode to the group; that takes a user who owns the tables"),
		judgeQueue(h),
		judge("failed episodes", h.Failed > 0, checkWarning, fmt.Sprintf("%d", h.Failed),
			"'annals episodes --state failed' says why for a group, 'annals retry' reads them again"),
		judge("dead rows", len(dead) > 0, checkWarning, listed(dead, "vacuum keeps up"),
			"VACUUM (ANALYZE) these tables, or "+fixIt+"; if they come back, end old transactions and lower autovacuum_vacuum_scale_factor"),
		judge("statistics", len(h.Stale) > 0, checkWarning, listed(h.Stale, "the planner knows every large table"),
			"plans are bad until autovacuum has been at these tables: wait a minute, or "+fixIt),
		judge("counts", h.Miscounted > 0, checkBroken, counted(h.Miscounted),
			"lists and rankings go by what is counted as rows are written; data was put in past the triggers: "+fixIt),
		judge("sequences", len(h.Behind) > 0, checkBroken, listed(h.Behind, "none lags behind its table"),
			"they would give numbers out again: "+fixIt),
		judgeClock(h.ClockAhead),
		{Name: "disk", State: checkFine, Found: fmt.Sprintf("database %s: tables %s, indexes %s", megabytes(h.DatabaseBytes), megabytes(h.TableBytes), megabytes(h.IndexBytes))},
	}
}

func counted(wrongly int) string {
	if wrongly == 0 {
		return "all are right"
	}
	return fmt.Sprintf("%d are wrong", wrongly)
}

func judgeQueue(h service.Health) checkJSON {
	found := "nothing waits"
	if h.Waiting > 0 {
		found = fmt.Sprintf("waiting: %s, the oldest for %s", each.Count(h.Waiting, "episode"), h.OldestWaiting.Round(time.Second))
	}
	return judge("queue", h.OldestWaiting > longWait, checkWarning, found,
		"see that 'annals serve' or another reader runs and what its log says; where it only falls behind, start more")
}

func judgeClock(ahead time.Duration) checkJSON {
	state := checkWarning
	if ahead.Abs() >= clockBroken {
		state = checkBroken
	}
	return judge("clock", ahead.Abs() >= clockWarns, state, fmt.Sprintf("the database's is ahead by %s", ahead.Round(time.Millisecond)),
		"keep the time of both machines by NTP: recorded times are the database's, and expiry compares both clocks")
}

func listed(found []string, none string) string {
	if len(found) == 0 {
		return none
	}
	const most = 10
	if len(found) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(found[:most], ", "), len(found)-most)
	}
	return strings.Join(found, ", ")
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.0f MB", float64(bytes)/1e6) }

// judgeEpisodes checks one group; tenants get it instead of [judgeHealth].
func judgeEpisodes(counts map[graph.State]int) checkJSON {
	return judge("failed episodes", counts[graph.StateFailed] > 0, checkWarning, fmt.Sprintf("%d in the group", counts[graph.StateFailed]),
		"'annals episodes --state failed' says why, 'annals retry' reads them again")
}

// modelAsked is a configured model and a function that asks it a tiny question.
type modelAsked struct {
	variable, name string
	ask            func(context.Context) error
}

// checkModels asks each configured model a tiny question.
func (a *app) checkModels(ctx context.Context, where database) ([]checkJSON, error) {
	main, small, err := a.config.llms()
	if err != nil {
		return nil, err
	}
	var asked []modelAsked
	add := func(variable, name string, ask func(context.Context) error) {
		asked = append(asked, modelAsked{variable, name, ask})
	}
	failed := func(err error) func(context.Context) error { return func(context.Context) error { return err } }
	for i, llm := range []*model.LLM{main, small} {
		if llm != nil {
			add([]string{"ANNALS_LLM", "ANNALS_SMALL_LLM"}[i], llm.Name(), func(ctx context.Context) error {
				_, err := model.Ask[pong](ctx, llm, model.Question{Name: "doctor", Version: 1, System: "Answer as you are told.", User: `Say that you are there: ready is true.`}, nil)
				return err
			})
		}
	}
	if embedder, _, err := a.embedder(ctx, where); err != nil {
		add("ANNALS_EMBEDDER", a.config.Embedder, failed(err))
	} else if embedder != nil {
		add("ANNALS_EMBEDDER", embedder.Name(), func(ctx context.Context) error {
			_, err := embedder.Embed(ctx, []string{"annals"})
			return err
		})
	}
	if reranker, err := a.config.reranker(ctx, main); err != nil {
		add("ANNALS_RERANKER", a.config.Reranker, failed(err))
	} else if reranker != nil {
		add("ANNALS_RERANKER", reranker.Name(), func(ctx context.Context) error {
			_, err := reranker.Rerank(ctx, "annals", []string{"annals"})
			return err
		})
	}
	return append([]checkJSON{a.config.judgeRuntime()}, askModels(ctx, asked)...), nil
}

// askModels asks all models at once. Each has the timeout and the retries of normal use,
// ANNALS_LLM_TIMEOUT for each try: a slow model is not a broken one.
func askModels(ctx context.Context, asked []modelAsked) []checkJSON {
	checks := make([]checkJSON, len(asked))
	var asking sync.WaitGroup
	for i, m := range asked {
		asking.Go(func() { checks[i] = judgeModel(m.variable, m.name, m.ask(ctx)) })
	}
	asking.Wait()
	return checks
}

// pong is the answer to the tiny question.
type pong struct {
	Ready bool `json:"ready"`
}

func judgeModel(variable, name string, err error) checkJSON {
	check := judge("model "+name, err != nil, checkBroken, "answers", "mend what "+variable+" and its settings say, or see to the model's server")
	if err != nil {
		check.Found = "does not answer: " + strings.Join(strings.Fields(err.Error()), " ")
	}
	return check
}

// broken returns the names of the failed checks.
func broken(checks []checkJSON) []string {
	var names []string
	for _, c := range checks {
		if c.State == checkBroken {
			names = append(names, c.Name)
		}
	}
	return names
}

// checkStructure checks the schema before a client is opened, and repairs it if fix is set. It does
// nothing for tenants, who may not see the schema. whole reports whether a client can be opened.
func (d *doctorJSON) checkStructure(ctx context.Context, tenant string, fix bool) (whole bool, err error) {
	if tenant != "" {
		return true, nil
	}
	if err := d.countMigrations(ctx); err != nil || d.MigrationsPending > 0 { // migrations come first
		return true, err
	}
	if fix {
		d.fixed(migrations.Mend(ctx, d.DatabaseURL))
	}
	found, err := migrations.Inspect(ctx, d.DatabaseURL)
	d.Checks = append(d.Checks, judgeStructure(found)...)
	return found.Whole(), err
}

// fixed records what was repaired, and the error of the rest.
func (d *doctorJSON) fixed(done []string, err error) {
	d.Fixed = append(d.Fixed, done...)
	if err != nil {
		d.Checks = append(d.Checks, checkJSON{
			Name: "fix", State: checkBroken, Found: strings.Join(strings.Fields(err.Error()), " "), Do: "see to that, and run 'annals doctor --fix' again",
		})
	}
}

// restored is the name of checks for what a restore leaves out.
const restored = "restore"

// judgeStructure makes checks of what a restore left out of the schema.
func judgeStructure(s migrations.Structure) []checkJSON {
	var checks []checkJSON
	broken := func(name, found, do string) { checks = append(checks, checkJSON{name, checkBroken, found, do}) }
	if len(s.Extensions) > 0 {
		broken("extensions", "missing: "+strings.Join(s.Extensions, ", "),
			"as an administrator: CREATE EXTENSION "+strings.Join(s.Extensions, "; CREATE EXTENSION "))
	}
	if n := len(s.Missing); n > 0 {
		broken(restored, fmt.Sprintf("missing: %s of the schema: %s", each.Count(n, "object"), listed(s.Missing, "")),
			"it was not restored whole: drop the schemas annals and annals_internal, and restore them into a database that has the extensions, as docs/deploy.md says")
		return checks
	}
	if s.NoQueue {
		broken(restored, "the queue is missing, from which workers take what they have to do", fixIt)
	}
	if s.HiddenBy != "" {
		broken("owner", "the tables belong to "+s.HiddenBy+", and all their rows are hidden from this user", "connect as "+s.HiddenBy+", or have an administrator GRANT "+s.HiddenBy+" to this user")
	}
	return append(checks, judgeTenants(s))
}

func judgeTenants(s migrations.Structure) checkJSON {
	const name = "row security"
	switch {
	case len(s.Unprotected) > 0:
		return checkJSON{name, checkBroken, "not as it should be on " + listed(s.Unprotected, ""), fixIt + ", as the owner of the tables"}
	case len(s.Open) > 0:
		return checkJSON{name, checkBroken, "anybody may call what runs as the owner: " + listed(s.Open, ""), fixIt + ", as the owner of the tables"}
	case len(s.Unread) > 0:
		return checkJSON{name, checkBroken, "tenants cannot read " + listed(s.Unread, ""), fixIt + ", as the owner of the tables"}
	case s.NoTenantRole:
		return checkJSON{
			name, checkWarning, "there is no role annals_tenant, or this user may not act as it: the database cannot tell tenants apart",
			"as an administrator: CREATE ROLE annals_tenant NOLOGIN NOINHERIT; GRANT annals_tenant TO this user; then " + fixIt,
		}
	}
	return checkJSON{Name: name, State: checkFine, Found: "every table is guarded"}
}

// refuseParts returns an error if a restore left out parts of a fully migrated schema: migrating
// again would not restore them.
func refuseParts(ctx context.Context, url string) error {
	pending, err := migrations.Pending(ctx, url)
	if err != nil || len(pending) > 0 {
		return err
	}
	found, err := migrations.Inspect(ctx, url)
	if err != nil || len(found.Missing) == 0 && !found.NoQueue {
		return err
	}
	checks := judgeStructure(found)
	check := checks[slices.IndexFunc(checks, func(c checkJSON) bool { return c.Name == restored })]
	return &graph.Error{Code: graph.CodeConflict, Field: "database", Message: check.Found + "; " + check.Do}
}
