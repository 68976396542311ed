package pgtest

import (
	"cmp"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"testing"

	"github.com/annalsdb/annals/internal/postgres"
)

var (
	composeSetting = regexp.MustCompile(`(?m)^\s+(POSTGRES_\w+): (\S+)$`)
	composeURL     = regexp.MustCompile(`postgres://\S+`)
	composeSecret  = regexp.MustCompile(`\$\{POSTGRES_PASSWORD[^}]*\}`) // set by the user who starts it
	composeServer  = regexp.MustCompile(`@[^/]+/`)
)

// Compose starts a cluster as the image in a compose.yaml does with its environment.
// It returns the URL from the file, with an address on this machine. The cluster is
// stopped and removed when the test ends.
func Compose(t testing.TB, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text = composeSecret.ReplaceAll(text, []byte("letters0"))
	environ := map[string]string{}
	for _, setting := range composeSetting.FindAllSubmatch(text, -1) {
		environ[string(setting[1])] = string(setting[2])
	}
	name, port := environ["POSTGRES_USER"], freePort(t)
	dir := openTemp(t, "compose")
	c := &cluster{TB: t, user: unprivileged(t, dir), data: filepath.Join(dir, "data")}
	in, err := postgres.Find(t.Context(), "", 0)
	if err != nil {
		t.Fatal(err)
	}
	c.bin = in.BinDir
	password := filepath.Join(dir, "password")
	if err := os.WriteFile(password, []byte(environ["POSTGRES_PASSWORD"]+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c.command("initdb", "--pgdata", c.data, "--username", name, "--pwfile", password, "--auth-local", "trust", "--auth-host", "scram-sha-256",
		"--locale", "C.UTF-8", "--encoding", "UTF8")
	c.command("pg_ctl", "start", "--wait", "--silent", "--pgdata", c.data, "--log", c.data+".log", "--options",
		"-c listen_addresses=127.0.0.1 -c unix_socket_directories="+dir+" -c port="+port)
	t.Cleanup(func() { c.command("pg_ctl", "stop", "--wait", "--silent", "--mode", "fast", "--pgdata", c.data) })
	if database := cmp.Or(environ["POSTGRES_DB"], name); database != "postgres" { // initdb created it
		c.command("createdb", "--host", dir, "--port", port, "--username", name, database)
	}
	return composeServer.ReplaceAllString(composeURL.FindString(string(text)), "@127.0.0.1:"+port+"/")
}

func freePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// openTemp returns a directory that the server's user can reach too; it is removed
// when the test ends.
func openTemp(t testing.TB, pattern string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", pattern)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// unprivileged returns the user to run PostgreSQL as if we are root, which
// PostgreSQL refuses; else nil. It gives the directories to that user.
func unprivileged(t testing.TB, dirs ...string) *syscall.Credential {
	t.Helper()
	if os.Getuid() != 0 {
		return nil
	}
	who, err := user.Lookup("postgres")
	if err != nil {
		if who, err = user.Lookup("nobody"); err != nil {
			t.Fatal(err)
		}
	}
	uid, _ := strconv.Atoi(who.Uid)
	gid, _ := strconv.Atoi(who.Gid)
	for _, dir := range dirs {
		if err := os.Chown(dir, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}
