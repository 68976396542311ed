package graphiti_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/internal/server/graphiti"
)

// docs/graphiti.md lists all routes, and counts them.
func TestThePageListsTheRoutes(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "graphiti.md"))
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, row := range regexp.MustCompile("(?m)^\\| ((?:`[A-Z]+` )*)`([A-Z]+) (/[^`?]+)").FindAllStringSubmatch(string(page), -1) {
		for _, method := range append(strings.Fields(strings.ReplaceAll(row[1], "`", "")), row[2]) {
			listed = append(listed, method+" "+strings.ReplaceAll(row[3], "{group_id}", "{group}"))
		}
	}
	slices.Sort(listed)
	served := append(slices.Collect(maps.Keys(graphiti.Routes())), "GET /healthcheck")
	slices.Sort(served)
	if diff := cmp.Diff(served, listed); diff != "" {
		t.Errorf("the routes, and those of docs/graphiti.md: %s", diff)
	}
	if count := fmt.Sprintf("All %d routes", len(served)); !strings.Contains(string(page), count) {
		t.Errorf("docs/graphiti.md does not say %q", count)
	}
}
