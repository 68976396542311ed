package mcp_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/annalsdb/annals/internal/server/mcp"
	"github.com/annalsdb/annals/internal/slow"
)

// Models quote numbers and lists, write null for omitted arguments, and invent arguments.
// Graphiti's server accepts that, and so do the tools.
func TestArgumentsAreReadAsModelsWriteThem(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := s.session(aliceKey)
	s.remember(s.session(adminKey), "alice")
	var kept episodes
	c.must(&kept, "get_episodes", map[string]any{"max_episodes": "1"})
	if len(kept.Episodes) != 1 {
		t.Errorf("one episode in quotes: %+v", kept)
	}
	for _, arguments := range []map[string]any{
		{"query": "Alice", "max_facts": "1", "include_ended": "true"},
		{"query": "Alice", "max_facts": 1.0, "include_ended": "yes", "group_ids": `["alice"]`},
		{"query": "Alice", "max_facts": "1.0", "include_ended": 1, "group_ids": "alice", "edge_types": "null", "center_node_uuid": nil},
		{"query": "Alice", "max_facts": " 1 ", "include_ended": "True", "group_ids": []any{"alice", nil}, "valid_at_after": ""},
	} {
		var found facts
		c.must(&found, "search_memory_facts", arguments)
		if len(found.Facts) != 1 {
			t.Errorf("%v: %+v", arguments, found)
		}
	}
	var found facts
	c.must(&found, "search_memory_facts", map[string]any{"query": "Alice", "edge_types": `["LIVES_IN"]`, "include_ended": "TRUE", "max_facts": ""})
	if len(found.Facts) != 2 {
		t.Errorf("a list in quotes, and a number left out: %+v", found)
	}
	c.must(&found, "search_memory_facts", map[string]any{"query": "Alice", "edge_types": "WORKS_AT"})
	if len(found.Facts) != 0 {
		t.Errorf("a type for a list of types: %+v", found)
	}
	var nodes nodes
	c.must(&nodes, "search_nodes", map[string]any{"query": 2024, "max_nodes": "5"}) // a number instead of a text
	var done added
	c.must(&done, "add_memory", map[string]any{
		"name": "as an object", "source": "json", "episode_body": map[string]any{"name": "Carol", "city": "Porto"}, "uuid": "",
	})
	c.must(&kept, "get_episodes", map[string]any{"max_episodes": 1})
	if !done.New || !strings.Contains(kept.Episodes[0].Content, `"Porto"`) {
		t.Errorf("an object for its JSON: %+v", kept)
	}
	var told struct{ Data map[string]any }
	c.must(&told, "ask", map[string]any{"query": "Where does Alice live?", "schema": `{"type": "object", "properties": {"city": {"type": "string"}}}`})
	for _, wrong := range []any{"a text", 7, true, []any{nil}, "[]", `{"type": `} {
		c.refused("schema: must be an object", "ask", map[string]any{"query": "Where does Alice live?", "schema": wrong})
	}
}

func TestUnknownArgumentsAreNamed(t *testing.T) {
	t.Parallel()
	s := serve(t)
	arguments := map[string]any{"query": "Alice", "nonsense": map[string]any{"a": 1}, "reranker": "rrf"}
	var found struct{ Ignored []string }
	s.session(aliceKey).must(&found, "search_memory_facts", arguments)
	if !slices.Equal(found.Ignored, []string{"nonsense", "reranker"}) {
		t.Errorf("ignored: %q", found.Ignored)
	}
	if said := s.talk(aliceKey).said("search_memory_facts", arguments); !strings.Contains(said, "ignored: nonsense, reranker") {
		t.Errorf("it says %q", said)
	}
}

// Each text argument of each tool is very long; the error, whatever it is about, stays short.
func TestErrorsRepeatLittleOfAnArgument(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	c := serve(t).talk(aliceKey)
	listed, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	failed := 0
	try := func(tool, name string, value any, rest map[string]any) {
		arguments := map[string]any{name: value}
		for other, usual := range rest {
			if other != name {
				arguments[other] = usual
			}
		}
		result, said := c.call(tool, arguments)
		if !result.IsError {
			return
		}
		failed++
		whole := []rune(fmt.Sprint(value))
		for i := 0; i+101 <= len(whole) && i < 500; i++ {
			part := string(whole[i : i+101])
			inQuotes := strconv.Quote(part)
			if strings.Contains(said, part) || strings.Contains(said, inQuotes[1:len(inQuotes)-1]) {
				t.Errorf("%s repeats %s: %s", tool, name, said)
				return
			}
		}
		if len([]rune(said)) > 1200 || strings.Contains(said, "'annals ") {
			t.Errorf("%s says of %s: %s", tool, name, said)
		}
	}
	long := func(mark string, length int) string {
		var text strings.Builder
		for i := 0; text.Len() < length; i++ {
			fmt.Fprintf(&text, "%s%d", mark, i)
		}
		return text.String()
	}
	for _, tool := range listed.Tools {
		if tool.Name == "clear_graph" || tool.Name == "build_communities" {
			continue
		}
		properties := tool.InputSchema.(map[string]any)["properties"].(map[string]any)
		usual := map[string]any{}
		if required, ok := tool.InputSchema.(map[string]any)["required"].([]any); ok {
			for _, name := range required {
				usual[name.(string)] = "x"
			}
		}
		for name := range properties {
			for _, value := range []any{
				long("x", 400), long(" \"word\n", 700), long("é", 300), long("x", 70), "a" + long(" ", 300),
				[]any{long("x", 500)},
				map[string]any{"k": long("v", 500)},
				long("x", 10_000),
			} {
				try(tool.Name, name, value, usual)
			}
		}
	}
	if failed < 100 {
		t.Errorf("%d calls failed, which shows little", failed)
	}
	_, err = c.CallTool(t.Context(), &sdk.CallToolParams{Name: long("tool", 5000)})
	if err == nil || len(err.Error()) > 400 {
		t.Errorf("a tool of a long name: %v", err)
	}
	_, err = c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "annals://groups/alice/entities/" + long("x", 5000)})
	if err == nil || len(err.Error()) > 400 {
		t.Errorf("a resource of a long name: %v", err)
	}
	_, err = c.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "recall", Arguments: map[string]string{"question": "x", "group_id": long("x", 5000)}})
	if err == nil || len(err.Error()) > 400 {
		t.Errorf("a prompt about a long name: %v", err)
	}
}

// An agent has no command line: every message of the library that names a command is worded
// differently here.
func TestErrorsNameNoCommand(t *testing.T) {
	t.Parallel()
	named := 0
	for _, folder := range []string{".", "graph", "temporal", "retrieval", "engine", "db", "internal/service", "internal/server", "internal/server/mcp"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "..", folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || strings.HasSuffix(file, "failing.go") {
				continue
			}
			for _, text := range textsOf(t, file) {
				if !strings.Contains(text, "'annals ") {
					continue
				}
				named++
				if said := mcp.ForAgents(text); strings.Contains(said, "annals ") || strings.Contains(said, " --") || len(said) < 20 {
					t.Errorf("%s: %q becomes %q", file, text, said)
				}
			}
		}
	}
	if named < 10 {
		t.Errorf("%d texts name commands, which shows little", named)
	}
	for from, want := range map[string]string{
		"group g has no episode 42; 'annals episodes' lists them":                                                  "group g has no episode 42; get_episodes lists the latest",
		"this key may only read, and this takes one that may write; 'annals keys create --rights write' makes one": "this key may only read, and this takes one that may write; ask the person who gave you the key for another one",
		"is not set up for Annals; run 'annals migrate up', or after a restore 'annals doctor'":                    "is not set up for Annals; ask the person who keeps this memory to mend that",
		`there is none called "o'annals"`:                                                                          `there is none called "o'annals"`,
	} {
		if got := mcp.ForAgents(from); got != want {
			t.Errorf("%q becomes %q, want %q", from, got, want)
		}
	}
	c := serve(t).talk(readKey)
	if result, said := c.call("add_memory", map[string]any{"name": "n", "episode_body": "x"}); !result.IsError || !strings.Contains(said, "ask the person") {
		t.Errorf("a key that may only read: %s", said)
	}
}

// textsOf returns the texts in a file. Concatenated ones count as one.
func textsOf(t *testing.T, file string) []string {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	var whole func(e ast.Expr) string
	whole = func(e ast.Expr) string {
		switch e := e.(type) {
		case *ast.BasicLit:
			if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
				return text
			}
		case *ast.BinaryExpr:
			return whole(e.X) + whole(e.Y)
		}
		return "…"
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			texts = append(texts, whole(n))
			return false
		case *ast.BasicLit:
			texts = append(texts, whole(n))
		}
		return true
	})
	return texts
}
