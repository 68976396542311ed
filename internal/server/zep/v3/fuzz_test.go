package v3

import (
	"encoding/json"
	"testing"
)

// Filters of a search are refused with a reason, or converted to filters of the library.
func FuzzFilters(f *testing.F) {
	for _, text := range []string{
		`{"created_at": [[{"comparison_operator": ">=", "date": "2024-01-01T00:00:00Z"}], [{"comparison_operator": "IS NULL"}]]}`,
		`{"property_filters": [{"comparison_operator": "=", "property_name": "plan", "property_value": "pro"}], "edge_types": ["LIVES_IN"]}`,
		`{"episode_metadata_filters": {"type": "and", "filters": [], "groups": [{"type": "or", "groups": []}]}}`, `{"edge_uuids": ["x"]}`, `{}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var filters searchFilters
		if json.Unmarshal(data, &filters) != nil {
			return
		}
		if out, err := filters.read(); err == nil && len(filters.CreatedAt) > 0 && len(out.Filter.Created) != len(filters.CreatedAt) {
			t.Fatalf("%s loses conditions: %+v", data, out.Filter.Created)
		}
	})
}
