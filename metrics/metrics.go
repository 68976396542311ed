// Package metrics exports Prometheus metrics of a memory's calls to models and its
// database connections. The number of label values is bounded: no label names a
// group.
package metrics

import (
	"errors"

	"github.com/IBM/pgxpoolprometheus"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/inside"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/retrieval"
)

// Calls registers metrics of calls to models, and of searches that went on without
// one. It returns the function that counts them, for [annals.Config].Calls.
func Calls(registerer prometheus.Registerer) (func(model.Call), error) {
	m := &calls{
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "annals_model_calls_total", Help: "Questions to models, by kind, prompt, model and outcome: ok, cached or failed.",
		}, []string{"kind", "prompt", "model", "outcome"}),
		tokens: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "annals_model_tokens_total", Help: "Tokens, by kind, model and direction: input, cached (those of the input that were read before) or output.",
		}, []string{"kind", "model", "direction"}),
		cost: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "annals_model_cost_dollars_total", Help: "What calls cost by list price, in US dollars, where it is known.",
		}, []string{"kind", "model"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "annals_model_call_seconds", Help: "How long models take to answer.",
			Buckets: []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20, 40, 80, 160},
		}, []string{"kind", "model"}),
		without: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "annals_searches_without_total", Help: "Searches that went on though a model did not answer, by what is missing: vectors or cross_encoder.",
		}, []string{"missing"}),
	}
	return m.count, errors.Join(registerer.Register(m.without), registerer.Register(m.calls), registerer.Register(m.tokens), registerer.Register(m.cost), registerer.Register(m.seconds))
}

// Connections registers metrics of a client's connections to the database. A
// registerer takes only one client.
func Connections(registerer prometheus.Registerer, client *annals.Client) error {
	pool := inside.Of(client).Pool
	return registerer.Register(pgxpoolprometheus.NewCollector(pool, map[string]string{"db_name": pool.Config().ConnConfig.Database}))
}

type calls struct {
	calls   *prometheus.CounterVec
	tokens  *prometheus.CounterVec
	cost    *prometheus.CounterVec
	seconds *prometheus.HistogramVec
	without *prometheus.CounterVec
}

func (m *calls) count(c model.Call) {
	if c.Kind == retrieval.KindSearch {
		m.without.WithLabelValues(c.Prompt).Inc()
		return
	}
	outcome := "ok"
	switch {
	case c.FromCache:
		outcome = "cached"
	case c.Error != "":
		outcome = "failed"
	}
	m.calls.WithLabelValues(c.Kind, c.Prompt, c.Model, outcome).Inc()
	if c.FromCache {
		return
	}
	m.seconds.WithLabelValues(c.Kind, c.Model).Observe(c.Latency.Seconds())
	m.tokens.WithLabelValues(c.Kind, c.Model, "input").Add(float64(c.InputTokens - c.CachedTokens))
	m.tokens.WithLabelValues(c.Kind, c.Model, "cached").Add(float64(c.CachedTokens))
	m.tokens.WithLabelValues(c.Kind, c.Model, "output").Add(float64(c.OutputTokens))
	if c.Cost != nil {
		m.cost.WithLabelValues(c.Kind, c.Model).Add(*c.Cost)
	}
}
