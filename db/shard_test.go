package db

import "testing"

func TestNamesOfAShard(t *testing.T) {
	t.Parallel()
	s := &shard{schema: "annals_shard_7", names: map[string]bool{"facts": true, "search": true}}
	for sql, want := range map[string]string{
		"SELECT * FROM annals.facts f":                  "SELECT * FROM annals_shard_7.facts f",
		"annals.facts":                                  "annals_shard_7.facts",
		"annals_internal.facts, annals_internals.facts": "annals_shard_7.facts, annals_internals.facts",
		"FROM annals.search($1),annals.facts":           "FROM annals_shard_7.search($1),annals_shard_7.facts",
		"annals_internal.facts_history, annals.kind":    "annals_internal.facts_history, annals.kind",
		"current_setting('annals.facts')":               "current_setting('annals.facts')",
		"FROM other_annals.facts, annals_shard_7.facts": "FROM other_annals.facts, annals_shard_7.facts",
		"SELECT 'annals.' || x, f.valid::annals.facts":  "SELECT 'annals.' || x, f.valid::annals_shard_7.facts",
		"": "",
		"SELECT set_config('annals.clock', $1), annals.x": "SELECT set_config('annals.clock', $1), annals.x",
	} {
		if got := s.named(sql); got != want {
			t.Errorf("%q becomes %q, want %q", sql, got, want)
		}
		if again := s.named(want); again != want {
			t.Errorf("%q becomes %q when it is named again", want, again)
		}
	}
}
