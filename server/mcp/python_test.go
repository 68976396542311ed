package mcp_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/annalsdb/annals/internal/pgtest"
)

// pythonSDK is the version of the client that the protocol's makers publish for
// Python.
const pythonSDK = "mcp==2.3.0"

// python is an interpreter that has the SDK, in an environment of its own that
// stays for the next run.
func python(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("the SDK is fetched from PyPI, which takes a while")
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3 here to run the SDK with")
	}
	folder := filepath.Join(os.TempDir(), "annals-test-python-"+pythonSDK)
	interpreter := filepath.Join(folder, "bin", "python")
	if exec.CommandContext(t.Context(), interpreter, "-c", "import mcp").Run() == nil {
		return interpreter
	}
	for _, command := range [][]string{{"python3", "-m", "venv", folder}, {interpreter, "-m", "pip", "install", "--quiet", pythonSDK}} {
		if out, err := exec.CommandContext(t.Context(), command[0], command[1:]...).CombinedOutput(); err != nil {
			t.Skipf("%q cannot be run: %v: %s", command, err, out)
		}
	}
	return interpreter
}

// The flow by another client that nobody here wrote, which checks every answer
// against its schema.
func TestThePythonSDKRunsTheTools(t *testing.T) {
	t.Parallel()
	command := exec.CommandContext(t.Context(), python(t), filepath.Join("testdata", "client.py"), build(t), "--database-url", pgtest.New(t))
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
