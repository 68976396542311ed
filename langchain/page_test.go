package langchain_test

import (
	"os"
	"strings"
	"testing"
)

// The manual's page shows the tested example.
func TestThePageShowsTheExample(t *testing.T) {
	t.Parallel()
	example, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../docs/langchain.md")
	if err != nil {
		t.Fatal(err)
	}
	_, code, found := strings.Cut(string(page), "```go\n")
	code, _, ended := strings.Cut(code, "```\n")
	if !found || !ended {
		t.Fatal("the page has no block of Go")
	}
	if indented := "\t" + strings.ReplaceAll(strings.TrimSuffix(code, "\n"), "\n", "\n\t"); !strings.Contains(strings.ReplaceAll(string(example), "\n\n", "\n\t\n"), indented) {
		t.Errorf("ExampleNewMemory has not these lines of docs/langchain.md:\n%s", code)
	}
}
