package agent

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/public"
)

func TestFolderHoldsFast(t *testing.T) {
	t.Parallel()
	outside, folder := t.TempDir(), t.TempDir()
	try := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	secret := filepath.Join(outside, "secret.txt")
	try(os.WriteFile(secret, []byte("secret"), 0o600))
	try(os.WriteFile(filepath.Join(folder, "notes.txt"), []byte("one\ntwo\nthree"), 0o600))
	try(os.Symlink(secret, filepath.Join(folder, "link.txt")))
	try(os.Symlink(outside, filepath.Join(folder, "away")))
	try(os.Symlink("../"+filepath.Base(outside)+"/secret.txt", filepath.Join(folder, "relative.txt")))
	try(os.Mkdir(filepath.Join(folder, "sub"), 0o700))
	try(syscall.Mkfifo(filepath.Join(folder, "pipe"), 0o600)) // nobody ever writes to it
	try(os.WriteFile(filepath.Join(folder, "binary"), []byte("\xff\xfe\xfd\xfc\xfb\xfa\x00\x01"), 0o600))
	for _, name := range []string{
		"../" + filepath.Base(outside) + "/secret.txt", secret, "sub/../../" + filepath.Base(outside) + "/secret.txt", "link.txt", "away/secret.txt",
		"relative.txt", "/etc/passwd", "..", ".", "", "sub", "pipe", "binary", "missing.txt", "notes.txt\x00.png", "/dev/zero",
	} {
		text, err := readFolderFile(folder, readFileArguments{Filename: name})
		if graph.CodeOf(err) != graph.CodeInvalid || strings.Contains(text, "secret") || strings.Contains(err.Error(), outside) && !strings.Contains(name, outside) {
			t.Errorf("reading %q: %q, %v", name, text, err)
		}
		if name == "missing.txt" || name == "binary" {
			continue
		}
		if err := appendFolderFile(folder, appendFileArguments{Filename: name, Content: "x"}); graph.CodeOf(err) != graph.CodeInvalid {
			t.Errorf("appending to %q: %v", name, err)
		}
	}
	if text, err := os.ReadFile(secret); err != nil || string(text) != "secret" {
		t.Errorf("the file outside has %q, %v", text, err)
	}
	text, err := readFolderFile(folder, readFileArguments{Filename: "notes.txt", LineStart: 1, NumLines: 1})
	if err != nil || text != "two" {
		t.Errorf("read %q, %v", text, err)
	}
	try(appendFolderFile(folder, appendFileArguments{Filename: "new.txt", Content: "first"}))
	try(appendFolderFile(folder, appendFileArguments{Filename: "new.txt", Content: "second"}))
	if text, err := readFolderFile(folder, readFileArguments{Filename: "new.txt"}); err != nil || text != "first\nsecond\n" {
		t.Errorf("read %q, %v", text, err)
	}
	if err := appendFolderFile(folder, appendFileArguments{Filename: "new.txt", Content: strings.Repeat("x", maxWriteBytes+1)}); err == nil {
		t.Error("more than a write may have was written")
	}
	try(os.Truncate(filepath.Join(folder, "new.txt"), maxFolderFile))
	if err := appendFolderFile(folder, appendFileArguments{Filename: "new.txt", Content: "x"}); err == nil {
		t.Error("a file grew beyond its limit")
	}
}

// fetchFrom permits loopback addresses, except one.
func fetchFrom(hosts ...string) *fetcher {
	return newFetcher(hosts, func(a netip.Addr) bool { return a == netip.MustParseAddr("127.0.0.1") }, 300*time.Millisecond)
}

func get(f *fetcher, address string) (string, error) {
	return f.fetch(context.Background(), requestArguments{Method: "get", URL: address})
}

func TestFetch(t *testing.T) {
	t.Parallel()
	released := make(chan struct{})
	hits := 0
	private := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits++ }))
	t.Cleanup(private.Close)
	mux := http.NewServeMux()
	mux.HandleFunc("/ok", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Method, " fine") })
	mux.HandleFunc("/elsewhere", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, private.URL, http.StatusFound) })
	mux.HandleFunc("/round", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/round", http.StatusFound) })
	mux.HandleFunc("/file", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
	})
	mux.HandleFunc("/huge", func(w http.ResponseWriter, _ *http.Request) {
		for { // endlessly
			if _, err := fmt.Fprint(w, strings.Repeat("x", 1<<10)); err != nil {
				return
			}
		}
	})
	mux.HandleFunc("/headers", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X-Long", strings.Repeat("x", 1<<17)) })
	mux.HandleFunc("/mute", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-released:
		}
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "a")
		_ = http.NewResponseController(w).Flush()
		select {
		case <-r.Context().Done():
		case <-released:
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(released) })
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	f := fetchFrom(u.Host)
	if text, err := get(f, server.URL+"/ok"); err != nil || text != "200 OK\nGET fine" {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := get(f, server.URL+"/huge"); err != nil || len(text) > maxFetched || !strings.Contains(text, "[cut") {
		t.Errorf("of a huge answer %d bytes, %v", len(text), err)
	}
	for path, want := range map[string]string{
		"/elsewhere": "is not among the hosts", "/round": "leads on more than 3 times", "/file": "must begin with http", "/slow": "did not answer in time",
		"/mute": "did not answer in time", "/headers": "could not be reached",
	} {
		if text, err := get(f, server.URL+path); graph.CodeOf(err) != graph.CodeInvalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v, want %q", path, text, err, want)
		}
	}
	if hits != 0 {
		t.Errorf("a server that is not allowed was reached %d times", hits)
	}
}

// A redirect to an allowed host with a forbidden address reaches nothing.
func TestRedirectsToPrivateAddresses(t *testing.T) {
	t.Parallel()
	hits := 0
	private := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits++ }))
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.2:0") // fetchFrom forbids this address
	if err != nil {
		t.Skip("this system has no second loopback address: ", err)
	}
	_ = private.Listener.Close()
	private.Listener = listener
	private.Start()
	t.Cleanup(private.Close)
	for _, status := range []int{http.StatusFound, http.StatusTemporaryRedirect} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, private.URL, status) }))
		t.Cleanup(server.Close)
		f := fetchFrom(strings.TrimPrefix(server.URL, "http://"), strings.TrimPrefix(private.URL, "http://"))
		if text, err := get(f, server.URL); graph.CodeOf(err) != graph.CodeInvalid || !strings.Contains(err.Error(), "not public") {
			t.Errorf("%d: %q, %v", status, text, err)
		}
	}
	if hits != 0 {
		t.Errorf("a private server was reached %d times", hits)
	}
}

func TestFoldersOfGroups(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for _, group := range []string{"alice", "bob"} {
		if err := os.Mkdir(filepath.Join(folder, group), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(folder, "bob"), filepath.Join(folder, "mallory")); err != nil {
		t.Fatal(err)
	}
	o := Options{Folder: folder, FolderOfGroup: true}
	for group, want := range map[string]string{
		"alice": filepath.Join(folder, "alice"), "carol": "", "mallory": "", ".": "", "..": "", "../" + filepath.Base(folder): "", "alice/../bob": "", "": "",
	} {
		if got := o.folderOf(group); got != want {
			t.Errorf("the folder of %q is %q, want %q", group, got, want)
		}
	}
	if got := (Options{Folder: folder}).folderOf("alice"); got != folder {
		t.Errorf("without one for each the folder is %q", got)
	}
	if got := (Options{FolderOfGroup: true}).folderOf("alice"); got != "" {
		t.Errorf("without any the folder is %q", got)
	}
}

// An allowed name that resolves to a private address, at first or later, reaches nothing: the
// address is checked when it is dialled.
func TestNamesThatAreRebound(t *testing.T) {
	t.Parallel()
	hits := 0
	private := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits++ }))
	t.Cleanup(private.Close)
	_, port, err := net.SplitHostPort(private.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	f := newFetcher([]string{"localhost:" + port}, public.Is, time.Second) // a name that resolves to 127.0.0.1
	_, err = get(f, "http://localhost:"+port)
	if graph.CodeOf(err) != graph.CodeInvalid || !strings.Contains(err.Error(), "not public") || hits != 0 {
		t.Errorf("%v, and %d requests", err, hits)
	}
	judged := 0
	again := newFetcher([]string{"localhost:" + port}, func(a netip.Addr) bool { // public at first, private later
		if a.Is4() {
			judged++
		}
		return a.Is4() && judged == 1
	}, time.Second)
	if _, err := get(again, "http://localhost:"+port); err != nil || hits != 1 {
		t.Errorf("while the address was public: %v, and %d requests", err, hits)
	}
	if _, err := get(again, "http://localhost:"+port); err == nil || judged != 2 || hits != 1 {
		t.Errorf("the second request was let through: %v, judged %d times, %d requests", err, judged, hits)
	}
}

func TestWhatMayNotBeFetched(t *testing.T) {
	t.Parallel()
	f := newFetcher([]string{"example.com", "example.com:8443"}, func(netip.Addr) bool { return false }, time.Second)
	for _, a := range []requestArguments{
		{Method: "GET", URL: "http://example.org"},
		{Method: "GET", URL: "http://example.com.evil.org"},
		{Method: "GET", URL: "http://example.com:22"},
		{Method: "GET", URL: "http://user:pw@example.com"},
		{Method: "GET", URL: "file:///etc/passwd"},
		{Method: "GET", URL: "gopher://example.com"},
		{Method: "GET", URL: "//example.com"},
		{Method: "GET", URL: "http://[::1]"},
		{Method: "GET", URL: "http://2130706433"},
		{Method: "GET", URL: ":"},
		{Method: "TRACE", URL: "http://example.com"},
		{Method: "POST", URL: "http://example.com", Payload: "{"},
	} {
		if _, err := f.fetch(t.Context(), a); graph.CodeOf(err) != graph.CodeInvalid || errors.Is(err, errPrivate) {
			t.Errorf("%+v: %v", a, err)
		}
	}
	for _, address := range []string{"http://EXAMPLE.com./", "https://example.com:8443/x", "https://example.com:443"} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.admit(u); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}
