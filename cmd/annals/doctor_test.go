package main

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/model/modeltest"
)

// states returns the states of checks by name.
func states(checks []checkJSON) map[string]string {
	all := map[string]string{}
	for _, c := range checks {
		all[c.Name] = c.State
		if (c.State == checkFine) != (c.Do == "") {
			all[c.Name] += ", and it is not said what to do"
		}
	}
	return all
}

func TestDoctorFindsWhatIsBroken(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("add", "-g", "t", "I live in Paris.")
	m.must("add", "-g", "t", "I live in Rome.")
	var report doctorJSON
	m.read(&report, "doctor")
	for name, state := range states(report.Checks) {
		if state != checkFine {
			t.Errorf("of a new database, %s is %s: %+v", name, state, report.Checks)
		}
	}
	m.must("-g", "t", "--embedder", report.Embedder, "search", "Paris") // the name that is shown is accepted
	for _, wrong := range []string{"offline:hash-1-0", "offline:hash-1-many", "offline:hash-1-16"} {
		if o := m.run("", "-g", "t", "--embedder", wrong, "search", "Paris"); o.code != exitFailed {
			t.Errorf("the embedder %s is taken: %+v", wrong, o)
		}
	}
	conn, err := pgx.Connect(t.Context(), m.environ["ANNALS_DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), "CREATE UNIQUE INDEX CONCURRENTLY half_built ON annals.episodes (source)"); err == nil {
		t.Fatal("two episodes of a source are unique")
	}
	o := m.run("", "doctor")
	if o.code != exitFailed || !strings.Contains(o.stdout, "REINDEX INDEX CONCURRENTLY annals.half_built") || !strings.Contains(o.stderr, "broken: indexes") {
		t.Errorf("with an index that is not valid: exit %d, %s%s", o.code, o.stdout, o.stderr)
	}
	m.environ["ANNALS_TENANT"] = "t"
	if o := m.run("", "-g", "t", "doctor"); o.code != exitOK || strings.Contains(o.stdout, "half_built") {
		t.Errorf("a tenant is told of the whole database: %+v", o)
	}
}

func TestDoctorAsksTheModels(t *testing.T) {
	t.Parallel()
	s := newScripted(t)
	s.must("doctor", "--no-models")
	if n := s.server.Chats(); n != 0 {
		t.Errorf("%d questions without models", n)
	}
	if out := s.must("doctor"); strings.Count(out, "model openai:scripted") != 2 || s.server.Chats() != 1 {
		t.Errorf("asked %d times: %s", s.server.Chats(), out)
	}
	s.answers["doctor"] = func(modeltest.Request) modeltest.Reply {
		return modeltest.Reply{Status: http.StatusBadRequest, Text: "no such model"}
	}
	o := s.run("", "doctor")
	if o.code != exitFailed || !strings.Contains(o.stdout, "no such model") || !strings.Contains(o.stdout, "ANNALS_LLM") || strings.Contains(o.stdout+o.stderr, modelKey) {
		t.Errorf("with a model that refuses: exit %d, %s%s", o.code, o.stdout, o.stderr)
	}
}

func TestHealthIsJudged(t *testing.T) {
	t.Parallel()
	fine := func() service.Health {
		return service.Health{Extensions: map[string]string{"vector": "0.8.0", "btree_gist": "1.7", "pg_trgm": "1.6", "unaccent": "1.1"}}
	}
	for name, tt := range map[string]struct {
		change func(*service.Health)
		check  string
		want   string
	}{
		"an extension is missing": {func(h *service.Health) { delete(h.Extensions, "unaccent") }, "extensions", checkBroken},
		"an index is not valid":   {func(h *service.Health) { h.InvalidIndexes = []string{"x"} }, "indexes", checkBroken},
		"a large group has none": {func(h *service.Health) {
			h.Unindexed = []service.UnindexedGroup{{GroupID: "g", Kind: "fact", Vectors: 30_000}}
		}, "vector indexes", checkWarning},
		"little waits":              {func(h *service.Health) { h.Waiting, h.OldestWaiting = 5, time.Minute }, "queue", checkFine},
		"something waits for long":  {func(h *service.Health) { h.Waiting, h.OldestWaiting = 5, time.Hour }, "queue", checkWarning},
		"something failed":          {func(h *service.Health) { h.Failed = 1 }, "failed episodes", checkWarning},
		"a table is mostly dead":    {func(h *service.Health) { h.DeadRows = []service.DeadRows{{Table: "facts", Live: 1, Dead: 20_000}} }, "dead rows", checkWarning},
		"the clock is a bit behind": {func(h *service.Health) { h.ClockAhead = -2 * time.Second }, "clock", checkWarning},
		"the clock is far ahead":    {func(h *service.Health) { h.ClockAhead = time.Hour }, "clock", checkBroken},
	} {
		h := fine()
		tt.change(&h)
		checks := judgeHealth(h)
		if got := states(checks)[tt.check]; got != tt.want {
			t.Errorf("%s: %s is %s, want %s", name, tt.check, got, tt.want)
		}
		if (tt.want == checkBroken) != slices.Equal(broken(checks), []string{tt.check}) {
			t.Errorf("%s: broken are %v", name, broken(checks))
		}
	}
}
