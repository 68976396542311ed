package server

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/worker"
)

// reading counts the episodes that this process reads.
type reading struct{ episodes *prometheus.CounterVec }

func newReading() *reading {
	r := &reading{episodes: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "annals_episodes_read_total", Help: "Episodes that this process read into the graph, by what became of them.",
	}, []string{"state"})}
	for _, state := range []string{"done", "failed"} {
		r.episodes.WithLabelValues(state) // makes the first failure count as an increase
	}
	return r
}

func (r *reading) count(p annals.Processed) {
	state := "done"
	if p.Err != nil {
		state = "failed"
	}
	r.episodes.WithLabelValues(state).Inc()
}

// work reads waiting episodes until ctx ends. Without workers it only waits.
func (s *Server) work(ctx context.Context) error {
	if s.options.Workers == 0 {
		<-ctx.Done()
		return nil
	}
	return worker.Run(ctx, s.options.Client, worker.Options{Agents: s.options.Agents, Workers: s.options.Workers, Read: s.reading.count})
}

// queueTimeout is how long a query of the queue may delay the metrics.
const queueTimeout = 5 * time.Second

// queue is a collector for the number of waiting episodes in the whole database. It queries them
// each time the metrics are read.
type queue struct {
	client                   *annals.Client
	episodes, oldest, groups *prometheus.Desc
	jobs                     *prometheus.Desc
}

func newQueue(client *annals.Client) *queue {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("annals_queue_"+name, help, labels, nil)
	}
	return &queue{
		client:   client,
		episodes: desc("episodes", "Episodes of all groups that wait to be read, or are being read."),
		oldest:   desc("oldest_seconds", "For how long the first of them has waited."),
		groups:   desc("groups", "Groups that they belong to."),
		jobs:     desc("jobs", "Jobs of the queue, by their state.", "state"),
	}
}

// Describe sends the descriptions of the metrics.
func (q *queue) Describe(out chan<- *prometheus.Desc) {
	out <- q.episodes
	out <- q.oldest
	out <- q.groups
	out <- q.jobs
}

// Collect queries the database. If that fails, the metrics are missing.
func (q *queue) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), queueTimeout)
	defer cancel()
	state, err := service.New(q.client).Queue(ctx)
	if err != nil {
		return
	}
	gauge := func(desc *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
	}
	gauge(q.episodes, float64(state.Episodes))
	gauge(q.oldest, state.Oldest.Seconds())
	gauge(q.groups, float64(state.Groups))
	gauge(q.jobs, float64(state.Waiting), "available")
	gauge(q.jobs, float64(state.Running), "running")
	gauge(q.jobs, float64(state.Retrying), "retryable")
}
