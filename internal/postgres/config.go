package postgres

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

const (
	// The database, and the role that owns it, for an application's tables
	// too. It is not called like a schema of ours: the search path begins with
	// the schema that is called like the role, and CREATE TABLE would put those
	// tables among ours.
	database = "app"

	// What clusters had before 0.1.0 in the place of it.
	formerDatabase = "annals"

	passwordFile = "password" // in the cluster's directory

	defaultPort = "5432" // names the socket; nothing listens on it unless asked

	// What the kernel allows a socket's path to be, less the name of the
	// socket itself.
	maxSocketDir = 107 - len("/.s.PGSQL.65535")

	// Where the cluster stands when its server's user cannot reach the
	// directory that was asked for.
	reachableDir = "/var/lib/annals"
)

// Config says where a private cluster lives. Only DataDir has no default.
type Config struct {
	// BinDir holds the server's binaries. Defaults to what Find finds.
	BinDir string

	// DataDir is the cluster's directory; it is made, with mode 0700, where it
	// is not there. A server started by root runs as another user: where that
	// user cannot reach DataDir, a directory under /var/lib/annals takes its
	// place.
	DataDir string

	// Listen is a host and port to listen on as well, such as
	// "127.0.0.1:5433". Defaults to none: only the Unix socket.
	Listen string

	// Memory is how many bytes a new cluster reckons with; it keeps a quarter of
	// them, from 128 MB to 4 GB, for what it has read. Defaults to the memory of
	// the container or the machine. A cluster that is there stays as it is.
	Memory uint64

	// Log receives what is started and stopped. Defaults to nothing.
	Log *slog.Logger
}

// layout is where the parts of a cluster are.
type layout struct {
	root, data, run, password, startLog, lock string
	host, port                                string // of Listen
}

func (c Config) layout(o owner) (layout, error) {
	root, err := filepath.Abs(c.DataDir)
	if err != nil || c.DataDir == "" {
		return layout{}, fmt.Errorf("the data directory %q is not a path", c.DataDir)
	}
	if !o.canReach(root) {
		root = filepath.Join(reachableDir, digest(root))
	}
	l := layout{
		root: root, data: filepath.Join(root, "pgdata"), run: filepath.Join(root, "run"),
		password: filepath.Join(root, passwordFile), startLog: filepath.Join(root, "start.log"), lock: filepath.Join(root, "lock"),
		port: defaultPort,
	}
	if len(l.run) > maxSocketDir {
		l.run = filepath.Join(os.TempDir(), fmt.Sprintf("annals-%d-%s", o.uid, digest(root)))
	}
	if c.Listen != "" {
		if l.host, l.port, err = net.SplitHostPort(c.Listen); err != nil {
			return layout{}, fmt.Errorf("listen: %q is not host:port: %w", c.Listen, err)
		}
	}
	return l, nil
}

// socketURL names the database through the socket in the directory run.
// Neither pgx nor libpq reads a plus sign as a space.
func socketURL(database, run, port string) string {
	return "postgres://" + database + "@/" + database + "?host=" + strings.ReplaceAll(url.QueryEscape(run), "+", "%20") + "&port=" + port
}

func digest(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:6])
}
