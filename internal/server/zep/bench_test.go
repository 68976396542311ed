package zep_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/zep"
	"github.com/annalsdb/annals/internal/service"
)

// BenchmarkUserContext requests the context block of a user, as a client does before each answer of
// its model, and reports the median and the 95th percentile. No model is called.
func BenchmarkUserContext(b *testing.B) {
	for _, messages := range []int{30, 2000} {
		b.Run(fmt.Sprintf("messages=%d", messages), func(b *testing.B) {
			t := talked(b, messages, nil)
			var took []time.Duration
			for b.Loop() {
				began := time.Now()
				t.get("/threads/chat/context")
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			b.ReportMetric(ms(took[len(took)/2]), "p50-ms")
			b.ReportMetric(ms(took[len(took)*95/100]), "p95-ms")
		})
	}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// talk is a service with a user who has a thread.
type talk struct {
	t       testing.TB
	memory  *annals.Client
	handler http.Handler
	secret  string
	url     string // of the database
}

// talked serves the memory of one user, whose messages have been read.
func talked(t testing.TB, messages int, tracer trace.TracerProvider) talk {
	t.Helper()
	url := pgtest.New(t)
	memory, err := annals.Open(t.Context(), annals.Config{DatabaseURL: url, TracerProvider: tracer})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(memory.Close)
	secret, _, err := service.New(memory).CreateAPIKey(t.Context(), service.KeySpec{Groups: []string{"acme:*"}})
	if err != nil {
		t.Fatal(err)
	}
	s := server.New(server.Options{Client: memory, TracerProvider: tracer})
	zep.Mount(s)
	talk := talk{t: t, memory: memory, handler: s.Handler(), secret: secret, url: url}
	talk.ask(http.MethodPost, "/users", `{"user_id":"alice","first_name":"Alice","last_name":"Smith"}`)
	talk.ask(http.MethodPost, "/threads", `{"thread_id":"chat","user_id":"alice"}`)
	for said := range slices.Chunk(conversation(messages), 500) {
		text, err := json.Marshal(map[string]any{"messages": said})
		if err != nil {
			t.Fatal(err)
		}
		talk.ask(http.MethodPost, "/threads/chat/messages", string(text))
	}
	err = memory.Process(t.Context(), "acme:alice", func(p annals.Processed) {
		if p.Err != nil {
			t.Error(p.Err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return talk
}

// conversation returns a thread of so many messages about people, places and plans.
func conversation(messages int) []map[string]string {
	people := strings.Fields("Marta Dave Erin Frank Grace Heidi Ivan Judy Mallory Nadia Oscar Peggy Rupert Sybil Trent Victor Wendy Yusuf Zoe Bruno")
	places := strings.Fields("Paris Lisbon Porto Bergen Oslo Turin Graz Berlin Madrid Vienna Prague Riga Dublin Athens Lyon Seville")
	firms := []string{"Acme Corp", "Initech", "Globex", "Umbrella Labs", "Hooli", "Stark Industries", "Wayne Enterprises"}
	forms := []string{
		"%[1]s lives in %[2]s and works at %[3]s.",
		"I met %[1]s in %[2]s last week, we talked about the offer of %[3]s for hours.",
		"That sounds like a good week. What did %[1]s think of %[2]s, and is the offer of %[3]s still open?",
		"I visited %[2]s yesterday with my friend %[1]s. The weather was fine and the food even better.",
		"%[1]s moved to %[2]s in March 2023, since %[3]s has its new office there.",
		"Noted. Shall I book the train to %[2]s, and remind you to write to %[1]s about %[3]s?",
		"I like the coffee that %[1]s makes; there is none like it in %[2]s.",
	}
	said := make([]map[string]string, messages)
	for i := range said {
		role := "user"
		if i%7 == 2 || i%7 == 5 {
			role = "assistant"
		}
		said[i] = map[string]string{
			"role":       role,
			"content":    fmt.Sprintf(forms[i%7], people[i*13%len(people)], places[i*5%len(places)], firms[i*3%len(firms)]),
			"created_at": time.Date(2024, 1, 1, 8, 20*i, 0, 0, time.UTC).Format(time.RFC3339),
		}
	}
	return said
}

func (t talk) get(path string) string { return t.ask(http.MethodGet, path, "") }

// ask makes a request that must succeed.
func (t talk) ask(method, path, body string) string {
	t.t.Helper()
	request := httptest.NewRequestWithContext(t.t.Context(), method, "/api/v2"+path, strings.NewReader(body))
	request.Header.Set("Authorization", "Api-Key "+t.secret)
	answer := httptest.NewRecorder()
	t.handler.ServeHTTP(answer, request)
	if answer.Code != http.StatusOK {
		t.t.Fatalf("%s %s: %d %s", method, path, answer.Code, answer.Body)
	}
	return answer.Body.String()
}
