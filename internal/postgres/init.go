package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// settings are for a database that shares the machine with the application.
// Durability keeps PostgreSQL's defaults.
const settings = `# Written by annals once; change what you like.
maintenance_work_mem = 256MB
work_mem = 16MB
max_wal_size = 2GB
wal_compression = on
random_page_cost = 1.1
jit = off
autovacuum_naptime = 5s # plans need statistics soon after a table fills
logging_collector = on
log_directory = 'log'
log_filename = 'postgres-%a.log'
log_truncate_on_rotation = on
log_rotation_age = 1d
log_rotation_size = 0
include_if_exists = 'running.conf'
`

// version returns the major version that created the cluster; zero: there is
// none.
func (l layout) version() (int, error) {
	text, err := os.ReadFile(filepath.Join(l.data, "PG_VERSION"))
	if os.IsNotExist(err) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read the version of the cluster: %w", err)
	}
	return strconv.Atoi(strings.TrimSpace(string(text)))
}

// initialise creates the cluster under a temporary name and renames it when
// complete, so that a crash leaves no partial cluster.
func initialise(ctx context.Context, in Installation, o owner, l layout, memory uint64) error {
	unfinished := l.data + ".new"
	if err := os.RemoveAll(unfinished); err != nil {
		return fmt.Errorf("remove an unfinished cluster: %w", err)
	}
	if err := os.WriteFile(l.password, []byte(rand.Text()+"\n"), 0o600); err != nil {
		return fmt.Errorf("write the password for TCP: %w", err)
	}
	if err := o.own(l.password); err != nil {
		return err
	}
	// Only the owner and root can enter the socket's directory, so the socket
	// needs no password. TCP does.
	out, err := o.command(ctx, filepath.Join(in.BinDir, "initdb"), "--pgdata", unfinished, "--username", database,
		"--encoding", "UTF8", "--locale", locale(), "--lc-collate", "C", "--auth-local", "trust", "--auth-host", "scram-sha-256",
		"--pwfile", l.password, "--data-checksums", "--no-instructions").CombinedOutput()
	if err != nil {
		return unavailable("initdb failed: %s", lastLines(out))
	}
	for name, text := range map[string]string{"annals.conf": settings + memorySettings(memory), "postgresql.conf": "\ninclude 'annals.conf'\n"} {
		if err := appendTo(filepath.Join(unfinished, name), text, o); err != nil {
			return err
		}
	}
	if err := os.Rename(unfinished, l.data); err != nil {
		return fmt.Errorf("put the new cluster in place: %w", err)
	}
	return nil
}

// locale returns a locale that knows the letters of all scripts. The collation
// is C in any case, which makes index lookups a fifth faster.
func locale() string {
	if runtime.GOOS == "darwin" {
		return "en_US.UTF-8"
	}
	return "C.UTF-8"
}

func appendTo(path, text string, o owner) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("write the settings: %w", err)
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write the settings: %w", err)
	}
	return o.own(path)
}

// lastLines returns the end of a program's output on one line.
func lastLines(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return strings.Join(lines[max(0, len(lines)-4):], " | ")
}
