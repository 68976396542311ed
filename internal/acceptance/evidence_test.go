package acceptance_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals"
)

// Every fact that a context can show leads to a message, or to a record of who
// made it by hand.
func claimResolvesToSource(t *testing.T, s *store, d door, group string) {
	say(t, d, message{group: group, text: "I live in Velnor."})
	say(t, d, message{group: group, text: "I moved to Quorvik."})
	say(t, d, message{group: group, text: `{"customer": "Nora", "plan": "pro"}`, source: "json"})
	if err := d.state(t, group, "Nora", "KNOWS", "Tarquin", "Nora knows Tarquin."); err != nil {
		t.Fatal(err)
	}
	if edited := s.fact(t, group, "Tarquin"); true {
		s.must(t, "facts", "edit", "--group", group, edited.ID.String(), "--fact", "Nora has known Tarquin for years.")
	}
	if status, text := s.send(t, adminKey, "POST", "/entity-node", map[string]any{"group_id": group, "uuid": "n", "name": "Apollo", "summary": "A project."}); status >= 300 {
		t.Fatalf("/entity-node: %d %s", status, text)
	}
	s.background(t, group)
	facts, err := s.client.Facts(t.Context(), annals.FactFilter{GroupID: group, Limit: annals.MaxRows})
	if err != nil || len(facts) < 3 {
		t.Fatalf("the control has %d facts: %v", len(facts), err)
	}
	for _, f := range facts {
		sources := 0
		for _, id := range f.Episodes {
			if _, err := s.client.Episode(t.Context(), group, id); err != nil {
				t.Errorf("%q cites %s: %v", f.Fact, id, err)
			}
			sources++
		}
		sources += s.count(t, `SELECT count(*) FROM annals.edits WHERE group_id = $1 AND subject_id = $2`, group, f.ID)
		if sources == 0 {
			t.Errorf("%q has no source", f.Fact)
		}
	}
	orphans := s.count(t, `SELECT count(*) FROM annals.entities e WHERE group_id = $1
		AND NOT EXISTS (SELECT FROM annals.mentions m WHERE m.group_id = e.group_id AND m.entity_id = e.id)
		AND NOT EXISTS (SELECT FROM annals.facts f WHERE f.group_id = e.group_id AND e.id IN (f.source_id, f.target_id))
		AND NOT EXISTS (SELECT FROM annals.edits x WHERE x.group_id = e.group_id AND x.subject_id = e.id)`, group)
	if orphans > 0 {
		t.Errorf("%d entities have no source", orphans)
	}
}

// Undoing a source removes everything derived from it, of every kind.
func sourceDeleteReachesDerived(t *testing.T, s *store, d door, group string) {
	say(t, d, message{group: group, text: "I work at Quuxwerk.", thread: "talk"})
	id := say(t, d, message{group: group, text: "I live in Velnor.", thread: "talk"})
	s.background(t, group)
	if !holds(d.recall(t, group, home), "Velnor") || len(s.facts(t, group, "Velnor")) == 0 {
		t.Fatal("the control finds nothing")
	}
	kinds := map[string]string{
		"episodes":       `SELECT count(*) FROM annals.episodes WHERE group_id = $1 AND content ILIKE $2`,
		"facts":          `SELECT count(*) FROM annals.facts WHERE group_id = $1 AND fact ILIKE $2`,
		"entities":       `SELECT count(*) FROM annals.entities WHERE group_id = $1 AND name ILIKE $2`,
		"names":          `SELECT count(*) FROM annals_internal.entity_names n WHERE group_id = $1 AND n::text ILIKE $2`,
		"search index":   `SELECT count(*) FROM annals_internal.all_postings WHERE group_id = $1 AND kind <> 'community' AND term ILIKE $2`,
		"fact vectors":   `SELECT count(*) FROM annals_internal.fact_embeddings v WHERE group_id = $1 AND $2 <> '' AND NOT EXISTS (SELECT FROM annals.facts f WHERE f.group_id = v.group_id AND f.id = v.fact_id)`,
		"entity vectors": `SELECT count(*) FROM annals_internal.entity_embeddings v WHERE group_id = $1 AND $2 <> '' AND NOT EXISTS (SELECT FROM annals.entities e WHERE e.group_id = v.group_id AND e.id = v.entity_id)`,
	}
	err := d.undo(t, group, id)
	if errors.Is(err, errAbsent) { // psql: the episode is a row
		s.exec(t, `DELETE FROM annals.episodes WHERE group_id = $1 AND id = $2`, group, id)
		err = nil
	}
	if err != nil {
		t.Fatal(err)
	}
	for kind, sql := range kinds {
		if n := s.count(t, sql, group, "%Velnor%"); n > 0 {
			t.Errorf("%d %s hold it still", n, kind)
		}
	}
	s.inactive(t, d, group, "Velnor", home)
	s.background(t, group)
	s.inactive(t, d, group, "Velnor", home)
	if len(s.facts(t, group, "Quuxwerk")) == 0 {
		t.Error("what another source says is gone too")
	}
}

// Everything derived can be rebuilt from the messages, with the same content.
func rebuildFromRetained(t *testing.T, s *store, d door, group string) {
	tokens := []string{}
	for i, word := range []string{"Vqz", "Wkx", "Jrf"} { // words that no model knows
		token := fmt.Sprintf("%s%d", word, time.Now().UnixNano()%1_000_000+int64(i))
		tokens = append(tokens, token)
		say(t, d, message{group: group, speaker: "Nora" + word, text: "I work at " + token + ".", day: "2024-03-0" + fmt.Sprint(i+1)})
	}
	before, err := s.client.Facts(t.Context(), annals.FactFilter{GroupID: group})
	if err != nil || len(before) < len(tokens) {
		t.Fatalf("the control has %d facts: %v", len(before), err)
	}
	var drop strings.Builder // past the triggers, which would take it for edits by hand
	drop.WriteString("SET LOCAL session_replication_role = replica;")
	for _, table := range []string{
		"annals_internal.fact_embeddings", "annals_internal.entity_embeddings", "annals_internal.episode_embeddings", "annals_internal.community_embeddings",
		"annals_internal.postings", "annals_internal.posting_blocks", "annals.fact_episodes", "annals.mentions", "annals_internal.entity_mentions",
		"annals_internal.entity_names", "annals.facts", "annals.entities", "annals.community_members", "annals.communities",
		"annals_internal.search_statistics", "annals_internal.frequent_terms",
	} {
		fmt.Fprintf(&drop, "DELETE FROM %s WHERE group_id = '%s';", table, group)
	}
	s.exec(t, drop.String())
	if holds(d.recall(t, group, "works at"), "- NoraVqz works") {
		t.Fatal("nothing was dropped")
	}
	s.rebuild(t, group)
	after, err := s.client.Facts(t.Context(), annals.FactFilter{GroupID: group})
	if err != nil || len(after) != len(before) {
		t.Fatalf("%d facts became %d: %v", len(before), len(after), err)
	}
	for i, f := range after {
		if f.Fact != before[i].Fact || !f.Valid.Start.Equal(before[i].Valid.Start) || !f.Valid.End.Equal(before[i].Valid.End) {
			t.Errorf("%s %v became %s %v", before[i].Fact, before[i].Valid, f.Fact, f.Valid)
		}
	}
	for _, token := range tokens {
		if found := d.recall(t, group, "Who works at "+token+"?"); !holds(found, token) {
			t.Errorf("%s is not recalled: %s", token, found)
		}
	}
}
