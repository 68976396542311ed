package citus

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
)

// A search on a cluster takes at most 2.5 times as long as on one server of the same
// machine. The two alternate, so that other work slows both.
func TestASearchCostsLittleMore(t *testing.T) {
	one, many := twins(t)
	single, cluster := open(t, one), open(t, many)
	known := time.Now()
	for name, q := range map[string]annals.Query{
		"facts": {Scopes: scopes[:1]}, "everything": {Scopes: scopes}, "as it comes": {},
		"of people": {Filter: filters["of people"]}, "metadata": {Filter: filters["metadata"]}, "said by Alice": {Filter: filters["said by Alice"]},
		"told by Alice": {Filter: filters["told by Alice"]}, "candidates": {Trust: graph.TrustCandidate}, "pinned first": {Pinned: true},
		"held then": {ValidAt: asked}, "known then": {KnownAt: known}, "by the graph too": {Methods: methods}, "in a phrase": {Text: `who met at the "café in Paris"`},
	} {
		q.GroupID, q.Limit = group, 10
		if q.Text == "" {
			q.Text = "Where does Alice live?"
		}
		took := map[*annals.Client][]time.Duration{}
		for i := range 34 {
			for _, client := range []*annals.Client{single, cluster} {
				begun := time.Now()
				if _, err := client.Search(t.Context(), q); err != nil {
					t.Fatal(err)
				}
				if i >= 4 { // the first make plans and connections
					took[client] = append(took[client], time.Since(begun))
				}
			}
		}
		median := func(client *annals.Client) time.Duration {
			slices.Sort(took[client])
			return took[client][len(took[client])/2]
		}
		times := float64(median(cluster)) / float64(median(single))
		t.Logf("%s: %v, on one server %v: %.2f times", name, median(cluster).Round(10*time.Microsecond), median(single).Round(10*time.Microsecond), times)
		if times > 2.5 {
			t.Errorf("%s takes %.2f times as long as on one server", name, times)
		}
	}
}

// The time to read episodes on a cluster is compared with that on one server of the
// same machine. The two alternate.
func TestReadingCosts(t *testing.T) {
	nodes(t, "") // skips where there is no Citus
	one, many := pgtest.New(t), distributed(t)
	at := map[string]*annals.Client{one: open(t, one), many: open(t, many)}
	took, used := map[string]time.Duration{}, map[string]time.Duration{}
	groups, episodes := 4, 20
	if slow.Long() {
		groups = 12
	}
	for n := range groups {
		for _, address := range []string{one, many} {
			begun, before := time.Now(), processorTime(t, address)
			tell(t, at[address], fmt.Sprint("g", n), n, episodes)
			if n > 0 { // the first makes plans and connections
				took[address] += time.Since(begun)
				used[address] += processorTime(t, address) - before
			}
		}
	}
	times := float64(took[many]) / float64(took[one])
	t.Logf("%d episodes: %v, on one server %v: %.2f times", (groups-1)*episodes, took[many].Round(time.Millisecond), took[one].Round(time.Millisecond), times)
	if used[one] > 0 {
		t.Logf("processor time of the servers: %v, of one %v: %.2f times", used[many].Round(time.Millisecond), used[one].Round(time.Millisecond), float64(used[many])/float64(used[one]))
	}
	if times > 8 {
		t.Errorf("reading takes %.2f times as long as on one server", times)
	}
}

// processorTime returns the processor time of a server's processes, for a cluster of
// all servers; 0 without /proc.
func processorTime(t testing.TB, address string) (used time.Duration) {
	t.Helper()
	servers := []string{address}
	if cluster := nodes(t, connect(t, address).Config().Database); cluster[0] == address {
		servers = cluster
	}
	for _, server := range servers {
		var pid int
		conn := connect(t, server)
		if err := conn.QueryRow(t.Context(), `SELECT pg_backend_pid()`).Scan(&pid); err != nil {
			t.Fatal(err)
		}
		parent, _, _ := processOf(pid)
		_, own, ended := processOf(parent)
		used += own + ended
		children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", parent))
		for _, child := range strings.Fields(string(children)) {
			id, _ := strconv.Atoi(child)
			_, own, _ := processOf(id)
			used += own
		}
		_ = conn.Close(t.Context())
	}
	return used
}

// processOf returns the parent of a process, and the processor time of it and its
// ended children. Linux counts hundredths of a second.
func processOf(pid int) (parent int, own, ended time.Duration) {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, after, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(after)
	if len(fields) < 15 {
		return 0, 0, 0
	}
	number := func(n int) int { v, _ := strconv.Atoi(fields[n]); return v }
	ticks := func(n int) time.Duration { return time.Duration(number(n)) * 10 * time.Millisecond }
	return number(1), ticks(11) + ticks(12), ticks(13) + ticks(14)
}
