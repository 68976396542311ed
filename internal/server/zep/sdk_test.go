package zep_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/fetched"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/zep"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
)

// client returns a folder with the official clients, in locked versions, and the scripts. It is
// made once for all tests.
var client = sync.OnceValues(func() (string, error) {
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			return "", errors.New(program + " is not installed")
		}
	}
	dir, err := os.MkdirTemp("", "annals-zep-sdk-")
	if err != nil {
		return "", err
	}
	if err := os.CopyFS(dir, os.DirFS("sdk_test")); err != nil {
		return "", err
	}
	if err := fetched.Modules(dir); err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	return dir, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if !testing.Short() { // otherwise no test asked for it
		if dir, err := client(); err == nil {
			_ = os.RemoveAll(dir)
		}
	}
	os.Exit(code)
}

// installed returns the folder of client. If npm or its registry is missing, it skips the test.
func installed(t *testing.T) string {
	t.Helper()
	dir, err := client()
	if err != nil {
		t.Skipf("the official client cannot be installed here, which takes Node, npm and its registry or what was fetched before: %v", err)
	}
	return dir
}

// running is a server of Annals over a database of its own.
type running struct {
	url    string
	client *annals.Client
}

func serve(t *testing.T) running {
	t.Helper()
	memory, err := annals.Open(t.Context(), annals.Config{DatabaseURL: pgtest.New(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(memory.Close)
	log := slog.New(slog.NewTextHandler(failures{t}, &slog.HandlerOptions{Level: slog.LevelError}))
	s := server.New(server.Options{Client: memory, Log: log, Workers: 2})
	zep.Mount(s)
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, listener) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil && !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return running{url: "http://" + listener.Addr().String() + "/api/v2", client: memory}
}

// failures shows the errors that the server logs.
type failures struct{ t *testing.T }

func (f failures) Write(p []byte) (int, error) {
	f.t.Log(string(p))
	return len(p), nil
}

// key makes a key of namespaces or groups.
func (s running) key(t *testing.T, groups ...string) string {
	t.Helper()
	secret, _, err := service.New(s.client).CreateAPIKey(t.Context(), service.KeySpec{Groups: groups, Admin: len(groups) == 0})
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

var assertions = regexp.MustCompile(`(\d+) assertions passed`)

// run runs a script of sdk_test, which must make so many assertions.
func run(t *testing.T, dir, script string, least int, env ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", script)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	return judged(t, script, out, err, least)
}

// judged returns the output of a script, which must have made so many assertions.
func judged(t *testing.T, script string, out []byte, err error, least int) string {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
	if least == 0 {
		return string(out)
	}
	found := assertions.FindStringSubmatch(string(out))
	if found == nil {
		t.Fatalf("%s does not say how much it looked at:\n%s", script, out)
	}
	if n, _ := strconv.Atoi(found[1]); n < least {
		t.Errorf("%s makes %d assertions, not at least %d", script, n, least)
	}
	t.Log(strings.TrimSpace(string(out)))
	return string(out)
}

func TestAnApplicationRunsOnTheOfficialClient(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	dir, s := installed(t), serve(t)
	run(t, dir, "flow.mjs", 150, "ZEP_BASE_URL="+s.url, "ZEP_API_KEY="+s.key(t, "acme:*"))
}

func TestTheExamplesOfTheReferenceRun(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	dir, s := installed(t), serve(t)
	run(t, dir, "reference.mjs", 150, "ZEP_BASE_URL="+s.url, "ZEP_API_KEY="+s.key(t, "docs:*"))
}

func TestTwoApplicationsDoNotSeeEachOther(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	dir, s := installed(t), serve(t)
	run(t, dir, "tenants.mjs", 100, "ZEP_BASE_URL="+s.url,
		"ZEP_KEY_ONE="+s.key(t, "one:*"), "ZEP_KEY_TWO="+s.key(t, "two:*"), "ZEP_KEY_SOME="+s.key(t, "alone"))
}
