package engine_test

import (
	"testing"

	"github.com/annalsdb/annals/graph"
)

// TestRoleEndsWithItsJob: leaving an employer also ends the role stated in the same sentence as the
// job; a role stated on its own stays.
func TestRoleEndsWithItsJob(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	says := func(day, text string) graph.Episode {
		return graph.Episode{Actor: "Nora", Role: "user", Content: text, OccurredAt: date(day)}
	}
	m.hear("g", []graph.Episode{says("2024-01-08", "I work at Fjordline as a data analyst.")})
	m.hear("g", []graph.Episode{says("2024-03-15", "Big news! I no longer work at Fjordline.")})
	m.hear("h", []graph.Episode{says("2024-01-08", "I work at Fjordline."), says("2024-01-09", "I am a nurse.")})
	m.hear("h", []graph.Episode{says("2024-03-15", "I no longer work at Fjordline.")})
	const open = "SELECT string_agg(predicate, ' ' ORDER BY predicate) FROM annals.facts WHERE group_id = $1 AND upper_inf(valid) AND kind = 'state'"
	for group, want := range map[string]string{"g": "", "h": "WORKS_AS"} {
		if got := m.one("SELECT coalesce(("+open+"), '')", group); got != want {
			t.Errorf("of %s %q still holds, want %q", group, got, want)
		}
	}
}
