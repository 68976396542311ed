package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/slow"
)

func TestWithoutPassword(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"postgres://a:secret@h/d":                  "postgres://a:xxxxx@h/d",
		"postgres://a@h/d?password=secret&port=1":  "postgres://a@h/d?password=xxxxx&port=1",
		"postgres://a@h/d?sslpassword=secret":      "postgres://a@h/d?sslpassword=xxxxx",
		"postgres://a@/d?host=%2Frun&port=5432":    "postgres://a@/d?host=%2Frun&port=5432",
		"host=h user=a password=secret dbname=d":   "(set)",
		"postgres://a:secret@h:port that is not/d": "(set)",
	} {
		if got := withoutPassword(address); got != want {
			t.Errorf("withoutPassword(%q) = %q, want %q", address, got, want)
		}
	}
}

// Stored text does not control the terminal that shows it.
func TestControlCharactersAreNotPrinted(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("add", "-g", "t", "--actor", "Al\x1b[31mice", "I live in \x1b]0;x\x07Paris.")
	for _, command := range [][]string{{"episodes"}, {"entities"}, {"facts"}, {"timeline"}, {"search", "Paris"}} {
		if got := m.must(append(command, "-g", "t")...); strings.ContainsAny(got, "\x1b\x07") {
			t.Errorf("annals %q prints control characters: %q", command, got)
		}
	}
}

func TestNothingIsAnEmptyList(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.makeGroup("nobody")
	for command, want := range map[string]string{
		"facts": "facts", "episodes": "episodes", "entities": "entities", "timeline": "changes",
	} {
		var got map[string][]any
		m.read(&got, command, "-g", "nobody")
		if list, there := got[want]; !there || list == nil || len(list) != 0 {
			t.Errorf("annals %s prints %v, want an empty list %s", command, got, want)
		}
	}
	if o := m.run("", "search", "-g", "nobody", "hello"); o.code != exitOK || o.stdout != "" || !strings.Contains(o.stderr, "Nothing was found") {
		t.Errorf("search: exit %d, %q, %q", o.code, o.stdout, o.stderr)
	}
}

func TestEveryStateIsCounted(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("add", "-g", "t", "--no-process", "one")
	var got struct{ Episodes map[string]int }
	m.read(&got, "doctor", "-g", "t")
	if len(got.Episodes) != 4 || got.Episodes["pending"] != 1 {
		t.Errorf("episodes %v, want four states, one of them pending", got.Episodes)
	}
}

func TestFailedEpisodesAreAnError(t *testing.T) {
	t.Parallel()
	var stdout bytes.Buffer
	a := &app{printer: printer{stdout: newScreen(&stdout, nil)}, group: "t"}
	report := &addReport{Added: 3}
	report.count(annals.Processed{Facts: 2})
	report.count(annals.Processed{Err: errors.New("the first")})
	report.count(annals.Processed{Err: errors.New("the second")})
	err := a.printAdded(report)
	if err == nil || err.Error() != "2 episodes could not be read and are kept; 'annals retry --group t' tries again; the first: the first" {
		t.Errorf("printAdded = %v", err)
	}
	if !strings.HasPrefix(stdout.String(), "3 added, 0 already there; 1 done, 2 failed") {
		t.Errorf("printed %q", stdout.String())
	}
}

// Each of two commands at once accounts for all that it added, whichever of them read it.
func TestAddTellsWhatAnotherRead(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.makeGroup("t")
	var both sync.WaitGroup
	for _, name := range []string{"a", "b"} {
		both.Go(func() {
			path := m.file(name+".jsonl", strings.Repeat(`{"content":"I live in Paris."}`+"\n", 20))
			var r addReport
			if o := m.run("", "add", "-g", "t", "--json", "--file", path); json.Unmarshal([]byte(o.stdout), &r) != nil || r.Added != 20 || r.Done+r.ByWorker < 20 {
				t.Errorf("%d added, %d done, %d by another: %s", r.Added, r.Done, r.ByWorker, o.stderr)
			}
		})
	}
	both.Wait()
}

func TestRetryHasNothingToAdd(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("add", "-g", "t", "--no-process", "one")
	for _, want := range []string{"1 done, 0 failed (", "0 done, 0 failed\n"} {
		if got := m.must("retry", "-g", "t"); !strings.HasPrefix(got, want) {
			t.Errorf("retry says %q, want %q", got, want)
		}
	}
}

func TestVersionAndMisuseOfEval(t *testing.T) {
	t.Parallel()
	m := &memory{t: t, environ: map[string]string{}}
	if got := m.must("version"); !strings.HasPrefix(got, "annals ") {
		t.Errorf("version prints %q", got)
	}
	for _, args := range [][]string{{"eval", "nonsense"}, {"eval", "locomo", "nonsense"}, {"eval", "datetime"}, {"eval", "locomo", "convert"}} {
		if o := m.run("", args...); o.code != exitUsage || strings.Count(o.stderr, "\n") != 1 {
			t.Errorf("annals %q: exit %d, %q; want exit %d and one line", args, o.code, o.stderr, exitUsage)
		}
	}
}

func TestConvertedConversationsCanBeAdded(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	source := m.file("locomo.json", `[{"sample_id": "c1", "conversation": {"speaker_a": "Ann", "speaker_b": "Bo",
		"session_1_date_time": "1:56 pm on 8 May, 2023",
		"session_1": [{"speaker": "Ann", "dia_id": "D1:1", "text": "I live in Paris."}, {"speaker": "Bo", "dia_id": "D1:2", "text": "Nice!"}]}}]`)
	out := m.file("c1.jsonl", "")
	m.must("eval", "locomo", "convert", "--file", source, "--sample", "c1", "--out", out)
	if got := m.must("add", "-g", "t", "--file", out); !strings.HasPrefix(got, "2 added, 0 already there; 2 done, 0 failed") {
		t.Errorf("add says %q", got)
	}
	if o := m.run("", "eval", "locomo", "convert", "--file", source, "--sample", "c2"); o.code != exitFailed || !strings.Contains(o.stderr, "no conversation c2") {
		t.Errorf("an unknown sample: exit %d, %q", o.code, o.stderr)
	}
}

func TestUpRunsUntilInterrupted(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	environ := map[string]string{"XDG_DATA_HOME": openDir(t)}
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	out, stdout := io.Pipe()
	code := make(chan int, 1)
	var stderr bytes.Buffer
	go func() {
		code <- run(ctx, []string{"up"}, strings.NewReader(""), stdout, &stderr, environ)
		_ = stdout.Close()
	}()
	var address string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "postgres://") {
			address = lines.Text()
		}
		if strings.HasPrefix(lines.Text(), "Ctrl-C") {
			conn, err := pgx.Connect(ctx, address)
			if err != nil {
				t.Errorf("connect to %q: %v", address, err)
			} else {
				_ = conn.Close(ctx)
			}
			interrupt()
		}
	}
	if got := <-code; got != exitOK {
		t.Errorf("exit %d: %s", got, stderr.String())
	}
	if _, err := pgx.Connect(context.Background(), address); err == nil {
		t.Error("the server still answers")
	}
	m := &memory{t: t, environ: environ}
	m.must("down") // nothing runs, so nothing is reported
}
