package pgtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/jackc/pgx/v5"
)

const (
	bouncerPort  = "6432" // names the socket
	bouncerStart = 10 * time.Second
)

// Bouncer starts a PgBouncer in transaction mode, with three server connections,
// in front of a database from [New]. It returns the URL through PgBouncer.
// ANNALS_TEST_PGBOUNCER names the program, as scripts/pgbouncer prints it;
// without one see [Lacks].
func Bouncer(t testing.TB, databaseURL string) string {
	t.Helper()
	program, err := bouncerProgram()
	if err != nil {
		Lacks(t, err)
	}
	direct, err := pgx.ParseConfig(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "bouncer")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := writeBouncer(dir, direct); err != nil {
		t.Fatal(err)
	}
	args := []string{filepath.Join(dir, "bouncer.ini")}
	if os.Getuid() == 0 { // PgBouncer refuses to run as root
		name, err := giveAway(dir, direct.Host)
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, "-u", name)
	}
	cmd := exec.Command(program, args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	through := fmt.Sprintf("postgres://%s@/%s?host=%s&port=%s", direct.User, direct.Database, url.QueryEscape(dir), bouncerPort)
	if err := reachable(t.Context(), through); err != nil {
		log, _ := os.ReadFile(filepath.Join(dir, "log"))
		t.Fatalf("PgBouncer does not answer: %v\n%s", err, log)
	}
	return through
}

// Lacks skips a test because a program is missing. If CI is set it fails the
// test, since nobody reads what CI skips.
func Lacks(t testing.TB, why error) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(why)
	}
	t.Skip(why)
}

func bouncerProgram() (string, error) {
	if program := os.Getenv("ANNALS_TEST_PGBOUNCER"); program != "" {
		return program, nil
	}
	for _, name := range []string{"pgbouncer", "/usr/sbin/pgbouncer", filepath.Join(os.TempDir(), fmt.Sprintf("annals-pgbouncer-%d", os.Getuid()), "pgbouncer")} {
		if program, err := exec.LookPath(name); err == nil {
			return program, nil
		}
	}
	return "", fmt.Errorf("there is no PgBouncer: run scripts/pgbouncer, or name one in ANNALS_TEST_PGBOUNCER")
}

func writeBouncer(dir string, direct *pgx.ConnConfig) error {
	settings := fmt.Sprintf(`[databases]
* = host=%s port=%d
[pgbouncer]
pool_mode = transaction
default_pool_size = 3
max_client_conn = 500
auth_type = trust
auth_file = %[3]s/users
listen_port = %[4]s
unix_socket_dir = %[3]s
logfile = %[3]s/log
`, direct.Host, direct.Port, dir, bouncerPort)
	if err := os.WriteFile(filepath.Join(dir, "users"), fmt.Appendf(nil, "%q %q\n", direct.User, direct.Password), 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "bouncer.ini"), []byte(settings), 0o600)
}

// giveAway gives a directory to the user who can reach the server's socket, and
// returns the user's name.
func giveAway(dir, host string) (string, error) {
	owner := "nobody"
	if info, err := os.Stat(host); err == nil {
		if who, err := user.LookupId(strconv.Itoa(int(info.Sys().(*syscall.Stat_t).Uid))); err == nil {
			owner = who.Username
		}
	}
	who, err := user.Lookup(owner)
	if err != nil {
		return "", err
	}
	uid, _ := strconv.Atoi(who.Uid)
	for _, name := range []string{"", "users", "bouncer.ini"} {
		if err := os.Chown(filepath.Join(dir, name), uid, -1); err != nil {
			return "", err
		}
	}
	return owner, nil
}

func reachable(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, bouncerStart)
	defer cancel()
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		conn, err := pgx.Connect(ctx, address)
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, conn.Close(ctx)
	}, backoff.WithBackOff(backoff.NewConstantBackOff(20*time.Millisecond)), backoff.WithMaxElapsedTime(0))
	return err
}
