package graph_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/annalsdb/annals/graph"
)

// Errors say what is wrong with unreadable input.
func TestWhatIsWrongIsNamed(t *testing.T) {
	t.Parallel()
	for written, says := range map[string]string{
		"2024-03-15T23:59:60Z": "second out of range", "2024-03-15T24:00:00Z": "hour out of range", "2024-02-30": "day out of range", "soon": "write 2024-03-15",
	} {
		if _, err := graph.ParseTime("occurred_at", written); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", written, err, says)
		}
	}
	for metadata, says := range map[string]string{`{"n": 1e400}`: "number 1e400", `[1]`: "is not a JSON object"} {
		if err := graph.ValidateObject("metadata", json.RawMessage(metadata)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", metadata, err, says)
		}
	}
}
