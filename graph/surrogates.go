package graph

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/annalsdb/annals/internal/escapes"
)

// wholeCharacters refuses a JSON object that contains a lone surrogate, and
// names the key.
func wholeCharacters(object []byte) error {
	if escapes.Lone(object) == "" {
		return nil
	}
	var values map[string]json.RawMessage
	if err := json.Unmarshal(object, &values); err != nil {
		return fmt.Errorf("is not a JSON object: %w", err)
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if escapes.Lone(values[key]) != "" {
			return Invalid(key, "%s", escapes.Unfit(values[key]))
		}
	}
	return nil
}
