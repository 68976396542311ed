// Package slow says which tests a run has time for.
//
// There are three kinds of runs. `make test` takes minutes and decides whether a
// change is right: it is go test -short. `make test-all` adds what takes longer:
// browsers, the clients of others, kills, volume, backups. ANNALS_TEST_LONG=1 adds
// to that what takes minutes by itself.
package slow

import (
	"os"
	"testing"
)

// Test leaves a test to `make test-all`. A test that takes more than two seconds
// calls it first.
func Test(tb testing.TB) {
	tb.Helper()
	if testing.Short() {
		tb.Skip("takes seconds: make test-all runs it")
	}
}

// Long reports whether the run has time for tests of minutes.
func Long() bool { return !testing.Short() && os.Getenv("ANNALS_TEST_LONG") != "" }

// Of is how many cases a test tries: in `make test`, in `make test-all`, and where
// there is time for tests of minutes.
func Of(quick, all, long int) int {
	switch {
	case testing.Short():
		return quick
	case Long():
		return long
	}
	return all
}
