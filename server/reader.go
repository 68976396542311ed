package server

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/annalsdb/annals"
)

const (
	sweepEvery   = 10 * time.Second // what nobody woke the reader for is found so
	tidyEvery    = time.Hour
	groupsAtOnce = 4
)

// reader takes waiting episodes into the graph, several groups at a time. A
// group whose reading cannot go on is tried again by the next sweep.
type reader struct {
	client   *annals.Client
	log      *slog.Logger
	woken    chan string
	episodes *prometheus.CounterVec
	groups   prometheus.Gauge

	mu      sync.Mutex
	reading map[string]bool // true: more came in the meantime
}

func newReader(client *annals.Client, log *slog.Logger) *reader {
	return &reader{
		client: client, log: log, woken: make(chan string, 1024), reading: map[string]bool{},
		episodes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "annals_episodes_read_total", Help: "Episodes that were read into the graph, by what became of them.",
		}, []string{"state"}),
		groups: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "annals_groups_reading", Help: "Groups whose episodes are being read.",
		}),
	}
}

// wake tells that a group has episodes to read. It never waits: what does not
// fit in is found by the sweep.
func (r *reader) wake(groupID string) {
	select {
	case r.woken <- groupID:
	default:
	}
}

// run reads until ctx ends, and returns when all that it began has ended.
func (r *reader) run(ctx context.Context) {
	var readers sync.WaitGroup
	defer readers.Wait()
	slots := make(chan struct{}, groupsAtOnce)
	start := func(groupID string) {
		if r.begin(groupID) {
			readers.Go(func() { r.drain(ctx, groupID, slots) })
		}
	}
	sweep, tidy := time.NewTicker(sweepEvery), time.NewTicker(tidyEvery)
	defer sweep.Stop()
	defer tidy.Stop()
	r.sweep(ctx, start)
	for {
		select {
		case <-ctx.Done():
			return
		case groupID := <-r.woken:
			start(groupID)
		case <-sweep.C:
			r.sweep(ctx, start)
		case <-tidy.C:
			r.tidy(ctx)
		}
	}
}

// begin reports whether nobody reads the group yet; whoever does reads on.
func (r *reader) begin(groupID string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, busy := r.reading[groupID]
	r.reading[groupID] = busy
	return !busy
}

// again reports whether more came while the group was read; else it is left.
func (r *reader) again(groupID string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.reading[groupID] {
		r.reading[groupID] = false
		return true
	}
	delete(r.reading, groupID)
	return false
}

func (r *reader) drain(ctx context.Context, groupID string, slots chan struct{}) {
	for more := true; more; more = r.again(groupID) {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return
		}
		r.groups.Inc()
		err := r.client.Process(ctx, groupID, r.count)
		r.groups.Dec()
		<-slots
		if err != nil && ctx.Err() == nil {
			r.log.ErrorContext(ctx, "reading stopped; it is tried again", "group", groupID, "error", err)
		}
	}
}

func (r *reader) count(p annals.Processed) {
	state := "done"
	if p.Err != nil {
		state = "failed"
	}
	r.episodes.WithLabelValues(state).Inc()
}

func (r *reader) sweep(ctx context.Context, start func(string)) {
	groups, err := r.client.WaitingGroups(ctx)
	if err != nil && ctx.Err() == nil {
		r.log.ErrorContext(ctx, "waiting episodes not looked for", "error", err)
	}
	for _, groupID := range groups {
		start(groupID)
	}
}

func (r *reader) tidy(ctx context.Context) {
	if _, err := r.client.ForgetReplies(ctx); err != nil && ctx.Err() == nil {
		r.log.ErrorContext(ctx, "old replies not removed", "error", err)
	}
}
