package annals_test

import (
	"context"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
)

// sent counts the statements that a pool sends, and its round trips.
type sent struct {
	mu         sync.Mutex
	statements []string
	trips      int
}

func (s *sent) note(trips int, statements ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.statements, s.trips = append(s.statements, statements...), s.trips+trips
}

func (s *sent) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	s.note(1, q.SQL)
	return ctx
}

func (s *sent) TraceBatchStart(ctx context.Context, _ *pgx.Conn, b pgx.TraceBatchStartData) context.Context {
	s.note(1)
	for _, q := range b.Batch.QueuedQueries {
		s.note(0, q.SQL)
	}
	return ctx
}

func (*sent) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData)     {}
func (*sent) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (*sent) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

// during counts what do sends, and names the statements that only concern beliefs.
func (s *sent) during(t *testing.T, do func()) (statements, trips int, beliefs []string) {
	t.Helper()
	about := map[string]bool{"GroupKeeps": true}
	for _, noun := range []string{"answers", "marks", "observations", "trust"} {
		text, err := os.ReadFile("queries/" + noun + ".sql")
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^-- name: (\w+)`).FindAllSubmatch(text, -1) {
			about[string(m[1])] = true
		}
	}
	s.statements, s.trips = nil, 0
	do()
	for _, q := range s.statements {
		if name, _, _ := strings.Cut(strings.TrimPrefix(q, "-- name: "), " "); about[name] {
			beliefs = append(beliefs, name)
		}
	}
	return len(s.statements), s.trips, beliefs
}

// A group without observations, standing answers, marks and policies pays next to nothing
// for them: two looks for each time that what waits is read, however many episodes that
// are, one for what an assistant or a document says, and none for another message of a
// user. A search takes no longer way: its one look goes with others. Without any of this,
// reading these messages takes 41, 44, 33 and 41 round trips and 47, 53, 38 and 47
// statements, one of them for what summaries tell, and the search, the first of the
// group, 4 and 17.
func TestWhoKeepsNoBeliefsPaysForNone(t *testing.T) {
	t.Parallel()
	config, err := pgxpool.ParseConfig(pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	s := &sent{}
	config.ConnConfig.Tracer = s
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	client := clienttest.Open(t, annals.Config{Pool: pool})
	for _, text := range []string{"I live in Paris.", "I like tea.", "I work at Acme."} {
		clienttest.AddAndProcess(t, client, clienttest.Alice(text, "2024-03-01"))
	}
	each := []string{"MarksDue", "GroupKeeps"}
	for _, tt := range []struct {
		text, role        string
		statements, trips int // without beliefs
		beliefs           []string
	}{
		{"I like chess.", "", 47, 41, each},
		{"I moved to Lisbon.", "", 53, 44, each},
		{"I know Bob.", "", 38, 33, each},
		{"Alice likes jazz.", "assistant", 47, 41, []string{"MarksDue", "Withheld", "GroupKeeps"}},
	} {
		e := clienttest.Alice(tt.text, "2024-03-02")
		e.Role = tt.role
		statements, trips, beliefs := s.during(t, func() { clienttest.AddAndProcess(t, client, e) })
		if diff := cmp.Diff(tt.beliefs, beliefs); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
		if more := len(tt.beliefs); statements > tt.statements+more || trips > tt.trips+more {
			t.Errorf("%q takes %d statements in %d round trips; without, %d in %d", tt.text, statements, trips, tt.statements, tt.trips)
		}
	}
	repeated := clienttest.Alice("I like tea.", "2024-03-02")
	if _, _, beliefs := s.during(t, func() { clienttest.AddAndProcess(t, client, repeated) }); cmp.Diff(each, beliefs) != "" {
		t.Errorf("reading what repeats a fact asks %q", beliefs)
	}
	var many []annals.Episode
	for _, thing := range strings.Fields("snow opera golf yoga soup") {
		many = append(many, clienttest.Alice("I like "+thing+".", "2024-03-03"))
	}
	if _, _, beliefs := s.during(t, func() { clienttest.AddAndProcess(t, client, many...) }); cmp.Diff(each, beliefs) != "" {
		t.Errorf("reading %d messages asks %q", len(many), beliefs)
	}
	statements, trips, beliefs := s.during(t, func() {
		if _, err := client.Search(t.Context(), annals.Query{GroupID: "t", Text: "Where does Alice live?"}); err != nil {
			t.Fatal(err)
		}
	})
	if diff := cmp.Diff([]string(nil), beliefs); diff != "" || statements > 17 || trips > 4 {
		t.Errorf("a search takes %d statements in %d round trips, of which about beliefs (-want +got):\n%s", statements, trips, diff)
	}
}
