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

var (
	promises = regexp.MustCompile(`(?m)^- \*\*(.+?)\.?\*\*`)
	held     = regexp.MustCompile(`(?m)^\| ([^|]+) \| (.+) \|$`)
	tested   = regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z]+)`")
	heldIn   = regexp.MustCompile(`\]\(\.\./([^)]+_test\.go)\)`)
)

// Each promise of the README is held by tests that exist where docs/promises.md
// says, and so are those of the page about security.
func TestPromisesAreHeld(t *testing.T) {
	t.Parallel()
	rows := map[string]bool{}
	for _, row := range held.FindAllStringSubmatch(text(t, "docs/promises.md"), -1) {
		names := tested.FindAllStringSubmatchIndex(row[2], -1)
		if len(names) == 0 {
			continue
		}
		rows[row[1]] = true
		for _, name := range names {
			file := heldIn.FindStringSubmatch(row[2][name[1]:]) // the first that is named behind it
			if file == nil {
				t.Errorf("docs/promises.md does not say where %s is", row[2][name[2]:name[3]])
				continue
			}
			if source, err := os.ReadFile(file[1]); err != nil || !strings.Contains(string(source), "\nfunc "+row[2][name[2]:name[3]]+"(") {
				t.Errorf("%s has no test %s (%v)", file[1], row[2][name[2]:name[3]], err)
			}
		}
	}
	_, what, _ := strings.Cut(text(t, "README.md"), "## What it is")
	what, _, _ = strings.Cut(what, "\n## ")
	found := promises.FindAllStringSubmatch(what, -1)
	if len(found) < 8 {
		t.Errorf("the README promises %d things only", len(found))
	}
	for _, promise := range found {
		if !rows[strings.TrimSuffix(promise[1], ".")] {
			t.Errorf("no test of docs/promises.md holds %q", promise[1])
		}
	}
	for _, row := range held.FindAllStringSubmatch(text(t, "docs/security.md"), -1) {
		_, folder, named := strings.Cut(row[2], "` in ")
		if !named || strings.Contains(row[2], "](") {
			continue
		}
		for _, name := range tested.FindAllStringSubmatch(row[2], -1) {
			if !declared(t, strings.TrimSpace(folder), name[1]) {
				t.Errorf("%s has no test %s", folder, name[1])
			}
		}
	}
}

// declared reports whether a folder has a test.
func declared(t *testing.T, folder, test string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if source, err := os.ReadFile(file); err == nil && strings.Contains(string(source), "\nfunc "+test+"(") {
			return true
		}
	}
	return false
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
