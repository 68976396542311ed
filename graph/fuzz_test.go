package graph_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/annalsdb/annals/graph"
)

// An episode that was parsed can be written and parsed again.
func FuzzParseEpisode(f *testing.F) {
	for _, line := range []string{
		`{"content": "I live in Paris.", "occurred_at": "2023-01-10", "actor": "Alice", "metadata": {"n": 1.10}, "previous": 4}`,
		`{"content": "\ud83d"}`, `{"content": "x"} {}`, `{"Content": "x"}`, `{"content": 1}`, `[]`, "{\"content\": \"\xff\"}", `{"metadata": [`, "",
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		read, err := graph.ParseEpisode(data, graph.EpisodeInput{})
		if err != nil {
			return
		}
		if !utf8.ValidString(read.Content) {
			t.Fatalf("%q has a content that is not UTF-8", data)
		}
		written, err := json.Marshal(read)
		if err != nil {
			t.Fatal(err)
		}
		again, err := graph.ParseEpisode(written, graph.EpisodeInput{})
		if err != nil || again.Content != read.Content || again.Actor != read.Actor || again.OccurredAt != read.OccurredAt {
			t.Fatalf("%q is read as %+v, then as %+v: %v", data, read, again, err)
		}
	})
}

// Lines are read and numbered one by one, up to the end.
func FuzzEpisodeLines(f *testing.F) {
	f.Add("{\"content\": \"a\"}\n\n{\"content\": \"b\"}\r\n")
	f.Add("{\"content\": \"a\"}\n{")
	f.Add("\ufeff{\"content\": \"a\"}")
	f.Fuzz(func(t *testing.T, text string) {
		lines := graph.NewEpisodeLines("g", strings.NewReader(text))
		last := 0
		for range strings.Count(text, "\n") + 2 {
			e, number, err := lines.Next()
			if err != nil {
				return
			}
			if number <= last {
				t.Fatalf("line %d comes after %d", number, last)
			}
			if last = number; e.GroupID != "g" {
				t.Fatalf("%q gives %+v", text, e)
			}
		}
		t.Fatalf("%q has more episodes than lines", text)
	})
}

// An ontology that was parsed is the same after writing and parsing it again.
func FuzzParseOntology(f *testing.F) {
	for _, text := range []string{
		`{"entity_types": [{"name": "Person", "description": "A human being.", "attributes": {"type": "object", "properties": {"age": {"type": "integer"}}}}]}`,
		`{"fact_types": [{"name": "WORKS_AT", "pairs": [{"source": "Person", "target": "Company"}]}], "excluded_types": ["Place"], "instructions": "x"}`, `{}`, `null`, `[`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		read, err := graph.ParseOntology(data)
		if err != nil {
			return
		}
		written, err := json.Marshal(read)
		if err != nil {
			t.Fatal(err)
		}
		again, err := graph.ParseOntology(written)
		if err != nil {
			t.Fatalf("%q is read, written as %s and refused: %v", data, written, err)
		}
		if twice, _ := json.Marshal(again); string(twice) != string(written) {
			t.Fatalf("%s became %s", written, twice)
		}
	})
}

// A parsed time can be stored; a parsed length of time is positive and bounded.
func FuzzParseTimes(f *testing.F) {
	for _, text := range []string{"2024-03-15", "2024-03-15T09:30:00Z", "2024-03-15 09:30", "0001-01-01", "30d", "2w", "12h", "1e9d", "-1d", "NaNd", "Infw", "0.0000001w", "99999999h"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, err := graph.ParseTime("at", text)
		if err == nil && text != "" && (at.IsZero() || graph.ValidateTime("at", at) != nil) {
			t.Fatalf("%q is read as %v, which cannot be stored", text, at)
		}
		if d, err := graph.ParseDuration("d", text); err == nil && text != "" && (d < 0 || d > 101*365*24*time.Hour && !strings.HasSuffix(text, "h") && !strings.HasSuffix(text, "s") && !strings.HasSuffix(text, "m")) {
			t.Fatalf("%q is read as %v", text, d)
		}
	})
}
