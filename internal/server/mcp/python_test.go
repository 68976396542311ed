package mcp_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/annalsdb/annals/internal/fetched"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/program"
	"github.com/annalsdb/annals/internal/slow"
)

// pythonSDK is the version of the client that the protocol's makers publish for
// Python.
const pythonSDK = "mcp==2.3.0"

// python is an interpreter that has the SDK.
func python(t *testing.T) string {
	t.Helper()
	if !slow.Long() {
		t.Skip("the SDK is fetched from PyPI, which takes a while")
	}
	interpreter, err := fetched.Python(pythonSDK, "mcp")
	if err != nil {
		t.Skipf("the SDK cannot be installed here, which takes Python, pip and its registry or what was fetched before: %v", err)
	}
	return interpreter
}

// The flow by another client that nobody here wrote, which checks every answer
// against its schema.
func TestThePythonSDKRunsTheTools(t *testing.T) {
	t.Parallel()
	command := exec.CommandContext(t.Context(), python(t), filepath.Join("testdata", "client.py"), program.Annals(t), "--database-url", pgtest.New(t))
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
