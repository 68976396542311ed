package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/annalsdb/annals/internal/postgres"
	"github.com/annalsdb/annals/internal/program"
	"github.com/annalsdb/annals/internal/slow"
)

// storm adds episodes to a service, for several groups and by several clients at once, and records
// which were accepted.
type storm struct {
	url  atomic.Pointer[string]
	wg   sync.WaitGroup
	stop context.CancelFunc

	mu       sync.Mutex
	accepted []string // their external ids
}

const stormKey = "a-key-for-the-storm"

func startStorm(t *testing.T, url string) *storm {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	s := &storm{stop: stop}
	s.url.Store(&url)
	client := &http.Client{Timeout: 10 * time.Second}
	t.Cleanup(func() { s.end(); client.CloseIdleConnections() })
	for c := range 4 {
		s.wg.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				s.put(ctx, client, fmt.Sprintf("group%d", i%3), fmt.Sprintf("client%d-%d", c, i))
			}
		})
	}
	return s
}

func (s *storm) put(ctx context.Context, client *http.Client, group, id string) {
	text := fmt.Sprintf(`{"content": "I visited Town%s with Marta.", "actor": "Alice", "external_id": %q}`, strings.ReplaceAll(id, "-", "x"), id)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, *s.url.Load()+"/v1/groups/"+group+"/episodes", strings.NewReader(text))
	if err != nil {
		return
	}
	request.Header.Set("Authorization", "Bearer "+stormKey)
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return // it was not accepted
	}
	_, _ = io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
	if response.StatusCode == http.StatusAccepted {
		s.mu.Lock()
		s.accepted = append(s.accepted, id)
		s.mu.Unlock()
	}
}

// until waits until so many were accepted.
func (s *storm) until(n int) {
	for range time.Tick(10 * time.Millisecond) { // until the test times out
		s.mu.Lock()
		accepted := len(s.accepted)
		s.mu.Unlock()
		if accepted >= n {
			return
		}
	}
}

func (s *storm) end() []string {
	s.stop()
	s.wg.Wait()
	return s.accepted
}

// checkAccepted waits until no episode waits. Everything accepted must then be in the graph.
func checkAccepted(t *testing.T, c checker, accepted []string) {
	t.Helper()
	for range time.Tick(50 * time.Millisecond) { // until the test times out
		if c.count(`SELECT count(*) FROM annals.episodes WHERE state IN ('pending', 'processing')`) == 0 {
			break
		}
	}
	var done int
	err := c.conn.QueryRow(t.Context(), `SELECT count(DISTINCT external_id) FROM annals.episodes WHERE state = 'done' AND external_id = ANY($1)`, accepted).Scan(&done)
	if err != nil || done != len(accepted) {
		t.Errorf("of %d episodes that were accepted %d are in the graph (%v)", len(accepted), done, err)
	}
	c.checkNothingPartial()
}

func TestServeIsKilledUnderLoad(t *testing.T) {
	t.Parallel()
	if !slow.Long() {
		t.Skip("takes a quarter of a minute; package torture kills some in little time")
	}
	m := newMemory(t)
	program, url := program.Annals(t), m.environ["ANNALS_DATABASE_URL"]
	first, err := startServe(t.Context(), program, url, stormKey, 3)
	if err != nil {
		t.Fatal(err)
	}
	s := startStorm(t, first.url)
	c := connect(t, url)
	c.waitForDone(20)
	s.until(100)
	if err := first.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.cmd.Wait()
	second, err := startServe(t.Context(), program, url, stormKey, 3)
	if err != nil {
		t.Fatal(err)
	}
	s.url.Store(&second.url)
	s.mu.Lock()
	before := len(s.accepted)
	s.mu.Unlock()
	s.until(before + 50)
	checkAccepted(t, c, s.end())
	if err := second.stop(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}

func TestTheDatabaseIsKilledUnderLoad(t *testing.T) {
	t.Parallel()
	if !slow.Long() {
		t.Skip("takes a quarter of a minute; package torture kills some in little time")
	}
	home := openDir(t)
	m := &memory{t: t, environ: map[string]string{"XDG_DATA_HOME": home}}
	config := postgres.Config{DataDir: filepath.Join(home, "annals")}
	cluster, err := postgres.Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cluster.Stop(context.Background()) })
	m.must("migrate", "up")
	service, err := startServe(t.Context(), program.Annals(t), cluster.URL(), stormKey, 3)
	if err != nil {
		t.Fatal(err)
	}
	s := startStorm(t, service.url)
	connect(t, cluster.URL()).waitForDone(20)
	s.until(100)
	killPostmaster(t, cluster)
	if _, err := postgres.Start(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	before := len(s.accepted)
	s.mu.Unlock()
	s.until(before + 50) // the service continues by itself
	checkAccepted(t, connect(t, cluster.URL()), s.end())
	if err := service.stop(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}
