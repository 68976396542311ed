package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/worker"
)

// understands is a model that understands one message.
func understands(r modeltest.Request) modeltest.Reply {
	switch r.Prompt {
	case "extract_entities":
		return modeltest.Reply{JSON: prompts.ExtractedEntities{Entities: []prompts.ExtractedEntity{
			{Name: "Alice", Label: "Person"}, {Name: "Lisbon", Label: "City"},
		}}}
	case "extract_facts":
		return modeltest.Reply{JSON: prompts.ExtractedFacts{Facts: []prompts.ExtractedFact{
			{Source: 1, Target: 2, Predicate: "LIVES_IN", Fact: "Alice lives in Lisbon."},
		}}}
	}
	return modeltest.Reply{Status: http.StatusBadRequest, Text: "not expected"}
}

// traced is a service that keeps its spans, with a model that answers.
type traced struct {
	url      string
	client   *annals.Client
	doors    http.Handler
	spans    *tracetest.InMemoryExporter
	provider *sdktrace.TracerProvider
	log      *record
}

func serveTraced(t *testing.T, answer func(modeltest.Request) modeltest.Reply) traced {
	t.Helper()
	spans := tracetest.NewInMemoryExporter()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))
	scripted := modeltest.NewServer(t, answer)
	config := model.Config{Model: "openai:scripted", BaseURL: scripted.URL, APIKey: "sk-of-the-model-0123456789", Retries: -1}
	llm, err := model.OpenLLM(config)
	if err != nil {
		t.Fatal(err)
	}
	embedder, err := model.OpenEmbedder(model.EmbedderConfig{Config: config, Dimensions: 384})
	if err != nil {
		t.Fatal(err)
	}
	log := &record{}
	logger := slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	url := pgtest.New(t)
	client, err := annals.Open(t.Context(), annals.Config{
		DatabaseURL: url, LLM: llm, Embedder: embedder, TracerProvider: provider, Log: logger,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	keys, err := server.ParseKeys(staticKey)
	if err != nil {
		t.Fatal(err)
	}
	s := server.New(server.Options{Client: client, Keys: keys, Log: logger, TracerProvider: provider})
	rest.Mount(s, rest.Options{})
	return traced{url, client, s.Handler(), spans, provider, log}
}

// add adds a message by Alice, has it read, and returns its id.
func (s traced) add(t *testing.T, content string) string {
	t.Helper()
	id := s.post(t, content, nil)
	if err := s.client.Process(t.Context(), "g", nil); err != nil {
		t.Fatal(err)
	}
	return id
}

// post adds a message by Alice and returns its id.
func (s traced) post(t *testing.T, content string, header map[string]string) string {
	t.Helper()
	r := httptest.NewRequest("POST", "/v1/groups/g/episodes", strings.NewReader(fmt.Sprintf(`{"content":%q,"actor":"Alice"}`, content)))
	r.Header.Set("X-API-Key", staticKey)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Request-Id", "the-request")
	for name, value := range header {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	s.doors.ServeHTTP(w, r)
	var accepted struct{ ID string }
	if err := json.Unmarshal(w.Body.Bytes(), &accepted); err != nil || w.Code != http.StatusAccepted {
		t.Fatalf("added: %d %s", w.Code, w.Body)
	}
	return accepted.ID
}

// ways returns, for each span of a name, the names of its ancestors and of itself, the outermost
// first.
func ways(spans tracetest.SpanStubs, name string) []string {
	byID := map[trace.SpanID]tracetest.SpanStub{}
	for _, s := range spans {
		byID[s.SpanContext.SpanID()] = s
	}
	var all []string
	for _, s := range spans {
		if s.Name != name {
			continue
		}
		way := []string{}
		for at, ok := s, true; ok; at, ok = byID[at.Parent.SpanID()] {
			way = append(way, at.Name)
		}
		slices.Reverse(way)
		all = append(all, strings.Join(way, " > "))
	}
	return all
}

func TestAnEpisodeIsTracedFromTheRequestToTheStatement(t *testing.T) {
	t.Parallel()
	s := serveTraced(t, understands)
	s.add(t, "I live in Lisbon, between-us.")
	spans := s.spans.GetSpans()
	const request = "POST /v1/groups/{group}/episodes"
	const add = request + " > create_memory"
	const episode = add + " > process episode"
	for name, want := range map[string]string{
		"EpisodeInsert":    add + " > batch start > EpisodeInsert",
		"prepare":          episode + " > prepare",
		"ModelAnswer":      episode + " > extract entities > chat extract_entities > ModelAnswer",
		"ModelCallInsert":  episode + " > extract facts > chat extract_facts > ModelCallInsert",
		"embeddings embed": episode + " > embed names > embeddings embed",
		"embed facts":      episode + " > embed facts",
		"resolve entities": episode + " > resolve entities",
		"FactRivals":       episode + " > resolve facts > batch start > FactRivals",
		"apply time":       episode + " > apply time",
		"summarise":        episode + " > summarise",
		"GroupLock":        episode + " > commit > GroupLock",
		"EpisodesClaim":    "process group > EpisodesClaim",
	} {
		if got := ways(spans, name); !slices.ContainsFunc(got, func(way string) bool { return way == want }) {
			t.Errorf("%s is traced as %q, want %q", name, got, want)
		}
	}
	for _, s := range spans {
		if text := fmt.Sprint(s.Name, s.Attributes, s.Events, s.Status); strings.Contains(text, "between-us") || strings.Contains(text, "Lisbon") ||
			strings.Contains(text, staticKey) || strings.Contains(text, "sk-of-the-model") {
			t.Errorf("a span quotes what is not its business: %s", text)
		}
	}
}

// The trace of a request continues in the process that reads its episode.
func TestATraceGoesOnInTheWorker(t *testing.T) {
	t.Parallel()
	s := serveTraced(t, understands)
	elsewhere, err := annals.Open(t.Context(), annals.Config{
		DatabaseURL: s.url, TracerProvider: sdktrace.NewTracerProvider(sdktrace.WithSyncer(s.spans)),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(elsewhere.Close)
	id := s.post(t, "I live in Lisbon.", map[string]string{
		"traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "tracestate": "vendor=opaque",
	})
	working, stop := context.WithCancel(t.Context())
	if err := worker.Run(working, elsewhere, worker.Options{Read: func(annals.Processed) { stop() }}); err != nil {
		t.Fatal(err)
	}
	const episode = "POST /v1/groups/{group}/episodes > create_memory > process episode"
	spans := s.spans.GetSpans()
	for _, step := range []string{"extract entities", "resolve facts", "commit"} {
		if got := ways(spans, step); !slices.Equal(got, []string{episode + " > " + step}) {
			t.Errorf("%s is traced as %q, want it within %q", step, got, episode)
		}
	}
	for _, span := range spans {
		if span.Name != "process episode" {
			continue
		}
		if got := span.SpanContext; got.TraceID().String() != "4bf92f3577b34da6a3ce929d0e0e4736" || got.TraceState().Get("vendor") != "opaque" {
			t.Errorf("reading is in the trace %s of %q, not in that of whoever asked", got.TraceID(), got.TraceState())
		}
		if !slices.ContainsFunc(span.Attributes, func(a attribute.KeyValue) bool { return a.Key == "annals.episode" && a.Value.AsString() == id }) {
			t.Errorf("it does not say which episode it is: %v", span.Attributes)
		}
		if len(span.Links) != 1 {
			t.Errorf("it has %d links, want one to the worker's own span", len(span.Links))
		}
	}
}

// Errors are recorded by their kind only, since their words may quote content.
func TestSpansOfFailuresQuoteNothing(t *testing.T) {
	t.Parallel()
	s := serveTraced(t, func(modeltest.Request) modeltest.Reply {
		return modeltest.Reply{Status: http.StatusBadRequest, Text: "I will not read between-us"}
	})
	s.add(t, "between-us")
	failed := 0
	for _, span := range s.spans.GetSpans() {
		if strings.Contains(fmt.Sprint(span.Name, span.Attributes, span.Events, span.Status), "between-us") {
			t.Errorf("%s quotes what was said: %v %v %v", span.Name, span.Attributes, span.Events, span.Status)
		}
		for _, a := range span.Attributes {
			if a.Key == "error.type" && a.Value.AsString() != "" {
				failed++
			}
		}
	}
	if failed < 3 { // the call, the step and the episode
		t.Errorf("%d spans say that they failed: %v", failed, s.spans.GetSpans().Snapshots())
	}
}

// Every log line about a request or an episode names it.
func TestLinesNameTheirRequestAndEpisode(t *testing.T) {
	t.Parallel()
	s := serveTraced(t, understands)
	id := s.add(t, "I live in Lisbon.")
	seen := map[string]int{}
	for _, text := range bytes.Split([]byte(s.log.String()), []byte("\n")) {
		var line struct {
			Msg, Episode, Group string
			RequestID           string `json:"request_id"`
			TraceID             string `json:"trace_id"`
		}
		if len(text) == 0 {
			continue
		}
		if err := json.Unmarshal(text, &line); err != nil {
			t.Fatal(err)
		}
		seen[line.Msg]++
		if line.Episode != id || line.TraceID == "" || line.Msg == "request" && line.RequestID != "the-request" || line.Msg == "step taken" && line.Group != "g" {
			t.Errorf("a line does not say what it is about: %s", text)
		}
	}
	if seen["request"] != 1 || seen["step taken"] < 8 {
		t.Errorf("the log has %v", seen)
	}
}

// The span of a request has the attributes of OpenTelemetry's conventions, so that tracing systems
// can count answers and find slow routes.
func TestASpanSaysWhatWasAskedAndAnswered(t *testing.T) {
	t.Parallel()
	s := serveTraced(t, understands)
	s.post(t, "I live in Lisbon.", map[string]string{"X-Forwarded-For": "203.0.113.7, 10.0.0.1", "User-Agent": "a test"})
	health := httptest.NewRequest("GET", "/healthz", nil)
	s.doors.ServeHTTP(httptest.NewRecorder(), health)
	requests := 0
	for _, span := range s.spans.GetSpans() {
		if span.SpanKind != trace.SpanKindServer {
			continue
		}
		requests++
		said := map[string]string{}
		for _, a := range span.Attributes {
			said[string(a.Key)] = a.Value.String()
		}
		for key, want := range map[string]string{
			"http.request.method": "POST", "http.route": "/v1/groups/{group}/episodes", "http.response.status_code": "202", "url.scheme": "http",
			"url.path": "/v1/groups/g/episodes", "server.address": "example.com", "client.address": "203.0.113.7", "network.peer.address": "192.0.2.1",
			"network.peer.port": "1234", "network.protocol.version": "1.1", "user_agent.original": "a test", "annals.request_id": "the-request",
		} {
			if said[key] != want {
				t.Errorf("%s is %q, want %q", key, said[key], want)
			}
		}
		if said["http.request.body.size"] == "" || said["http.response.body.size"] == "" {
			t.Errorf("it does not say how much was sent: %v", said)
		}
	}
	if requests != 1 {
		t.Errorf("%d requests have spans, want that of the episode and none of /healthz", requests)
	}
}

// Operations on a memory have the names and attributes of OpenTelemetry's conventions for
// generative AI, and no content.
func TestOperationsOnAMemoryAreTraced(t *testing.T) {
	t.Parallel()
	s := serveTraced(t, understands)
	ctx, around := s.provider.Tracer("test").Start(t.Context(), "around")
	episode, err := s.client.Add(ctx, annals.Episode{GroupID: "g", Content: "I live in Lisbon, between-us.", Actor: "Alice"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.client.Process(t.Context(), "g", nil); err != nil {
		t.Fatal(err)
	}
	found, err := s.client.Search(ctx, annals.Query{GroupID: "g", Text: "Where does Alice live, between-us?"})
	if err != nil || len(found.Facts) == 0 {
		t.Fatal(found, err)
	}
	fact := "Alice lives in Lisbon, as she says."
	_, edited := s.client.EditFact(ctx, "g", found.Facts[0].ID, annals.FactEdit{Fact: &fact})
	id, entity := found.Facts[0].ID, found.Facts[0].SourceID
	withdrawn := s.client.WithdrawFact(ctx, "g", id)
	_, restored := s.client.RestoreFact(ctx, "g", id)
	_, renamed := s.client.RenameEntity(ctx, "g", entity, "Alice Moreau")
	noted := s.client.SetMetadata(ctx, "g", episode.ID, json.RawMessage(`{"seen": true}`))
	_, confirmed := service.New(s.client).Confirm(ctx, "g", []uuid.UUID{id}, true)
	_, marked := service.New(s.client).Mark(ctx, "g", service.MarkChange{IDs: []uuid.UUID{id}, Mark: graph.MarkPinned})
	_, decided := service.New(s.client).Decide(ctx, service.ReviewDecision{GroupID: "g", Do: "reject", FactIDs: []uuid.UUID{id}})
	deleted := s.client.DeleteEntity(ctx, "g", found.Facts[0].TargetID)
	_, undone := s.client.Undo(ctx, "g", episode.ID)
	_, erased := s.client.Erase(ctx, annals.Erasure{GroupID: "g"})
	_, made := s.client.CreateGroup(ctx, annals.Group{ID: "new"})
	if err := errors.Join(edited, withdrawn, restored, renamed, noted, confirmed, marked, decided, deleted, undone, erased, made); err != nil {
		t.Fatal(err)
	}
	around.End()
	records := map[string]int64{}
	for _, span := range s.spans.GetSpans() {
		attributes := attribute.NewSet(span.Attributes...)
		operation, ok := attributes.Value("gen_ai.operation.name")
		if !ok || !strings.Contains(operation.AsString(), "memory") {
			continue
		}
		store, _ := attributes.Value("gen_ai.memory.store.id")
		count, _ := attributes.Value("gen_ai.memory.record.count")
		if span.Name != operation.AsString() || store.AsString() != map[bool]string{true: "new", false: "g"}[span.Name == "create_memory_store"] ||
			strings.Contains(fmt.Sprint(span.Attributes), "between-us") {
			t.Errorf("%s: %v", span.Name, span.Attributes)
		}
		records[span.Name] += count.AsInt64()
	}
	hits := len(found.Facts) + len(found.Entities) + len(found.Episodes) + len(found.Communities)
	want := map[string]int64{
		"create_memory": 1, "search_memory": int64(hits), "update_memory": 7, "delete_memory": 3, "delete_memory_store": 1, "create_memory_store": 1,
	}
	if diff := cmp.Diff(want, records); diff != "" {
		t.Error(diff)
	}
}
