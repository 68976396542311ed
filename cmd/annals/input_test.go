package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/graph"
)

func (m *memory) add(file string) {
	m.t.Helper()
	m.must("add", "-g", "t", "--no-process", "--file", file)
}

func TestFlagsFillInWhatLinesLeaveOut(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	file := m.file("chat.jsonl", `{"content":"one"}`+"\n"+`{"content":"two","actor":"Bob","metadata":{"n":22}}`+"\n"+`{"content":"three"}`+"\n")
	m.must("add", "-g", "t", "--no-process", "--file", file, "--actor", "Alice", "--thread-id", "x",
		"--occurred-at", "2024-01-01", "--metadata", `{"n":1}`)
	type row struct {
		Content, Actor, ThreadID, OccurredAt string
		N                                    int
	}
	var got struct {
		Episodes []struct {
			Content, Actor string
			ThreadID       string         `json:"thread_id"`
			OccurredAt     string         `json:"occurred_at"`
			Metadata       map[string]int `json:"metadata"`
		}
	}
	m.read(&got, "episodes", "-g", "t")
	rows := map[string]row{}
	for _, e := range got.Episodes {
		rows[e.Content] = row{e.Content, e.Actor, e.ThreadID, e.OccurredAt, e.Metadata["n"]}
	}
	want := map[string]row{
		"one":   {"one", "Alice", "x", "2024-01-01T00:00:00Z", 1},
		"two":   {"two", "Bob", "x", "2024-01-01T00:00:00Z", 22},
		"three": {"three", "Alice", "x", "2024-01-01T00:00:00Z", 1},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("episodes (-want +got):\n%s", diff)
	}
	if o := m.run("", "add", "-g", "t", "--file", file, "--external-id", "a"); o.code != exitFailed || !strings.Contains(o.stderr, "external-id") {
		t.Errorf("one external id for several lines: exit %d, %q", o.code, o.stderr)
	}
}

// Lines piped twice are added twice; a file read again is not.
func TestOnlyAFileIsTheSameAgain(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		content string
		add     func(m *memory, content string)
		want    int
	}{
		"lines in a file": {`{"content":"ok"}` + "\n", func(m *memory, content string) { m.add(m.file("a.jsonl", content)) }, 1},
		"a text file":     {"ok\n", func(m *memory, content string) { m.add(m.file("a.txt", content)) }, 1},
		"a pipe":          {`{"content":"ok"}` + "\n", func(m *memory, content string) { m.add(m.pipe(content)) }, 2},
		"standard input": {`{"content":"ok"}` + "\n", func(m *memory, content string) {
			m.run(content, "add", "-g", "t", "--no-process")
		}, 2},
		"dated lines on standard input": {`{"content":"ok","occurred_at":"2024-01-01"}` + "\n", func(m *memory, content string) {
			m.run(content, "add", "-g", "t", "--no-process")
		}, 1},
		"an argument": {"ok", func(m *memory, content string) { m.must("add", "-g", "t", "--no-process", content) }, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMemory(t)
			for range 2 {
				tt.add(m, tt.content)
			}
			if got := m.contents(); len(got) != tt.want {
				t.Errorf("%d episodes, want %d", len(got), tt.want)
			}
		})
	}
}

// pipe returns a path that can be read once, like a shell's <(…).
func (m *memory) pipe(content string) string {
	m.t.Helper()
	path := filepath.Join(m.t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		m.t.Fatal(err)
	}
	go func() { _ = os.WriteFile(path, []byte(content), 0o600) }()
	return path
}

func TestByteOrderMark(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.add(m.file("a.jsonl", "\ufeff"+`{"content":"one"}`+"\r\n"))
	m.add(m.file("b", "\ufeff"+`{"content":"two"}`))
	m.add(m.file("c.txt", "\ufeffthree"))
	if got, want := strings.Join(m.contents(), " "), "three two one"; got != want {
		t.Errorf("kept %q, want %q", got, want)
	}
}

func TestALineAtTheLimit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		bytes int
		end   string
		code  int
	}{
		{graph.MaxEpisodeJSON, "\n", exitOK},
		{graph.MaxEpisodeJSON, "\r\n", exitOK},
		{graph.MaxEpisodeJSON, "", exitOK},
		{graph.MaxEpisodeJSON + 1, "\n", exitFailed},
		{graph.MaxEpisodeJSON + 1, "", exitFailed},
	} {
		m := newMemory(t)
		begin, end := `{"content":"a",`, `"actor":"B"}`
		line := begin + strings.Repeat(" ", tt.bytes-len(begin)-len(end)) + end + tt.end
		if o := m.run(line, "add", "-g", "t", "--no-process"); o.code != tt.code {
			t.Errorf("%d bytes and %q: exit %d, %q; want %d", tt.bytes, tt.end, o.code, o.stderr, tt.code)
		}
	}
}

func TestBadLinesSayWhatIsKept(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`{"content":"a"}}`:                            "line 3: holds more than one JSON object",
		`{"content":"a"}]`:                            "line 3: holds more than one JSON object",
		`{"content":"a","occurred_at":"0001-01-01"}`:  `line 3: occurred_at: "0001-01-01" cannot be stored`,
		`{"content":"a","occurred_at":"10000-01-01"}`: "line 3: occurred_at:",
		`{"content":"a","Occurred":"2024-01-01"}`:     `line 3: the key "Occurred" is not known`,
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			m := newMemory(t)
			file := m.file("chat.jsonl", `{"content":"one"}`+"\n"+`{"content":"two"}`+"\n"+line+"\n")
			o := m.run("", "add", "-g", "t", "--file", file)
			if o.code != exitFailed || !strings.HasPrefix(o.stderr, "annals: chat.jsonl "+want) ||
				!strings.HasSuffix(o.stderr, "(the 2 episodes before it are kept)\n") || strings.Count(o.stderr, "\n") != 1 {
				t.Errorf("exit %d, %q; want %q on one line", o.code, o.stderr, want)
			}
			if got := m.contents(); len(got) != 2 {
				t.Errorf("kept %q", got)
			}
		})
	}
}

// waiting is an input without data, which signals when it is read.
type waiting chan struct{}

func (w waiting) Read([]byte) (int, error) {
	close(w)
	select {}
}

func TestInterruptedWhileWaitingForInput(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	ctx, cancel := context.WithCancel(t.Context())
	asked := make(waiting)
	go func() { <-asked; cancel() }()
	var stdout, stderr bytes.Buffer
	code := run(ctx, []string{"add"}, asked, &stdout, &stderr, m.environ)
	if code != exitFailed || !strings.HasPrefix(stderr.String(), "annals: interrupted") || strings.Count(stderr.String(), "\n") != 1 {
		t.Errorf("exit %d, %q", code, stderr.String())
	}
}
