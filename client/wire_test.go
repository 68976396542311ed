package client_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/client"
	"github.com/annalsdb/annals/graph"
)

// A request is sent again if the service asks for it. A repeated write takes effect
// once, by its Idempotency-Key, even if its answer was lost.
func TestRequestsComeAgain(t *testing.T) {
	t.Parallel()
	b := open(t)
	for name, lose := range map[string]func(w http.ResponseWriter){
		"429": func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
		},
		"503":    func(w http.ResponseWriter) { w.WriteHeader(http.StatusServiceUnavailable) },
		"broken": func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
	} {
		var asked atomic.Int32
		front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			on, err := http.NewRequestWithContext(r.Context(), r.Method, b.url+r.URL.RequestURI(), bytes.NewReader(body))
			if err != nil {
				t.Error(err)
				return
			}
			on.Header = r.Header.Clone()
			answer, err := http.DefaultTransport.RoundTrip(on)
			if err != nil {
				t.Error(err)
				return
			}
			defer answer.Body.Close()
			if asked.Add(1) == 1 {
				lose(w) // it was done, and nobody hears of it
				return
			}
			w.WriteHeader(answer.StatusCode)
			_, _ = io.Copy(w, answer.Body)
		}))
		defer front.Close()
		m, err := client.New(client.Config{URL: front.URL, Key: key(t, b)})
		if err != nil {
			t.Fatal(err)
		}
		group := "again-" + name
		if _, err := m.Add(t.Context(), annals.Episode{GroupID: group, Content: "I like tea."}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		counts, err := b.embedded.EpisodeCounts(t.Context(), group)
		if err != nil || counts[graph.StatePending] != 1 || asked.Load() != 2 {
			t.Errorf("%s: %v after %d requests (%v)", name, counts, asked.Load(), err)
		}
	}
}

// Answers of the service are limited and checked, and each refusal has a code.
func TestAnswersThatAreNone(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		status int
		body   string
		code   annals.Code
		want   string
	}{
		{200, "<html>", annals.CodeInternal, "not of Annals"},
		{200, `{"id": "` + strings.Repeat("a", 2000) + `"}`, annals.CodeInvalid, "longer than 1000 bytes"},
		{302, "", annals.CodeInternal, "302"},
		{401, `{"code": "unauthorized", "detail": "no key"}`, annals.CodeForbidden, "no key"},
		{404, "nothing here", annals.CodeNotFound, "404"},
		{412, `{"code": "precondition_failed", "detail": "it was changed"}`, annals.CodeConflict, "version: it was changed"},
		{422, `{"code": "invalid", "detail": "x", "errors": [{"message": "is wrong", "location": "body.limit"}]}`, annals.CodeInvalid, "limit: is wrong"},
		{429, `{"code": "rate_limited", "detail": "slow down"}`, annals.CodeUnavailable, "slow down"},
		{502, "", annals.CodeUnavailable, "502"},
	} {
		service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://example.com/")
			w.WriteHeader(tt.status)
			_, _ = io.WriteString(w, tt.body)
		}))
		m, err := client.New(client.Config{URL: service.URL, Key: "k", Tries: 1, MaxAnswer: 1000})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Group(t.Context(), "alice"); annals.CodeOf(err) != tt.code || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%d %q: %v (%s), want %s %q", tt.status, tt.body, err, annals.CodeOf(err), tt.code, tt.want)
		}
		service.Close()
		if _, err := m.Group(t.Context(), "alice"); annals.CodeOf(err) != annals.CodeUnavailable {
			t.Errorf("nobody there: %v", err)
		}
	}
}

// Parameters that REST does not support are refused, not dropped.
func TestWhatRESTDoesNotTake(t *testing.T) {
	t.Parallel()
	m, err := client.New(client.Config{URL: "http://127.0.0.1:1", Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	for name, err := range map[string]error{
		"id":       second(m.Add(ctx, annals.Episode{GroupID: "a", ID: uuid.Max, Content: "x"})),
		"episodes": second(m.UndoAll(ctx, annals.Undoing{GroupID: "a", EpisodeIDs: []uuid.UUID{uuid.Max, uuid.Nil}})),
		"copies":   second(m.Erase(ctx, annals.Erasure{GroupID: "a", Copies: true})),
		"template": second(m.ContextAs(ctx, annals.Query{GroupID: "a", Text: "x"}, annals.Construction{Template: "x"})),
		"among":    second(m.Groups(ctx, annals.GroupFilter{Among: []string{"a"}})),
		"force":    second(m.Import(ctx, strings.NewReader(""), annals.ImportOptions{Force: "a"})),
		"more":     second(m.AddTriple(ctx, annals.Triple{GroupID: "a", More: make([]graph.TriplePair, 1)})),
		"target":   second(m.AddTriple(ctx, annals.Triple{GroupID: "a", Target: graph.TripleEnd{ID: uuid.Max}})),
		"group":    second(m.Search(ctx, annals.Query{Text: "x"})),
	} {
		if got := outcome(nil, err); got != "invalid "+name {
			t.Errorf("%s: %s (%v)", name, got, err)
		}
	}
	for _, config := range []client.Config{{URL: "127.0.0.1:8080", Key: "k"}, {URL: "http://a/?b", Key: "k"}, {URL: "http://a"}, {URL: "http://a", Key: "k\n"}} {
		if _, err := client.New(config); annals.CodeOf(err) != annals.CodeInvalid {
			t.Errorf("%+v: %v", config, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }
