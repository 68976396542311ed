package mcp_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/program"
	"github.com/annalsdb/annals/internal/server/mcp"
	"github.com/annalsdb/annals/internal/slow"
)

// wire is a host that writes raw lines.
type wire struct {
	t   *testing.T
	in  io.WriteCloser
	out *bufio.Scanner

	ended func() error
}

// end ends the session.
func (w *wire) end() {
	w.t.Helper()
	_ = w.in.Close()
	for w.out.Scan() {
		w.t.Errorf("standard output has %q as well", w.out.Text())
	}
	if err := w.ended(); err != nil {
		w.t.Errorf("it does not end well: %v", err)
	}
}

type wireAnswer struct {
	ID     any
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
}

func wired(t *testing.T) *wire {
	t.Helper()
	command := exec.CommandContext(t.Context(), program.Annals(t), "mcp", "--group", "alice")
	command.Env = []string{"ANNALS_DATABASE_URL=" + pgtest.New(t)}
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	w := &wire{t: t, in: in, out: bufio.NewScanner(out)}
	w.out.Buffer(nil, 1<<24)
	w.ended = command.Wait
	w.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	if a := w.answer(); a.Error != nil {
		t.Fatalf("it does not begin: %+v", a)
	}
	w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return w
}

func (w *wire) send(line string) {
	w.t.Helper()
	if _, err := io.WriteString(w.in, line+"\n"); err != nil {
		w.t.Fatalf("the session is over: %v", err)
	}
}

func (w *wire) answer() wireAnswer {
	w.t.Helper()
	if !w.out.Scan() {
		w.t.Fatalf("there is no answer: %v", w.out.Err())
	}
	var a wireAnswer
	if err := json.Unmarshal(w.out.Bytes(), &a); err != nil {
		w.t.Fatalf("standard output has %q: %v", w.out.Text(), err)
	}
	return a
}

// A message that is too long or malformed gets an answer with its id, wherever the id is, and the
// session continues.
func TestMessagesOverALimitAreAnswered(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	w := wired(t)
	defer w.end()
	long := strings.Repeat(`x\"}],\\`, mcp.MaxBody/7)
	call := `"method":"tools/call","params":{"id":"another","name":"add_memory","arguments":{"name":"n","episode_body":"` + long + `"}}`
	for _, tt := range []struct {
		name, line string
		id         any
		code       int
	}{
		{"its id first", `{"jsonrpc":"2.0","id":7,` + call + `}`, 7.0, -32600},
		{"its id last", `{"jsonrpc":"2.0",` + call + `, "id" : "s-8" }`, "s-8", -32600},
		{"ten times too long", `{"jsonrpc":"2.0",` + strings.Replace(call, long, strings.Repeat(long, 10), 1) + `,"id":9}`, 9.0, -32600},
		{"no JSON at great length", long + long, nil, -32600},
		{"no JSON", `{"jsonrpc":`, nil, -32700},
		{"no message", `{"id":10,"hello":"world"}`, 10.0, -32600},
		{"a list of messages", `[{"jsonrpc":"2.0","id":11,"method":"ping"}]`, nil, -32600},
	} {
		w.send(tt.line)
		if a := w.answer(); a.Error == nil || a.ID != tt.id || a.Error.Code != tt.code || a.Error.Message == "" {
			t.Errorf("%s: %+v %+v", tt.name, a, a.Error)
		}
	}
	w.send(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"message":"` + long + `"}}`) // a notification expects no answer
	w.send("")
	w.send(`{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"get_status"}}`)
	if a := w.answer(); a.ID != 12.0 || a.Error != nil || !strings.Contains(string(a.Result), "Memory works") {
		t.Errorf("after them: %+v %+v", a, a.Error)
	}
	w.send(`{"jsonrpc":"2.0","id":13,"method":"tools/call","params":{"name":"add_memory","arguments":{"name":"n","episode_body":"` +
		strings.Repeat("x", 2<<20) + `"}}}`) // within the limit of messages, beyond that of arguments
	if a := w.answer(); a.ID != 13.0 || !strings.Contains(string(a.Result), "episode_body: has 2097152 characters; the most is") || len(a.Result) > 500 {
		t.Errorf("a long episode: %s", a.Result)
	}
}

func TestMessagesOverALimitAreAnsweredOverHTTP(t *testing.T) {
	t.Parallel()
	s := serve(t)
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add_memory","arguments":{"episode_body":"` +
		strings.Repeat("x", 2*mcp.MaxBody) + `"}}}`
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+aliceKey)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{}}
	t.Cleanup(client.CloseIdleConnections)
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	said, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(string(said), fmt.Sprint(mcp.MaxBody)) && !strings.Contains(string(said), "MiB") {
		t.Errorf("%v: %d %s", err, response.StatusCode, said)
	}
}
