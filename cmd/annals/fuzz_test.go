package main

import (
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
)

// A time on the command line is refused or can be stored.
func FuzzTimes(f *testing.F) {
	for _, text := range []string{"now", "2024-03-15", "2024-03-15 09:30", "9999-12-31T23:59:59Z", "0000-01-01", ""} {
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, validAt, knownAt string) {
		at, err := input.Read(input.Times{AsOf: validAt, Belief: input.Belief{KnownAt: knownAt}}, annals.FactFilter{})
		if err != nil {
			return
		}
		valid, known := at.ValidAt, at.KnownAt
		if !valid.IsZero() && graph.ValidateTime("as-of", valid) != nil || !known.IsZero() && graph.ValidateTime("known-at", known) != nil {
			t.Fatalf("%q and %q are read as %v and %v", validAt, knownAt, valid, known)
		}
	})
}
