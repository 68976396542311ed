package mcp_test

import (
	"reflect"
	"testing"

	"github.com/annalsdb/annals/internal/input"
)

// The input of an operation is declared once. Tools accept the declared fields with the same
// meaning, except those that their tags exclude.
func TestToolsTakeWhatIsDeclared(t *testing.T) {
	t.Parallel()
	listed, err := serve(t).talk(aliceKey).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, tool := range listed.Tools {
		declared := map[string]any{
			"add_triplet": input.NewTriple{}, "mark_memory": input.MarkChange{}, "memory_timeline": input.Times{}, "get_answers": input.Times{},
			"keep_answer": input.StandingQuestion{}, "get_context": input.Times{}, "ask": input.Times{},
		}[tool.Name]
		if declared == nil {
			continue
		}
		seen++
		properties := tool.InputSchema.(map[string]any)["properties"].(map[string]any)
		for _, f := range input.Fields(reflect.TypeOf(declared)) {
			if f.Argument() == "" {
				continue
			}
			if property, ok := properties[f.Argument()].(map[string]any); !ok || property["description"] != f.Doc() {
				t.Errorf("%s has no argument %s, or with another meaning: %v", tool.Name, f.Argument(), properties[f.Argument()])
			}
		}
	}
	if seen != 7 {
		t.Errorf("%d tools were looked at", seen)
	}
}
