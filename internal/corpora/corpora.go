// Package corpora locates the public data sets that some tests read. They are not in the
// repository, since some of their licences forbid that.
package corpora

import (
	"os"
	"path/filepath"
	"testing"
)

// Path returns the path of a file or folder of the data sets, such as
// "locomo/locomo5_dev.json.gz". It skips the test if ANNALS_TEST_DATA is not set or the
// data set does not exist.
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
