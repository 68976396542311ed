package postgres_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/postgres"
	"github.com/annalsdb/annals/internal/slow"
)

// newConfig returns a cluster in a directory of its own, stopped when the test
// ends.
func newConfig(t *testing.T, elements ...string) postgres.Config {
	t.Helper()
	dir, err := os.MkdirTemp("", "annals-postgres-")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	config := postgres.Config{DataDir: filepath.Join(append([]string{dir}, elements...)...)}
	t.Cleanup(func() {
		if err := postgres.Stop(context.Background(), config); err != nil {
			t.Error(err)
		}
		_ = os.RemoveAll(dir)
	})
	return config
}

func start(t *testing.T, config postgres.Config) *postgres.Cluster {
	t.Helper()
	cluster, err := postgres.Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	return cluster
}

func query(t *testing.T, cluster *postgres.Cluster, sql string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), cluster.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	var answer string
	if err := conn.QueryRow(t.Context(), sql).Scan(&answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

func execute(t *testing.T, url string, statements ...string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	for _, sql := range statements {
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
}

func postmaster(t *testing.T, cluster *postgres.Cluster) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(cluster.Dir, "pgdata", "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.SplitN(string(text), "\n", 2)[0])
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

func TestStartReuseStop(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	config := newConfig(t, "a folder with 'quotes'", "annals")
	first := start(t, config)
	second := start(t, config)
	if !first.Started || second.Started || first.URL() != second.URL() {
		t.Errorf("started %v then %v", first.Started, second.Started)
	}
	for setting, want := range map[string]string{
		"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on", "listen_addresses": "",
		"data_checksums": "on", "server_encoding": "UTF8",
	} {
		if got := query(t, first, "SELECT current_setting('"+setting+"')"); got != want {
			t.Errorf("%s = %q, want %q", setting, got, want)
		}
	}
	for _, dir := range []string{first.Dir, filepath.Join(first.Dir, "pgdata")} {
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s has mode %v, %v; want 0700", dir, info.Mode(), err)
		}
	}
	for range 2 {
		if err := first.Stop(t.Context()); err != nil {
			t.Errorf("Stop: %v", err)
		}
	}
	if _, err := pgx.Connect(t.Context(), first.URL()); err == nil {
		t.Error("the server still answers after Stop")
	}
}

func TestPsqlTakesTheURL(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	cluster := start(t, newConfig(t, "annals"))
	const who = "SELECT current_user, current_database(), current_schemas(false)"
	out, err := exec.CommandContext(t.Context(), "psql", cluster.URL(), "-Atc", who).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "app|app|{public}" {
		t.Errorf("psql says %q, %v", out, err)
	}
}

// A cluster from before 0.1.0, whose role and database were named like the
// schema, is refused with a one-line error, running or not, and left unchanged.
func TestAClusterOfBefore(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	config := newConfig(t, "annals")
	cluster := start(t, config)
	execute(t, strings.Replace(cluster.URL(), "@/app", "@/postgres", 1),
		"CREATE ROLE annals SUPERUSER LOGIN", "CREATE DATABASE annals OWNER annals", "DROP DATABASE app")
	execute(t, strings.Replace(cluster.URL(), "app@/app", "annals@/annals", 1), "ALTER ROLE app RENAME TO other")
	for _, state := range []string{"running", "stopped"} {
		_, err := postgres.Start(t.Context(), config)
		if graph.CodeOf(err) != graph.CodeConflict || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "annals export") {
			t.Errorf("%s: %v; want one line that says how to move", state, err)
		}
		_, err = os.Stat(filepath.Join(cluster.Dir, "pgdata", "postmaster.pid"))
		if (err == nil) != (state == "running") {
			t.Errorf("%s: it was not left as it was: %v", state, err)
		}
		if err := postgres.Stop(t.Context(), config); err != nil { // as 'annals down' does
			t.Fatal(err)
		}
	}
}

func TestConcurrentStarts(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	config := newConfig(t, "annals")
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if _, err := postgres.Start(t.Context(), config); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestACrashLosesNothing(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	config := newConfig(t, "annals")
	cluster := start(t, config)
	query(t, cluster, "WITH made AS (SELECT pg_current_wal_lsn()) SELECT 'x' FROM made")
	conn, err := pgx.Connect(t.Context(), cluster.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), "CREATE TABLE kept AS SELECT 'still here' AS words"); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(postmaster(t, cluster), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if got := query(t, start(t, config), "SELECT words FROM kept"); got != "still here" {
		t.Errorf("after the crash: %q", got)
	}
}

// After a reboot the pid in the file may belong to any other program.
func TestStalePIDOfAnotherProgram(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	config := newConfig(t, "annals")
	cluster := start(t, config)
	if err := cluster.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	stale := strconv.Itoa(os.Getpid()) + "\n" + filepath.Join(cluster.Dir, "pgdata") + "\n1700000000\n5432\n"
	path := filepath.Join(cluster.Dir, "pgdata", "postmaster.pid")
	if err := os.WriteFile(path, []byte(stale), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := start(t, config); !got.Started {
		t.Error("the other program was taken for the server")
	}
}

func TestACrashDuringInitLeavesNoHalfCluster(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	config := newConfig(t, "annals")
	if err := os.MkdirAll(filepath.Join(config.DataDir, "pgdata.new", "base"), 0o700); err != nil {
		t.Fatal(err)
	}
	start(t, config)
}

func TestALongPath(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	cluster := start(t, newConfig(t, strings.Repeat("long", 30), "annals"))
	query(t, cluster, "SELECT 'x'")
}

func TestTCPOnlyWhenAsked(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	config := newConfig(t, "annals")
	config.Listen = "127.0.0.1:54391"
	cluster := start(t, config)
	if _, err := pgx.Connect(t.Context(), strings.Replace(cluster.ListenURL(), "app@", "app:wrong@", 1)); err == nil {
		t.Error("TCP takes a wrong password")
	}
	password, err := os.ReadFile(cluster.PasswordFile())
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), strings.Replace(cluster.ListenURL(), "app@", "app:"+strings.TrimSpace(string(password))+"@", 1))
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.Close(t.Context())
	config.Listen = "127.0.0.1:54392"
	if _, err := postgres.Start(t.Context(), config); graph.CodeOf(err) != graph.CodeUnavailable {
		t.Errorf("Start on another port: %v; want to be told to stop it first", err)
	}
}

func TestRootBecomesAnotherUser(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root drops its rights")
	}
	closed, err := os.MkdirTemp("", "annals-closed-")
	if err != nil {
		t.Fatal(err)
	}
	config := postgres.Config{DataDir: filepath.Join(closed, "annals")}
	cluster := start(t, config)
	t.Cleanup(func() {
		_ = cluster.Stop(context.Background())
		_ = os.RemoveAll(cluster.Dir)
		_ = os.RemoveAll(closed)
	})
	if strings.HasPrefix(cluster.Dir, closed) {
		t.Errorf("the cluster is in %s, which its server's user cannot reach", cluster.Dir)
	}
	info, err := os.Stat(filepath.Join("/proc", strconv.Itoa(postmaster(t, cluster))))
	if err != nil {
		t.Fatal(err)
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); !ok || stat.Uid == 0 {
		t.Error("the server runs as root")
	}
}

func TestWhatIsMissingIsNamed(t *testing.T) {
	t.Parallel()
	fake := func(version string) string {
		dir := t.TempDir()
		for name, script := range map[string]string{
			"initdb": "exit 1", "pg_ctl": "exit 1", "postgres": "echo 'postgres (PostgreSQL) " + version + "'",
			"pg_config": "echo " + dir,
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	for _, tt := range []struct{ name, binDir, want string }{
		{"no binaries", t.TempDir(), "found no PostgreSQL server binaries"},
		{"too old", fake("14.2"), "is version 14"},
		{"no pgvector", fake("16.1"), "lacks the extension pgvector"},
	} {
		_, err := postgres.Start(t.Context(), postgres.Config{BinDir: tt.binDir, DataDir: newConfig(t, "annals").DataDir})
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") ||
			graph.CodeOf(err) != graph.CodeUnavailable {
			t.Errorf("%s: %v; want %q on one line", tt.name, err, tt.want)
		}
	}
}

func TestAClusterOfAnotherVersion(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	config := newConfig(t, "annals")
	cluster := start(t, config)
	if err := cluster.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(cluster.Dir, "pgdata", "PG_VERSION"), []byte("12\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := postgres.Start(t.Context(), config)
	if err == nil || !strings.Contains(err.Error(), "PostgreSQL 12, which the data directory was made by") {
		t.Errorf("Start = %v", err)
	}
}

// The program also compiles for systems without a private server.
func TestItBuildsForEverySystem(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	for _, system := range []string{"windows", "darwin"} {
		build := exec.CommandContext(t.Context(), "go", "build", "-o", os.DevNull, ".")
		build.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		if said, err := build.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", system, err, said)
		}
	}
}
