package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/annalsdb/annals/internal/pgtest"
)

// lockedLog is the standard error of a program that writes concurrently.
type lockedLog struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lockedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// secrets must not appear in a log, by their source.
var secrets = map[string]string{
	"the address of the database": "secret-of-the-database", "a static key": "secret-of-the-static-key", "the model's key": "sk-secret-of-the-model-012345",
	"the embedder's key": "sk-secret-of-the-embedder-01", "an episode": "secret-of-the-episode", "metadata": "secret-of-the-metadata", "a wrong key": "annals_secret-that-is-no-key-of-ours",
	"a cookie": "secret-of-the-cookie", "the query": "secret-of-the-query", "a body that is no JSON": "secret-of-the-bad-body",
	"the idempotency key": "secret-of-the-repeat", "another scheme": "secret-of-the-basic-scheme", "a field there is not": "secret-of-the-field",
}

// withPassword returns an address with a password, which the tests' server does not require.
func withPassword(t *testing.T, address, password string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	query.Set("password", password)
	u.RawQuery = query.Encode()
	return u.String()
}

// echoing is a model server that refuses all requests and repeats them.
func echoing(t *testing.T) string {
	t.Helper()
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":{"message":"Incorrect API key provided: %s"}}`, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
	}))
	t.Cleanup(h.Close)
	return h.URL + "/v1"
}

// ask makes a request, with headers by name and value.
func ask(t *testing.T, method, address, body string, headers ...string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
	return response.StatusCode
}

func TestTheLogHoldsNoSecrets(t *testing.T) {
	t.Parallel()
	address := echoing(t)
	m := &memory{t: t, environ: map[string]string{
		"ANNALS_DATABASE_URL": withPassword(t, pgtest.New(t), secrets["the address of the database"]),
		"ANNALS_API_KEYS":     secrets["a static key"], "ANNALS_LLM": "openai:refusing", "ANNALS_LLM_BASE_URL": address, "ANNALS_LLM_API_KEY": secrets["the model's key"],
		"ANNALS_EMBEDDER": "openai:refusing", "ANNALS_EMBEDDER_BASE_URL": address, "ANNALS_EMBEDDER_API_KEY": secrets["the embedder's key"],
		"ANNALS_LOG_LEVEL": "debug",
	}}
	log := &lockedLog{}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	output, stdout := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"serve", "--listen", "127.0.0.1:0"}, strings.NewReader(""), stdout, log, m.environ)
		_ = stdout.Close()
	}()
	lines := bufio.NewScanner(output)
	if !lines.Scan() {
		t.Fatalf("it says nothing: %s", log)
	}
	service := strings.TrimSuffix(strings.Fields(lines.Text())[3], ";")
	said := &lockedLog{}
	go func() { _, _ = io.Copy(said, output) }()
	tell(t, service)
	for !strings.Contains(log.String(), `"msg":"reading stopped; it is tried again"`) { // until the test times out
		if ask(t, "GET", service+"/healthz", "") != http.StatusOK {
			t.Fatal("it is gone")
		}
		time.Sleep(10 * time.Millisecond)
	}
	http.DefaultClient.CloseIdleConnections()
	stop()
	if code := <-ended; code != exitOK {
		t.Errorf("it ended with %d: %s", code, log)
	}
	for _, want := range []string{`"status":202`, `"status":401`, `"status":422`, `"status":400`, "Incorrect API key provided", `"level":"DEBUG"`} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log has no %s: is it of this run? %s", want, log)
		}
	}
	for where, secret := range secrets {
		if strings.Contains(log.String()+said.String(), secret) {
			t.Errorf("the log holds the secret of %s: %s", where, lineWith(log.String(), secret))
		}
	}
}

// tell makes good and bad requests, with secrets wherever possible.
func tell(t *testing.T, service string) {
	t.Helper()
	key := "Bearer " + secrets["a static key"]
	const episodes = "/v1/groups/g/episodes"
	good := fmt.Sprintf(`{"content":%q,"actor":"Alice","metadata":{"token":%q}}`, secrets["an episode"], secrets["metadata"])
	for _, tt := range []struct {
		method, path, body string
		want               int
		headers            []string
	}{
		{"POST", episodes, good, 202, []string{"Authorization", key, "Idempotency-Key", secrets["the idempotency key"], "Cookie", "session=" + secrets["a cookie"]}},
		{"POST", episodes, good, 401, []string{"Authorization", "Bearer " + secrets["a wrong key"]}},
		{"POST", episodes, good, 401, []string{"X-API-Key", secrets["a wrong key"], "Cookie", secrets["a cookie"]}},
		{"POST", episodes, good, 401, []string{"Authorization", "Basic " + secrets["another scheme"]}},
		{"POST", episodes, `{"content": "` + secrets["a body that is no JSON"], 400, []string{"Authorization", key}},
		{"POST", episodes, `{"content":"x","` + secrets["a field there is not"] + `":1}`, 422, []string{"Authorization", key}},
		{"POST", episodes, `{"content":"x","occurred_at":"` + secrets["a field there is not"] + `"}`, 422, []string{"Authorization", key}},
		{"GET", episodes + "?cursor=" + secrets["the query"], "", 422, []string{"Authorization", key}},
		{"GET", "/v1/groups/g/search?q=" + secrets["the query"], "", 0, []string{"Authorization", key}},
		{"POST", "/v1/groups/g/search", `{"query":"` + secrets["an episode"] + `"}`, 0, []string{"Authorization", key}},
		{"PATCH", "/v1/groups/g/entities/nobody", `{"name":"` + secrets["metadata"] + `"}`, 404, []string{"Authorization", key, "If-Match", secrets["a cookie"]}},
	} {
		if got := ask(t, tt.method, service+tt.path, tt.body, append(slices.Clone(tt.headers), "Content-Type", "application/json")...); tt.want != 0 && got != tt.want {
			t.Errorf("%s %s: %d, want %d", tt.method, tt.path, got, tt.want)
		}
	}
}

func lineWith(text, word string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, word) {
			return line
		}
	}
	return "(said on standard output)"
}

// A failed start reports the reason without secrets.
func TestFailedStartsTellNoSecrets(t *testing.T) {
	t.Parallel()
	const secret = "secret-of-the-database"
	for _, address := range []string{
		"postgres://app:" + secret + "@127.0.0.1:1/app?connect_timeout=2", "postgres://app:" + secret + "@127.0.0.1:none/app",
		"host=127.0.0.1 port=1 password=" + secret, "postgres://app@127.0.0.1:1/app?password=" + secret + "&sslmode=nonsense",
	} {
		m := &memory{t: t, environ: map[string]string{"ANNALS_DATABASE_URL": address, "ANNALS_LOG_LEVEL": "debug"}}
		for _, args := range [][]string{{"serve", "--listen", "127.0.0.1:0"}, {"doctor"}, {"migrate", "up"}} {
			if o := m.run("", args...); o.code != exitFailed || strings.Contains(o.stdout+o.stderr, secret) {
				t.Errorf("annals %q with %s: exit %d, %s%s", args, address, o.code, o.stdout, o.stderr)
			}
		}
	}
}
