package engine_test

import (
	"strings"
	"testing"

	"github.com/annalsdb/annals/graph"
)

// A record of a later time ends an earlier statement of a user, in either order of arrival, if the
// group's policy allows that. A record never does so if it is of the same time, comes from an
// assistant, is in quarantine, or stands against a fact stated by hand.
func TestRecordsSucceed(t *testing.T) {
	t.Parallel()
	own := graph.Episode{Actor: "Ana", Role: "user", Content: "I work at Norda.", OccurredAt: date("2023-03-10")}
	again := graph.Episode{Actor: "Ana", Role: "user", Content: "I work at Norda.", OccurredAt: date("2025-02-02")}
	says := func(role, day, text string) graph.Episode {
		return graph.Episode{Actor: "crm", Role: role, Content: text, OccurredAt: date(day)}
	}
	record := says("tool", "2025-02-03", "Ana has worked at Velo since 1 February 2025.")
	for name, c := range map[string]struct {
		policy graph.TrustPolicy
		said   []graph.Episode
		ends   bool
	}{
		"off":                 {graph.TrustPolicy{}, []graph.Episode{own, record}, false},
		"on":                  {graph.TrustPolicy{RecordsSucceed: true}, []graph.Episode{own, record}, true},
		"read first":          {graph.TrustPolicy{RecordsSucceed: true}, []graph.Episode{record, own}, true},
		"said again since":    {graph.TrustPolicy{RecordsSucceed: true}, []graph.Episode{own, again, record}, false},
		"of the time it says": {graph.TrustPolicy{RecordsSucceed: true}, []graph.Episode{own, says("tool", "2025-02-03", "Ana has worked at Velo since 10 March 2023.")}, false},
		"an assistant":        {graph.TrustPolicy{RecordsSucceed: true}, []graph.Episode{own, says("assistant", "2025-02-03", record.Content)}, false},
		"in quarantine":       {graph.TrustPolicy{RecordsSucceed: true, Documents: true}, []graph.Episode{own, record}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMemory(t)
			m.exec("INSERT INTO annals.groups (group_id) VALUES ('g')")
			if err := m.engine.SetTrustPolicy(t.Context(), "g", c.policy); err != nil {
				t.Fatal(err)
			}
			for _, episode := range c.said {
				m.hear("g", []graph.Episode{episode})
			}
			norda := m.one("SELECT valid::text FROM annals.facts WHERE fact = 'Ana works at Norda.'")
			if ends := strings.Contains(norda, `"2025-02-01`); ends != c.ends || !c.ends && !strings.HasSuffix(norda, ",)") {
				t.Errorf("Norda holds %s", norda)
			}
			if disputes := m.one("SELECT count(*)::text FROM annals.disputes"); (disputes == "0") != c.ends {
				t.Errorf("%s disputes", disputes)
			}
		})
	}
}
