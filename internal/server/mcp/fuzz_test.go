package mcp

import (
	"encoding/json"
	"reflect"
	"testing"
)

// Tools refuse arguments or decode them to values within their limits. Errors do not repeat an
// argument.
func FuzzArguments(f *testing.F) {
	for _, text := range []string{
		`{"query": "x", "group_ids": "alice", "valid_at_after": "2024-01-01"}`, `{"query": "x", "group_ids": ["alice", "bob"]}`,
		`{"group_ids": [1]}`, `{"group_ids": null}`, `{"query": "x", "valid_at_before": "never"}`, `{}`, `"{\"query\": \"x\"}"`,
		`{"query": "x", "max_facts": "20", "group_ids": "[\"alice\"]", "include_ended": "yes"}`, `{"query": 7, "nonsense": {}}`,
	} {
		f.Add([]byte(text))
	}
	schema := inputSchema(reflect.TypeFor[searchFactsInput]())
	f.Fuzz(func(t *testing.T, data []byte) {
		in, ignored, err := readArguments[searchFactsInput](schema, data)
		if err != nil {
			if said := brief(err.Error(), data); len([]rune(said)) > maxError+1 {
				t.Fatalf("%s: an error of %d characters", data, len([]rune(said)))
			}
			return
		}
		if in.Query == "" || in.MaxFacts < 1 || in.MaxFacts > maxRows || len(in.GroupIDs) > maxGroups {
			t.Fatalf("%s is read as %+v", data, in)
		}
		for _, name := range ignored {
			if schema.Properties[name] != nil {
				t.Fatalf("%s: %s is ignored", data, name)
			}
		}
		again, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := readArguments[searchFactsInput](schema, again); err != nil {
			t.Fatalf("%s is read, and not again as %s: %v", data, again, err)
		}
		condition, err := between("valid_at", in.ValidAtAfter, in.ValidAtBefore)
		if err == nil && (in.ValidAtAfter != "" || in.ValidAtBefore != "") && condition == nil {
			t.Fatalf("%s loses its dates", data)
		}
	})
}
