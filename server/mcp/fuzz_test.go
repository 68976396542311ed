package mcp

import (
	"encoding/json"
	"testing"
)

// Arguments of tools are refused or read; a group that is written as a list of
// one is the same as its name.
func FuzzArguments(f *testing.F) {
	for _, text := range []string{
		`{"query": "x", "group_ids": "alice", "valid_at_after": "2024-01-01"}`, `{"query": "x", "group_ids": ["alice", "bob"]}`,
		`{"group_ids": [1]}`, `{"group_ids": null}`, `{"valid_at_before": "never"}`, `{}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var in searchFactsInput
		if json.Unmarshal(data, &in) != nil {
			return
		}
		condition, err := between("valid_at", in.ValidAtAfter, in.ValidAtBefore)
		if err == nil && (in.ValidAtAfter != "" || in.ValidAtBefore != "") && condition == nil {
			t.Fatalf("%s loses its dates", data)
		}
		if len(in.GroupIDs) == 1 {
			one, _ := json.Marshal(in.GroupIDs[0])
			var again groupIDs
			if err := json.Unmarshal(one, &again); err != nil || len(again) != 1 || again[0] != in.GroupIDs[0] {
				t.Fatalf("%s is the group %q, then %q: %v", data, in.GroupIDs, again, err)
			}
		}
	})
}
