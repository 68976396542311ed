package annals

import (
	"context"
	"errors"

	"github.com/IBM/pgxpoolprometheus"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/model"
)

// metrics count what models are asked. Labels are bounded: no names of groups.
type metrics struct {
	calls   *prometheus.CounterVec
	tokens  *prometheus.CounterVec
	cost    *prometheus.CounterVec
	seconds *prometheus.HistogramVec
}

// newMetrics registers what is counted; nil: nothing is.
func newMetrics(registerer prometheus.Registerer, pool db.Pool) (*metrics, error) {
	if registerer == nil {
		return nil, nil
	}
	m := &metrics{
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
	}
	pools := pgxpoolprometheus.NewCollector(pool, map[string]string{"db_name": pool.Config().ConnConfig.Database})
	var err error
	for _, collector := range []prometheus.Collector{m.calls, m.tokens, m.cost, m.seconds, pools} {
		err = errors.Join(err, registerer.Register(collector))
	}
	return m, err
}

// countedLedger counts what it records.
type countedLedger struct {
	model.Ledger
	metrics *metrics
}

func (m *metrics) counting(ledger model.Ledger) model.Ledger {
	if m == nil {
		return ledger
	}
	return countedLedger{ledger, m}
}

func (l countedLedger) Record(ctx context.Context, c model.Call) error {
	l.metrics.count(c)
	return l.Ledger.Record(ctx, c)
}

func (m *metrics) count(c model.Call) {
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
