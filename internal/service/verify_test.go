package service_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
)

// brokenIn returns the names of the broken invariants.
func brokenIn(t *testing.T, client *annals.Client, fix bool) (names []string, v service.Verification) {
	t.Helper()
	v, err := service.New(client).Verify(t.Context(), "", fix)
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range v.Broken() {
		names = append(names, check.Name)
	}
	return names, v
}

// talk makes a memory that has rows for every check.
func talk(t *testing.T, client *annals.Client) {
	t.Helper()
	var episodes []annals.Episode
	for i, friend := range []string{"Bob", "Carol", "Erin", "Frank"} {
		said := clienttest.Alice(fmt.Sprintf("I live in Paris with my friend %s. %s works for Acme.", friend, friend), "2023-01-15")
		said.ThreadID, said.ExternalID = "talk", fmt.Sprint("line-", i)
		episodes = append(episodes, said)
	}
	moved := clienttest.Alice("I moved to Lisbon last week.", "2024-03-15")
	moved.ThreadID, moved.ExternalID = "talk", "line-moved"
	clienttest.AddAndProcess(t, client, append(episodes, moved)...)
	if _, err := client.BuildCommunities(t.Context(), "t"); err != nil {
		t.Fatal(err)
	}
	if _, err := client.SummariseThread(t.Context(), "t", "talk"); err != nil {
		t.Fatal(err)
	}
}

// Verify finds nothing wrong in a graph with a long history.
func TestVerifyFindsNothingInALivedGraph(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, url := clienttest.New(t)
	clienttest.Lived(t, client, url)
	if names, v := brokenIn(t, client, false); len(names) > 0 {
		for _, check := range v.Broken() {
			t.Errorf("%s: %d, as %q", check.Name, check.Found, check.Examples)
		}
	}
}

// Each invariant is broken by hand. Verify names it and mends it if possible; then it reports
// nothing.
func TestVerifyNamesAndMends(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	const (
		pastTriggers = "SET session_replication_role = replica; "
		packed       = `SELECT annals_internal.pack_postings(p.group_id, p.kind, array_agg(DISTINCT p.term)) FROM annals_internal.all_postings p GROUP BY p.group_id, p.kind; `
	)
	for _, tt := range []struct {
		name, breaks string
		stays        bool // Verify cannot mend it
		also         []string
	}{
		{name: "triggers", breaks: "ALTER TABLE annals.facts DISABLE TRIGGER history_update"},
		{name: "content", breaks: pastTriggers + "UPDATE annals.episodes SET content = 'I live in Rome.' WHERE external_id = 'line-1'", stays: true, also: []string{"words"}},
		{name: "content", breaks: "UPDATE annals.episodes SET content = 'I live in Rome.' WHERE external_id = 'line-1'", stays: true},
		{
			name: "audit", stays: true, breaks: `UPDATE annals.entities SET summary = 'A friend.' WHERE name IN ('Bob', 'Carol');
				SET CONSTRAINTS ALL IMMEDIATE; SET session_replication_role = replica; UPDATE annals.audit SET written_by = 'nobody' WHERE position = 1`,
		},
		{
			name: "audit", stays: true, breaks: `UPDATE annals.entities SET summary = 'A friend.' WHERE name IN ('Bob', 'Carol');
				SET CONSTRAINTS ALL IMMEDIATE; SET session_replication_role = replica; DELETE FROM annals.audit WHERE position = 1`,
		},
		{name: "tombstones", breaks: "SELECT annals_internal.add_tombstone('t', 'content', content) FROM annals.episodes WHERE external_id = 'line-1'", stays: true},
		{name: "links", breaks: pastTriggers + "DELETE FROM annals.entities WHERE name = 'Bob'", also: []string{"names", "postings", "vector owners", "members", "mentions"}},
		{name: "fact sources", breaks: "DELETE FROM annals.fact_episodes c USING annals.facts f WHERE f.id = c.fact_id AND f.fact LIKE '%Lisbon%'"},
		{
			name: "rejections", breaks: `INSERT INTO annals.rejections (group_id, source_id, predicate, target_id, episode_id, fact_id, valid, said_at)
				SELECT f.group_id, f.source_id, f.predicate, f.target_id, c.episode_id, f.id, f.valid, f.said_at + interval '1 day'
				FROM annals.facts f JOIN annals.fact_episodes c ON c.fact_id = f.id WHERE f.fact LIKE '%Lisbon%' AND c.role = 'states'`,
		},
		{name: "entity sources", breaks: `WITH gone AS (DELETE FROM annals.facts f USING annals.entities e WHERE e.name = 'Bob' AND e.id IN (f.source_id, f.target_id))
			DELETE FROM annals.mentions m USING annals.entities e WHERE e.id = m.entity_id AND e.name = 'Bob'`},
		{name: "bounds", breaks: pastTriggers + "UPDATE annals.facts SET from_basis = 'unknown' WHERE NOT lower_inf(valid)"},
		{
			name: "versions", breaks: `INSERT INTO annals_internal.facts_history (group_id, id, source_id, target_id, predicate, fact, ends, attributes, valid, recorded, created_at, statement_id, evidence)
				SELECT group_id, id, source_id, target_id, predicate, fact, ends, attributes, valid, tstzrange(lower(recorded), now()), created_at, statement_id, '{}'
				FROM annals.facts WHERE fact LIKE '%Lisbon%'`, stays: true,
		},
		{name: "names", breaks: "DELETE FROM annals_internal.entity_names WHERE name_key = 'bob'; UPDATE annals_internal.entity_names SET name_key = 'karol' WHERE name_key = 'carol'"},
		{name: "words", breaks: pastTriggers + "UPDATE annals.episodes SET said_key = '' WHERE external_id = 'line-1'"},
		{name: "words", breaks: pastTriggers + "UPDATE annals.facts SET terms = 'wrong:1', length = 1 WHERE fact LIKE '%Lisbon%'", also: []string{"postings"}},
		{name: "postings", breaks: "DELETE FROM annals_internal.postings WHERE term = 'lisbon'; INSERT INTO annals_internal.postings VALUES ('t', 'fact', 'ghost', gen_random_uuid(), 1, 1)"},
		{
			name: "versions", breaks: `INSERT INTO annals.blocks (group_id, id, label, value, char_limit) SELECT group_id, gen_random_uuid(), 'human', 'a', 9 FROM annals.groups LIMIT 1;
				UPDATE annals.blocks SET value = 'b'; UPDATE annals_internal.blocks_history SET recorded = tstzrange(lower(recorded) - interval '2 s', upper(recorded) - interval '1 s')`,
			stays: true,
		},
		{name: "postings", breaks: packed + "UPDATE annals_internal.posting_blocks SET ids[1] = gen_random_uuid() WHERE term = 'lisbon'"},
		{name: "postings", breaks: packed + "INSERT INTO annals_internal.postings SELECT * FROM annals_internal.all_postings; DELETE FROM annals_internal.posting_blocks WHERE term = 'bob'"},
		{name: "mentioned", breaks: "DELETE FROM annals.mentions m USING annals.entities e WHERE e.id = m.entity_id AND e.name = 'Lisbon'"},
		{name: "mentions", breaks: "UPDATE annals_internal.entity_mentions SET mentions = mentions + 1"},
		{name: "members", breaks: "UPDATE annals.communities SET size = size + 1"},
		{name: "documents", breaks: "UPDATE annals_internal.search_statistics SET terms = terms + 1000"},
		{name: "frequent terms", breaks: "INSERT INTO annals_internal.frequent_terms VALUES ('t', 'fact', 'lisbon', 5000)"},
		{name: "vector owners", breaks: pastTriggers + "INSERT INTO annals_internal.fact_embeddings SELECT group_id, model, gen_random_uuid(), embedding FROM annals_internal.fact_embeddings LIMIT 1"},
		{name: "vectors", breaks: "DELETE FROM annals_internal.fact_embeddings; DELETE FROM annals_internal.episode_embeddings"},
		{name: "threads", breaks: "UPDATE annals.threads SET through_id = gen_random_uuid()"},
		{
			name: "communities", breaks: pastTriggers + `UPDATE annals.communities
				SET digest = '', created_at = created_at - interval '1 day', recorded = tstzrange(lower(recorded) - interval '1 day', NULL)`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			client, url := clienttest.New(t)
			talk(t, client)
			if names, v := brokenIn(t, client, false); len(names) > 0 {
				t.Fatalf("broken before: %+v", v.Broken())
			}
			breakIt(t, url, tt.breaks)
			names, v := brokenIn(t, client, false)
			if !slices.Contains(names, tt.name) {
				t.Fatalf("Verify found %q, want %q", names, tt.name)
			}
			for _, name := range names {
				if name != tt.name && !slices.Contains(tt.also, name) {
					t.Errorf("it found %q too: %+v", name, v.Broken())
				}
			}
			i := slices.IndexFunc(v.Checks, func(c service.Check) bool { return c.Name == tt.name })
			if check := v.Checks[i]; len(check.Examples) == 0 || len(check.Examples) > 5 || check.Do == "" || check.Says == "" {
				t.Errorf("it says %+v", check)
			}
			_, mended := brokenIn(t, client, true)
			removes := slices.Contains([]string{"fact sources", "rejections", "entity sources"}, tt.name)
			if check := mended.Checks[i]; (check.Removed > 0) != removes || len(check.Gone) != check.Removed {
				t.Errorf("mending says that it removed %d, as %q", check.Removed, check.Gone)
			}
			left, v := brokenIn(t, client, false)
			if stays := slices.Contains(left, tt.name); stays != tt.stays || !tt.stays && len(left) > 0 {
				t.Errorf("with fix, left are %+v", v.Broken())
			}
		})
	}
}

func breakIt(t *testing.T, url, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), sql); err != nil {
		t.Fatal(err)
	}
}

// Deleting an episode in psql removes what only it supports, and what it had ended holds again.
func TestDeletedEpisodeTakesItsFactsAlong(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	talk(t, client)
	breakIt(t, url, "DELETE FROM annals.episodes WHERE external_id IN ('line-moved', 'line-0')")
	if names, v := brokenIn(t, client, false); len(names) > 0 && !slices.Equal(names, []string{"threads"}) {
		t.Errorf("broken: %+v", v.Broken())
	}
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t", Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	lives := 0
	for _, f := range facts {
		if strings.Contains(f.Fact, "Lisbon") || strings.Contains(f.Fact, "Bob") {
			t.Errorf("%q stays", f.Fact)
		}
		if f.Predicate == "LIVES_IN" && f.Target == "Paris" && f.Valid.End.IsZero() {
			lives++
		}
	}
	if lives == 0 {
		t.Errorf("Alice no longer lives in Paris: %+v", facts)
	}
	entities, err := client.Entities(t.Context(), annals.EntityFilter{GroupID: "t", Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entities {
		if e.Name == "Bob" || e.Name == "Lisbon" || strings.Contains(e.Summary, "Lisbon") {
			t.Errorf("%s stays: %q", e.Name, e.Summary)
		}
	}
}

func TestVerifyIsRefusedToTenants(t *testing.T) {
	t.Parallel()
	client := clienttest.Open(t, annals.Config{Tenant: "acme"})
	if _, err := service.New(client).Verify(t.Context(), "", false); annals.CodeOf(err) != annals.CodeForbidden {
		t.Errorf("Verify: %v", err)
	}
}

// A fact corrected by hand rests on the edit. It no longer cites the episode that says something
// else, and what that episode had ended holds again.
func TestCorrectedFactRestsOnTheEdit(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	talk(t, client)
	find := func() (facts []annals.Fact) {
		t.Helper()
		all, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t", Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range all {
			if strings.Contains(f.Fact, "Lisbon") || strings.Contains(f.Fact, "Porto") {
				facts = append(facts, f)
			}
		}
		return facts
	}
	if facts := find(); len(facts) != 1 || len(facts[0].Episodes) != 1 {
		t.Fatalf("%+v", facts)
	}
	if _, err := client.EditFact(t.Context(), "t", find()[0].ID, annals.FactEdit{Fact: new("Alice moved to Porto.")}); err != nil {
		t.Fatal(err)
	}
	if facts := find(); len(facts) != 1 || len(facts[0].Episodes) != 0 {
		t.Errorf("the corrected fact cites %v", facts[0].Episodes)
	}
	if names, v := brokenIn(t, client, false); len(names) > 0 {
		t.Errorf("broken: %+v", v.Broken())
	}
	undone := clienttest.Alice("Frank moved to Rome.", "2024-05-01")
	clienttest.AddAndProcess(t, client, undone)
	last, err := client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "t", Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Undo(t.Context(), "t", last[0].ID); err != nil {
		t.Fatal(err)
	}
	if facts := find(); len(facts) != 1 || len(facts[0].Episodes) != 0 || !strings.Contains(facts[0].Fact, "Porto") {
		t.Errorf("after an undo: %+v", facts)
	}
	breakIt(t, url, "DELETE FROM annals.episodes WHERE external_id = 'line-moved'")
	if facts := find(); len(facts) != 1 || !strings.Contains(facts[0].Fact, "Porto") { // the word of a person is support enough
		t.Errorf("without its episode: %+v", facts)
	}
	if names, v := brokenIn(t, client, false); len(names) > 0 {
		t.Errorf("without its episode, broken: %+v", v.Broken())
	}
}
