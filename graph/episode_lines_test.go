package graph_test

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/annalsdb/annals/graph"
)

func TestEpisodeLines(t *testing.T) {
	t.Parallel()
	text := "{\"content\": \"one\"}\r\n\n  {\"content\": \"two\", \"actor\": \"Bob\", \"external_id\": \"x\"}"
	lines := graph.NewEpisodeLines("g", strings.NewReader(text))
	lines.Rest = graph.EpisodeInput{Actor: "Alice", OccurredAt: "2024-03-15"}
	lines.Identify = func(e graph.Episode, number int, line []byte) string { return e.Actor + "/" + string(line) }
	for _, want := range []struct {
		content, actor, id string
		number             int
	}{{"one", "Alice", `Alice/{"content": "one"}`, 1}, {"two", "Bob", "x", 3}} {
		got, number, err := lines.Next()
		if err != nil || got.GroupID != "g" || got.Content != want.content || got.Actor != want.actor || got.ExternalID != want.id || number != want.number {
			t.Errorf("line %d: %+v (%v), want %+v", number, got, err, want)
		}
		if at := time.Date(2024, 3, 15, 0, 0, 0, 0, time.UTC); !got.OccurredAt.Equal(at) {
			t.Errorf("line %d: %s, want %s", number, got.OccurredAt, at)
		}
	}
	if _, _, err := lines.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("after the last line: %v", err)
	}
}

func TestEpisodeLinesSayWhichIsWrong(t *testing.T) {
	t.Parallel()
	tooLong := `{"content":"` + strings.Repeat("a", graph.MaxEpisodeJSON) + `"}`
	for name, tt := range map[string]struct {
		text, want string
		is         error
	}{
		"unknown key":   {`{"contents": "two"}`, `line 3: the key "contents" is not known`, nil},
		"no time":       {`{"content": "two", "occurred_at": "soon"}`, `line 3: occurred_at: "soon" is no time`, nil},
		"too long":      {tooLong, "line 3: is longer than 10 MiB", bufio.ErrTooLong},
		"a little over": {tooLong[:graph.MaxEpisodeJSON-1] + `"}`, "line 3: is longer than 10 MiB", bufio.ErrTooLong},
	} {
		lines := graph.NewEpisodeLines("g", strings.NewReader("{\"content\": \"one\"}\n\n"+tt.text+"\n"))
		if _, _, err := lines.Next(); err != nil {
			t.Fatalf("%s: the line before it: %v", name, err)
		}
		_, number, err := lines.Next()
		bad, ok := errors.AsType[*graph.LineError](err)
		if !ok || bad.Number != 3 || number != 3 || !strings.Contains(err.Error(), tt.want) || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
	}
}

func TestEpisodeLinesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	broken := errors.New("the connection is gone")
	lines := graph.NewEpisodeLines("g", io.MultiReader(strings.NewReader(`{"content": "one"}`), iotest.ErrReader(broken)))
	if e, _, err := lines.Next(); !errors.Is(err, broken) {
		t.Errorf("%+v, %v: a part of a line is taken for a line", e, err)
	}
}

func TestParseDuration(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"": 0, "30d": 720 * time.Hour, "1.5d": 36 * time.Hour, "2w": 336 * time.Hour, "12h": 12 * time.Hour, "1h30m": 90 * time.Minute,
	} {
		if got, err := graph.ParseDuration("recency", text); err != nil || got != want {
			t.Errorf("%q: %s, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"d", "0d", "-1d", "NaNd", "1e9d", "0h", "30", "soon"} {
		if got, err := graph.ParseDuration("recency", text); err == nil {
			t.Errorf("%q is taken for %s", text, got)
		}
	}
}
