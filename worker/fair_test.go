package worker_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/worker"
)

const (
	smallGroups = 1000
	smallPace   = 80 * time.Millisecond // between messages; longer while too many wait, lest a busy machine look like a long queue
	smallUnread = 8                     // the most that may wait at a time
	mostWait    = 2 * time.Second       // until a small group's reading begins
	backlog     = 2000
)

// levels are a process's resources at a moment.
type levels struct {
	heap        uint64
	goroutines  int
	connections int
}

func (w *world) levels() levels {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return levels{m.HeapAlloc, runtime.NumGoroutine(), w.count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()`)}
}

// No group waits behind the backlog of another. Beside two thousand episodes of one group, each of
// a thousand others is begun at once when it gets a message, and the process does not grow
// meanwhile.
func TestSmallGroupsDoNotWaitForABacklog(t *testing.T) {
	slow.Test(t) // alone: it measures times
	w := newWorld(t)
	var mu sync.Mutex
	said, begun := map[string]time.Time{}, map[string]time.Time{}
	unread := make(chan struct{}, smallUnread)
	w.start(worker.Settings{}, func(_ context.Context, in prompts.ExtractEntities) error {
		mu.Lock()
		defer mu.Unlock()
		if content := in.Episode.Content; !said[content].IsZero() && begun[content].IsZero() {
			begun[content] = time.Now()
			<-unread
		}
		return nil
	})
	refill := func() {
		for range 20 {
			contents := make([]string, backlog/20)
			for i := range contents {
				contents[i] = fmt.Sprintf("I moved to Town%d yesterday and like Food%d.", i, i)
			}
			w.add("big", contents...)
		}
	}
	refill()
	until := time.Now()
	if slow.Long() {
		until = until.Add(10 * time.Minute)
	}
	var seen []levels
	next := time.NewTicker(smallPace)
	defer next.Stop()
	for round := 0; round == 0 || time.Now().Before(until); round++ {
		for g := range smallGroups {
			<-next.C
			unread <- struct{}{}
			group := fmt.Sprintf("small-%d", g)
			content := fmt.Sprintf("I live in Town%d and like Food%d.", g, round)
			mu.Lock()
			said[content] = time.Now()
			mu.Unlock()
			w.add(group, content)
			if g%(smallGroups/10) == smallGroups/10-1 {
				seen = append(seen, w.levels())
				if waits := w.count("SELECT count(*) FROM annals.episodes WHERE group_id = 'big' AND state <> 'done'"); waits < backlog/4 {
					refill()
				}
			}
		}
	}
	w.until(0, "SELECT count(*) FROM annals.episodes WHERE group_id <> 'big' AND state <> 'done'")
	mu.Lock()
	defer mu.Unlock()
	var waited []time.Duration
	for content, at := range said {
		waited = append(waited, begun[content].Sub(at))
	}
	slices.Sort(waited)
	longest := waited[len(waited)-1]
	read := w.count("SELECT count(*) FROM annals.episodes WHERE group_id = 'big' AND state = 'done'")
	t.Logf("%d small episodes began after %v (median), %v (99 of 100), %v (all); %d of the backlog were read beside them", len(waited),
		waited[len(waited)/2], waited[len(waited)*99/100], longest, read)
	if longest > mostWait {
		t.Errorf("a small group waited %v, want at most %v", longest, mostWait)
	}
	if read == 0 {
		t.Error("nothing of the backlog was read meanwhile")
	}
	checkLevels(t, seen)
}

// checkLevels compares the later half of the levels with the earlier one.
func checkLevels(t *testing.T, seen []levels) {
	t.Helper()
	earlier, later := seen[:len(seen)/2], seen[len(seen)/2:]
	most := func(of []levels) (top levels) {
		for _, l := range of {
			top = levels{max(top.heap, l.heap), max(top.goroutines, l.goroutines), max(top.connections, l.connections)}
		}
		return top
	}
	before, after := most(earlier), most(later)
	t.Logf("heap %d and then %d KiB, goroutines %d and %d, connections %d and %d",
		before.heap>>10, after.heap>>10, before.goroutines, after.goroutines, before.connections, after.connections)
	if after.heap > before.heap+before.heap/4+4<<20 || after.goroutines > before.goroutines+5 || after.connections > before.connections+2 {
		t.Errorf("at the most %+v in the earlier half and %+v in the later: it grows", before, after)
	}
}
