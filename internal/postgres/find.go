package postgres

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/annalsdb/annals/graph"
)

// OldestVersion is the oldest supported major version of PostgreSQL.
const OldestVersion = 15

// Installation is a set of server binaries.
type Installation struct {
	BinDir   string
	Version  int  // the major version
	Pgvector bool // whether its clusters can create the extension vector
}

// The directories of server binaries in distributions and Homebrew.
var distributionDirs = []string{
	"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/local/pgsql/bin",
	"/opt/homebrew/opt/postgresql@*/bin", "/usr/local/opt/postgresql@*/bin",
}

var majorVersion = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)

// Find returns the installation to use. That is the one in binDir, if given.
// Else it is the newest with pgvector among those on PATH, known to pg_config,
// and in the usual directories. A version other than zero restricts the choice
// to it. The error says what is missing and how to get it.
func Find(ctx context.Context, binDir string, version int) (Installation, error) {
	var found []Installation
	for _, dir := range candidateDirs(ctx, binDir) {
		if i, err := inspect(ctx, dir); err == nil && (version == 0 || i.Version == version) {
			found = append(found, i)
		}
	}
	if len(found) == 0 {
		return Installation{}, notFound(binDir, version)
	}
	slices.SortStableFunc(found, func(a, b Installation) int {
		return cmp.Or(cmp.Compare(rank(b), rank(a)), cmp.Compare(b.Version, a.Version))
	})
	best := found[0]
	switch {
	case best.Version < OldestVersion:
		return best, unavailable("PostgreSQL in %s is version %d; Annals needs %d or newer: run 'make setup' in its sources, "+
			"or set ANNALS_DATABASE_URL to a server that has it", best.BinDir, best.Version, OldestVersion)
	case !best.Pgvector:
		return best, unavailable("PostgreSQL %d in %s lacks the extension pgvector: run 'make setup' in the sources of Annals, "+
			"install the package postgresql-%d-pgvector, or set ANNALS_DATABASE_URL to a server that has it",
			best.Version, best.BinDir, best.Version)
	}
	return best, nil
}

// rank prefers usable installations to those that lack only something.
func rank(i Installation) int {
	switch {
	case i.Version < OldestVersion:
		return 0
	case !i.Pgvector:
		return 1
	}
	return 2
}

func notFound(binDir string, version int) error {
	where, what := "", "PostgreSQL"
	if binDir != "" {
		where = " in " + binDir
	}
	if version != 0 {
		what = fmt.Sprintf("PostgreSQL %d, which the data directory was made by,", version)
	}
	return unavailable("found no %s server binaries%s: run 'make setup' in the sources of Annals, install the package postgresql, "+
		"or set ANNALS_DATABASE_URL to a running server", what, where)
}

func unavailable(format string, args ...any) error {
	return &graph.Error{Code: graph.CodeUnavailable, Message: fmt.Sprintf(format, args...)}
}

func candidateDirs(ctx context.Context, binDir string) []string {
	if binDir != "" {
		return []string{binDir}
	}
	var dirs []string
	if path, err := exec.LookPath("initdb"); err == nil {
		dirs = append(dirs, filepath.Dir(path))
	}
	if out, err := exec.CommandContext(ctx, "pg_config", "--bindir").Output(); err == nil {
		dirs = append(dirs, strings.TrimSpace(string(out)))
	}
	for _, pattern := range distributionDirs {
		if matches, err := filepath.Glob(pattern); err == nil {
			dirs = append(dirs, matches...)
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

func inspect(ctx context.Context, dir string) (Installation, error) {
	for _, name := range []string{"initdb", "pg_ctl", "postgres"} {
		if _, err := exec.LookPath(filepath.Join(dir, name)); err != nil {
			return Installation{}, err
		}
	}
	out, err := exec.CommandContext(ctx, filepath.Join(dir, "postgres"), "--version").Output()
	if err != nil {
		return Installation{}, fmt.Errorf("ask %s for its version: %w", dir, err)
	}
	match := majorVersion.FindSubmatch(out)
	if match == nil {
		return Installation{}, fmt.Errorf("cannot read the version %q", out)
	}
	version, err := strconv.Atoi(string(match[1]))
	if err != nil {
		return Installation{}, fmt.Errorf("read the version: %w", err)
	}
	return Installation{BinDir: dir, Version: version, Pgvector: hasPgvector(ctx, dir, version)}, nil
}

// hasPgvector looks for pgvector where the server looks for extensions. Without
// pg_config it tries the usual directories.
func hasPgvector(ctx context.Context, dir string, version int) bool {
	shares := []string{
		filepath.Join(dir, "../share/postgresql"), filepath.Join(dir, "../share"),
		filepath.Join("/usr/share/postgresql", strconv.Itoa(version)),
	}
	if out, err := exec.CommandContext(ctx, filepath.Join(dir, "pg_config"), "--sharedir").Output(); err == nil {
		shares = []string{strings.TrimSpace(string(out))}
	}
	return slices.ContainsFunc(shares, func(share string) bool {
		_, err := os.Stat(filepath.Join(share, "extension", "vector.control"))
		return err == nil
	})
}
