package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/gofrs/flock"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals/graph"
)

const (
	startTimeout = 60 * time.Second // includes the recovery after a crash
	retryPause   = 200 * time.Millisecond
	stopTimeout  = "30" // seconds
)

// Cluster is a running private PostgreSQL.
type Cluster struct {
	// Dir is the directory of the cluster.
	Dir string

	// Started reports whether this Start started it; false: it was already running.
	Started bool

	port   string
	run    string
	config Config
}

// URL returns the URL of the database, for pgx and psql, as the role that owns everything in the
// cluster. Both are called app, and their search path begins with the schema public.
func (c *Cluster) URL() string { return socketURL(database, c.run, c.port) }

// ListenURL returns the URL of the database over TCP, without the password, which is in
// PasswordFile. It is empty without [Config].Listen.
func (c *Cluster) ListenURL() string {
	if c.config.Listen == "" {
		return ""
	}
	return "postgres://" + database + "@" + c.config.Listen + "/" + database
}

// PasswordFile returns the path of the file with the password for TCP.
func (c *Cluster) PasswordFile() string { return filepath.Join(c.Dir, passwordFile) }

// Stop stops the server, as [Stop] does.
func (c *Cluster) Stop(ctx context.Context) error { return Stop(ctx, c.config) }

// Start returns the running cluster. It creates it and starts it if necessary. Several processes
// may call it at once. The server outlives the process that started it; see [Stop].
func Start(ctx context.Context, config Config) (*Cluster, error) {
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	o, l, err := prepare(config)
	if err != nil {
		return nil, err
	}
	lock := flock.New(l.lock)
	if err := lock.Lock(); err != nil {
		return nil, fmt.Errorf("lock %s: %w", l.lock, err)
	}
	defer func() { _ = lock.Unlock() }()
	cluster := &Cluster{Dir: l.root, run: l.run, config: config}
	cluster.port, err = running(ctx, l)
	var pg *pgconn.PgError
	switch {
	case err == nil:
		return cluster, checkListen(config, l, cluster.port)
	case former(ctx, l, cluster.port, err):
		return nil, l.refuseFormer()
	case errors.As(err, &pg) && pg.Code == "3D000": // invalid_catalog_name: a crash came before the database was created
		if err := Stop(ctx, config); err != nil {
			return nil, err
		}
	}
	cluster.port, cluster.Started = l.port, true
	return cluster, bringUp(ctx, config, o, l)
}

// Running returns the URL of the cluster's database if its server runs. It starts and creates
// nothing.
func Running(ctx context.Context, config Config) (string, error) {
	_, l, err := config.place()
	if err != nil {
		return "", err
	}
	port, err := running(ctx, l)
	return socketURL(database, l.run, port), err
}

// place returns the user that runs the server, and the paths of its parts.
func (c Config) place() (o owner, l layout, err error) {
	if o, err = serverOwner(); err == nil {
		l, err = c.layout(o)
	}
	return o, l, err
}

// installation finds the binaries for the cluster, and the version that created it; zero: there is
// no cluster.
func (l layout) installation(ctx context.Context, config Config) (Installation, int, error) {
	version, err := l.version()
	if err != nil {
		return Installation{}, 0, err
	}
	in, err := Find(ctx, config.BinDir, version)
	return in, version, err
}

// prepare creates the directories that only the owner may enter.
func prepare(config Config) (owner, layout, error) {
	o, l, err := config.place()
	if err != nil {
		return o, l, err
	}
	return o, l, errors.Join(o.makeDir(l.root), o.makeDir(l.run))
}

func checkListen(config Config, l layout, port string) error {
	if config.Listen == "" {
		return nil
	}
	conf, err := os.ReadFile(filepath.Join(l.data, "running.conf"))
	if err != nil || port != l.port || !strings.Contains(string(conf), quoted(l.host)) {
		return unavailable("PostgreSQL runs already and does not listen on %s; run 'annals down' first", config.Listen)
	}
	return nil
}

func bringUp(ctx context.Context, config Config, o owner, l layout) error {
	in, version, err := l.installation(ctx, config)
	if err != nil {
		return err
	}
	if version == 0 {
		config.Log.InfoContext(ctx, "making a PostgreSQL cluster", "dir", l.root, "version", in.Version)
		if err := initialise(ctx, in, o, l, cmp.Or(config.Memory, memory())); err != nil {
			return err
		}
	}
	if err := l.writeRunning(o); err != nil {
		return err
	}
	config.Log.InfoContext(ctx, "starting PostgreSQL", "dir", l.root, "version", in.Version)
	if err := start(ctx, in, o, l); err != nil {
		return err
	}
	err = l.makeDatabase(ctx, in, o)
	if graph.CodeOf(err) == graph.CodeConflict {
		err = errors.Join(err, Stop(ctx, config))
	}
	return err
}

// former reports whether a cluster was created before 0.1.0: our role is missing, and the former
// one exists. err is the answer of the cluster.
func former(ctx context.Context, l layout, port string, err error) bool {
	var pg *pgconn.PgError
	const noSuchRole = "28000" // invalid_authorization_specification
	return errors.As(err, &pg) && pg.Code == noSuchRole && connectable(ctx, socketURL(formerDatabase, l.run, port)) == nil
}

func (l layout) refuseFormer() error {
	return &graph.Error{
		Code: graph.CodeConflict,
		Message: fmt.Sprintf("the database in %s was made by a version of Annals before 0.1.0: write its groups to files with 'annals export' of that version, "+
			"stop it with 'annals down', move the directory away, and read the files with 'annals import' of this one", l.root),
	}
}

// writeRunning writes the settings of this start.
func (l layout) writeRunning(o owner) error {
	path := filepath.Join(l.data, "running.conf")
	if err := os.RemoveAll(path); err != nil {
		return fmt.Errorf("write the settings: %w", err)
	}
	return appendTo(path, fmt.Sprintf("unix_socket_directories = %s\nlisten_addresses = %s\nport = %s\n",
		quoted(l.run), quoted(l.host), l.port), o)
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// start starts the server. Just after a crash it retries, since the last processes of the old
// server may still exist.
func start(ctx context.Context, in Installation, o owner, l layout) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	return again(ctx, func() error {
		if err := l.removeStalePID(); err != nil {
			return backoff.Permanent(err)
		}
		_ = os.Remove(l.startLog)
		out, err := o.command(ctx, filepath.Join(in.BinDir, "pg_ctl"), "start", "--wait", "--silent",
			"--pgdata", l.data, "--log", l.startLog).CombinedOutput()
		if err == nil || ctx.Err() != nil {
			return nil
		}
		reason := l.startFailure(out)
		failure := unavailable("PostgreSQL does not start: %s; its log is in %s", reason, filepath.Join(l.data, "log"))
		if strings.Contains(reason, "still in use") || strings.Contains(reason, "another postmaster") {
			return failure
		}
		return backoff.Permanent(failure)
	})
}

// again retries until try succeeds or fails permanently, at most as long as a server may take to
// start.
func again(ctx context.Context, try func() error) error {
	_, err := backoff.Retry(ctx, func() (struct{}, error) { return struct{}{}, try() },
		backoff.WithBackOff(backoff.NewConstantBackOff(retryPause)), backoff.WithMaxElapsedTime(startTimeout))
	return err
}

func (l layout) startFailure(out []byte) string {
	if text, err := os.ReadFile(l.startLog); err == nil && len(text) > 0 {
		return lastLines(text)
	}
	return lastLines(out)
}

func (l layout) makeDatabase(ctx context.Context, in Installation, o owner) error {
	err := connectable(ctx, socketURL(database, l.run, l.port))
	switch {
	case err == nil:
		return nil
	case former(ctx, l, l.port, err):
		return l.refuseFormer()
	}
	out, err := o.command(ctx, filepath.Join(in.BinDir, "createdb"), "--host", l.run, "--port", l.port,
		"--username", database, database).CombinedOutput()
	if err != nil {
		return unavailable("the database cannot be made: %s", lastLines(out))
	}
	return nil
}

// removeStalePID removes the pid file of a dead server if another program now has its process id,
// which the server would take for itself.
func (l layout) removeStalePID() error {
	path := filepath.Join(l.data, "postmaster.pid")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil //nolint:nilerr // no pid file: nothing is stale
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(first))
	if err == nil && pid > 0 && isPostgres(pid) {
		return nil
	}
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("remove a stale pid file: %w", err)
	}
	return nil
}

// isPostgres reports whether the process may be a PostgreSQL server. Without /proc, every living
// process may be.
func isPostgres(pid int) bool {
	if isGone(pid) {
		return false
	}
	name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	return err != nil || strings.HasPrefix(string(name), "postgres")
}

// running returns the port of the cluster's server if it answers. It waits for a server in
// recovery.
func running(ctx context.Context, l layout) (string, error) {
	text, err := os.ReadFile(filepath.Join(l.data, "postmaster.pid"))
	if err != nil {
		return "", err
	}
	// The fourth line is the port (storage/lmgr/pidfile.h).
	lines := strings.Split(string(text), "\n")
	if len(lines) < 4 {
		return "", errors.New("the server is only starting")
	}
	port := strings.TrimSpace(lines[3])
	err = again(ctx, func() error {
		err := connectable(ctx, socketURL(database, l.run, port))
		var pg *pgconn.PgError
		if err == nil || errors.As(err, &pg) && pg.Code == "57P03" { // cannot_connect_now
			return err
		}
		return backoff.Permanent(err)
	})
	return port, err
}

func connectable(ctx context.Context, url string) error {
	conn, err := pgconn.Connect(ctx, url)
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}

// Stop stops the cluster's server and waits until it is down. It does nothing if no server runs.
// Sessions end; committed transactions are kept.
func Stop(ctx context.Context, config Config) error {
	o, l, err := prepare(config)
	if err != nil {
		return err
	}
	var pg *pgconn.PgError
	if _, err := running(ctx, l); err != nil && !errors.As(err, &pg) {
		return nil
	}
	in, _, err := l.installation(ctx, config)
	if err != nil {
		return err
	}
	out, err := o.command(ctx, filepath.Join(in.BinDir, "pg_ctl"), "stop", "--wait", "--silent", "--mode", "fast",
		"--timeout", stopTimeout, "--pgdata", l.data).CombinedOutput()
	if err != nil {
		return unavailable("PostgreSQL does not stop: %s", lastLines(out))
	}
	return nil
}
