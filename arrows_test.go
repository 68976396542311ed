package annals_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/annalsdb/annals"

// may says which folders a folder may import; "." is the root package. A folder
// stands for those below it, both before and after the colon, until one of them
// has a line of its own. Only imports outside of tests count: a test may use
// whatever does not import its package in turn.
//
// Read from top to bottom, arrows point up:
//
//	graph, temporal ← model, prompts, migrations ← db ← retrieval ← engine ← annals ← service, agent ← server, eval, bench ← cmd
var may = map[string][]string{
	// Leaves: what things are, and time. They touch no database and no network.
	"temporal": {"internal/calendar"},
	"graph":    {"temporal", "internal/calendar", "internal/dates", "internal/pattern", "internal/erasing", "internal/each", "internal/escapes"},

	// Who may not erase.
	"internal/erasing": {},

	// What JSON may escape and no text can hold.
	"internal/escapes": {},

	// The units of the calendar, and the reader of dates in texts.
	"internal/calendar": {},
	"internal/dates":    {"temporal", "internal/calendar"},

	// What logs and traces have in common. It knows nothing of ours.
	"internal/telemetry": {},

	// What a panic becomes.
	"internal/guard": {},

	// What a connection is told of a pooler before its server.
	"internal/pooler": {},

	// Regular expressions, compiled when they are used.
	"internal/pattern": {},

	// What models take for structure, and how it is taken from stored texts.
	"internal/fence": {"internal/pattern"},

	// Lists made of lists.
	"internal/each": {},

	// Words and sentences of texts, and the relations that people ask about.
	"retrieval/prose":    {"temporal", "internal/pattern", "internal/dates"},
	"retrieval/relation": {"retrieval/prose", "internal/pattern"},

	// What was found becomes the context string of a prompt.
	"retrieval/construct": {"retrieval", "retrieval/prose", "graph", "temporal", "model/tokens", "internal/each", "internal/fence", "internal/pattern"},

	// How much a word of a document counts.
	"retrieval/bm25": {},

	// What operations are told, for all doors.
	"internal/input": {"graph"},

	// How requests of HTTP are sent again.
	"internal/resend": {},

	// Which addresses are public.
	"internal/public": {},

	// How many tokens a text has.
	"model/tokens": {},

	// What is asked of models, in which words, and the schema.
	"model":             {"graph", "temporal", "internal/telemetry", "internal/guard", "internal/fence", "internal/each"},
	"prompts":           {"graph", "temporal", "internal/pattern", "internal/fence", "internal/each"},
	"migrations":        {"graph", "temporal", "internal/pooler", "internal/each"},
	"migrations/grants": {},

	// Rows, reading, writing.
	"db":               {"graph", "temporal", "model", "prompts", "migrations", "internal/pooler", "internal/each"},
	"retrieval":        {"retrieval/bm25", "graph", "temporal", "internal/dates", "internal/calendar", "model", "model/tokens", "prompts", "migrations", "db", "internal/guard", "internal/pattern", "internal/fence", "retrieval/prose", "retrieval/relation", "internal/each", "internal/input"},
	"internal/answer":  {"graph", "temporal", "model", "model/tokens", "prompts", "db", "retrieval", "internal/fence", "internal/pattern", "retrieval/construct", "retrieval/relation", "internal/each"},
	"internal/archive": {"graph", "temporal", "migrations", "db", "internal/resend", "internal/each"},
	"db/embeddings":    {"graph", "db"},

	// The writing side, from the bottom up: words of sentences and summaries, who is
	// asked, who may write, what every change does; then what is stored, edited, undone
	// and erased, and what is made of the graph; above them the walk of an episode.
	"engine/wording":   {"graph", "internal/pattern", "internal/fence"},
	"engine/summary":   {"graph", "temporal"},
	"engine/analyst":   {"graph", "model", "prompts", "db", "engine/wording"},
	"engine/lock":      {"db"},
	"engine/change":    {"graph", "internal/erasing", "temporal", "model", "db", "engine/wording", "engine/summary", "engine/analyst", "internal/each"},
	"engine/intake":    {"graph", "db", "engine/change", "internal/calendar", "internal/telemetry", "internal/each"},
	"engine/edit":      {"graph", "temporal", "db", "engine/change", "engine/intake", "engine/matching", "engine/timeline", "engine/wording", "internal/each"},
	"engine/undo":      {"graph", "temporal", "db", "engine/change", "engine/lock", "engine/wording", "internal/each"},
	"engine/erase":     {"graph", "db", "engine/change", "engine/undo", "internal/each"},
	"engine/thread":    {"graph", "model", "prompts", "db", "engine/analyst", "engine/change", "engine/undo", "engine/wording", "internal/each"},
	"engine/observe":   {"graph", "model", "prompts", "db", "engine/analyst", "engine/change", "engine/lock", "engine/matching", "engine/wording", "internal/each"},
	"engine/community": {"graph", "model", "prompts", "db", "engine/analyst", "engine/clustering", "internal/guard", "internal/each"},
	"engine": {
		"graph", "temporal", "model", "prompts", "migrations", "db", "retrieval", "engine/analyst", "engine/change", "engine/chunk", "engine/community",
		"engine/edit", "engine/erase", "engine/intake", "engine/lock", "engine/matching", "engine/observe", "engine/summary", "engine/thread", "engine/undo",
		"engine/timeline", "engine/wording", "db/embeddings", "internal/dates", "internal/calendar", "internal/telemetry", "internal/guard", "internal/pattern", "internal/each",
	},

	// What is done now and then: vectors, retention, health, mending.
	"engine/upkeep": {"graph", "model", "db", "db/embeddings", "engine", "internal/each"},

	// The offline rules answer prompts as a model would: they know neither the
	// engine that asks nor the database, and the engine does not know them.
	"engine/offline": {"graph", "temporal", "internal/dates", "internal/calendar", "prompts", "engine/matching", "internal/pattern"},

	// The pure parts of the engine: how names compare, how entities cluster, how
	// documents are cut.
	"engine/matching":   {"graph", "temporal", "prompts", "internal/pattern"},
	"engine/clustering": {},
	"engine/timeline":   {"temporal", "internal/calendar"}, // how facts share a timeline
	"engine/chunk":      {},

	// What is told to others, and how it is signed.
	"internal/webhook": {"graph", "internal/public"},

	// The library: it wires what stands above.
	".": {
		"graph", "temporal", "model", "prompts", "migrations", "db", "retrieval", "internal/answer", "engine", "internal/archive", "internal/webhook", "retrieval/construct",
		"internal/telemetry", "internal/inside", "internal/each",
	},

	// What a Client works with, for service, which is made of it.
	"internal/inside": {"graph", "model", "db", "engine"},

	// What only servers need of a memory: keys, replies, webhooks, batches and what
	// the clients of other products expect.
	"internal/service": {".", "graph", "model", "db", "engine", "engine/intake", "retrieval", "internal/webhook", "internal/inside", "internal/lanes", "internal/telemetry", "internal/each"},

	// What was believed of what can change, as a picture.
	"internal/lanes": {"graph", "temporal", "retrieval/relation", "internal/each"},

	// Skills as the folders that agents' hosts read.
	"internal/skillfile": {".", "graph", "engine/matching"},

	// What is done in the background, with River: reading, telling, keeping up.
	"worker": {".", "graph", "temporal", "migrations", "db", "engine", "internal/webhook", "internal/guard", "internal/pooler", "internal/inside"},

	// What a Client does, counted for Prometheus.
	"metrics": {".", "model", "internal/inside", "retrieval"},

	// Its users. They go through the library as any program does, and know the leaves.
	"agent":           {".", "graph", "temporal", "model", "model/tokens", "prompts", "db", "engine", "internal/public", "internal/fence", "internal/each"}, // whose queries it runs in transactions of the library
	"internal/server": {".", "worker", "internal/erasing", "internal/escapes", "internal/service", "graph", "temporal", "agent", "internal/telemetry", "internal/fence", "internal/paging", "internal/input", "internal/each", "internal/skillfile"},

	// Where pages of lists end, for REST and its client.
	"internal/paging": {".", "temporal", "engine"},

	// The library's face over REST. It knows the library's types and no server.
	"client": {".", "internal/archive", "engine", "graph", "temporal", "internal/input", "internal/paging", "internal/resend", "internal/each"},

	// Files of benchmarks.
	"internal/eval/datafile": {},

	"internal/eval": {".", "graph", "temporal", "internal/dates", "internal/calendar", "engine/matching", "retrieval/bm25", "model/tokens", "internal/eval/datafile", "internal/each"},

	// Where the hosts of agents keep their settings, and how they are edited.
	"internal/server/mcp/hosts": {},

	// It answers for a model, asks the database what time it is and clears away
	// its groups.
	"internal/eval/truth": {".", "internal/eval/datafile", "graph", "temporal", "model", "prompts", "db", "engine/offline"},

	// It asks the memories that the cases of internal/eval/truth fill.
	"internal/eval/reading": {".", "internal/eval/datafile", "internal/eval/truth"},

	// The memory of langchaingo's chains, and programs that show the library at work.
	"langchain": {".", "graph", "internal/fence"},
	"examples":  {".", "langchain"},

	"internal/bench": {".", "internal/each", "internal/eval/datafile", "graph", "temporal", "model", "prompts", "db", "internal/eval", "db/embeddings"},

	// The private PostgreSQL server. The library takes any server's address, so
	// only programs and tests start one.
	"internal/postgres": {"graph"},

	// It kills what runs, and holds nothing but tests.
	"internal/torture": {},
	// It tries every statement on a cluster of Citus, as tests only.
	"internal/citus": {},

	// It runs the clients for other languages, and holds nothing but tests.
	"clients": {},

	// It asks what others ask of a memory, through every door, and holds nothing but
	// tests.
	"internal/acceptance": {},

	// The sample conversation, for the demo and for tests.
	"testdata": {},

	// The plumbing of tests: nothing but tests imports it, so no line allows it.
	"internal/corpora":    {},
	"internal/fetched":    {},
	"internal/program":    {},
	"internal/slow":       {},
	"internal/pgtest":     {"graph", "migrations", "internal/postgres"},
	"internal/clienttest": {".", "graph", "internal/service", "model", "db", "internal/pgtest"},

	// The sample conversation, told as it went.
	"internal/demo": {".", "graph", "db", "testdata", "internal/each"},

	// The program.
	"cmd": {
		".", "internal/service", "graph", "temporal", "model", "prompts", "migrations", "db", "retrieval", "internal/answer", "engine", "internal/archive", "worker", "metrics", "agent", "internal/server", "internal/eval", "internal/eval/truth", "internal/eval/reading", "retrieval/construct",
		"internal/bench",
		"internal/calendar", "internal/telemetry", "internal/resend", "internal/postgres", "testdata", "internal/input", "internal/each", "internal/fence", "internal/lanes", "internal/demo", "internal/skillfile",
	},
}

// others are the top-level folders without packages, and what they hold.
var others = map[string]string{
	"bin":     "what make build makes",
	"deploy":  "what runs it elsewhere: images, units, manifests, a dashboard",
	"docs":    "the manual",
	"queries": "the SQL that db is generated from",
	"scripts": "what make calls",
	"tools":   "go.mod of the linter",
	"web":     "the source of the explorer's page",
}

// only says where an import from outside or a piece of source may stand.
var only = struct{ langchain, environment, sql []string }{
	langchain:   []string{"model", "langchain", "examples"},                                                                 // the rest knows models by model's interfaces; langchain is for chains, which examples make
	environment: []string{"cmd", "internal/corpora", "internal/fetched", "internal/pgtest", "internal/slow"},                // a library that reads it cannot be used twice in one program
	sql:         []string{"db", "db/embeddings", "migrations", "internal/pooler", "internal/clienttest", "internal/pgtest"}, // and queries, which has no Go
}

// violations lists the imports that may and only do not allow. imports has
// import paths by the folder of the package that imports them.
func violations(imports map[string][]string) []string {
	var found []string
	for from, paths := range imports {
		rule, ok := ruleOf(from)
		if !ok {
			found = append(found, from+" has no place: say in may, arrows_test.go, what it may import")
			continue
		}
		for _, path := range paths {
			if to, ours := folderOf(path); ours && !allowed(rule, to) {
				found = append(found, fmt.Sprintf("%s imports %s", from, to))
			}
			if strings.HasPrefix(path, "github.com/tmc/langchaingo") && !within(from, only.langchain) {
				found = append(found, fmt.Sprintf("%s imports %s: model speaks to models, and langchain to chains", from, path))
			}
		}
	}
	slices.Sort(found)
	return found
}

// allowed is whether the folder of a rule may import another folder.
func allowed(rule, to string) bool {
	target, _ := ruleOf(to)
	return target == rule || slices.Contains(may[rule], target) || !below(target, rule) && within(target, may[rule])
}

// ruleOf is the longest part of a folder that has a line in may.
func ruleOf(folder string) (string, bool) {
	for dir := folder; dir != "." || folder == "."; dir = filepath.ToSlash(filepath.Dir(dir)) {
		if _, ok := may[dir]; ok {
			return dir, true
		}
	}
	return folder, false
}

// folderOf is the folder of a package of this module.
func folderOf(path string) (folder string, ours bool) {
	if path == module {
		return ".", true
	}
	return strings.CutPrefix(path, module+"/")
}

func below(folder, parent string) bool { return strings.HasPrefix(folder, parent+"/") }

// within is whether a folder is one of the parents or below one.
func within(folder string, parents []string) bool {
	return slices.ContainsFunc(parents, func(parent string) bool { return folder == parent || below(folder, parent) })
}

func TestViolationsAreFound(t *testing.T) {
	t.Parallel()
	got := violations(map[string][]string{
		".":                    {module + "/engine", module + "/engine/offline", "context", module + "-tools/x"},
		"cmd/annals":           {module, module + "/internal/server/rest", module + "/internal/pgtest"},
		"engine":               {module + "/retrieval", module + "/engine/offline", module + "/cmd/annals"},
		"engine/offline":       {module + "/prompts", module + "/db", module + "/engine"},
		"internal/eval/locomo": {module + "/internal/eval/datetime", "github.com/tmc/langchaingo/llms"},
		"graph":                {module + "/temporal", module + "/db", module},
		"internal/pgtest/run":  {module + "/internal/pgtest", module + "/db"},
		"internal/stuff":       {},
		"langchain":            {module, "github.com/tmc/langchaingo/schema", module + "/model"},
		"model/remote":         {module + "/model", "github.com/tmc/langchaingo/llms"},
		"internal/server/rest": {module, module + "/internal/service", module + "/retrieval", module + "/db"},
		"internal/service":     {module, module + "/db", module + "/internal/server"},
		"utils":                {},
	})
	want := []string{
		"cmd/annals imports internal/pgtest",
		"engine imports cmd/annals",
		"engine imports engine/offline",
		"engine/offline imports db",
		"engine/offline imports engine",
		"graph imports .",
		"graph imports db",
		"internal/eval/locomo imports github.com/tmc/langchaingo/llms: model speaks to models, and langchain to chains",
		"internal/pgtest/run imports db",
		"internal/server/rest imports db",
		"internal/server/rest imports retrieval",
		"internal/service imports internal/server",
		"internal/stuff has no place: say in may, arrows_test.go, what it may import",
		"langchain imports model",
		"utils has no place: say in may, arrows_test.go, what it may import",
	}
	if !slices.Equal(got, want) {
		t.Errorf("violations:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestArrows(t *testing.T) {
	t.Parallel()
	imports, err := importsOf(t, "./...", "./testdata") // which ... leaves out
	if err != nil {
		t.Fatal(err)
	}
	for _, violation := range violations(imports) {
		t.Error(violation)
	}
}

func importsOf(t *testing.T, patterns ...string) (map[string][]string, error) {
	args := append([]string{"list", "-json=ImportPath,Imports"}, patterns...)
	command := exec.CommandContext(t.Context(), "go", args...)
	var problem strings.Builder
	command.Stderr = &problem
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, problem.String())
	}
	imports := map[string][]string{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return imports, nil
		} else if err != nil {
			return nil, fmt.Errorf("read what go list says: %w", err)
		}
		folder, _ := folderOf(p.ImportPath)
		imports[folder] = p.Imports
	}
}

func TestFolders(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		name := entry.Name()
		_, known := others[name]
		for folder := range may {
			known = known || folder == name || below(folder, name)
		}
		if entry.IsDir() && !known && !strings.HasPrefix(name, ".") {
			t.Errorf("the folder %s has no place: say in arrows_test.go what it holds, or put what it holds elsewhere", name)
		}
	}
}

// statement is how SQL begins, in capitals as all of ours does.
var statement = regexp.MustCompile(`^\s*(--[^\n]*\n\s*)*` +
	`(SELECT|INSERT INTO|UPDATE|DELETE FROM|MERGE INTO|WITH|CREATE|ALTER|DROP|TRUNCATE)\s`)

// misplaced lists what a file of Go holds that belongs elsewhere.
func misplaced(path string, source []byte) ([]string, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	folder := filepath.ToSlash(filepath.Dir(path))
	var found []string
	for node := range ast.Preorder(file) {
		if readsEnvironment(node) && !within(folder, only.environment) {
			found = append(found, fmt.Sprintf("%s reads the environment: only cmd does", files.Position(node.Pos())))
		}
		if holdsSQL(node) && !within(folder, only.sql) {
			found = append(found, fmt.Sprintf("%s holds SQL: write it in queries", files.Position(node.Pos())))
		}
	}
	return found, nil
}

func readsEnvironment(node ast.Node) bool {
	switch n := node.(type) {
	case *ast.ImportSpec:
		return strings.HasPrefix(n.Path.Value, `"github.com/caarlos0/env`)
	case *ast.SelectorExpr:
		from, ok := n.X.(*ast.Ident)
		return ok && from.Name == "os" && slices.Contains([]string{"Getenv", "LookupEnv", "Environ", "ExpandEnv"}, n.Sel.Name)
	}
	return false
}

func holdsSQL(node ast.Node) bool {
	literal, ok := node.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return false
	}
	text, err := strconv.Unquote(literal.Value)
	return err == nil && statement.MatchString(text)
}

func TestMisplacedSourceIsFound(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		path, source string
		want         int
	}{
		{"engine/a.go", "var home = os.Getenv(`HOME`)", 1},
		{"engine/a.go", "import \"github.com/caarlos0/env/v11\"", 1},
		{"engine/a.go", "// os.Getenv is for cmd\nvar home = config.Getenv(`HOME`)", 0},
		{"cmd/annals/a.go", "var home = os.Environ()", 0},
		{"internal/pgtest/a.go", "var home, _ = os.LookupEnv(`HOME`)", 0},
		{"internal/other/a.go", "var home, _ = os.LookupEnv(`HOME`)", 1},
		{"a.go", "var home, _ = os.LookupEnv(`HOME`)", 1},
		{"engine/a.go", "const q = `\n-- one\nSELECT 1`", 1},
		{"cmd/annals/a.go", "const q = \"WITH a AS (\" + \"SELECT 1) \"", 2},
		{"engine/a.go", "// \"SELECT 1\"\nconst q = \"Select one\"", 0},
		{"engine/a.go", "const q = \"UPDATED\"", 0},
		{"db/a.go", "const q = `DELETE FROM x`", 0},
	} {
		got, err := misplaced(tt.path, []byte("package p\n"+tt.source))
		if err != nil || len(got) != tt.want {
			t.Errorf("%s: %q has %q (%v), want %d", tt.path, tt.source, got, err, tt.want)
		}
	}
}

func TestWhereThingsStand(t *testing.T) {
	t.Parallel()
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		found, err := misplaced(path, source)
		for _, what := range found {
			t.Error(what)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
