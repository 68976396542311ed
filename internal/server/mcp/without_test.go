package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/model"
)

// failing is an embedder that stops answering.
type failing struct {
	model.Embedder
	fails bool
}

func (f *failing) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if f.fails {
		return nil, errors.New("500 Internal Server Error")
	}
	return f.Embedder.Embed(ctx, texts)
}

// Answers tell a host's model that the search ran without vectors, whichever tool it called.
func TestAnswersSayThatAModelWasMissing(t *testing.T) {
	t.Parallel()
	embedder := &failing{Embedder: clienttest.Hash(t, 384)}
	s := serveWith(t, embedder)
	c, plain := s.session(adminKey), s.talk(adminKey)
	s.remember(c, "alice")
	calls := map[string]map[string]any{
		"search_nodes":        {"query": "Alice", "group_ids": []string{"alice"}},
		"search_memory_facts": {"query": "Where does Alice live?", "group_ids": []string{"alice"}},
		"memory_as_of":        {"query": "Where does Alice live?", "as_of": "2024-05-01", "group_ids": []string{"alice"}},
		"get_context":         {"query": "Where does Alice live?", "group_ids": []string{"alice"}},
		"ask":                 {"query": "Where does Alice live?", "group_ids": []string{"alice"}},
	}
	for _, fails := range []bool{false, true} {
		embedder.fails = fails
		for name, arguments := range calls {
			result, told := c.call(name, arguments)
			object, err := json.Marshal(result.StructuredContent)
			if err != nil || strings.Contains(told, "Searched without vectors: ") != fails || strings.Contains(string(object), "Searched without vectors: ") != fails {
				t.Errorf("with failures %t, %s says %q and %s (%v)", fails, name, told, object, err)
			}
			if said := plain.said(name, arguments); strings.Contains(said, "Searched without vectors: ") != fails {
				t.Errorf("with failures %t, %s says %q", fails, name, said)
			}
		}
	}
}
