package torture

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/postgres"
	"github.com/annalsdb/annals/internal/program"
	"github.com/annalsdb/annals/migrations"
	"github.com/annalsdb/annals/prompts"
)

// storm is a disturbance that is not tied to a statement.
type storm struct {
	name  string
	share int // rounds of a thousand points
	rage  func(t *testing.T, rounds int) *tally
}

var storms = []storm{
	{"server killed", 10, serverKilled},
	{"disk full", 3, diskFull},
	{"program killed", 10, programKilled},
	{"no connections left", 10, connectionsGone},
	{"lock time-outs", 6, lockTimeouts},
	{"clock set back", 6, clockSetBack},
	{"model fails", 20, modelFails},
	{"16 writers", 1, writers},
}

// rounds repeats a function.
func rounds(name string, n int, try func(i int) outcome) *tally {
	sum := &tally{name: name, points: n, began: time.Now()}
	for i := range n {
		sum.add(try(i))
	}
	sum.took = time.Since(sum.began)
	return sum
}

// ingesting is the operation ingest on an empty memory of a server, with its
// expected result.
func ingesting(t *testing.T, databaseURL string) (o *operation, want []string, statements int) {
	t.Helper()
	o = &operation{name: "ingest", base: newBase(t, databaseURL), do: ingest, lost: lostEpisodes, portrait: portrait, open: counted}
	want, statements = o.undisturbed(t)
	return o, want, statements
}

// ownServer starts a private server in a directory.
func ownServer(t *testing.T, dir string) *postgres.Cluster {
	t.Helper()
	cluster, err := postgres.Start(t.Context(), postgres.Config{DataDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cluster.Stop(context.Background()) })
	if _, err := migrations.Up(t.Context(), cluster.URL(), migrations.Options{}); err != nil {
		t.Fatal(err)
	}
	return cluster
}

func ownDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "torture")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// serverKilled kills the server with SIGKILL while it reads, and restarts it.
func serverKilled(t *testing.T, n int) *tally {
	dir := filepath.Join(ownDir(t), "cluster")
	cluster := ownServer(t, dir)
	o, want, statements := ingesting(t, cluster.URL())
	return rounds("server killed", n, func(i int) (p outcome) {
		databaseURL, drop := o.base.copy()
		defer drop()
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		w := pgtest.NewWire(t, databaseURL)
		w.HarmAfter((i*2+1)*statements/(2*n), pgtest.Before)
		r := &run{url: w.URL}
		killed := make(chan error, 1)
		go func() {
			<-w.Fired
			killed <- killServer(cluster)
		}()
		_ = o.do(ctx, r)
		if p.harmed = w.Done(); p.harmed {
			if err := <-killed; err != nil {
				t.Fatal(err)
			}
			if _, err := postgres.Start(ctx, postgres.Config{DataDir: dir}); err != nil {
				t.Fatal(err)
			}
		}
		o.judge(ctx, t, r, databaseURL, fmt.Sprintf("server killed, round %d", i), want, &p)
		return p
	})
}

func killServer(cluster *postgres.Cluster) error {
	text, err := os.ReadFile(filepath.Join(cluster.Dir, "pgdata", "postmaster.pid"))
	if err != nil {
		return err
	}
	pid, err := strconv.Atoi(strings.SplitN(string(text), "\n", 2)[0])
	if err != nil {
		return err
	}
	return syscall.Kill(pid, syscall.SIGKILL)
}

// diskFull fills the server's disk while it reads, and frees it.
func diskFull(t *testing.T, n int) *tally {
	dir := ownDir(t)
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=400m"); err != nil {
		t.Logf("disk full: left out, as this user may not mount a small file system: %v", err)
		return &tally{name: "disk full (left out)"}
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(dir, "cluster")
	o, want, _ := ingesting(t, ownServer(t, data).URL())
	return rounds("disk full", n, func(i int) (p outcome) {
		databaseURL, drop := o.base.copy()
		defer drop()
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		ballast, free := filepath.Join(dir, "ballast"), int64(i%4)*64<<10
		if err := fill(ballast, dir, free); err != nil {
			t.Fatal(err)
		}
		r := &run{url: databaseURL}
		p.harmed = o.do(ctx, r) != nil
		if err := os.Remove(ballast); err != nil {
			t.Fatal(err)
		}
		if _, err := postgres.Start(ctx, postgres.Config{DataDir: data}); err != nil { // it may have given up
			t.Fatal(err)
		}
		o.judge(ctx, t, r, databaseURL, fmt.Sprintf("disk full, %d kB left", free>>10), want, &p)
		return p
	})
}

// fill leaves a number of bytes of a file system free. If the server writes
// meanwhile, it counts again.
func fill(file, dir string, free int64) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	for range 100 {
		var stat syscall.Statfs_t
		if err = syscall.Statfs(dir, &stat); err != nil {
			break
		}
		err = syscall.Fallocate(int(f.Fd()), 0, 0, max(1, int64(stat.Bavail)*stat.Bsize-free))
		if !errors.Is(err, syscall.ENOSPC) {
			break
		}
	}
	return errors.Join(err, f.Close())
}

// programKilled kills the real program with SIGKILL while it adds and reads.
func programKilled(t *testing.T, n int) *tally {
	binary := program.Annals(t)
	file := filepath.Join(t.TempDir(), "talk.jsonl")
	var lines strings.Builder
	for _, e := range conversation() {
		fmt.Fprintf(&lines, `{"content": %q, "actor": %q, "thread_id": "talk", "external_id": %q, "occurred_at": %q}`+"\n",
			e.Content, e.Actor, e.ExternalID, e.OccurredAt.Format(time.RFC3339))
	}
	if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	add := func(ctx context.Context, r *run) error {
		cmd := exec.CommandContext(ctx, binary, "add", "-g", "t", "--file", file)
		cmd.Env = []string{"ANNALS_DATABASE_URL=" + r.url, "HOME=" + t.TempDir()}
		out, err := cmd.CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		return nil
	}
	o := &operation{name: "annals add", base: newBase(t, pgtest.New(t)), do: add, lost: lostEpisodes, portrait: portrait, open: counted}
	want, statements := o.undisturbed(t)
	return rounds("program killed", n, func(i int) (p outcome) {
		databaseURL, drop := o.base.copy()
		defer drop()
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		w := pgtest.NewWire(t, databaseURL)
		w.HarmAfter((i*2+1)*statements/(2*n), pgtest.During)
		dying, kill := context.WithCancel(ctx) // which kills the program
		go func() {
			select {
			case <-w.Fired:
				kill()
			case <-dying.Done():
			}
		}()
		_ = o.do(dying, &run{url: w.URL})
		kill()
		p.harmed = w.Done()
		w.Die()
		settle(t, databaseURL)
		o.judge(ctx, t, &run{}, databaseURL, fmt.Sprintf("program killed, round %d", i), want, &p)
		return p
	})
}

// connectionsGone limits the server to a few connections.
func connectionsGone(t *testing.T, n int) *tally {
	o, want, _ := ingesting(t, pgtest.New(t))
	return rounds("no connections left", n, func(i int) (p outcome) {
		databaseURL, drop := o.base.copy()
		defer drop()
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		w, most := pgtest.NewWire(t, databaseURL), 1+i%3
		w.Allow(most)
		r := &run{url: w.URL}
		short, stop := context.WithTimeout(ctx, 20*time.Second)
		_ = o.do(short, r)
		stop()
		p.harmed = w.Refused() > 0
		w.Die()
		settle(t, databaseURL)
		o.judge(ctx, t, r, databaseURL, fmt.Sprintf("%d connections at the most", most), want, &p)
		return p
	})
}

// lockTimeouts locks tables while a program with a lock_timeout reads.
func lockTimeouts(t *testing.T, n int) *tally {
	o, want, _ := ingesting(t, pgtest.New(t))
	return rounds("lock time-outs", n, func(i int) (p outcome) {
		databaseURL, drop := o.base.copy()
		defer drop()
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		table := []string{"annals.facts", "annals.episodes", "annals.entities", "annals.groups", "annals.mentions", "annals_internal.postings"}[i%6]
		holding, let := context.WithCancel(ctx)
		held := make(chan error, 1)
		go func() { held <- hold(holding, databaseURL, table) }()
		u, _ := url.Parse(databaseURL)
		query := u.Query()
		query.Set("options", "-c lock_timeout=5ms")
		u.RawQuery = query.Encode()
		r := &run{url: u.String()}
		for try := 0; try < 5 && !p.harmed; try++ {
			p.harmed = o.do(ctx, r) != nil
		}
		let()
		if err := <-held; err != nil {
			t.Fatal(err)
		}
		settle(t, databaseURL)
		o.judge(ctx, t, r, databaseURL, "lock time-outs on "+table, want, &p)
		return p
	})
}

// hold locks a table from time to time.
func hold(ctx context.Context, databaseURL, table string) error {
	conn, err := pgx.Connect(context.WithoutCancel(ctx), databaseURL)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	for ctx.Err() == nil {
		if _, err := conn.Exec(context.WithoutCancel(ctx), "BEGIN; LOCK TABLE "+table+"; SELECT pg_sleep(0.03); COMMIT"); err != nil {
			return err
		}
		time.Sleep(5 * time.Millisecond)
	}
	return nil
}

// clockSetBack runs every operation in a memory that is an hour ahead of the clock,
// as if the server's clock had been set back.
func clockSetBack(t *testing.T, n int) *tally {
	var lived []*operation
	for _, o := range operations(t) {
		if o.name == "undo" || o.name == "erase" {
			lived = append(lived, o)
		}
	}
	want := map[string][]string{}
	return rounds("clock set back", n, func(i int) (p outcome) {
		o := lived[i%len(lived)]
		if want[o.name] == nil {
			want[o.name], _ = o.undisturbed(t)
		}
		databaseURL, drop := o.base.copy()
		defer drop()
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		if err := ahead(ctx, databaseURL); err != nil {
			t.Fatal(err)
		}
		p.harmed = true
		r := &run{url: databaseURL}
		if err := o.do(ctx, r); err != nil {
			p.undone = append(p.undone, fmt.Sprintf("%s after the clock was set back: %v", o.name, err))
			return p
		}
		settle(t, databaseURL)
		o.judge(ctx, t, r, databaseURL, o.name+" after the clock was set back", want[o.name], &p)
		return p
	})
}

// ahead moves all recorded times an hour ahead.
func ahead(ctx context.Context, databaseURL string) error {
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, `SET session_replication_role = replica;
		UPDATE annals.groups SET written_at = written_at + interval '1 hour';
		UPDATE annals.episodes SET created_at = created_at + interval '1 hour', processed_at = processed_at + interval '1 hour';
		UPDATE annals.entities SET created_at = created_at + interval '1 hour', recorded = tstzrange(lower(recorded) + interval '1 hour', NULL);
		UPDATE annals.facts SET created_at = created_at + interval '1 hour', recorded = tstzrange(lower(recorded) + interval '1 hour', NULL);
		UPDATE annals.communities SET created_at = created_at + interval '1 hour', recorded = tstzrange(lower(recorded) + interval '1 hour', NULL);
		UPDATE annals_internal.entities_history SET recorded = tstzrange(lower(recorded) + interval '1 hour', upper(recorded) + interval '1 hour');
		UPDATE annals_internal.facts_history SET recorded = tstzrange(lower(recorded) + interval '1 hour', upper(recorded) + interval '1 hour');
		UPDATE annals_internal.communities_history SET recorded = tstzrange(lower(recorded) + interval '1 hour', upper(recorded) + interval '1 hour')`)
	return err
}

// moody answers like the rules, but fails or delays one question.
type moody struct {
	*offline.Analyst
	left int
	slow bool
}

var errMoody = errors.New("the model is out of order")

func (m *moody) answer(ctx context.Context) error {
	if m.left--; m.left != 0 {
		return nil
	}
	if m.slow {
		<-ctx.Done()
		return ctx.Err()
	}
	return errMoody
}

func (m *moody) ExtractEntities(ctx context.Context, q prompts.ExtractEntities) (prompts.ExtractedEntities, error) {
	if err := m.answer(ctx); err != nil {
		return prompts.ExtractedEntities{}, err
	}
	return m.Analyst.ExtractEntities(ctx, q)
}

func (m *moody) ExtractFacts(ctx context.Context, q prompts.ExtractFacts) (prompts.ExtractedFacts, error) {
	if err := m.answer(ctx); err != nil {
		return prompts.ExtractedFacts{}, err
	}
	return m.Analyst.ExtractFacts(ctx, q)
}

func (m *moody) ResolveFacts(ctx context.Context, q prompts.ResolveFacts) (prompts.ResolvedFacts, error) {
	if err := m.answer(ctx); err != nil {
		return prompts.ResolvedFacts{}, err
	}
	return m.Analyst.ResolveFacts(ctx, q)
}

// modelFails makes the model fail, or time out, at one question. The failed episode
// is read again after the rest, so that the graph may differ. Nothing may be lost
// or broken, and everything must be read.
func modelFails(t *testing.T, n int) *tally {
	o, _, _ := ingesting(t, pgtest.New(t))
	return rounds("model fails", n, func(i int) (p outcome) {
		databaseURL, drop := o.base.copy()
		defer drop()
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		r := &run{url: databaseURL}
		mood := &moody{Analyst: offline.New(), left: 1 + i/2, slow: i%2 == 1}
		short, stop := context.WithTimeout(ctx, 3*time.Second)
		err := with(short, annals.Config{DatabaseURL: databaseURL, Analyst: mood}, func(c *annals.Client) error { return o.feed(short, c, r) })
		stop()
		p.harmed = mood.left <= 0
		where := fmt.Sprintf("model fails at question %d (%v)", 1+i/2, err)
		err = with(ctx, annals.Config{DatabaseURL: databaseURL}, func(c *annals.Client) error {
			if _, err := c.Retry(ctx, "t"); err != nil {
				return err
			}
			return o.feed(ctx, c, &run{})
		})
		if err != nil {
			p.undone = append(p.undone, where+": "+err.Error())
		}
		lost, err := o.lost(ctx, r, databaseURL)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range append(lost, o.brokenIn(ctx, databaseURL)...) {
			p.broken = append(p.broken, where+": "+line)
		}
		lines, err := portraitOf(ctx, databaseURL, `SELECT 'not read: ' || external_id FROM annals.episodes WHERE state <> 'done'`)
		if err != nil {
			t.Fatal(err)
		}
		p.undone = append(p.undone, lines...)
		return p
	})
}

// feed adds the conversation and reads it.
func (o *operation) feed(ctx context.Context, c *annals.Client, r *run) error {
	for _, e := range conversation() {
		if _, err := c.Add(ctx, e); err != nil {
			return err
		}
		r.ack(e.ExternalID)
	}
	return c.Process(ctx, "t", nil)
}
