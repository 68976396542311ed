package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

func TestKeysAreMadeListedRotatedAndRevoked(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	secret := strings.TrimSpace(m.must("keys", "create", "--groups", "alice,bob", "--name", "app", "--expires-in", "1h"))
	if !strings.HasPrefix(secret, "annals_") || len(secret) != 59 {
		t.Fatalf("the secret is %q", secret)
	}
	var list struct{ Keys []keyJSON }
	m.read(&list, "keys", "list")
	key := list.Keys[0]
	if len(list.Keys) != 1 || key.Name != "app" || key.Admin || len(key.Groups) != 2 || key.ExpiresAt == nil || !strings.HasPrefix(secret, key.Prefix) {
		t.Errorf("the keys are %+v", list.Keys)
	}
	if out := m.must("keys", "list"); strings.Contains(out, secret) || !strings.Contains(out, key.Prefix) || !strings.Contains(out, "AUTHORITY") ||
		!strings.Contains(out, "user") || !strings.Contains(out, key.ID.String()) {
		t.Errorf("the list is %s", out)
	}
	var made struct{ Key keyJSON }
	m.read(&made, "keys", "rotate", key.Prefix, "--grace", "0s")
	if made.Key.Secret == "" || made.Key.Secret == secret || len(made.Key.Groups) != 2 || made.Key.ExpiresAt != nil {
		t.Errorf("the new key is %+v", made.Key)
	}
	m.must("keys", "revoke", made.Key.ID.String())
	if out := m.must("keys", "list"); !strings.Contains(out, "revoked") || !strings.Contains(out, "expired") {
		t.Errorf("the list is %s", out)
	}
	for _, args := range [][]string{
		{"keys", "create"},
		{"keys", "create", "--admin", "--groups", "a"},
		{"keys", "create", "--groups", "a b"},
		{"keys", "create", "--admin", "--expires-in", "-1h"},
		{"keys", "revoke", "none"},
		{"keys", "rotate", made.Key.Prefix},
	} {
		if o := m.run("", args...); o.code != exitFailed || strings.Count(o.stderr, "\n") != 1 {
			t.Errorf("annals %q: exit %d, %q; want 1 and a line", args, o.code, o.stderr)
		}
	}
}

// answerTo sends a raw request and returns the answer.
func answerTo(t *testing.T, address, request string) string {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	return string(answer)
}

// The service runs until it is stopped, and its log has no secrets.
func TestServe(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	const secret = "a-secret-of-the-environment"
	m.environ["ANNALS_API_KEYS"] = secret
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	output, stdout := io.Pipe()
	var log strings.Builder
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"serve", "--listen", "127.0.0.1:0", "--cors-origins", "https://memory.example"}, strings.NewReader(""), stdout, &log, m.environ)
		_ = stdout.Close()
	}()
	lines := bufio.NewScanner(output)
	if !lines.Scan() {
		t.Fatalf("it says nothing: %s", log.String())
	}
	words := strings.Fields(lines.Text())
	url := strings.TrimSuffix(words[3], ";")
	go func() { _, _ = io.Copy(io.Discard, output) }()
	for _, one := range []struct {
		path, host string
		want       int
	}{
		{"/readyz", "", 200},
		{"/docs", "", 200},
		{"/v1/groups", "", 200},
		{"/v1/groups/none", "", 404},
		{"/v1/groups", "localhost", 200},
		{"/v1/groups", "LocalHost.:8080", 200},
		{"/v1/groups", "localhost..", 403},
		{"/v1/groups", "memory.example", 200}, // as from a proxy
		{"/v1/groups", "rebound.example:8080", 403},
		{"/mcp", "memory.example", 405},
		{"/mcp", "rebound.example", 403},
		{"/api/v2/users-ordered", "rebound.example", 403},
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+one.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = one.host
		request.Header.Set("Authorization", "Bearer "+secret)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != one.want {
			t.Errorf("%s of %q: %d, want %d", one.path, one.host, response.StatusCode, one.want)
		}
	}
	http.DefaultClient.CloseIdleConnections()
	for _, request := range []string{"GET /readyz HTTP/1.0\r\n\r\n", "GET /readyz HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n"} { // as from load balancers
		if got := answerTo(t, strings.TrimPrefix(url, "http://"), request); !strings.Contains(got, " 200 OK") {
			t.Errorf("%q is answered by %q", request, got)
		}
	}
	stop()
	if code := <-ended; code != exitOK {
		t.Errorf("it ended with %d: %s", code, log.String())
	}
	for line := range strings.Lines(log.String()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("the log has a line that is no JSON: %q", line)
		}
	}
	if strings.Contains(log.String(), secret) {
		t.Error("the log holds the key")
	}
}

func TestServeRefusesWhatCannotBe(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	for _, args := range [][]string{
		{"serve", "--listen", "nowhere"}, {"serve", "--graphiti-key-optional"}, {"serve", "--graphiti", "--graphiti-key-optional", "--listen", "0.0.0.0:0"}, {"serve", "--tls-cert", "a.pem"}, {"serve", "--tls-cert", "none.pem", "--tls-key", "none.pem"},
	} {
		if o := m.run("", args...); o.code != exitFailed || strings.Count(o.stderr, "\n") != 1 {
			t.Errorf("annals %q: exit %d, %q; want 1 and a line", args, o.code, o.stderr)
		}
	}
	m.environ["ANNALS_API_KEYS"] = "too short"
	if o := m.run("", "serve"); o.code != exitFailed || strings.Contains(o.stderr, "too short") {
		t.Errorf("a key that is too short: exit %d, %q", o.code, o.stderr)
	}
}

// --help shows the default of a flag that the environment sets, but not a password.
func TestHelpShowsNoPassword(t *testing.T) {
	t.Parallel()
	m := &memory{t: t, environ: map[string]string{"ANNALS_DATABASE_URL": "postgres://annals:hunter2@db.example.com/memory"}}
	for _, args := range [][]string{{"--help"}, {"serve", "--help"}, {"keys", "create", "--help"}} {
		if got := m.must(args...); strings.Contains(got, "hunter2") {
			t.Errorf("annals %q shows the password of the database: %s", args, got)
		}
	}
}

// A service for one tenant cannot have workers, and says so: 'annals worker' must run beside it.
func TestServingATenantNeedsAWorkerBesideIt(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	o := m.run("", "serve", "--tenant", "acme", "--workers", "2")
	if o.code == exitOK || !strings.Contains(o.stderr, "annals worker") {
		t.Errorf("serve --tenant with workers ends with %d: %s", o.code, o.stderr)
	}
}
