package agent_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tmc/langchaingo/llms"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/model"
)

// atOnce is a model that answers at once, always the same.
type atOnce struct{}

func (atOnce) Call(context.Context, string, ...llms.CallOption) (string, error) {
	return "", errors.ErrUnsupported
}

func (atOnce) GenerateContent(context.Context, []llms.MessageContent, ...llms.CallOption) (*llms.ContentResponse, error) {
	answer := `{"thought": "", "function": "send_message", "arguments": {"message": "I see, go on."}}`
	return &llms.ContentResponse{Choices: []*llms.ContentChoice{{Content: answer}}}, nil
}

// BenchmarkTurn runs turns of one step, each with a message, a call and a result. It reports the
// 95th percentile of the time outside the model, for the first tenth of the turns and for the last.
// -benchtime 3334x makes 10,000 messages.
func BenchmarkTurn(b *testing.B) {
	llm := model.NewLLM("scripted", atOnce{}, model.Config{})
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

// ms returns the 95th percentile in milliseconds.
func ms(took []time.Duration) float64 {
	sorted := slices.Sorted(slices.Values(took))
	return float64(sorted[len(sorted)*95/100].Microseconds()) / 1000
}
