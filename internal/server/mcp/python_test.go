package mcp_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/annalsdb/annals/internal/fetched"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/program"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/worker"
)

// The packages for Python: the SDK by the makers of the protocol, and OpenAI's SDK for agents.
const (
	pythonSDK = "mcp==2.3.0"
	agentsSDK = "openai-agents==0.24.0"
)

// python returns an interpreter that has a package.
func python(t *testing.T, requirement, module string) string {
	t.Helper()
	slow.Test(t)
	interpreter, err := fetched.Python(requirement, module)
	if err != nil {
		t.Skipf("the SDK cannot be installed here, which takes Python, pip and its registry or what was fetched before: %v", err)
	}
	return interpreter
}

// A second client by others runs the tools, and checks every answer against its schema.
func TestThePythonSDKRunsTheTools(t *testing.T) {
	t.Parallel()
	runs(t, python(t, pythonSDK, "mcp"), "client.py", program.Annals(t), "--database-url", pgtest.New(t))
}

// An agent of OpenAI's SDK uses the memory over standard input and output and over HTTP.
func TestAnAgentOfOpenAIUsesMemory(t *testing.T) {
	t.Parallel()
	interpreter, s := python(t, agentsSDK, "agents"), serve(t)
	reading, stop := context.WithCancel(t.Context())
	var read sync.WaitGroup
	read.Go(func() {
		if err := worker.Run(reading, s.client, worker.Options{}); err != nil {
			t.Error(err)
		}
	})
	defer read.Wait()
	defer stop()
	runs(t, interpreter, "openai_agents.py", s.url, aliceKey, program.Annals(t), "--database-url", pgtest.New(t))
}

func runs(t *testing.T, interpreter, script string, arguments ...string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), interpreter, append([]string{filepath.Join("testdata", script)}, arguments...)...)
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
