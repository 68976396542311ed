// Package fetched downloads packages from PyPI and npm for tests, and keeps them
// between runs.
package fetched

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

// within limits the time of a download.
const within = 10 * time.Minute

// making is held while an environment is created.
var making sync.Mutex

// Python creates a virtual environment from the text of a requirements.txt and
// returns its interpreter. It checks that the given modules can be imported.
func Python(requirements string, imported ...string) (interpreter string, err error) {
	making.Lock()
	defer making.Unlock()
	hash := sha256.Sum256([]byte(requirements))
	dir := filepath.Join(os.TempDir(), "annals-test-python-"+hex.EncodeToString(hash[:6]))
	interpreter, ready := filepath.Join(dir, "bin", "python"), filepath.Join(dir, "ready")
	if _, err := os.Stat(ready); err == nil {
		return interpreter, nil
	}
	if err := run("", nil, "python3", "-m", "venv", "--clear", dir); err != nil {
		return "", err
	}
	list := filepath.Join(dir, "requirements.txt")
	if err := os.WriteFile(list, []byte(requirements), 0o600); err != nil {
		return "", err
	}
	if err := run("", nil, interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", list); err != nil {
		return "", err
	}
	if err := run("", nil, interpreter, "-c", "import "+strings.Join(append([]string{"sys"}, imported...), ", ")); err != nil {
		return "", err
	}
	return interpreter, os.WriteFile(ready, nil, 0o600)
}

// onnxRuntime is the PyPI package with ONNX Runtime's library.
const onnxRuntime = "onnxruntime==1.32.0"

// ONNXRuntime returns the folder of ONNX Runtime's library, or the value of
// ANNALS_TEST_ONNXRUNTIME. It skips the test if neither is available.
func ONNXRuntime(tb testing.TB) string {
	tb.Helper()
	if named := os.Getenv("ANNALS_TEST_ONNXRUNTIME"); named != "" {
		return named
	}
	folder, err := onnxRuntimeFolder()
	if err != nil {
		tb.Skipf("ONNX Runtime cannot be had here, which takes Linux, pip and its registry or what was fetched before, or ANNALS_TEST_ONNXRUNTIME: %v", err)
	}
	return folder
}

// onnxRuntimeFolder downloads the package once for all concurrent test programs.
// The parts used are the same in the wheels of all versions of Python.
var onnxRuntimeFolder = sync.OnceValues(func() (string, error) {
	if runtime.GOOS != "linux" {
		return "", errors.New("this is " + runtime.GOOS)
	}
	dir := filepath.Join(os.TempDir(), "annals-test-"+onnxRuntime)
	lock := flock.New(dir + ".lock")
	if err := lock.Lock(); err != nil {
		return "", err
	}
	defer func() { _ = lock.Unlock() }()
	folder, ready := filepath.Join(dir, "onnxruntime", "capi"), filepath.Join(dir, "ready")
	if _, err := os.Stat(ready); err == nil {
		return folder, nil
	}
	err := run("", nil, "python3", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--upgrade", "--target", dir,
		"--no-deps", "--only-binary", ":all:", "--python-version", "3.12", onnxRuntime)
	if err != nil {
		return "", err
	}
	return folder, os.WriteFile(ready, nil, 0o600)
})

// NPM returns the environment of npm and npx, with a cache that all tests share.
func NPM() []string {
	return append(os.Environ(), "npm_config_cache="+filepath.Join(os.TempDir(), "annals-test-npm"), "npm_config_prefer_offline=true")
}

// Modules installs the packages of a folder's package-lock.json into that folder.
func Modules(dir string) error {
	return run(dir, NPM(), "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1")
}

// run runs a command that downloads something. Its error includes the output.
func run(dir string, env []string, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	command := exec.CommandContext(ctx, args[0], args[1:]...)
	command.Dir, command.Env = dir, env
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}
