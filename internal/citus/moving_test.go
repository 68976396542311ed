package citus

import (
	"context"
	"fmt"
	osexec "os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// busy reads and writes groups until it is stopped.
type busy struct {
	wg       sync.WaitGroup
	stop     chan struct{}
	searched atomic.Int64

	mu     sync.Mutex
	errs   map[string][]error // by group
	added  map[string]int
	before map[string]int // episodes when it began
}

// use starts a reader and writer for every group.
func use(t *testing.T, client *annals.Client, groups []string) *busy {
	t.Helper()
	b := &busy{stop: make(chan struct{}), errs: map[string][]error{}, added: map[string]int{}, before: map[string]int{}}
	for n, groupID := range groups {
		episodes, err := client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: groupID, Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		b.before[groupID] = len(episodes)
		b.wg.Add(2)
		go func() { defer b.wg.Done(); b.write(t.Context(), client, groupID, n) }()
		go func() { defer b.wg.Done(); b.read(t.Context(), client, groupID) }()
	}
	return b
}

func (b *busy) goesOn() bool {
	select {
	case <-b.stop:
		return false
	case <-time.After(50 * time.Millisecond):
		return true
	}
}

func (b *busy) note(groupID string, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.errs[groupID] = append(b.errs[groupID], err)
}

func (b *busy) write(ctx context.Context, client *annals.Client, groupID string, n int) {
	for i := 0; b.goesOn(); i++ {
		_, err := client.Add(ctx, annals.Episode{GroupID: groupID, Actor: people[n%len(people)], Content: fmt.Sprintf("I moved to %s.", cities[i%len(cities)]), ExternalID: fmt.Sprint("meanwhile-", i)})
		if err == nil {
			b.mu.Lock()
			b.added[groupID]++
			b.mu.Unlock()
			err = client.Process(ctx, groupID, nil)
		}
		if err != nil {
			b.note(groupID, fmt.Errorf("write: %w", err))
		}
	}
}

func (b *busy) read(ctx context.Context, client *annals.Client, groupID string) {
	for b.goesOn() {
		found, err := client.Search(ctx, annals.Query{GroupID: groupID, Text: "Where does Alice live?", Scopes: []graph.Kind{graph.KindEpisode}})
		if err == nil && len(found.Episodes) == 0 {
			err = fmt.Errorf("nothing is found")
		}
		if err != nil {
			b.note(groupID, fmt.Errorf("read: %w", err))
		}
		b.searched.Add(1)
	}
}

// end stops it and returns the failures.
func (b *busy) end() map[string][]error {
	close(b.stop)
	b.wg.Wait()
	return b.errs
}

// nothingLost checks that everything added is there and complete.
func (b *busy) nothingLost(t *testing.T, client *annals.Client) {
	t.Helper()
	for groupID, before := range b.before {
		if err := client.Process(t.Context(), groupID, nil); err != nil {
			t.Fatal(err)
		}
		episodes, err := client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: groupID, Limit: 1000, State: graph.StateDone})
		if err != nil || len(episodes) != before+b.added[groupID] {
			t.Errorf("%s has %d episodes that were read, want %d and the %d that were added: %v", groupID, len(episodes), before, b.added[groupID], err)
		}
		v, err := service.New(client).Verify(t.Context(), groupID, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, check := range v.Broken() {
			t.Errorf("%s: %s: %v", groupID, check.Name, check.Found)
		}
	}
}

// script runs scripts/citus.
func script(t testing.TB, args ...string) {
	t.Helper()
	out, err := osexec.CommandContext(context.WithoutCancel(t.Context()), "../../scripts/citus", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("scripts/citus %v: %v\n%s", args, err, out)
	}
}

// spare prepares the spare server of the cluster for a database.
func spare(t *testing.T, many string) (port uint16) {
	t.Helper()
	config, err := pgx.ParseConfig(many)
	if err != nil {
		t.Fatal(err)
	}
	port = config.Port + 3
	at := func(database string) string {
		return strings.Replace(strings.Replace(many, fmt.Sprint(":", config.Port, "/"), fmt.Sprint(":", port, "/"), 1), "/"+config.Database, "/"+database, 1)
	}
	exec(t, at("postgres"), `CREATE DATABASE `+config.Database)
	t.Cleanup(func() {
		for range 20 {
			conn, err := pgx.Connect(context.Background(), at("postgres"))
			if err != nil {
				t.Error(err)
				return
			}
			_, err = conn.Exec(context.Background(), `DROP DATABASE `+config.Database+` WITH (FORCE)`)
			_ = conn.Close(context.Background())
			if err == nil {
				return
			}
			time.Sleep(time.Second)
		}
	})
	exec(t, at(config.Database), `CREATE EXTENSION citus`)
	exec(t, many, fmt.Sprintf(`SELECT citus_add_node('%s', %d)`, config.Host, port))
	return port
}

// Shards move to another server and to a new one, and a group gets its own shard, while
// all groups are read and written. No search fails, a write fails only at the moment its
// group moves, and nothing is lost.
func TestMovingShards(t *testing.T) {
	nodes(t, "") // skips where there is no Citus
	many := inPlace(t, func(string) {})
	client := open(t, many)
	var groups []string
	for n := range 4 {
		groups = append(groups, fmt.Sprint("g", n))
		tell(t, client, groups[n], n, 10)
	}
	conn := connect(t, many)
	b := use(t, client, groups)
	for _, step := range []struct{ name, sql string }{
		{"move a shard", `SELECT citus_move_shard_placement(p.shardid, p.nodename, p.nodeport, o.nodename, o.nodeport, 'block_writes')
			FROM pg_dist_shard_placement p JOIN pg_dist_node o ON o.nodeport <> p.nodeport AND o.shouldhaveshards
			WHERE p.shardid = get_shard_id_for_distribution_column('annals.groups', 'g0') LIMIT 1`},
		{"give a group a shard of its own", `SELECT isolate_tenant_to_new_shard('annals.groups', 'g1', 'CASCADE', shard_transfer_mode => 'block_writes')`},
		{"add a server", ""},
		{"rebalance", `SELECT rebalance_table_shards(shard_transfer_mode => 'block_writes')`},
	} {
		begun, tries := time.Now(), 1
		if step.sql == "" {
			spare(t, many)
		} else {
			for ; ; tries++ { // those who write have begun before: they go first
				_, err := conn.Exec(t.Context(), step.sql)
				if err == nil {
					break
				}
				if !strings.Contains(err.Error(), "40P01") || tries == 30 {
					t.Errorf("%s: %v", step.name, err)
					break
				}
			}
		}
		t.Logf("%s: %v, at attempt %d", step.name, time.Since(begun).Round(10*time.Millisecond), tries)
		distribute(t, many)
		time.Sleep(time.Second) // all are used there
	}
	ended := 0
	for groupID, errs := range b.end() {
		for _, err := range errs {
			if !isOfTheMove(err) {
				t.Errorf("%s: %v", groupID, err)
			}
			ended++
		}
	}
	if ended > 12 {
		t.Errorf("%d writes were ended by the moves", ended)
	}
	t.Logf("%d searches and %v episodes meanwhile", b.searched.Load(), b.added)
	b.nothingLost(t, client)
	var servers int
	if err := conn.QueryRow(t.Context(), `SELECT count(DISTINCT nodeport) FROM pg_dist_shard_placement`).Scan(&servers); err != nil || servers < 3 {
		t.Errorf("shards lie on %d servers: %v", servers, err)
	}
}

// isOfTheMove reports whether a write failed because its group moved at that moment. It
// was rolled back and must be repeated.
func isOfTheMove(err error) bool {
	return strings.HasPrefix(err.Error(), "write: ") && slices.ContainsFunc([]string{
		"shard for the given value does not exist", "could not find valid entry for shard",
		"could not find the intermediate result file", // a statement of several steps, of which the server that had the group before did the first
	}, func(text string) bool { return strings.Contains(err.Error(), text) })
}

// While a worker is down, its groups fail with an error that says so, and the others
// work. When it is back, all work.
func TestLosingAServer(t *testing.T) {
	many := distributed(t)
	client := open(t, many)
	lost := map[string]bool{}
	var groups []string
	for n := range 4 {
		groups = append(groups, fmt.Sprint("g", n))
		tell(t, client, groups[n], n, 10)
		var port uint16
		if err := connect(t, many).QueryRow(t.Context(), `SELECT nodeport FROM pg_dist_shard_placement WHERE shardid = get_shard_id_for_distribution_column('annals.groups', $1::text)`, groups[n]).Scan(&port); err != nil {
			t.Fatal(err)
		}
		lost[groups[n]] = port == portOf(t, many)+1
	}
	b := use(t, client, groups)
	time.Sleep(2 * time.Second)
	t.Cleanup(func() { script(t, "revive", "1") })
	script(t, "kill", "1")
	time.Sleep(5 * time.Second)
	errs := b.end()
	failing := 0
	for _, groupID := range groups {
		for _, err := range errs[groupID] {
			if !lost[groupID] {
				t.Errorf("%s is on the server that is left, and failed: %v", groupID, err)
			} else if annals.CodeOf(err) != annals.CodeUnavailable {
				t.Errorf("%s: %v has the code %s", groupID, err, annals.CodeOf(err))
			}
		}
		if lost[groupID] {
			failing++
			if len(errs[groupID]) == 0 {
				t.Errorf("%s is on the server that is down, and nothing failed", groupID)
			}
		}
	}
	if failing == 0 || failing == len(groups) {
		t.Fatalf("%d of %d groups lie on the server that was ended", failing, len(groups))
	}
	script(t, "revive", "1")
	deadline := time.Now().Add(40 * time.Second) // it is left alone for a while
	for _, groupID := range groups {
		for {
			_, err := client.Search(t.Context(), annals.Query{GroupID: groupID, Text: "Where does Alice live?"})
			if err == nil {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("%s is still not to be read: %v", groupID, err)
			}
			time.Sleep(500 * time.Millisecond)
		}
	}
	b.nothingLost(t, client)
}
