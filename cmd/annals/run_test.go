package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/testdata"
)

// memory is a database of its own with the command that works on it.
type memory struct {
	t       *testing.T
	environ map[string]string
	group   string // the group whose episodes and facts are read; empty: t
}

func newMemory(t *testing.T) *memory {
	t.Helper()
	return &memory{t: t, environ: map[string]string{"ANNALS_DATABASE_URL": pgtest.New(t)}}
}

type outcome struct {
	code           int
	stdout, stderr string
}

func (m *memory) run(stdin string, args ...string) outcome {
	m.t.Helper()
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), args, strings.NewReader(stdin), &stdout, &stderr, m.environ)
	return outcome{code, stdout.String(), stderr.String()}
}

// must runs the command, and fails the test if the command fails.
func (m *memory) must(args ...string) string {
	m.t.Helper()
	o := m.run("", args...)
	if o.code != exitOK {
		m.t.Fatalf("annals %q: exit %d: %s", args, o.code, o.stderr)
	}
	return o.stdout
}

// makeGroup creates an empty group.
func (m *memory) makeGroup(name string) {
	m.t.Helper()
	if o := m.run("{}", "ontology", "set", "-", "-g", name); o.code != exitOK {
		m.t.Fatal(o.stderr)
	}
}

func (m *memory) read(into any, args ...string) {
	m.t.Helper()
	if err := json.Unmarshal([]byte(m.must(append(args, "--json")...)), into); err != nil {
		m.t.Fatalf("annals %q: %v", args, err)
	}
}

func (m *memory) file(name, content string) string {
	m.t.Helper()
	path := filepath.Join(m.t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		m.t.Fatal(err)
	}
	return path
}

type factsJSON struct {
	Facts []struct {
		ID, Predicate, Source, Target string
		ValidAt                       *string `json:"valid_at"`
		InvalidAt                     *string `json:"invalid_at"`
		ExpiredAt                     *string `json:"expired_at"`
		Episodes                      []string
	}
}

// homes returns where Alice lived, in order, as "Paris 2023-01-10T00:00:00Z –".
func (m *memory) homes(args ...string) []string {
	m.t.Helper()
	var got factsJSON
	m.read(&got, append([]string{"facts", "--group", cmp.Or(m.group, "t")}, args...)...)
	var homes []string
	for _, f := range got.Facts {
		if f.Predicate == "LIVES_IN" {
			homes = append(homes, strings.Join([]string{f.Target, or(f.ValidAt), or(f.InvalidAt)}, " "))
		}
	}
	return homes
}

func or(s *string) string {
	if s == nil {
		return "–"
	}
	return *s
}

func TestAMove(t *testing.T) {
	t.Parallel()
	for name, said := range map[string][2][]string{
		"flags": {
			{"add", "-g", "t", "--actor", "Alice", "--occurred-at", "2023-01-10", "I live in Paris."},
			{"add", "-g", "t", "--actor", "Alice", "--occurred-at", "2024-03-15", "I moved to Lisbon last week."},
		},
		"speaker in the text": {
			{"add", "-g", "t", "--occurred-at", "2023-01-10", "Alice: I live in Paris."},
			{"add", "-g", "t", "--occurred-at", "2024-03-15", "Alice: I moved to Lisbon last week."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMemory(t)
			m.must(said[0]...)
			m.must(said[1]...)
			paris := "Paris 2023-01-10T00:00:00Z 2024-03-04T00:00:00Z"
			lisbon := "Lisbon 2024-03-04T00:00:00Z –"
			if got := m.homes(); len(got) != 2 || got[0] != paris || got[1] != lisbon {
				t.Errorf("homes %q, want %q and %q", got, paris, lisbon)
			}
			if got := m.homes("--as-of", "2023-06-01"); len(got) != 1 || got[0] != paris {
				t.Errorf("in 2023 %q, want only %q", got, paris)
			}
			var got factsJSON
			m.read(&got, "facts", "--group", "t")
			if got.Facts[0].ExpiredAt == nil || len(got.Facts[0].Episodes) != 1 {
				t.Errorf("Paris: expired_at %v, episodes %v", got.Facts[0].ExpiredAt, got.Facts[0].Episodes)
			}
			var versions struct {
				Versions []struct {
					KnownUntil *string `json:"known_until"`
				}
			}
			m.read(&versions, "history", "--group", "t", got.Facts[0].ID)
			if len(versions.Versions) != 2 || versions.Versions[0].KnownUntil == nil || versions.Versions[1].KnownUntil != nil {
				t.Errorf("versions %+v, want a past one and the current one", versions)
			}
		})
	}
}

func TestReadersPrintTheirPlural(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("add", "-g", "t", "--actor", "Alice", "I live in Paris.")
	for _, tt := range []struct {
		args []string
		keys []string
	}{
		{[]string{"facts"}, []string{"facts"}},
		{[]string{"episodes"}, []string{"episodes"}},
		{[]string{"entities"}, []string{"entities"}},
		{[]string{"timeline"}, []string{"changes"}},
		{[]string{"search", "Alice"}, []string{"facts", "entities", "episodes", "communities"}},
		{[]string{"context", "Alice"}, []string{"context"}},
		{[]string{"doctor"}, []string{"database_url", "server_version", "pgvector_version", "episodes"}},
		{[]string{"migrate", "status"}, []string{"migrations"}},
	} {
		var got map[string]any
		m.read(&got, append([]string{"-g", "t"}, tt.args...)...)
		for _, key := range tt.keys {
			if got[key] == nil {
				t.Errorf("annals %q prints no %s: %v", tt.args, key, got)
			}
		}
		if text := m.must(append([]string{"-g", "t"}, tt.args...)...); text == "" {
			t.Errorf("annals %q prints nothing for people", tt.args)
		}
	}
}

func TestMisuse(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.makeGroup("default")
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"remember"}, exitUsage, "unknown command"},
		{[]string{"facts", "--nonsense"}, exitUsage, "unknown flag"},
		{[]string{"search", "--min-fit", "much", "x"}, exitUsage, `annals: min-fit: "much" is no number`},
		{[]string{"search", "--limit", "1.5", "x"}, exitUsage, `annals: limit: "1.5" is no whole number`},
		{[]string{"search", "--json=perhaps", "x"}, exitUsage, `annals: json: "perhaps" is neither true nor false`},
		{[]string{"reembed", "--embedding-dim", "-3"}, exitFailed, "embedding-dim: is -3; it must be 1 to 3800"},
		{[]string{"search"}, exitUsage, "accepts 1 arg"},
		{[]string{"migrate", "sideways"}, exitUsage, "sideways"},
		{[]string{"migrate", "down"}, exitFailed, "--yes"},
		{[]string{"facts", "--as-of", "someday"}, exitFailed, "as-of"},
		{[]string{"facts", "end", "63f4d958", "--at", ""}, exitUsage, "at: is empty"},
		{[]string{"facts", "--limit", "0"}, exitOK, ""},
		{[]string{"facts", "--limit", "-1"}, exitFailed, "limit"},
		{[]string{"facts", "--group", "no spaces"}, exitFailed, "group"},
		{[]string{"history", "x"}, exitFailed, "none called"},
		{[]string{"history", "0199d1c0-0000-7000-8000-000000000000"}, exitFailed, "neither a fact nor an entity"},
		{[]string{"episodes", "--state", "lost"}, exitFailed, "state"},
		{[]string{"up"}, exitFailed, "ANNALS_DATABASE_URL"},
		{[]string{"add", "text", "--file", "x"}, exitFailed, "not both"},
		{[]string{"add", "--file", "nowhere.jsonl"}, exitFailed, "nowhere.jsonl"},
	} {
		o := m.run("", tt.args...)
		if o.code != tt.code || !strings.Contains(o.stderr, tt.want) || strings.Count(strings.TrimSpace(o.stderr), "\n") > 0 {
			t.Errorf("annals %q: exit %d, %q; want exit %d and %q on one line", tt.args, o.code, o.stderr, tt.code, tt.want)
		}
	}
}

func TestWhatIsMissingIsNamed(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		environ map[string]string
		want    string
	}{
		"unreachable database": {map[string]string{"ANNALS_DATABASE_URL": "postgres://nobody@127.0.0.1:1/none"}, "cannot be reached"},
		"not migrated":         {map[string]string{"ANNALS_DATABASE_URL": pgtest.Empty(t)}, "annals migrate up"},
		"no binaries":          {map[string]string{"ANNALS_POSTGRES_BIN": t.TempDir(), "XDG_DATA_HOME": openDir(t)}, "make setup"},
		"nowhere to keep it":   {map[string]string{}, "HOME"},
		"another dimension":    {map[string]string{"ANNALS_DATABASE_URL": pgtest.New(t), "ANNALS_EMBEDDING_DIM": "99"}, "384 dimensions, not 99"},
		"no number":            {map[string]string{"ANNALS_EMBEDDING_DIM": "many"}, `ANNALS_EMBEDDING_DIM: "many" is not a number`},
		"a model":              {map[string]string{"ANNALS_LLM": "hal9000"}, "is not a model: write provider:model"},
		"a small model alone":  {map[string]string{"ANNALS_SMALL_LLM": "openai:x"}, "ANNALS_LLM is not"},
		"an embedder":          {map[string]string{"ANNALS_DATABASE_URL": pgtest.New(t), "ANNALS_EMBEDDER": "hal9000"}, "ANNALS_EMBEDDER:"},
		"no length of time":    {map[string]string{"ANNALS_LLM_TIMEOUT": "long"}, `ANNALS_LLM_TIMEOUT: "long" is not a length of time`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := &memory{t: t, environ: tt.environ}
			for _, args := range [][]string{{"facts"}, {"doctor"}} {
				o := m.run("", args...)
				if o.code == exitOK || !strings.Contains(o.stderr, tt.want) || strings.Count(o.stderr, "\n") != 1 {
					t.Errorf("annals %q: exit %d, %q; want %q on one line", args, o.code, o.stderr, tt.want)
				}
			}
		})
	}
}

// openDir makes a directory that the server's user can access even if the test runs as root.
func openDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "annals-cli-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestMigrate(t *testing.T) {
	t.Parallel()
	m := &memory{t: t, environ: map[string]string{"ANNALS_DATABASE_URL": pgtest.Empty(t)}}
	if got := m.must("migrate", "up", "--dry-run"); !strings.HasPrefix(got, "would apply 00001_schema.sql\n") {
		t.Errorf("migrate up --dry-run says %q", got)
	}
	if got := m.must("migrate", "status"); !strings.Contains(got, "00001_schema.sql") || strings.Contains(got, " 20") {
		t.Errorf("before migrating, migrate status says %q", got)
	}
	if got := m.must("migrate", "up"); !strings.Contains(got, "applied 00001_schema.sql") {
		t.Errorf("migrate up says %q", got)
	}
	if got := m.must("migrate"); got != "The schema is current.\n" {
		t.Errorf("a second migrate says %q", got)
	}
	if got := m.must("migrate", "down", "--yes"); got != "removed 00020_skills.sql\n" {
		t.Errorf("migrate down says %q", got)
	}
	m.environ["ANNALS_EMBEDDING_DIM"] = "384" // makes a command check the database before it opens it
	m.run("", "facts").failsWith(t, "run 'annals migrate up'")
}

func TestDemoTwice(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	m := newMemory(t)
	first := m.must("demo")
	for _, want := range []string{
		"44 added", "offline rules", "What changed when", "moved from Bergen to Porto", "Asked: Where does Nora live?",
		"before and after it was superseded", "as 8 runs of an agent have shown", "3 of 6",
		"changed since it worked: sso 2.0 (before: 1.9)", "- sso reset --mail", "+ sso renew --mail",
	} {
		if !strings.Contains(first, want) {
			t.Errorf("the demo does not say %q", want)
		}
	}
	if lines := strings.Count(first, "\n"); lines > 100 {
		t.Errorf("the demo prints %d lines; nobody reads more than 100", lines)
	}
	for _, q := range demoQuestions(t) {
		_, asked, _ := strings.Cut(first, "Asked: "+q.Question+"\n")
		_, facts, _ := strings.Cut(asked, "<FACTS>\n")
		lines := strings.SplitN(facts, "\n", 4)
		if !slices.ContainsFunc(lines[:min(3, len(lines))], regexp.MustCompile(q.Expect).MatchString) {
			t.Errorf("no fact of the first three of %q is %s:\n%s", q.Question, q.Expect, asked[:min(len(asked), 600)])
		}
	}
	// Beliefs have the times at which they would have been learned: a correction of April does not
	// change what was believed in March.
	for at, want := range map[string]string{"2024-03-20": "Casa Azul since the week of 4 March 2024", "2024-05-01": "Casa Azul since 11 March 2024"} {
		if lanes := m.must("timeline", "-g", "demo", "--lanes", "--entity", "Nora", "--relation", "employer", "--known-at", at); !strings.Contains(lanes, want) {
			t.Errorf("as known on %s the lanes do not say %q:\n%s", at, want, lanes)
		}
	}
	for flags, want := range map[string]string{"--entity Nora": "add --lanes", "--max-facts 9": "add --lanes", "--lanes --limit 9": "--max-facts says"} {
		m.run("", append([]string{"timeline", "-g", "demo"}, strings.Fields(flags)...)...).failsWith(t, want)
	}
	nora := []string{"timeline", "-g", "demo", "--lanes", "--entity", "Nora", "--relation", "home"}
	for flags, want := range map[string]string{"": `Bergen.*\n.*Porto`, "--latest-first": `Porto.*\n.*Bergen`, "--as-of 2024-02-01": `^[^\n]*\n[^\n]*Bergen[^\n]*\n$`} {
		if got := m.must(append(slices.Clone(nora), strings.Fields(flags)...)...); !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("with %q the home is\n%s\nwant %s", flags, got, want)
		}
	}
	if lanes := m.must("timeline", "-g", "demo", "--lanes"); !strings.Contains(lanes, "corrected on 2024-04-22") || strings.Count(lanes, "\n  home ") != 2 {
		t.Errorf("the lanes are\n%s", lanes)
	}
	second := m.must("demo")
	if !strings.Contains(second, "0 added, 44 already there") {
		t.Errorf("the second demo is not idempotent:\n%s", second)
	}
	if !strings.Contains(second, offlineNotice) {
		t.Errorf("the second demo does not say who reads:\n%s", second)
	}
}

// demoQuestions returns the questions of the demo, and what one of the first three facts must
// contain.
func demoQuestions(t *testing.T) (questions []struct{ Question, Expect string }) {
	t.Helper()
	if err := json.Unmarshal(testdata.Questions, &questions); err != nil {
		t.Fatal(err)
	}
	return questions
}
