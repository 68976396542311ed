package main

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/client"
)

// All our interfaces say "undo". A tool of MCP uses Graphiti's word.
func TestUndoGoesByOneWord(t *testing.T) {
	t.Parallel()
	for door, want := range map[reflect.Type][]string{
		reflect.TypeFor[*annals.Client](): {"PreviewUndo", "Undo", "UndoAll", "UndoThread"},
		reflect.TypeFor[*client.Client](): {"Undo", "UndoAll"},
		reflect.TypeFor[client.Memory]():  {"Undo", "UndoAll"},
	} {
		var got []string
		for method := range door.Methods() {
			if strings.Contains(method.Name, "Undo") || strings.HasSuffix(strings.TrimSuffix(method.Name, "s"), "Episode") && strings.HasPrefix(method.Name, "Delete") {
				got = append(got, method.Name)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s has %s, want %s", door, got, want)
		}
	}
	var commands []string
	for _, name := range leaves((&app{}).command()) {
		if name == "undo" || name == "episodes delete" {
			commands = append(commands, name)
		}
	}
	if !slices.Equal(commands, []string{"undo"}) {
		t.Errorf("the commands are %s", commands)
	}
	for file, method := range map[string]string{
		"../../clients/python/src/annalsdb/client.py": "def undo(", "../../clients/python/src/annalsdb/async_client.py": "async def undo(",
		"../../clients/typescript/src/annals.ts": "undo(", "../../clients/typescript/src/schema.ts": `delete: operations["undo-episode"]`,
		"../../clients/python/src/annalsdb/rest/api/removal/undo_episode.py": "def sync(",
	} {
		source, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(source), method) {
			t.Errorf("%s has no %s: %v", file, method, err)
		}
	}
}
