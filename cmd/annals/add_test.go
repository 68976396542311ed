package main

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/annalsdb/annals/graph"
)

type episodesJSON struct {
	Episodes []struct{ Content, State, Actor, Source string }
}

func (m *memory) contents() []string {
	m.t.Helper()
	var got episodesJSON
	m.read(&got, "episodes", "--group", cmp.Or(m.group, "t"), "--limit", "1000")
	var contents []string
	for _, e := range got.Episodes {
		contents = append(contents, e.Content)
	}
	return contents
}

// Each bad line is reported on one line, with its number. The lines before it are stored and read.
func TestBadLines(t *testing.T) {
	t.Parallel()
	good := `{"content":"I live in Paris.","actor":"Alice","occurred_at":"2023-01-10"}` + "\n"
	environ := newMemory(t).environ
	for name, tt := range map[string]struct{ line, want string }{
		"malformed":          {`{"content":`, "is not a JSON object"},
		"not an object":      {`[1]`, "is a JSON array; it must be an object"},
		"two objects":        {`{"content":"a"} {"content":"b"}`, "more than one"},
		"unknown key":        {`{"content":"a","colour":"red"}`, `the key "colour" is not known`},
		"wrong type":         {`{"content":7}`, "content: is a JSON number"},
		"empty content":      {`{"content":" "}`, "content: is empty"},
		"no content":         {`{"actor":"Alice"}`, "content: is empty"},
		"invalid UTF-8":      {"{\"content\":\"caf\xe9\"}", "not valid UTF-8"},
		"NUL":                {`{"content":"a\u0000b"}`, "content: holds a NUL byte"},
		"NUL in metadata":    {`{"content":"a","metadata":{"x":"\u0000"}}`, `metadata: holds \u0000, a NUL, which text cannot; remove it`},
		"half in content":    {`{"content":"a \ud83d"}`, `content: holds \ud83d, which is half of a character`},
		"half in metadata":   {`{"content":"a","metadata":{"x":"\ud800"}}`, `metadata: holds \ud800`},
		"number too small":   {`{"content":"a","metadata":{"x":1e-400000}}`, "metadata: cannot be stored: value overflows"},
		"metadata no object": {`{"content":"a","metadata":[1]}`, "metadata: is not a JSON object"},
		"too long":           {`{"content":"` + strings.Repeat("a", graph.MaxContent+1) + `"}`, "the limit is 1048576"},
		"actor too long":     {`{"content":"a","actor":"` + strings.Repeat("a", 600) + `"}`, "actor: is 600 bytes long"},
		"year 0":             {`{"content":"a","occurred_at":"0000-01-01"}`, "occurred_at: is in the year 0"},
		"year 99999":         {`{"content":"a","occurred_at":"99999-01-01T00:00:00Z"}`, "occurred_at: "},
		"not a date":         {`{"content":"a","occurred_at":"soon"}`, `occurred_at: "soon" is no time`},
		"unknown source":     {`{"content":"a","source":"video"}`, "source: "},
		"source json":        {`{"content":"{","source":"json"}`, "content: is not valid JSON"},
		"line too long":      {`{"content":"` + strings.Repeat("a", 10<<20) + `"}`, "longer than 10 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := &memory{t: t, environ: environ, group: strings.ReplaceAll(name, " ", "-")}
			o := m.run("", "add", "-g", m.group, "--file", m.file("chat.jsonl", good+tt.line+"\n"+strings.ReplaceAll(good, "Paris", "Rome")))
			last := strings.Split(strings.TrimSpace(o.stderr), "\n")
			if o.code != exitFailed || !strings.Contains(last[len(last)-1], tt.want) || !strings.Contains(o.stderr, "chat.jsonl line 2") {
				t.Errorf("exit %d, %.300q; want %q about line 2", o.code, o.stderr, tt.want)
			}
			if got := m.contents(); len(got) != 1 || got[0] != "I live in Paris." {
				t.Errorf("kept %q, want the first line", got)
			}
			if got := m.homes(); len(got) != 1 {
				t.Errorf("homes %q; the line before the bad one was not read", got)
			}
		})
	}
}

func TestBadText(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.makeGroup("t")
	for _, tt := range []struct {
		want string
		args []string
	}{
		{"there is nothing to add: give a text, --file, or pipe something in", []string{""}},
		{"content: holds a NUL byte, which text cannot; remove it", []string{"a\x00b"}},
		{"content: is not valid UTF-8; convert it first, for example with iconv", []string{"caf\xe9"}},
		{
			`occurred-at: "99999-01-01" is no time in the years 1 to 9999; write 2024-03-15 or 2024-03-15T09:30:00Z`,
			[]string{"--occurred-at", "99999-01-01", "hello"},
		},
		{"metadata: is not a JSON object", []string{"--metadata", "[]", "hello"}},
		{
			`metadata: holds \ud800, which is half of a character; write the other half too, or remove it`,
			[]string{"--metadata", `{"x":"\ud800"}`, "hello"},
		},
		{"content: is not valid JSON although source is json", []string{"--source", "json", "{"}},
		{"content: is not valid UTF-8; convert it first, for example with iconv", []string{"--file", m.file("a.txt", "\xff")}},
		{"content: is empty", []string{"--file", m.file("b.txt", "")}},
		{`group: "no spaces" may hold only letters, digits and _ - . : @ +`, []string{"-g", "no spaces", "hello"}},
	} {
		if o := m.run("", append([]string{"add", "-g", "t"}, tt.args...)...); o.code != exitFailed || o.stderr != "annals: "+tt.want+"\n" {
			t.Errorf("annals add %q: exit %d, %q; want %q", tt.args, o.code, o.stderr, tt.want)
		}
	}
	if got := m.contents(); len(got) != 0 {
		t.Errorf("kept %q", got)
	}
}

func TestNothingToAdd(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.makeGroup("t")
	for want, args := range map[string][]string{
		"0 added, 0 already there; 0 done, 0 failed\n": {"add", "-g", "t", "--file", m.file("empty.jsonl", "\n")},
		"0 done, 0 failed\n":                           {"retry", "-g", "t"},
	} {
		if got := m.must(args...); got != want {
			t.Errorf("annals %q says %q, want %q", args, got, want)
		}
	}
}

// Running the same command again adds nothing, whether or not lines have ids.
func TestAddingAgain(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"ids":    `{"content":"one","external_id":"a"}` + "\n" + `{"content":"two","external_id":"b"}` + "\n",
		"times":  strings.Repeat(`{"content":"ok","occurred_at":"2024-01-01"}`+"\n", 2),
		"a file": strings.Repeat(`{"content":"ok"}`+"\n", 2),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMemory(t)
			path := m.file("chat.jsonl", text)
			if got := m.must("add", "-g", "t", "--file", path); !strings.HasPrefix(got, "2 added, 0 already there; 2 done, 0 failed") {
				t.Errorf("first: %s", got)
			}
			if got := m.must("add", "-g", "t", "--file", path); !strings.HasPrefix(got, "0 added, 2 already there; 0 done, 0 failed") {
				t.Errorf("again: %s", got)
			}
			if got := m.contents(); len(got) != 2 {
				t.Errorf("%d episodes, want 2", len(got))
			}
		})
	}
}

// The same words of the same speaker at the same time are one episode; without a time they are new.
func TestSayingAgain(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"--actor", "Ines", "--occurred-at", "2024-01-01", "Yes."}, "1 added, 0 already there"},
		{[]string{"--actor", "Ines", "--occurred-at", "2024-01-01", "Yes."}, "0 added, 1 already there"},
		{[]string{"--actor", "Rui", "--occurred-at", "2024-01-01", "Yes."}, "1 added, 0 already there"},
		{[]string{"--actor", "Ines", "--occurred-at", "2024-01-01", "--thread-id", "other", "Yes."}, "1 added, 0 already there"},
		{[]string{"--actor", "Ines", "--occurred-at", "2024-01-01", "--external-id", "x", "Yes."}, "1 added, 0 already there"},
		{[]string{"--actor", "Ines", "Yes."}, "1 added, 0 already there"},
		{[]string{"--actor", "Ines", "Yes."}, "1 added, 0 already there"},
	} {
		if got := m.must(append([]string{"add", "-g", "t"}, tt.args...)...); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%q: %s", tt.args, got)
		}
	}
}

func TestWhatComesIn(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		stdin  string
		args   []string
		want   string
		source string
	}{
		"argument":         {"", []string{"I live in Paris."}, "I live in Paris.", "message"},
		"lines on stdin":   {`{"content":"hello","actor":"Bob"}`, nil, "hello", "message"},
		"text on stdin":    {"A note.\n", nil, "A note.\n", "text"},
		"dash":             {"A note.", []string{"--file", "-"}, "A note.", "text"},
		"JSON as one":      {`{"name":"Acme","city":"Paris"}`, []string{"--format", "json"}, `{"name":"Acme","city":"Paris"}`, "json"},
		"blank lines":      {"\n\n" + `{"content":"hello"}` + "\n\n", nil, "hello", "message"},
		"braces but text":  {"{not json}", []string{"--format", "text"}, "{not json}", "text"},
		"other characters": {`{"content":"東京に住んでいます 🎉"}`, nil, "東京に住んでいます 🎉", "message"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMemory(t)
			if o := m.run(tt.stdin, append([]string{"add", "-g", "t"}, tt.args...)...); o.code != exitOK {
				t.Fatalf("exit %d: %s", o.code, o.stderr)
			}
			var got episodesJSON
			m.read(&got, "episodes", "-g", "t")
			if len(got.Episodes) != 1 || got.Episodes[0].Content != tt.want || got.Episodes[0].Source != tt.source || got.Episodes[0].State != "done" {
				t.Errorf("episodes %+v, want %q as %s", got.Episodes, tt.want, tt.source)
			}
		})
	}
}

func TestALineOfManyMegabytesOfSpaceIsRead(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	line := fmt.Sprintf(`{"content":"hello",%s"actor":"Bob"}`, strings.Repeat(" ", 9<<20))
	if o := m.run(line, "add", "-g", "t"); o.code != exitOK {
		t.Errorf("exit %d: %s", o.code, o.stderr)
	}
}

func TestStoringOnly(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("add", "-g", "t", "--no-process", "--actor", "Alice", "I live in Paris.")
	if got := m.homes(); len(got) != 0 {
		t.Errorf("homes %q before reading", got)
	}
	m.must("retry", "-g", "t")
	if got := m.homes(); len(got) != 1 {
		t.Errorf("homes %q after retry, want one", got)
	}
}
