package pgtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/internal/postgres"
	"github.com/annalsdb/annals/migrations"
)

const standbyPort = "5433" // part of the socket's name

// cluster is a cluster that a test runs with PostgreSQL's own programs.
type cluster struct {
	testing.TB
	bin  string
	data string
	user *syscall.Credential
}

// Standby is a cluster of a test with a hot standby that streams from it.
type Standby struct {
	cluster                 // the replica
	Primary, Replica string // URLs
	running          bool
}

// NewStandby starts a migrated primary and its replica. Both are removed when
// the test ends.
func NewStandby(t testing.TB) *Standby {
	t.Helper()
	dir := openTemp(t, "standby")
	primary, err := postgres.Start(t.Context(), postgres.Config{DataDir: filepath.Join(dir, "primary"), Memory: clusterMemory})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = primary.Stop(context.Background()) })
	if _, err := migrations.Up(t.Context(), primary.URL(), migrations.Options{}); err != nil {
		t.Fatal(err)
	}
	s := copyOf(t, primary.URL(), dir, "--write-recovery-conf")
	s.Start()
	t.Cleanup(s.Stop)
	return s
}

// BaseBackup takes a physical backup of an embedded cluster, starts it as a
// cluster of its own, and returns its URL.
func BaseBackup(t testing.TB, databaseURL string) string {
	t.Helper()
	s := copyOf(t, databaseURL, openTemp(t, "backup"))
	s.Start()
	t.Cleanup(s.Stop)
	return s.Replica
}

// copyOf makes a physical copy of an embedded cluster in a directory.
func copyOf(t testing.TB, primary, dir string, options ...string) *Standby {
	t.Helper()
	s := &Standby{Primary: primary, cluster: cluster{TB: t, data: filepath.Join(dir, "replica")}}
	in, err := postgres.Find(s.Context(), "", 0)
	if err != nil {
		s.Fatal(err)
	}
	s.bin = in.BinDir
	sockets := filepath.Join(dir, "run")
	if err := os.Mkdir(sockets, 0o700); err != nil {
		s.Fatal(err)
	}
	s.user = unprivileged(t, dir, sockets)
	s.command("pg_basebackup", append([]string{"--dbname", s.Primary, "--pgdata", s.data, "--checkpoint", "fast", "--wal-method", "stream"}, options...)...)
	running := fmt.Sprintf("unix_socket_directories = '%s'\nport = %s\nlisten_addresses = ''\n", sockets, standbyPort)
	if err := os.WriteFile(filepath.Join(s.data, "running.conf"), []byte(running), 0o644); err != nil {
		s.Fatal(err)
	}
	u, err := url.Parse(s.Primary)
	if err != nil {
		s.Fatal(err)
	}
	u.RawQuery = url.Values{"host": {sockets}, "port": {standbyPort}}.Encode()
	s.Replica = u.String()
	return s
}

// Start starts the replica and waits until it answers.
func (s *Standby) Start() {
	s.Helper()
	s.command("pg_ctl", "start", "--wait", "--silent", "--pgdata", s.data, "--log", s.data+".log")
	s.running = true
}

// Stop stops the replica and ends its sessions.
func (s *Standby) Stop() {
	s.Helper()
	if s.running {
		s.running = false
		s.command("pg_ctl", "stop", "--wait", "--silent", "--mode", "fast", "--pgdata", s.data)
	}
}

// Tell executes a statement on the replica.
func (s *Standby) Tell(sql string) {
	s.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.Replica)
	if err != nil {
		s.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, sql); err != nil {
		s.Fatal(err)
	}
}

func (c *cluster) command(program string, args ...string) {
	c.Helper()
	cmd := exec.Command(filepath.Join(c.bin, program), args...)
	cmd.Dir = "/"
	if c.user != nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.user}
	}
	log, err := os.CreateTemp("", "cluster") // a file: a server keeps its inherited output open, so a pipe would never end
	if err != nil {
		c.Fatal(err)
	}
	defer func() { _, _ = log.Close(), os.Remove(log.Name()) }()
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Run(); err != nil {
		said, _ := os.ReadFile(log.Name())
		c.Fatalf("%s %s: %v: %s", program, strconv.Quote(strings.Join(args, " ")), err, said)
	}
}
