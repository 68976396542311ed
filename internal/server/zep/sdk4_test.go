package zep_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/fetched"
	"github.com/annalsdb/annals/internal/server/zep"
	"github.com/annalsdb/annals/internal/slow"
)

// python returns the interpreter of a virtual environment with the packages of a list.
func python(t *testing.T, list string, imported ...string) string {
	t.Helper()
	slow.Test(t)
	packages, err := os.ReadFile(filepath.Join("sdk_test", list))
	if err != nil {
		t.Fatal(err)
	}
	interpreter, err := fetched.Python(string(packages), imported...)
	if err != nil {
		t.Skipf("the official client cannot be installed here, which takes Python 3.11, pip and its registry or what was fetched before: %v", err)
	}
	return interpreter
}

// runPython runs a script of sdk_test, which must make so many assertions.
func runPython(t *testing.T, interpreter, script string, least int, env ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), interpreter, script)
	cmd.Dir, cmd.Env = "sdk_test", append(append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1"), env...)
	out, err := cmd.CombinedOutput()
	return judged(t, script, out, err, least)
}

// base returns the address of the server without the version.
func (s running) base() string { return strings.TrimSuffix(s.url, "/api/v2") }

// Every implemented method of the newest client is called against the service. Each answer has
// exactly the fields of the client's types.
func TestAnApplicationRunsOnVersion4(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	interpreter, s := python(t, "zep.txt", "zep_cloud"), serve(t)
	if _, err := s.client.CreateGroup(t.Context(), annals.Group{ID: "acme:carol"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.client.CreateThread(t.Context(), annals.NewThread{GroupID: "acme:carol", ID: "older"}); err != nil {
		t.Fatal(err)
	}
	out := runPython(t, interpreter, "flow.py", 900, "ZEP_API_URL="+s.base(), "ZEP_API_KEY="+s.key(t, "acme:*"),
		"ZEP_OTHER_KEY="+s.key(t, "other:*"), "ZEP_THREAD_ID=older")
	called := map[string]bool{}
	for line := range strings.Lines(out) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "called "); ok {
			called[name] = true
		}
	}
	for line := range strings.Lines(runPython(t, interpreter, "walk.py", 0)) {
		seen := walked(t, line)
		if _, works := zep.RouteOf("/api/v4", seen.Method, seen.Path); works && !called[seen.Call] {
			t.Errorf("%s works, but flow.py does not call it", seen.Call)
		}
	}
}

// Two of Zep's own integrations run as published, with another base URL.
func TestIntegrationsOfZepRun(t *testing.T) {
	t.Parallel()
	if !slow.Long() {
		t.Skip("LangGraph and CrewAI are a gigabyte of packages: ANNALS_TEST_LONG=1 runs them")
	}
	for script, imported := range map[string]string{"langgraph": "zep_langgraph", "crewai": "zep_crewai"} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			interpreter, s := python(t, script+".txt", imported), serve(t)
			runPython(t, interpreter, "on_"+script+".py", 8, "ZEP_API_URL="+s.base(), "ZEP_API_KEY="+s.key(t, "acme:*"), "CREWAI_TELEMETRY_OPT_OUT=true")
		})
	}
}
