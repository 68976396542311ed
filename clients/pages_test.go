package clients_test

import (
	"os"
	"strings"
	"testing"
)

// blocks are the code blocks of a page of the manual that are of a kind.
func blocks(t *testing.T, page, kind string) []string {
	t.Helper()
	return blocksOf(t, "../docs/"+page, kind)
}

// blocksOf are those of any file.
func blocksOf(t *testing.T, page, kind string) []string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for i, part := range strings.Split(string(text), "\n```") {
		if code, ok := strings.CutPrefix(part, kind+"\n"); ok && i%2 == 1 {
			found = append(found, code+"\n")
		}
	}
	if len(found) == 0 {
		t.Fatalf("%s has no block of %s", page, kind)
	}
	return found
}

// lines are those of a text that say something.
func lines(text string) []string {
	var found []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			found = append(found, line)
		}
	}
	return found
}
