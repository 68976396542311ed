package main

import (
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
)

// Doctor reports the state of the replica, and commands work without it.
func TestReplica(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	s := pgtest.NewStandby(t)
	m := &memory{t: t, environ: map[string]string{"ANNALS_DATABASE_URL": s.Primary, "ANNALS_READ_DATABASE_URL": s.Replica, "ANNALS_READ_WAIT": "0"}}
	m.must("add", "-g", "t", "--actor", "Alice", "I live in Paris.")
	var report doctorJSON
	m.read(&report, "doctor", "-g", "t")
	if r := report.Replica; r == nil || r.URL != s.Replica || !r.Reachable || !r.Following {
		t.Errorf("doctor --json has %+v", r)
	}
	if out := m.must("doctor", "-g", "t"); !strings.Contains(out, "\nreplica ") {
		t.Errorf("doctor does not show the replica:\n%s", out)
	}
	s.Tell("SELECT pg_wal_replay_pause()")
	m.must("add", "-g", "t", "--actor", "Alice", "I moved to Lisbon.")
	if out := m.must("doctor", "-g", "t"); !strings.Contains(out, "bytes of the log behind") {
		t.Errorf("doctor does not tell that the replica is behind:\n%s", out)
	}
	s.Tell("SELECT pg_wal_replay_resume()")
	s.Stop()
	if out := m.must("doctor", "-g", "t"); !strings.Contains(out, "does not answer: reads go to the primary") {
		t.Errorf("doctor does not tell that the replica is gone:\n%s", out)
	}
	if out := m.must("facts", "-g", "t"); !strings.Contains(out, "Lisbon") {
		t.Errorf("without the replica the facts are\n%s", out)
	}
}
