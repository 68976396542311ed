package zep_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/fetched"
	"github.com/annalsdb/annals/internal/server/zep"
	"github.com/annalsdb/annals/internal/slow"
)

// Calls of the newest clients on npm and PyPI without a route are reported, but do not fail the
// test: new clients may appear at any time. `go test -v` shows them. If a registry does not answer,
// the test is skipped.
func TestTheNewestClients(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	for registry, tt := range map[string]struct {
		locked string // file with the version that the other tests use
		newest func(ctx context.Context) (string, error)
		walk   func(t *testing.T, version string) string
	}{
		"npm":  {"package.json", newestOfNPM, walkNewestOfNPM},
		"PyPI": {"zep.txt", newestOfPyPI, walkNewestOfPyPI},
	} {
		t.Run(registry, func(t *testing.T) {
			t.Parallel()
			version, err := tt.newest(t.Context())
			if err != nil {
				t.Skipf("%s does not say which client is the newest: %v", registry, err)
			}
			locked, err := os.ReadFile(filepath.Join("sdk_test", tt.locked))
			if err != nil {
				t.Fatal(err)
			}
			isLocked := strings.Contains(string(locked), `"`+version+`"`) || strings.Contains(string(locked), "=="+version+"\n")
			if !isLocked {
				t.Logf("%s serves %s, which sdk_test/%s does not name yet", registry, version, tt.locked)
			}
			called, unknown := 0, 0
			for line := range strings.Lines(tt.walk(t, version)) {
				seen := walked(t, line)
				if called++; !isRoute(seen) {
					unknown++
					t.Logf("%s of %s asks for %s %s, which is no route here", seen.Call, version, seen.Method, seen.Path)
				}
			}
			report := t.Logf
			if isLocked {
				report = t.Errorf
			}
			if called < 20 {
				report("only %d methods of %s were found: the walk no longer finds them", called, version)
			}
			t.Logf("%d of %d methods of %s ask for what is no route here", unknown, called, version)
		})
	}
}

var versionRoot = regexp.MustCompile(`^/api/v\d+`)

// isRoute reports whether a request is a route of some version.
func isRoute(seen request) bool {
	for _, root := range []string{"/api/v2", "/api/v4"} {
		if path, _ := zep.RouteOf(root, seen.Method, versionRoot.ReplaceAllString(seen.Path, "")); path != "" {
			return true
		}
	}
	return false
}

func newestOfNPM(ctx context.Context) (string, error) {
	command := exec.CommandContext(ctx, "npm", "view", "@getzep/zep-cloud", "version", "--prefer-online", "--fetch-retries=0")
	command.Env = fetched.NPM()
	out, err := command.Output()
	return strings.TrimSpace(string(out)), err
}

func walkNewestOfNPM(t *testing.T, version string) string {
	t.Helper()
	dir := t.TempDir()
	script, err := os.ReadFile("sdk_test/walk.mjs")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "walk.mjs"), script, 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", "@getzep/zep-cloud@"+version)
	command.Dir, command.Env = dir, fetched.NPM()
	if out, err := command.CombinedOutput(); err != nil {
		t.Skipf("%s cannot be installed: %v\n%s", version, err, out)
	}
	return ofNewest(t, dir, "node", "walk.mjs")
}

var pipNewest = regexp.MustCompile(`^zep-cloud \((\S+)\)`)

func newestOfPyPI(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "python3", "-m", "pip", "index", "versions", "zep-cloud", "--retries=0", "--disable-pip-version-check").Output()
	if err != nil {
		return "", err
	}
	found := pipNewest.FindSubmatch(out)
	if found == nil {
		return "", errors.New("pip answers something else: " + string(out))
	}
	return string(found[1]), nil
}

func walkNewestOfPyPI(t *testing.T, version string) string {
	t.Helper()
	interpreter, err := fetched.Python("zep-cloud=="+version+"\n", "zep_cloud")
	if err != nil {
		t.Skipf("%s cannot be installed: %v", version, err)
	}
	return ofNewest(t, "sdk_test", interpreter, "walk.py")
}

// ofNewest returns the output of a walk. A client with another structure than the ones before may
// need another walk, which is also reported.
func ofNewest(t *testing.T, dir, program, script string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, script)
	command.Dir, command.Env = dir, append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	out, err := command.Output()
	if err != nil {
		t.Skipf("%s does not run with the newest client: %v", script, err)
	}
	return string(out)
}
