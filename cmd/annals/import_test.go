package main

import (
	"archive/zip"
	"errors"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/zep"
	"github.com/annalsdb/annals/internal/service"
)

// Conversations and memories of other programs are imported once, however often the command runs. A
// dry run stores nothing. They have the authority of documents.
func TestImportOfConversationsAndMemories(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		from, file, read, groups string
		args                     []string
		episodes                 int
	}{
		{"chatgpt", "chats/testdata/chatgpt.json", "3 messages of 3 conversations", "alice", []string{"--as", "alice", "--actor", "Alice"}, 3},
		{"claude", "chats/testdata/claude.json", "3 messages of 2 conversations and 1 text given with them", "alice", []string{"--as", "alice"}, 4},
		{"mem0", "mem0/testdata/export.json", "3 memories", "2 groups", nil, 3},
	} {
		t.Run(tt.from, func(t *testing.T) {
			t.Parallel()
			m := newMemory(t)
			args := append([]string{"import", packed(t, tt.from, filepath.Join("../../internal/archive", tt.file)), "--from", tt.from}, tt.args...)
			dry := m.run("", append(args, "--dry-run")...)
			if want := "Would import " + tt.read + " into " + tt.groups + "\n"; dry.code != exitOK || dry.stdout != want || !strings.Contains(dry.stderr, "Not taken:\n  1 of: ") {
				t.Errorf("a dry run says %q, %q; want %q", dry.stdout, dry.stderr, want)
			}
			if n := clienttest.Count(t, m.environ["ANNALS_DATABASE_URL"], `SELECT count(*) FROM annals.episodes`); n != 0 {
				t.Errorf("a dry run stored %d episodes", n)
			}
			var report struct{ Imported episodesImported }
			m.read(&report, args...)
			if got := report.Imported; got.Added != int64(tt.episodes) || got.Existing != 0 || got.Read != tt.read || len(got.Unmapped) == 0 {
				t.Errorf("imported are %+v", got)
			}
			if again := m.must(args...); !strings.Contains(again, "0 added, "+string(rune('0'+tt.episodes))+" were there already") {
				t.Errorf("the second import says %q", again)
			}
			if n := clienttest.Count(t, m.environ["ANNALS_DATABASE_URL"], `SELECT count(*) FROM annals.episodes WHERE door = 'import' AND authority IN ('assistant', 'document')`); n != tt.episodes {
				t.Errorf("%d of %d episodes are the word of a document or a model, by the door import", n, tt.episodes)
			}
		})
	}
}

// packed returns the export of a program as it is downloaded: an archive, or Mem0's file.
func packed(t *testing.T, from, file string) string {
	t.Helper()
	if from == "mem0" {
		return file
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "export.zip")
	out, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(out)
	w, err := z.Create("conversations.json")
	if err == nil {
		_, err = w.Write(text)
	}
	if err := errors.Join(err, z.Close(), out.Close()); err != nil {
		t.Fatal(err)
	}
	return name
}

// Importing erased content again does not bring it back.
func TestImportLeavesOutWhatWasErased(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	args := []string{"import", "../../internal/archive/chats/testdata/claude.json", "--from", "claude", "--as", "alice"}
	m.must(args...)
	var listed struct{ Episodes []annals.Episode }
	m.read(&listed, "episodes", "-g", "alice")
	m.must("erase", "-g", "alice", "--episode", listed.Episodes[0].ID.String(), "--yes")
	again := m.run("", args...)
	if again.code != exitOK || !strings.Contains(again.stderr, "1 left out, as they were erased") || !strings.Contains(again.stdout, "0 added, 3 were there already") {
		t.Errorf("%q, %q", again.stdout, again.stderr)
	}
}

// A table of Mem0 is read in its own database.
func TestImportOfATableOfMem0(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	url := m.environ["ANNALS_DATABASE_URL"]
	if _, err := clienttest.Dial(t, url).Exec(t.Context(), `
		CREATE TABLE public.memories (id UUID PRIMARY KEY, vector vector(3), payload JSONB);
		INSERT INTO public.memories VALUES ('33333333-0000-4000-8000-000000000001', '[1,2,3]',
			'{"data": "Lives in Lisbon", "created_at": "2023-01-10T00:00:00+00:00", "user_id": "alice"}')`); err != nil {
		t.Fatal(err)
	}
	if out := m.must("import", url, "--from", "mem0", "--table", "public.memories", "--as", "acme:*"); !strings.HasPrefix(out, "Imported 1 memory into acme:alice: 1 added") {
		t.Errorf("import says %q", out)
	}
	m.run("", "import", url, "--from", "mem0", "--table", "nothing").failsWith(t, `"nothing" is no table of Mem0`)
}

// A project of Zep is imported from the command line; running the command again sends no request.
func TestImportOfAProjectOfZep(t *testing.T) {
	t.Parallel()
	cloud, _ := clienttest.New(t)
	for _, group := range []string{"acme:alice", "acme:auth0+7Cbob"} {
		if _, err := service.New(cloud).CreateUser(t.Context(), service.User{GroupID: group}); err != nil {
			t.Fatal(err)
		}
		said := clienttest.Alice("I live in Paris.", "2024-01-10")
		said.GroupID = group
		if _, err := cloud.Add(t.Context(), said); err != nil {
			t.Fatal(err)
		}
		if err := cloud.Process(t.Context(), group, func(annals.Processed) {}); err != nil {
			t.Fatal(err)
		}
	}
	key, _, err := service.New(cloud).CreateAPIKey(t.Context(), service.KeySpec{Groups: []string{"acme:*"}})
	if err != nil {
		t.Fatal(err)
	}
	s := server.New(server.Options{Client: cloud, Log: slog.New(slog.DiscardHandler)})
	zep.Mount(s)
	served := httptest.NewServer(s.Handler())
	defer served.Close()
	m := newMemory(t)
	args := []string{"import", "--from", "zep-cloud", "--url", served.URL + "/api/v2", "--state", filepath.Join(t.TempDir(), "state")}
	m.run("", args...).failsWith(t, "set ANNALS_ZEP_API_KEY")
	m.environ["ANNALS_ZEP_API_KEY"] = key
	if out := m.must(append(args, "--dry-run")...); !strings.Contains(out, "Would import alice: 1 episode, 2 entities, 1 fact") || !strings.Contains(out, "/api/v2: 2\n") {
		t.Errorf("a dry run says %q", out)
	}
	if out := m.must(args...); !strings.Contains(out, "Imported alice: 1 episode, 2 entities, 1 fact") || !strings.Contains(out, "Imported auth0+7Cbob") {
		t.Errorf("import says %q", out)
	}
	served.Close()
	if out := m.must(args...); !strings.Contains(out, "alice was imported before; nothing was stored") {
		t.Errorf("the second import says %q", out)
	}
	m.environ["ANNALS_ZEP_API_KEY"] = "of another project"
	m.run("", args...).failsWith(t, "an export of another project")
	m.environ["ANNALS_ZEP_API_KEY"] = key
	m.run("", append(args, "--as", "one")...).failsWith(t, "names one group, and the project may have many")
}

// Flags for another program are refused, not ignored.
func TestImportRefusesWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	for _, tt := range []struct {
		want string
		args []string
	}{
		{`"gemini" is not one of zep`, []string{"--from", "gemini"}},
		{"group: is not where an import goes: name that with --as", []string{"--group", "a"}},
		{"only: is only for --from zep, graphiti, mem0", []string{"--only", "a"}},
		{"table: is only for --from mem0", []string{"--from", "chatgpt", "--table", "x"}},
		{"name the group that the conversations go into", []string{"--from", "chatgpt", "x.zip"}},
		{"no such file", []string{"--from", "claude", "--as", "a", "/nowhere.zip"}},
		{"name a user or a graph, not both", []string{"--from", "zep-cloud", "--user", "a", "--graph", "b"}},
		{"takes no file with --from zep-cloud", []string{"--from", "zep-cloud", "x.json"}},
		{"neither a group nor a namespace", []string{"--from", "mem0", "--as", "a b", "x.json"}},
	} {
		m.run("", append([]string{"import"}, tt.args...)...).failsWith(t, tt.want)
	}
}
