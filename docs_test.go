package annals_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	fences   = regexp.MustCompile("(?s)```.*?```")
	headings = regexp.MustCompile(`(?m)^#+ (.*)$`)
	links    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	unslug   = regexp.MustCompile(`[^\pL\pN_ -]`)
)

// anchors are the parts of a page that links may lead to.
func anchors(page string) map[string]bool {
	found := map[string]bool{}
	for _, heading := range headings.FindAllStringSubmatch(page, -1) {
		found[strings.ReplaceAll(unslug.ReplaceAllString(strings.ToLower(heading[1]), ""), " ", "-")] = true
	}
	return found
}

// Every link from one page of the manual to another leads to something.
func TestLinksOfTheManual(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("docs/*.md")
	if err != nil || len(pages) < 20 {
		t.Fatalf("%d pages (%v)", len(pages), err)
	}
	seen := 0
	for _, page := range append(pages, "README.md", "CHANGELOG.md", "CONTRIBUTING.md") {
		for _, link := range links.FindAllStringSubmatch(text(t, page), -1) {
			if strings.Contains(link[1], "://") {
				continue
			}
			seen++
			path, anchor, _ := strings.Cut(link[1], "#")
			target := page
			if path != "" {
				target = filepath.Join(filepath.Dir(page), path)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", page, link[1], err)
			} else if anchor != "" && !anchors(text(t, target))[anchor] {
				t.Errorf("%s links to %s, which has no such part", page, link[1])
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d links were looked at", seen)
	}
}

// text is a page without what it quotes from a terminal.
func text(t *testing.T, page string) string {
	t.Helper()
	content, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return fences.ReplaceAllString(string(content), "")
}
