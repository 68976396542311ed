package mcp_test

import (
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/slow"
)

// Every tool that searches can be restricted to what a speaker said.
func TestToolsNarrowToWhoTells(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	s := serve(t)
	session := s.session(aliceKey)
	for actor, said := range map[string]string{"Sam": "Alice likes opera.", "Ann": "Alice likes chess."} {
		session.must(nil, "add_memory", map[string]any{"name": "talk", "episode_body": said, "actor": actor, "source": "message"})
	}
	s.process("alice")
	for _, tool := range []string{"search_memory_facts", "search_facts", "memory_as_of", "get_context", "ask"} {
		asked := func(toldBy string) map[string]any {
			arguments := map[string]any{"query": "What does Alice like: opera, chess?"}
			if toldBy != "" {
				arguments["told_by"] = toldBy
			}
			if tool == "memory_as_of" {
				arguments["known_at"] = "2100-01-01"
			}
			return arguments
		}
		if said := session.must(nil, tool, asked("Sam")); !strings.Contains(said, "likes opera") || strings.Contains(said, "likes chess") {
			t.Errorf("%s of what Sam tells: %s", tool, said)
		}
		if said := session.must(nil, tool, asked("")); !strings.Contains(said, "likes opera") || !strings.Contains(said, "likes chess") {
			t.Errorf("%s of what all tell: %s", tool, said)
		}
		if said := session.must(nil, tool, asked("Nobody")); strings.Contains(said, "likes opera") || strings.Contains(said, "likes chess") {
			t.Errorf("%s of what nobody tells: %s", tool, said)
		}
		session.refused("told_by", tool, asked(strings.Repeat("x", 513)))
	}
}
