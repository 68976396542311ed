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
	// The database and its owner, also for an application's own tables. The name
	// differs from our schemas: the search path begins with a schema named like
	// the role, so CREATE TABLE would put those tables among ours.
	database = "app"

	// The name before 0.1.0.
	formerDatabase = "annals"

	passwordFile = "password" // in the cluster's directory

	defaultPort = "5432" // part of the socket's name; TCP only on request

	// The kernel's limit of a socket's path, without the name of the socket.
	maxSocketDir = 107 - len("/.s.PGSQL.65535")

	// The directory of clusters whose server's user cannot reach the requested
	// directory.
	reachableDir = "/var/lib/annals"
)

// Config configures a private cluster. Only DataDir is required.
type Config struct {
	// BinDir is the directory of the server's binaries. Defaults to the result
	// of Find.
	BinDir string

	// DataDir is the cluster's directory. It is created with mode 0700 if
	// necessary. A server started by root runs as another user. If that user
	// cannot reach DataDir, a directory under /var/lib/annals is used instead.
	DataDir string

	// Listen is an additional host and port to listen on, such as
	// "127.0.0.1:5433". Defaults to none: only the Unix socket.
	Listen string

	// Memory is the memory in bytes that a new cluster is configured for. A
	// quarter of it, from 128 MB to 4 GB, becomes shared_buffers. Defaults to
	// the memory of the container or the machine. An existing cluster is not
	// changed.
	Memory uint64

	// Log receives starts of the server. Defaults to no log.
	Log *slog.Logger
}

// layout holds the paths of a cluster's parts.
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

// socketURL returns the URL of a database through the socket in the directory
// run. Neither pgx nor libpq reads a plus sign as a space.
func socketURL(database, run, port string) string {
	return "postgres://" + database + "@/" + database + "?host=" + strings.ReplaceAll(url.QueryEscape(run), "+", "%20") + "&port=" + port
}

func digest(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:6])
}
