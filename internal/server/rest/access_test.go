package rest_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/internal/service"
)

// newKey makes a key for groups, or for all groups if none is named.
func (s *running) newKey(groups ...string) string {
	s.t.Helper()
	secret, _, err := service.New(s.client).CreateAPIKey(s.t.Context(), service.KeySpec{Name: "test", Admin: len(groups) == 0, Groups: groups})
	if err != nil {
		s.t.Fatal(err)
	}
	return secret
}

func TestWhoMayDoWhat(t *testing.T) {
	t.Parallel()
	scoped, err := server.ParseKeys("alice|carol=a-static-key-of-alice")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, server.Options{Keys: scoped}, rest.Options{})
	for _, group := range []string{"alice", "bob"} {
		s.must(http.StatusAccepted, nil, "POST", "/v1/groups/"+group+"/episodes", `{"content": "I live in Paris."}`)
	}
	expired, revoked := s.newKey("alice"), s.newKey("alice")
	if _, _, err := service.New(s.client).RotateAPIKey(t.Context(), expired[:15], 0, time.Time{}); err != nil {
		t.Fatal(err)
	}
	if _, err := service.New(s.client).RevokeAPIKey(t.Context(), revoked[:15]); err != nil {
		t.Fatal(err)
	}
	alice, admin := s.newKey("alice"), s.newKey()
	const own, others, unmade, all = "/v1/groups/alice/episodes", "/v1/groups/bob/episodes", "/v1/groups/nobody", "/v1/groups"
	for _, tt := range []struct {
		name, key, method, path string
		want                    int
		code                    string
	}{
		{"no key", "", "GET", own, 401, "unauthorized"},
		{"a wrong key", "annals_AAAAAAAA_" + strings.Repeat("A", 43), "GET", own, 401, "unauthorized"},
		{"another secret with a right prefix", alice[:16] + strings.Repeat("A", 43), "GET", own, 401, "unauthorized"},
		{"no kind of key", "nonsense", "GET", own, 401, "unauthorized"},
		{"an expired key", expired, "GET", own, 401, "unauthorized"},
		{"a revoked key", revoked, "GET", own, 401, "unauthorized"},
		{"its group", alice, "GET", own, 200, ""},
		{"another's group", alice, "GET", others, 404, "not_found"},
		{"another's group, to write", alice, "POST", others, 404, "not_found"},
		{"a group that there is not", alice, "GET", unmade, 404, "not_found"},
		{"what is about all", alice, "POST", all, 403, "forbidden"},
		{"a static key", "a-static-key-of-alice", "GET", own, 200, ""},
		{"a static key of another group", "a-static-key-of-alice", "GET", others, 404, "not_found"},
		{"a static key, what is about all", "a-static-key-of-alice", "POST", all, 403, "forbidden"},
		{"an administrator", admin, "GET", others, 200, ""},
		{"an administrator, a group that there is not", admin, "GET", unmade, 404, "not_found"},
		{"an administrator, what is about all", admin, "POST", all, 201, ""},
	} {
		body := ""
		if tt.method == "POST" {
			body = `{"id": "new"}`
		}
		a := s.as(tt.key).send(tt.method, tt.path, body)
		var p problem
		if a.status >= 400 {
			if err := json.Unmarshal(a.body, &p); err != nil {
				t.Errorf("%s: %v in %s", tt.name, err, a.body)
			}
		}
		if a.status != tt.want || p.Code != tt.code {
			t.Errorf("%s: %d %s, want %d %s: %s", tt.name, a.status, p.Code, tt.want, tt.code, a.body)
		}
		if asks := a.header.Get("WWW-Authenticate") != ""; asks != (tt.want == 401) {
			t.Errorf("%s: WWW-Authenticate is %q", tt.name, a.header.Get("WWW-Authenticate"))
		}
	}
	s.foreignAndMissing(alice)
	s.secretsStayOut(alice, admin, expired, revoked, staticKey, "a-static-key-of-alice")
}

// foreignAndMissing checks that a key learns nothing of groups it may not use, not even whether
// they exist, and is shown those it may use.
func (s *running) foreignAndMissing(alice string) {
	s.t.Helper()
	there := s.as(alice).send("GET", "/v1/groups/bob", "")
	missing := s.as(alice).send("GET", "/v1/groups/not", "")
	if strings.ReplaceAll(string(there.body), "bob", "not") != string(missing.body) {
		s.t.Errorf("a foreign group: %s, a missing one: %s", there.body, missing.body)
	}
	var list struct{ Groups []struct{ ID string } }
	s.as(alice).must(http.StatusOK, &list, "GET", "/v1/groups", "")
	if len(list.Groups) != 1 || list.Groups[0].ID != "alice" {
		s.t.Errorf("alice sees the groups %+v", list.Groups)
	}
}

func (s *running) secretsStayOut(secrets ...string) {
	s.t.Helper()
	s.send("GET", "/v1/groups/alice/search?query=a-private-question", "", "X-Request-Id", "trace-me")
	log := s.log.String()
	if !strings.Contains(log, `"request_id":"trace-me"`) || !strings.Contains(log, `"route":"/v1/groups/{group}/search"`) {
		s.t.Errorf("the log does not tell of requests: %s", log)
	}
	for _, secret := range append(secrets, "a-private-question", "I live in Paris") {
		if strings.Contains(log, secret) {
			s.t.Errorf("the log holds %q", secret)
		}
	}
}

// Every route in the OpenAPI document requires a key.
func TestEveryRouteTakesAKey(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	var document struct {
		Paths map[string]map[string]any
	}
	s.as("").must(http.StatusOK, &document, "GET", "/openapi.json", "")
	if len(document.Paths) < 20 {
		t.Fatalf("%d paths are described", len(document.Paths))
	}
	for _, path := range slices.Sorted(maps.Keys(document.Paths)) {
		for method := range document.Paths[path] {
			if a := s.as("").send(strings.ToUpper(method), path, ""); a.status != http.StatusUnauthorized {
				t.Errorf("%s %s without a key: %d", method, path, a.status)
			}
		}
	}
}

func TestKeysMayComeOnlySoOften(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{RateLimit: 0.001}, rest.Options{})
	s.must(http.StatusOK, nil, "GET", "/v1/groups", "")
	var p problem
	a := s.must(http.StatusTooManyRequests, &p, "GET", "/v1/groups", "")
	if a.header.Get("Retry-After") == "" || p.Code != "rate_limited" {
		t.Errorf("the second request is a %+v, to be tried again after %q s", p, a.header.Get("Retry-After"))
	}
	s.as(s.newKey()).must(http.StatusOK, nil, "GET", "/v1/groups", "")
}
