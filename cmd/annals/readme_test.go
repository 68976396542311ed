package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The README's tour prints what it says, ids and durations apart.
func TestReadmeTour(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, tour, _ := strings.Cut(string(page), "## Five minutes")
	tour, _, _ = strings.Cut(tour, "**With a language model**")
	m := newMemory(t)
	word := regexp.MustCompile(`"[^"]*"|\S+`)
	varies := regexp.MustCompile(`(?m)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|^[0-9a-f]{8}\b| in [\d.]+ s, [\d,]+ episodes/s`)
	ran := 0
	for _, told := range regexp.MustCompile(`(?ms)^\$ annals (.*?)\n(.*?)(?:^$|^`+"```"+`)`).FindAllStringSubmatch(tour, -1) {
		var args []string
		for _, arg := range word.FindAllString(told[1], -1) {
			args = append(args, strings.Trim(arg, `"`))
		}
		o := m.run("", args...)
		got, want := varies.ReplaceAllString(o.stdout+o.stderr, "…"), varies.ReplaceAllString(told[2], "…")
		if diff := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(got)); diff != "" {
			t.Errorf("annals %s (-told +printed):\n%s", told[1], diff)
		}
		ran++
	}
	if ran < 8 {
		t.Errorf("the tour has %d commands", ran)
	}
}
