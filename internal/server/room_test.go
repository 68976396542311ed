package server_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/graphiti"
	"github.com/annalsdb/annals/internal/server/mcp"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/internal/server/zep"
	"github.com/annalsdb/annals/internal/slow"
)

// peak returns the maximum heap in use while do ran.
func peak(do func()) uint64 {
	runtime.GC()
	var most atomic.Uint64
	done := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most.Store(max(most.Load(), m.HeapInuse))
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	})
	do()
	close(done)
	watching.Wait()
	return most.Load()
}

// One key cannot make the service exceed its memory limit, whatever it sends at once and through
// whichever interface.
func TestMemoryOfRequestsIsBounded(t *testing.T) { //nolint:paralleltest // it measures the heap of the process
	slow.Test(t)
	const most = 256 << 20
	client := open(t)
	keys, err := server.ParseKeys("a-static-key-of-all")
	if err != nil {
		t.Fatal(err)
	}
	s := server.New(server.Options{Client: client, Keys: keys, RequestMemory: most})
	rest.Mount(s, rest.Options{})
	mcp.Mount(s, mcp.Options{})
	zep.Mount(s)
	graphiti.Mount(s, graphiti.Options{})
	listening := httptest.NewServer(s.Handler())
	t.Cleanup(listening.Close)
	nested := func(size int) string { return strings.Repeat(`{"a":[`, size/12) + strings.Repeat(`]}`, size/12) }
	wide := func(size int) string { return "[" + strings.Repeat(`{"a":{}},`, size/9) + "1]" }
	long := strings.Repeat("x", 7_900_000)
	rpc := func(arguments string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add_memory","arguments":` + arguments + `}}`
	}
	for _, tt := range []struct {
		name, path, body string
		at               int // number of simultaneous requests
	}{
		{"long MCP calls", "/mcp", rpc(`{"name":"n","episode_body":"` + long + `"}`), 20},
		{"MCP calls that just pass", "/mcp", rpc(`{"name":"n","episode_body":"` + long[:4_000_000] + `"}`), 40},
		{"nested MCP calls", "/mcp", rpc(nested(4_000_000)), 40},
		{"wide MCP calls", "/mcp", rpc(wide(440_000)), 40},
		{"nested metadata", "/v1/groups/g/episodes", `{"content":"x","metadata":` + nested(4_000_000) + `}`, 40},
		{"wide metadata", "/v1/groups/g/episodes", `{"content":"x","metadata":` + wide(800_000) + `}`, 40},
		{"wide facts", "/v1/groups/g/facts", wide(4_000_000), 40},
		{"wide searches", "/v1/groups/g/search", wide(250_000), 60},
		{"Zep's", "/api/v2/graph", `{"type":"json","data":` + wide(4_000_000) + `}`, 40},
		{"Graphiti's", "/messages", `{"group_id":"g","messages":` + wide(4_000_000) + `}`, 40},
	} {
		took := peak(func() {
			var sending sync.WaitGroup
			for range tt.at {
				sending.Go(func() { post(t, listening.URL+tt.path, tt.body) })
			}
			sending.Wait()
		})
		t.Logf("%s: %d at once, %d bytes each: %d MiB", tt.name, tt.at, len(tt.body), took>>20)
		if took > 2*most {
			t.Errorf("%s took %d MiB", tt.name, took>>20)
		}
	}
}

// post sends a body. A connection that is closed because of too much data counts as an answer.
func post(t *testing.T, url, body string) {
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return
	}
	request.Header.Set("Authorization", "Bearer a-static-key-of-all")
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return
	}
	defer response.Body.Close()
	said, _ := io.ReadAll(response.Body)
	if response.StatusCode == http.StatusInternalServerError {
		t.Errorf("%s: %s", url, said)
	}
}

// A request that would exceed its key's memory waits, and then is told to try again; other keys are
// not affected.
func TestAKeyWaitsForItsOwnRoom(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	keys, err := server.ParseKeys("a-static-key-of-all,another-key-of-all-groups")
	if err != nil {
		t.Fatal(err)
	}
	s := server.New(server.Options{Client: open(t), Keys: keys, RequestMemory: 64 << 10}) // 16 KiB each
	release := make(chan struct{})
	refuse := func(w http.ResponseWriter, _ *http.Request, p *server.Problem) { p.Write(w) }
	s.Handle("/", s.Protect("test", graph.AuthorityPerson, s.Bounded(server.LimitByPath(8<<10), refuse, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			<-release
		}
		body, _ := io.ReadAll(r.Body)
		fmt.Fprint(w, len(body))
	}))))
	send := func(key, path string, size int) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, path, bytes.NewReader(make([]byte, size)))
		r.Header.Set("Authorization", "Bearer "+key)
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		return w
	}
	var slow sync.WaitGroup
	slow.Go(func() { send("a-static-key-of-all", "/slow", 4000) })
	time.Sleep(200 * time.Millisecond)
	if w := send("another-key-of-all-groups", "/", 4000); w.Code != http.StatusOK || w.Body.String() != "4000" {
		t.Errorf("another key: %d %s", w.Code, w.Body)
	}
	if w := send("a-static-key-of-all", "/", 4000); w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") != "1" {
		t.Errorf("the same key: %d %s", w.Code, w.Body)
	}
	close(release)
	slow.Wait()
	if w := send("a-static-key-of-all", "/", 4000); w.Code != http.StatusOK {
		t.Errorf("afterwards: %d %s", w.Code, w.Body)
	}
	if w := send("a-static-key-of-all", "/", 9000); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("too long: %d %s", w.Code, w.Body)
	}
}

func TestShapes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		body string
		ok   bool
	}{
		{`{"a": [1, 2, {"b": "[[[[{{{{,,,,\"[["}]}`, true},
		{strings.Repeat("[", 100) + strings.Repeat("]", 100), true},
		{strings.Repeat("[", 101) + strings.Repeat("]", 101), false},
		{"[" + strings.Repeat("1,", 99_000) + "1]", true},
		{"[" + strings.Repeat("1,", 100_000) + "1]", false},
		{`"` + strings.Repeat(`,[`, 100_000) + `"`, true},
		{`"\\"` + strings.Repeat("[", 200), false},
		{`"\`, true}, // the decoder reports it as truncated
	} {
		values, problem := server.CheckShape([]byte(tt.body))
		if (problem == nil) != tt.ok {
			t.Errorf("%.40s…: %d values, %v", tt.body, values, problem)
		}
	}
}

// Callers that announce long bodies use no memory that others need, whether they send nothing or
// stop midway.
func TestSlowSendersTakeNoRoom(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	const size = 60_000 // two of these are nearly the limit of a key
	keys, err := server.ParseKeys("a-static-key-of-all")
	if err != nil {
		t.Fatal(err)
	}
	s := server.New(server.Options{Client: open(t), Keys: keys, RequestMemory: 2 << 20})
	refuse := func(w http.ResponseWriter, _ *http.Request, p *server.Problem) { p.Write(w) }
	s.Handle("/", s.Protect("test", graph.AuthorityPerson, s.Bounded(server.LimitByPath(64<<10), refuse, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprint(w, len(body))
	}))))
	listening := httptest.NewServer(s.Handler())
	t.Cleanup(listening.Close)
	begin := func(sent int) net.Conn {
		conn, err := net.Dial("tcp", listening.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a-static-key-of-all\r\nContent-Length: %d\r\n\r\n%s", size, strings.Repeat("x", sent))
		return conn
	}
	whole := func() (int, time.Duration) {
		began := time.Now()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, listening.URL, strings.NewReader(strings.Repeat("x", size)))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer a-static-key-of-all")
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		return response.StatusCode, time.Since(began)
	}
	for range 5 {
		begin(0)
		begin(100)
	}
	time.Sleep(200 * time.Millisecond)
	if status, took := whole(); status != http.StatusOK || took > 2*time.Second {
		t.Errorf("beside callers who send nothing: %d after %s", status, took)
	}
	stopped := begin(5000)
	time.Sleep(200 * time.Millisecond)
	if status, _ := whole(); status != http.StatusOK {
		t.Errorf("after one who stopped: %d", status)
	}
	answer, err := http.ReadResponse(bufio.NewReader(stopped), nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusRequestTimeout {
		t.Errorf("one who stopped is answered %d", answer.StatusCode)
	}
}
