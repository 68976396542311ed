package explorer_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/explorer"
	"github.com/annalsdb/annals/internal/server/rest"
)

const key = "a-key-for-the-explorers-tests"

// visited is a service with the page.
type visited struct {
	t   *testing.T
	url string
}

func serve(t *testing.T, o explorer.Options, here bool) visited {
	t.Helper()
	client, _ := clienttest.New(t)
	keys, err := server.ParseKeys(key)
	if err != nil {
		t.Fatal(err)
	}
	door := server.New(server.Options{Client: client, Keys: keys, ThisMachine: here})
	rest.Mount(door, rest.Options{})
	explorer.Mount(door, o)
	listening := httptest.NewServer(door.Handler())
	t.Cleanup(listening.Close)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	return visited{t, listening.URL}
}

func (v visited) send(method, path, body string, headers ...string) (*http.Response, string) {
	v.t.Helper()
	request, err := http.NewRequestWithContext(v.t.Context(), method, v.url+path, strings.NewReader(body))
	if err != nil {
		v.t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			request.Host = headers[i+1]
		}
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		v.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return response, string(text)
}

var loads = regexp.MustCompile(`<(?:script|link)[^>]*(?:src|href)="([^"]+)"`)

// The page may run and load only its own files, and no file leads elsewhere.
func TestThePageIsServedStrictly(t *testing.T) {
	t.Parallel()
	v := serve(t, explorer.Options{}, false)
	files := map[string]bool{}
	for _, path := range []string{"/", "/explore", "/explore/demo/graph", "/explore/a%2Fb/facts"} {
		response, text := v.send("GET", path, "")
		h := response.Header
		if response.StatusCode != http.StatusOK || h.Get("Content-Type") != "text/html; charset=utf-8" || h.Get("Cache-Control") != "no-cache" {
			t.Errorf("%s: %d %v", path, response.StatusCode, h)
		}
		csp := h.Get("Content-Security-Policy")
		for _, rule := range []string{"default-src 'none'", "script-src 'self';", "style-src 'self';", "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"} {
			if !strings.Contains(csp, rule) {
				t.Errorf("%s: the policy has no %s: %s", path, rule, csp)
			}
		}
		if strings.Contains(csp, "unsafe") || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "no-referrer" || h.Get("X-Frame-Options") != "DENY" || h.Get("Set-Cookie") != "" {
			t.Errorf("%s: %v", path, h)
		}
		for _, m := range loads.FindAllStringSubmatch(text, -1) {
			files[m[1]] = true
		}
		if strings.Contains(text, "<style") || strings.Contains(text, "style=") || regexp.MustCompile(`<script[^>]*>[^<]`).MatchString(text) {
			t.Errorf("%s has script or style within it, which the policy refuses: %s", path, text)
		}
	}
	if len(files) < 2 {
		t.Errorf("the page loads %v", files)
	}
	for file := range files {
		if !strings.HasPrefix(file, "/assets/") {
			t.Errorf("the page loads %q", file)
			continue
		}
		response, text := v.send("GET", file, "")
		if response.StatusCode != http.StatusOK || response.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" || len(text) == 0 {
			t.Errorf("%s: %d %v", file, response.StatusCode, response.Header)
		}
	}
}

func TestWhatIsKnownIsNotSentAgain(t *testing.T) {
	t.Parallel()
	v := serve(t, explorer.Options{}, false)
	first, _ := v.send("GET", "/", "")
	again, text := v.send("GET", "/", "", "If-None-Match", first.Header.Get("ETag"))
	if again.StatusCode != http.StatusNotModified || text != "" {
		t.Errorf("sent again: %d, %q", again.StatusCode, text)
	}
}

func TestOnlyThePagesFilesAreServed(t *testing.T) {
	t.Parallel()
	v := serve(t, explorer.Options{}, false)
	for path, status := range map[string]int{
		"/assets/": 404, "/assets/none.js": 404, "/assets/..%2Findex.html": 404, "/app/index.html": 404, "/index.html": 404, "/v1/none": 401, "/healthz": 200, "/docs": 200,
	} {
		if response, text := v.send("GET", path, ""); response.StatusCode != status {
			t.Errorf("%s: %d, want %d: %.100s", path, response.StatusCode, status, text)
		}
	}
	if response, _ := v.send("POST", "/explore/sign-in", `{"code": ""}`, "Content-Type", "application/json"); response.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("signing in where nobody is invited: %d", response.StatusCode)
	}
}

// A code signs in once, and only from the page itself.
func TestACodeSignsInOnce(t *testing.T) {
	t.Parallel()
	invitation := explorer.Invite(key)
	v := serve(t, explorer.Options{Invitation: invitation}, true)
	code := `{"code": "` + invitation.Code() + `"}`
	for name, refused := range map[string]struct {
		status int
		body   string
		header []string
	}{
		"another code":      {401, `{"code": "` + strings.Repeat("A", 26) + `"}`, []string{"Content-Type", "application/json"}},
		"no code":           {401, `{}`, []string{"Content-Type", "application/json"}},
		"no JSON":           {400, `code`, []string{"Content-Type", "application/json"}},
		"a form":            {415, code, []string{"Content-Type", "text/plain"}},
		"from a page":       {403, code, []string{"Content-Type", "application/json", "Sec-Fetch-Site", "cross-site"}},
		"by another name":   {403, code, []string{"Content-Type", "application/json", "Host", "rebound.example"}},
		"another's, ported": {403, code, []string{"Content-Type", "application/json", "Host", "rebound.example:8080"}},
	} {
		if response, text := v.send("POST", "/explore/sign-in", refused.body, refused.header...); response.StatusCode != refused.status || strings.Contains(text, key) {
			t.Errorf("%s: %d, want %d: %s", name, response.StatusCode, refused.status, text)
		}
	}
	response, text := v.send("POST", "/explore/sign-in", code, "Content-Type", "application/json", "Sec-Fetch-Site", "same-origin")
	if response.StatusCode != http.StatusOK || strings.TrimSpace(text) != `{"key":"`+key+`"}` || response.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("the first time: %d %s %v", response.StatusCode, text, response.Header)
	}
	if response, text := v.send("POST", "/explore/sign-in", code, "Content-Type", "application/json"); response.StatusCode != http.StatusUnauthorized || strings.Contains(text, key) {
		t.Errorf("the second time: %d %s", response.StatusCode, text)
	}
}

// Requests under a foreign host name that resolves to this machine are refused everywhere.
func TestNamesOfOthersAreRefused(t *testing.T) {
	t.Parallel()
	v := serve(t, explorer.Options{}, true)
	for _, path := range []string{"/", "/v1/groups", "/openapi.json", "/metrics"} {
		response, _ := v.send("GET", path, "", "Host", "rebound.example", "Authorization", "Bearer "+key)
		if response.StatusCode != http.StatusForbidden {
			t.Errorf("%s under another name: %d", path, response.StatusCode)
		}
	}
	for _, host := range []string{"localhost:1", "127.0.0.1", "[::1]:80"} {
		if response, _ := v.send("GET", "/", "", "Host", host); response.StatusCode != http.StatusOK {
			t.Errorf("as %s: %d", host, response.StatusCode)
		}
	}
}
