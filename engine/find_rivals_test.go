package engine

import (
	"testing"

	"github.com/annalsdb/annals/engine/change"
)

func TestTellsDeath(t *testing.T) {
	t.Parallel()
	for predicate, want := range map[string]bool{
		"DIED": true, "DIED_IN": true, "DIES": true, "IS_DECEASED": true,
		"DRIVES_DIESEL": false, "DECEIVED": false, "DIETS": false, "HAS_DECENT_JOB": false,
	} {
		f := newFact{target: &change.Entity{}}
		f.predicate = predicate
		if got := f.tellsDeath(); got != want {
			t.Errorf("%s: %v", predicate, got)
		}
	}
}
