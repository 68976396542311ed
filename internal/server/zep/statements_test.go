package zep_test

import (
	"net/http"
	"strings"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/annalsdb/annals/internal/slow"
)

// The cost of a context block is the number and kind of queries. Reading the question as a query,
// the neighbours of episodes and the times of facts are for searches only.
func TestAContextBlockAsksLittleOfTheDatabase(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	seen := tracetest.NewSpanRecorder()
	talk := talked(t, 60, sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(seen)))
	talk.get("/threads/chat/context") // warms the caches
	before := len(seen.Ended())
	talk.get("/threads/chat/context")
	asked := map[string]int{}
	for _, span := range seen.Ended()[before:] {
		asked[span.Name()]++
	}
	for name, most := range map[string]int{
		"ThreadsOfEpisodes": 0, "EpisodesAround": 0, "pool.acquire": 6, "RankByWords": 2, "FactsByIDs": 2, // one, and being prepared on another connection
	} {
		if asked[name] > most {
			t.Errorf("%s was asked for %d times, not at most %d; all: %v", name, asked[name], most, asked)
		}
	}
	if asked["RankByWords"] == 0 {
		t.Errorf("nothing was ranked: %v", asked)
	}
}

// "yesterday" and "last week" are read on a later day: edges and the context block have the dates.
func TestEdgesSpeakOfDates(t *testing.T) {
	t.Parallel()
	talk := talked(t, 14, nil)
	edges := talk.ask(http.MethodPost, "/graph/edge/user/alice", `{}`)
	block := talk.get("/threads/chat/context")
	facts, _, _ := strings.Cut(block, "EPISODES>")
	for where, text := range map[string]string{"the edges": edges, "the facts of the block": facts} {
		if !strings.Contains(text, "2024") || strings.Contains(text, "yesterday") || strings.Contains(text, "last week") {
			t.Errorf("%s are\n%s", where, text)
		}
	}
}
