package mcp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// docs/mcp.md lists all tools with arguments that exist, and counts them.
func TestThePageListsTheTools(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "mcp.md"))
	if err != nil {
		t.Fatal(err)
	}
	served := map[string][]string{}
	s := serve(t)
	tools, err := s.session(aliceKey).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.Tools {
		schema, _ := tool.InputSchema.(map[string]any)
		arguments, _ := schema["properties"].(map[string]any)
		for name := range arguments {
			served[tool.Name] = append(served[tool.Name], name)
		}
		slices.Sort(served[tool.Name])
	}
	listed := map[string][]string{}
	quoted := regexp.MustCompile("`([a-z_]+)`")
	_, table, _ := strings.Cut(string(page), "\n## Tools\n")
	table, _, _ = strings.Cut(table, "of these")
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| ([^|]*)\\|").FindAllStringSubmatch(table, -1) {
		var arguments []string
		for _, argument := range quoted.FindAllStringSubmatch(row[2], -1) {
			arguments = append(arguments, argument[1])
		}
		if listed[row[1]] = arguments; strings.Contains(row[2], "…") { // the rest is in its schema
			listed[row[1]] = slices.Compact(slices.Sorted(slices.Values(append(arguments, served[row[1]]...))))
		}
		slices.Sort(listed[row[1]])
	}
	if diff := cmp.Diff(served, listed); diff != "" {
		t.Errorf("the tools with their arguments, and those of docs/mcp.md: %s", diff)
	}
	own := []string{"ask", "drop_answer", "find_skills", "get_answers", "get_context", "keep_answer", "mark_memory", "memory_as_of", "memory_timeline", "record_run"}
	if count := fmt.Sprintf("%d of these %d tools are Graphiti's", len(served)-len(own), len(served)); !strings.Contains(string(page), count) {
		t.Errorf("docs/mcp.md does not say %q", count)
	}
}
