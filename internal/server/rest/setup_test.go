package rest_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// running is a server over a database of its own.
type running struct {
	t      *testing.T
	url    string
	doors  http.Handler
	client *annals.Client
	log    *record
	key    string // an administrator's
}

// record is a log that is safe for concurrent writes.
type record struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// failures returns the lines about errors.
func (r *record) failures() string {
	var lines []string
	for line := range strings.Lines(r.String()) {
		if strings.Contains(line, `"level":"ERROR"`) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

const staticKey = "a-static-key-for-tests"

func serve(t *testing.T, options server.Options, door rest.Options) *running {
	t.Helper()
	client := options.Client
	if client == nil {
		var err error
		if client, err = annals.Open(t.Context(), annals.Config{DatabaseURL: pgtest.New(t)}); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(client.Close)
	}
	keys, err := server.ParseKeys(staticKey)
	if err != nil {
		t.Fatal(err)
	}
	log := &record{}
	options.Client, options.Log = client, slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	options.Keys = append(options.Keys, keys...)
	s := server.New(options)
	rest.Mount(s, door)
	doors := s.Handler()
	listening := httptest.NewServer(doors)
	t.Cleanup(listening.Close)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	return &running{t: t, url: listening.URL, doors: doors, client: client, log: log, key: staticKey}
}

// answer is a response.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// send makes a request. Names and values of headers follow the body.
func (s *running) send(method, path, body string, headers ...string) answer {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if s.key != "" {
		request.Header.Set("Authorization", "Bearer "+s.key)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, text}
}

// must makes a request that must be answered with a status, and decodes the answer.
func (s *running) must(status int, into any, method, path, body string, headers ...string) answer {
	s.t.Helper()
	a := s.send(method, path, body, headers...)
	if a.status != status {
		s.t.Fatalf("%s %s: %d, want %d: %s\n%s", method, path, a.status, status, a.body, s.log.failures())
	}
	if into != nil {
		if err := json.Unmarshal(a.body, into); err != nil {
			s.t.Fatalf("%s %s: %v in %s", method, path, err, a.body)
		}
	}
	return a
}

// process reads waiting episodes.
func (s *running) process(group string) {
	s.t.Helper()
	err := s.client.Process(s.t.Context(), group, func(p annals.Processed) {
		if p.Err != nil {
			s.t.Errorf("%q: %v", p.Episode.Content, p.Err)
		}
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// problem is a problem document.
type problem struct {
	Title    string
	Status   int
	Code     string
	Detail   string
	Added    *int
	Existing *int
	Errors   []struct{ Message, Location string }
}

// as returns the same service with another key.
func (s *running) as(key string) *running {
	other := *s
	other.key = key
	return &other
}

// into decodes JSON.
func into(t *testing.T, text []byte, to any) {
	t.Helper()
	if len(text) == 0 {
		return
	}
	if err := json.Unmarshal(text, to); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
}
