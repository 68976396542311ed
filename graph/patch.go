package graph

import (
	"encoding/json"
	"fmt"
	"maps"
)

// PatchObject applies a patch to a JSON object: its properties replace those of
// the same name, and null removes one. Unlike RFC 7396 it does not merge nested
// objects.
func PatchObject(old, patch json.RawMessage) (json.RawMessage, error) {
	into, from := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	for _, o := range []struct {
		text json.RawMessage
		to   *map[string]json.RawMessage
	}{{old, &into}, {patch, &from}} {
		if len(o.text) == 0 {
			continue
		}
		if err := json.Unmarshal(o.text, o.to); err != nil {
			return nil, fmt.Errorf("read an object: %w", err)
		}
	}
	if into == nil {
		into = map[string]json.RawMessage{}
	}
	maps.Copy(into, from)
	maps.DeleteFunc(into, func(_ string, value json.RawMessage) bool { return string(value) == "null" })
	text, err := json.Marshal(into)
	if err != nil {
		return nil, fmt.Errorf("write an object: %w", err)
	}
	return text, nil
}
