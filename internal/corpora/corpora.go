// Package corpora finds the public data sets that tests read where they are at hand. They
// are not in the repository: some of their licences forbid it.
package corpora

import (
	"os"
	"path/filepath"
	"testing"
)

// Path is where a file or a folder of the data sets is, as "locomo/locomo5_dev.json.gz". It
// skips the test where the variable is not set, and where the data set is not there.
func Path(t testing.TB, name string) string {
	t.Helper()
	folder := os.Getenv("ANNALS_TEST_DATA")
	if folder == "" {
		t.Skip("set ANNALS_TEST_DATA to a folder with locomo, longmemeval, dmr, datetime, entity, truth and reading")
	}
	path := filepath.Join(folder, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("ANNALS_TEST_DATA has no %s: %v", name, err)
	}
	return path
}
