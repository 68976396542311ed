package server_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/server"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T) *annals.Client {
	t.Helper()
	client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: pgtest.New(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

func get(s *server.Server, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", path, nil)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w
}

// Stored episodes are read in the background. Shutting down waits only for the work in progress.
func TestRunReadsWhatIsStored(t *testing.T) {
	t.Parallel()
	client := open(t)
	for _, group := range []string{"before", "while"} {
		if _, err := client.Add(t.Context(), annals.Episode{GroupID: group, Actor: "Alice", Content: "I live in Paris."}); err != nil {
			t.Fatal(err)
		}
	}
	s := server.New(server.Options{Client: client, Workers: 2})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, listener) }()
	waitDone(t, client, "before")
	if _, err := client.Add(t.Context(), annals.Episode{GroupID: "while", Actor: "Alice", Content: "I moved to Lisbon."}); err != nil {
		t.Fatal(err)
	}
	waitDone(t, client, "while")
	response, err := http.Get("http://" + listener.Addr().String() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	if err != nil || !strings.Contains(string(text), `annals_episodes_read_total{state="done"} 3`) {
		t.Errorf("the metrics do not count three episodes that were read (%v)", err)
	}
	http.DefaultClient.CloseIdleConnections()
	stop()
	if err := <-ended; err != nil {
		t.Errorf("it ended with %v", err)
	}
}

// waitDone waits until no episode of a group waits.
func waitDone(t *testing.T, client *annals.Client, group string) {
	t.Helper()
	for range time.Tick(20 * time.Millisecond) { // until the test times out
		counts, err := client.EpisodeCounts(t.Context(), group)
		if err != nil {
			t.Fatal(err)
		}
		if counts[graph.StatePending]+counts[graph.StateProcessing] == 0 {
			return
		}
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	client := open(t)
	var trouble error
	s := server.New(server.Options{Client: client, Ready: func(context.Context) error { return trouble }})
	if w := get(s, "/healthz"); w.Code != 200 {
		t.Errorf("healthz: %d", w.Code)
	}
	if w := get(s, "/readyz"); w.Code != 200 {
		t.Errorf("readyz: %d", w.Code)
	}
	trouble = errors.New("password=secret")
	if w := get(s, "/readyz"); w.Code != 503 || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("readyz without a database: %d %s", w.Code, w.Body)
	}
	get(s, "/v1/groups/a-private-group")
	text := get(s, "/metrics").Body.String()
	if !strings.Contains(text, `annals_http_requests_total{method="GET",route="GET /readyz",status="503"} 1`) {
		t.Errorf("requests are not counted: %s", text)
	}
	if strings.Contains(text, "a-private-group") {
		t.Error("the metrics name a group")
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	client := open(t)
	const origin = "https://app.example.com"
	closed := get(server.New(server.Options{Client: client}), "/healthz", "Origin", origin)
	if h := closed.Header(); h.Get("Access-Control-Allow-Origin") != "" || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("X-Request-Id") == "" {
		t.Errorf("by default the headers are %v", h)
	}
	s := server.New(server.Options{Client: client, CORSOrigins: []string{origin}})
	if got := get(s, "/healthz", "Origin", origin).Header().Get("Access-Control-Allow-Origin"); got != origin {
		t.Errorf("an origin that may is allowed as %q", got)
	}
	if got := get(s, "/healthz", "Origin", "https://evil.example").Header().Get("Access-Control-Allow-Origin"); got != "" {
		t.Errorf("an origin that may not is allowed as %q", got)
	}
	for _, id := range []string{"with space", strings.Repeat("x", 129), "ä"} {
		if got := get(s, "/healthz", "X-Request-Id", id).Header().Get("X-Request-Id"); got == id {
			t.Errorf("the request id %q is taken over", id)
		}
	}
}

func TestPanicsAreAnsweredAndLogged(t *testing.T) {
	t.Parallel()
	s := server.New(server.Options{Client: open(t)})
	s.Handle("/panic", http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("oh") }))
	if w := get(s, "/panic"); w.Code != 500 || strings.Contains(w.Body.String(), "oh") || w.Header().Get("Content-Type") != "application/problem+json" {
		t.Errorf("a panic is answered %d %s", w.Code, w.Body)
	}
}

// An unknown path or method is a problem document, as all errors are.
func TestUnknownPathsAreProblems(t *testing.T) {
	t.Parallel()
	s := server.New(server.Options{Client: open(t)})
	for _, tt := range []struct {
		method, path string
		want         int
	}{{"GET", "/", 404}, {"GET", "/nowhere", 404}, {"POST", "/healthz", 405}, {"DELETE", "/metrics", 405}} {
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, httptest.NewRequest(tt.method, tt.path, nil))
		if w.Code != tt.want || w.Header().Get("Content-Type") != "application/problem+json" || (w.Header().Get("Allow") != "") != (tt.want == 405) {
			t.Errorf("%s %s is answered %d %v %s", tt.method, tt.path, w.Code, w.Header(), w.Body)
		}
	}
}

func TestKeysOfTheEnvironment(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 0, " , ": 0, "0123456789abcdef": 1, "a|b=0123456789abcdef, 0123456789abcdef": 2} {
		if keys, err := server.ParseKeys(text); err != nil || len(keys) != want {
			t.Errorf("%q is %d keys (%v), want %d", text, len(keys), err, want)
		}
	}
	for _, text := range []string{"short", "0123456789abcdef==", "a b=0123456789abcdef", "=0123456789abcdef", "0123456789abcdef\"", strings.Repeat("x", 513)} {
		if _, err := server.ParseKeys(text); annals.CodeOf(err) != annals.CodeInvalid || strings.Contains(err.Error(), "0123456789") {
			t.Errorf("%q: %v; want it refused without being repeated", text, err)
		}
	}
}

// With a replica, writes return their position in the log, and reads can demand it. The primary
// stands in for the replica here.
func TestReadAfter(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t)
	client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: url, ReadDatabaseURL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	keys, err := server.ParseKeys("a-static-key-for-tests")
	if err != nil {
		t.Fatal(err)
	}
	s := server.New(server.Options{Client: client, Keys: keys})
	s.Handle("/", s.Protect("rest", graph.AuthorityPerson, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{}")) })))
	ask := func(method, path, after string) *http.Response {
		r := httptest.NewRequest(method, path, nil)
		r.Header.Set("X-API-Key", "a-static-key-for-tests")
		r.Header.Set("Annals-Read-After", after)
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		return w.Result()
	}
	var written []annals.LSN
	for range 2 {
		lsn, err := annals.ParseLSN(ask(http.MethodPost, "/write", "").Header.Get("Annals-Written-At"))
		if err != nil {
			t.Fatal(err)
		}
		written = append(written, lsn)
	}
	if written[0] == 0 || written[1] <= written[0] {
		t.Errorf("two writes end at %s", written)
	}
	for _, tt := range []struct {
		method, path, after string
		status              int
	}{
		{http.MethodGet, "/read", written[1].String(), http.StatusOK},
		{http.MethodPost, "/search", written[1].String(), http.StatusOK},
		{http.MethodGet, "/read", "yesterday", http.StatusBadRequest},
		{http.MethodGet, "/read", "1/2/3", http.StatusBadRequest},
	} {
		answer := ask(tt.method, tt.path, tt.after)
		if answer.StatusCode != tt.status || answer.Header.Get("Annals-Written-At") != "" {
			t.Errorf("%s %s after %s: %d %v, want %d and no place in the log", tt.method, tt.path, tt.after, answer.StatusCode, answer.Header, tt.status)
		}
	}
}
