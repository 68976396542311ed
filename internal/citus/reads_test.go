package citus

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// asking counts the requests to each server, by its port.
type asking struct {
	mu    sync.Mutex
	ports map[uint16]int
}

func (a *asking) note(conn *pgx.Conn) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ports[conn.Config().Port]++
}

// since returns the requests since the last call.
func (a *asking) since() map[uint16]int {
	a.mu.Lock()
	defer a.mu.Unlock()
	ports := maps.Clone(a.ports)
	clear(a.ports)
	return ports
}

func (a *asking) TraceQueryStart(ctx context.Context, conn *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	a.note(conn)
	return ctx
}

func (a *asking) TraceBatchStart(ctx context.Context, conn *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	a.note(conn)
	return ctx
}

func (*asking) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData)     {}
func (*asking) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (*asking) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

// portOf returns the port of a database.
func portOf(t testing.TB, address string) uint16 {
	t.Helper()
	config, err := pgx.ParseConfig(address)
	if err != nil {
		t.Fatal(err)
	}
	return config.Port
}

// straight are searches that need only one server: by metadata of episodes, by trust, and
// by marks.
var straight = map[string]annals.Query{
	"metadata":      {Scopes: scopes[:3], Filter: filters["metadata"]},
	"told by Alice": {Filter: filters["told by Alice"]},
	"candidates":    {Trust: graph.TrustCandidate},
	"of any trust":  {Trust: graph.TrustAll},
	"pinned first":  {Pinned: true},
}

// doubt withholds statements of assistants in a group, and marks facts.
func doubt(t *testing.T, client *annals.Client, groupID string) {
	t.Helper()
	memory := service.New(client)
	if err := memory.SetTrustPolicy(t.Context(), groupID, graph.TrustPolicy{Assistants: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.AddAll(t.Context(), []annals.Episode{
		{GroupID: groupID, Role: "assistant", Actor: "Helper", Content: "Bob lives in Bergen."},
		{GroupID: groupID, Role: "user", Actor: "Alice", Content: "I live in Turin."},
	}); err != nil {
		t.Fatal(err)
	}
	if err := client.Process(t.Context(), groupID, nil); err != nil {
		t.Fatal(err)
	}
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: groupID, Limit: 2})
	if err != nil || len(facts) < 2 {
		t.Fatalf("%d facts in %s: %v", len(facts), groupID, err)
	}
	for _, change := range []service.MarkChange{
		{IDs: []uuid.UUID{facts[0].ID}, Mark: graph.MarkPinned},
		{IDs: []uuid.UUID{facts[1].ID}, Mark: graph.MarkExpires, ExpiresAt: time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		if _, err := memory.Mark(t.Context(), groupID, change); err != nil {
			t.Fatal(err)
		}
	}
}

// A search asks only the server that has the group. While that server does not show the
// shard, or reports that it moved, the coordinator answers the same.
func TestReadsGoToTheServerOfTheGroup(t *testing.T) {
	many := distributed(t)
	config, err := pgxpool.ParseConfig(many)
	if err != nil {
		t.Fatal(err)
	}
	count := &asking{ports: map[uint16]int{}}
	config.ConnConfig.Tracer = count
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	client, err := annals.Open(t.Context(), annals.Config{Pool: pool})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	coordinator, servers := portOf(t, many), map[uint16]int{}
	search := func(groupID string) (found int, ports map[uint16]int) {
		t.Helper()
		count.since()
		for name, q := range straight {
			q.GroupID, q.Text = groupID, "Where does Alice live?"
			got, err := client.Search(t.Context(), q)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if len(got.Facts)+len(got.Episodes) == 0 {
				t.Errorf("%s: nothing is found in %s", name, groupID)
			}
			found += len(got.Facts) + len(got.Episodes)
		}
		return found, count.since()
	}
	hits := map[string]int{}
	for n := range 6 {
		groupID := fmt.Sprint("g", n)
		tell(t, client, groupID, n, 10)
		doubt(t, client, groupID)
		search(groupID) // which finds out where the group is
		var ports map[uint16]int
		if hits[groupID], ports = search(groupID); ports[coordinator] > 0 || len(ports) != 1 || hits[groupID] == 0 {
			t.Errorf("%s: found %d, by statements to %v; the coordinator has %d", groupID, hits[groupID], ports, coordinator)
		}
		for port := range ports {
			servers[port]++
		}
	}
	if len(servers) != 2 {
		t.Errorf("all groups lie on %v: the test shows little", servers)
	}
	name := connect(t, many).Config().Database
	for _, worker := range nodes(t, name)[1:] {
		exec(t, worker, `DO $$ DECLARE s text; BEGIN SET LOCAL citus.enable_ddl_propagation = off;
			FOR s IN SELECT nspname FROM pg_namespace WHERE nspname LIKE 'annals\_shard\_%' LOOP EXECUTE format('DROP SCHEMA %I CASCADE', s); END LOOP; END $$`)
	}
	for groupID, want := range hits {
		if got, ports := search(groupID); got != want || ports[coordinator] == 0 {
			t.Errorf("%s without the schema of its shard: found %d by statements to %v, want %d", groupID, got, ports, want)
		}
	}
	spread, end, err := db.Spread(t.Context(), pool, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	if err := db.ShowMoved(t.Context(), spread); err != nil {
		t.Fatal(err)
	}
	for groupID, want := range hits {
		search(groupID)
		if got, ports := search(groupID); got != want || ports[coordinator] > 0 {
			t.Errorf("%s with that schema again: found %d by statements to %v, want %d", groupID, got, ports, want)
		}
	}
}
