// Package fetched has for tests what they fetch from PyPI and npm, and keeps it
// from run to run.
package fetched

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// within is how long fetching may take.
const within = 10 * time.Minute

// making is held while an environment is made.
var making sync.Mutex

// Python makes a virtual environment with what the text of a requirements.txt names,
// and returns its interpreter. It is ready where some modules can be imported.
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

// NPM is the environment of npm and npx, with a cache that all tests share.
func NPM() []string {
	return append(os.Environ(), "npm_config_cache="+filepath.Join(os.TempDir(), "annals-test-npm"), "npm_config_prefer_offline=true")
}

// Modules installs what the package-lock.json of a folder names into that folder.
func Modules(dir string) error {
	return run(dir, NPM(), "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1")
}

// run runs a command that fetches something; its error says what it printed.
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
