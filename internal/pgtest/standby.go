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

	"github.com/annalsdb/annals/migrations"
	"github.com/annalsdb/annals/postgres"
)

const standbyPort = "5433" // names the socket

// Standby is a cluster of a test's own and one that streams from it, hot.
type Standby struct {
	testing.TB
	Primary, Replica string // URLs

	bin     string
	data    string // of the replica
	user    *syscall.Credential
	running bool
}

// NewStandby starts a migrated primary and a replica of it, which are gone when
// the test ends.
func NewStandby(t testing.TB) *Standby {
	t.Helper()
	dir, err := os.MkdirTemp("", "standby")
	if err != nil {
		t.Fatal(err)
	}
	config := postgres.Config{DataDir: filepath.Join(dir, "primary")}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	cluster, err := postgres.Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cluster.Stop(context.Background()) })
	if _, err := migrations.Up(t.Context(), cluster.URL(), migrations.Options{}); err != nil {
		t.Fatal(err)
	}
	s := &Standby{Primary: cluster.URL(), TB: t, data: filepath.Join(dir, "replica")}
	s.copy(dir, cluster.Dir)
	s.Start()
	t.Cleanup(s.Stop)
	return s
}

// copy makes the replica's cluster of the primary.
func (s *Standby) copy(dir, primary string) {
	s.Helper()
	in, err := postgres.Find(s.Context(), "", 0)
	if err != nil {
		s.Fatal(err)
	}
	s.bin = in.BinDir
	sockets := filepath.Join(dir, "run")
	if err := os.Mkdir(sockets, 0o700); err != nil {
		s.Fatal(err)
	}
	if os.Getuid() == 0 { // as which it refuses to run
		info, err := os.Stat(primary)
		if err != nil {
			s.Fatal(err)
		}
		owner := info.Sys().(*syscall.Stat_t)
		s.user = &syscall.Credential{Uid: owner.Uid, Gid: owner.Gid}
		for _, path := range []string{dir, sockets} {
			if err := os.Chown(path, int(owner.Uid), int(owner.Gid)); err != nil {
				s.Fatal(err)
			}
		}
	}
	s.command("pg_basebackup", "--dbname", s.Primary, "--pgdata", s.data, "--write-recovery-conf", "--checkpoint", "fast", "--wal-method", "stream")
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
}

// Start starts the replica and waits until it answers.
func (s *Standby) Start() {
	s.Helper()
	s.command("pg_ctl", "start", "--wait", "--silent", "--pgdata", s.data, "--log", s.data+".log")
	s.running = true
}

// Stop stops the replica; its sessions are ended.
func (s *Standby) Stop() {
	s.Helper()
	if s.running {
		s.running = false
		s.command("pg_ctl", "stop", "--wait", "--silent", "--mode", "fast", "--pgdata", s.data)
	}
}

// Tell has the replica execute a statement.
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

func (s *Standby) command(program string, args ...string) {
	s.Helper()
	cmd := exec.Command(filepath.Join(s.bin, program), args...)
	cmd.Dir = "/"
	if s.user != nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.user}
	}
	log, err := os.CreateTemp("", "standby") // a server keeps what it inherits: a pipe would never end
	if err != nil {
		s.Fatal(err)
	}
	defer func() { _, _ = log.Close(), os.Remove(log.Name()) }()
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Run(); err != nil {
		said, _ := os.ReadFile(log.Name())
		s.Fatalf("%s %s: %v: %s", program, strconv.Quote(strings.Join(args, " ")), err, said)
	}
}
