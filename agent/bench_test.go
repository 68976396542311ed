package agent_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
)

// BenchmarkTurn takes turns of one step, each a message, a call and a result,
// and reports the 95th percentile of a turn, with a model that answers at once
// over HTTP, in the first tenth and in the last. -benchtime 3334x gives 10,000 messages.
func BenchmarkTurn(b *testing.B) {
	server := modeltest.NewServer(b, func(modeltest.Request) modeltest.Reply {
		return modeltest.Reply{Calls: []modeltest.Call{{Name: "send_message", Arguments: map[string]any{"message": "I see, go on."}}}}
	})
	llm, err := model.OpenLLM(model.Config{Model: "openai:scripted", BaseURL: server.URL})
	if err != nil {
		b.Fatal(err)
	}
	client, err := annals.Open(b.Context(), annals.Config{DatabaseURL: pgtest.New(b), LLM: llm})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(client.Close)
	a, err := agent.New(client, agent.Options{}).Create(b.Context(), agent.Spec{GroupID: "g", Name: "sam", Settings: agent.Settings{NoGraph: true}})
	if err != nil {
		b.Fatal(err)
	}
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		text := fmt.Sprintf("Entry %05d of my diary: nothing much happened, it rained, and I read a book by the window.", len(took))
		if _, err := a.Tell(context.WithoutCancel(b.Context()), agent.Event{Content: text}, nil); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	tenth := max(len(took)/10, 1)
	b.ReportMetric(ms(took[:tenth]), "p95-start-ms")
	b.ReportMetric(ms(took[len(took)-tenth:]), "p95-end-ms")
}

// ms is the 95th percentile.
func ms(took []time.Duration) float64 {
	sorted := slices.Sorted(slices.Values(took))
	return float64(sorted[len(sorted)*95/100].Microseconds()) / 1000
}
