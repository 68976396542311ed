package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Concurrent installs lose none of each other's changes.
func TestInstallsAtOnceLoseNothing(t *testing.T) {
	t.Parallel()
	m, home := desk(t)
	cursor := filepath.Join(home, ".cursor", "mcp.json")
	put(t, cursor, "{}")
	const all = 12
	var at sync.WaitGroup
	for i := range all {
		at.Go(func() {
			if got := m.run("", "mcp", "install", "cursor", "--yes", "--name", fmt.Sprint("memory-", i)); got.code != 0 {
				t.Errorf("%d: %s", i, got.stderr)
			}
		})
	}
	at.Wait()
	var kept struct {
		Servers map[string]any `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(content(t, cursor)), &kept); err != nil {
		t.Fatal(err)
	}
	for i := range all {
		if kept.Servers[fmt.Sprint("memory-", i)] == nil {
			t.Errorf("memory-%d was written and is not there", i)
		}
	}
}

// A link to missing settings stays a link.
func TestInstallFollowsALinkToNothing(t *testing.T) {
	t.Parallel()
	m, home := desk(t)
	elsewhere, cursor := filepath.Join(home, "dotfiles", "mcp.json"), filepath.Join(home, ".cursor", "mcp.json")
	if err := os.MkdirAll(filepath.Dir(cursor), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../dotfiles/mcp.json", cursor); err != nil {
		t.Fatal(err)
	}
	m.must("mcp", "install", "cursor", "--yes")
	if about, err := os.Lstat(cursor); err != nil || about.Mode()&os.ModeSymlink == 0 || !exists(elsewhere) {
		t.Errorf("the link is %v, %v", about, err)
	}
}

// A mistyped flag is guessed.
func TestAMistypedFlagIsGuessed(t *testing.T) {
	t.Parallel()
	m := &memory{t: t}
	if got := m.run("", "facts", "--gruop", "g"); got.code == exitOK || !strings.Contains(got.stderr, "did you mean --group?") {
		t.Error(got.stderr)
	}
}
