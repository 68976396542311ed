// Package slow selects the tests of a run by their duration.
//
// There are three kinds of runs. `make test`, which is go test -short, takes
// minutes and decides whether a change is right. `make test-all` adds longer
// tests: browsers, clients of others, kills, volume, backups. ANNALS_TEST_LONG=1
// adds to it tests that take minutes each.
package slow

import (
	"os"
	"testing"
)

// Test skips a test in `make test`. A test that takes more than two seconds calls
// it first.
func Test(tb testing.TB) {
	tb.Helper()
	if testing.Short() {
		tb.Skip("takes seconds: make test-all runs it")
	}
}

// Long reports whether the run includes tests that take minutes.
func Long() bool { return !testing.Short() && os.Getenv("ANNALS_TEST_LONG") != "" }

// Of returns the number of cases to try: in `make test`, in `make test-all`, and
// with ANNALS_TEST_LONG.
func Of(quick, all, long int) int {
	switch {
	case testing.Short():
		return quick
	case Long():
		return long
	}
	return all
}
