// Package program builds the command annals for tests. All test programs of a
// run share one binary.
package program

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/gofrs/flock"
)

// Annals returns the path of the command, built from the current sources.
func Annals(tb testing.TB) string {
	tb.Helper()
	binary, err := built()
	if err != nil {
		tb.Fatal(err)
	}
	return binary
}

// built keeps the binary between runs, in a folder for each clone: go build
// skips the build if nothing changed.
var built = sync.OnceValues(func() (string, error) {
	module, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("find the module: %w", err)
	}
	hash := sha256.Sum256(module)
	dir := filepath.Join(os.TempDir(), "annals-test-program-"+hex.EncodeToString(hash[:6]))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	lock := flock.New(filepath.Join(dir, "lock"))
	if err := lock.Lock(); err != nil {
		return "", err
	}
	defer func() { _ = lock.Unlock() }()
	binary := filepath.Join(dir, "annals")
	build := exec.Command("go", "build", "-o", binary, "github.com/annalsdb/annals/cmd/annals")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build annals: %w: %s", err, out)
	}
	return binary, nil
})
