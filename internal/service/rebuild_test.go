package service_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
)

// told selects everything that a graph says, with the times for which it says so.
const told = `
WITH n AS (SELECT e.group_id, e.id, e.name FROM annals.entities e)
SELECT concat_ws(' | ', 'entity', e.name, (SELECT string_agg(a, ',' ORDER BY a) FROM unnest(e.aliases) a), e.labels::text, e.summary) FROM annals.entities e WHERE e.group_id = 't'
UNION ALL SELECT concat_ws(' | ', 'fact', s.name, f.predicate, o.name, f.fact, f.valid::text, f.kind, f.from_basis, f.until_basis, f.said_at::text, f.ends) FROM annals.facts f
	JOIN n s ON s.group_id = f.group_id AND s.id = f.source_id JOIN n o ON o.group_id = f.group_id AND o.id = f.target_id WHERE f.group_id = 't'
UNION ALL SELECT concat_ws(' | ', 'mention', n.name, e.content) FROM annals.mentions m JOIN n ON n.group_id = m.group_id AND n.id = m.entity_id
	JOIN annals.episodes e ON e.group_id = m.group_id AND e.id = m.episode_id WHERE m.group_id = 't'
UNION ALL SELECT concat_ws(' | ', 'citation', f.fact, c.role, e.content) FROM annals.fact_episodes c JOIN annals.facts f ON f.group_id = c.group_id AND f.id = c.fact_id
	JOIN annals.episodes e ON e.group_id = c.group_id AND e.id = c.episode_id WHERE c.group_id = 't'
UNION ALL SELECT concat_ws(' | ', 'name', k.name_key, n.name) FROM annals_internal.entity_names k JOIN n ON n.group_id = k.group_id AND n.id = k.entity_id WHERE k.group_id = 't'
UNION ALL SELECT concat_ws(' | ', 'mentions', m.name, m.mentions) FROM annals_internal.entity_mentions m WHERE m.group_id = 't'
UNION ALL SELECT concat_ws(' | ', 'postings', p.kind, p.term, count(*), sum(p.tf), sum(p.length)) FROM annals_internal.all_postings p WHERE p.group_id = 't' AND p.kind <> 'community' GROUP BY p.kind, p.term
UNION ALL SELECT concat_ws(' | ', 'vectors', v.kind, count(*)) FROM annals.vectors v WHERE v.group_id = 't' AND v.kind <> 'community' GROUP BY v.kind
UNION ALL SELECT concat_ws(' | ', 'thread', t.id, t.summary) FROM annals.threads t WHERE t.group_id = 't'
UNION ALL SELECT concat_ws(' | ', 'community', (SELECT string_agg(n.name, ',' ORDER BY n.name) FROM annals.community_members m JOIN n ON n.group_id = m.group_id AND n.id = m.entity_id
	WHERE m.group_id = c.group_id AND m.community_id = c.id)) FROM annals.communities c WHERE c.group_id = 't'
ORDER BY 1`

func toldIn(t *testing.T, url string) []string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), told)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// edited makes a memory with dated triples, a withdrawn fact, edited, merged and renamed entities,
// and a fact made in psql, which summaries mention from the next edit on.
func edited(t *testing.T, client *annals.Client, url string) {
	t.Helper()
	talk(t, client)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	_, err := client.AddTriple(ctx, annals.Triple{
		GroupID: "t", Source: graph.TripleEnd{Name: "Carol"}, Predicate: "STUDIED_AT", Target: graph.TripleEnd{Name: "Zquorlex University"},
		Fact: "Carol studied at Zquorlex University.", OccurredAt: time.Date(2024, 4, 1, 0, 0, 0, 0, time.UTC),
		ValidAt: time.Date(2015, 10, 1, 0, 0, 0, 0, time.UTC), InvalidAt: time.Date(2019, 6, 1, 0, 0, 0, 0, time.UTC),
	})
	must(err)
	entities, err := client.Entities(ctx, annals.EntityFilter{GroupID: "t", Limit: 100})
	must(err)
	named := map[string]annals.Entity{}
	for _, e := range entities {
		named[e.Name] = e
	}
	_, err = client.RenameEntity(ctx, "t", named["Bob"].ID, "Robert Vexaquin")
	must(err)
	_, err = client.MergeEntities(ctx, "t", named["Erin"].ID, named["Frank"].ID)
	must(err)
	breakIt(t, url, `INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, statement_id)
		SELECT 't', annals_internal.new_id(), a.id, c.id, 'TRUSTS', 'Alice trusts Carol since the Krungfell affair.', '[2020-01-01,)', annals_internal.new_id()
		FROM annals.entities a, annals.entities c WHERE a.name = 'Alice' AND c.name = 'Carol'`)
	facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "t", Limit: 100})
	must(err)
	withdrawn, corrected := false, false
	for _, f := range facts {
		switch {
		case strings.Contains(f.Fact, "Carol works for Acme"):
			must(client.WithdrawFact(ctx, "t", f.ID))
			withdrawn = true
		case strings.Contains(f.Fact, "Lisbon"):
			_, err := client.EditFact(ctx, "t", f.ID, annals.FactEdit{Fact: new("Alice moved to Lisbon for Plimborgia.")})
			must(err)
			corrected = true
		}
	}
	if !withdrawn || !corrected {
		t.Fatalf("nothing to withdraw or to correct: %+v", facts)
	}
	if _, err := service.New(client).Embed(ctx, "t", nil); err != nil {
		t.Fatal(err)
	}
	_, err = client.BuildCommunities(ctx, "t")
	must(err)
}

// foundFirst returns the facts that searches for rare words find first.
func foundFirst(t *testing.T, client *annals.Client) (facts []string) {
	t.Helper()
	for _, text := range []string{"Zquorlex", "Plimborgia", "Krungfell", "Vexaquin"} {
		r, err := client.Search(t.Context(), annals.Query{GroupID: "t", Text: text, Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		line := text + ":"
		for _, f := range r.Facts {
			line += " " + f.Fact.Fact
		}
		for _, e := range r.Entities {
			line += " " + e.Name
		}
		facts = append(facts, line)
	}
	return facts
}

// Rebuilding an intact graph changes nothing, not even ids and histories.
func TestRebuildLeavesAWholeGraphAlone(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	edited(t, client, url)
	want := toldIn(t, url)
	done, err := service.New(client).Rebuild(t.Context(), "t", false)
	if err != nil {
		t.Fatal(err)
	}
	if done.FactsAdded+done.FactsChanged+done.FactsRemoved+done.EntitiesAdded+done.EntitiesChanged+done.EntitiesRemoved > 0 {
		t.Errorf("rebuilt: %+v", done)
	}
	if diff := cmp.Diff(want, toldIn(t, url)); diff != "" {
		t.Errorf("(-was +is)\n%s", diff)
	}
	if names, v := brokenIn(t, client, false); len(names) > 0 {
		t.Errorf("broken: %+v", v.Broken())
	}
}

// After everything derived was emptied, past every trigger, a rebuild restores it with the same
// times. What was added by hand is unchanged.
func TestRebuildFromWhatWasSaid(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	edited(t, client, url)
	want, answers := toldIn(t, url), foundFirst(t, client)
	breakIt(t, url, `SET session_replication_role = replica;
		CREATE TEMP TABLE hand AS
			SELECT d.subject_id AS id FROM annals.edits d
			UNION SELECT unnest(ARRAY[f.source_id, f.target_id]) FROM annals.facts f JOIN annals.edits d ON d.subject_id = f.id;
		DELETE FROM annals.facts WHERE id NOT IN (SELECT id FROM hand);
		DELETE FROM annals.entities WHERE id NOT IN (SELECT id FROM hand);
		TRUNCATE annals.mentions, annals_internal.postings, annals_internal.posting_blocks, annals_internal.entity_names, annals_internal.entity_mentions, annals_internal.search_statistics, annals_internal.frequent_terms,
			annals_internal.episode_embeddings, annals_internal.entity_embeddings, annals_internal.fact_embeddings, annals_internal.community_embeddings, annals.community_members;
		DELETE FROM annals.fact_episodes c WHERE NOT EXISTS (SELECT FROM annals.facts f WHERE f.id = c.fact_id);
		UPDATE annals.threads SET summary = 'Nobody said this.'`)
	if slices.Equal(toldIn(t, url), want) {
		t.Fatal("nothing was emptied")
	}
	done, err := service.New(client).Rebuild(t.Context(), "t", false)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", done)
	if diff := cmp.Diff(want, toldIn(t, url)); diff != "" {
		t.Errorf("(-was +is)\n%s", diff)
	}
	if diff := cmp.Diff(answers, foundFirst(t, client)); diff != "" {
		t.Errorf("answers (-was +is)\n%s", diff)
	}
	if names, v := brokenIn(t, client, false); len(names) > 0 {
		t.Errorf("broken: %+v", v.Broken())
	}
}

// If triples are the only edits by hand, the whole graph is rebuilt from the episodes alone.
func TestRebuildAnEmptiedGraph(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	talk(t, client)
	if _, err := client.AddTriple(t.Context(), annals.Triple{
		GroupID: "t", Source: graph.TripleEnd{Name: "Carol"}, Predicate: "STUDIED_AT", Target: graph.TripleEnd{Name: "Zquorlex University"},
		Fact: "Carol studied at Zquorlex University.", OccurredAt: time.Date(2024, 4, 1, 0, 0, 0, 0, time.UTC),
		ValidAt: time.Date(2015, 10, 1, 0, 0, 0, 0, time.UTC), InvalidAt: time.Date(2019, 6, 1, 0, 0, 0, 0, time.UTC),
	}); err != nil {
		t.Fatal(err)
	}
	want := toldIn(t, url)
	breakIt(t, url, `TRUNCATE annals.facts, annals.entities, annals.communities, annals_internal.postings, annals_internal.posting_blocks, annals_internal.search_statistics, annals_internal.frequent_terms,
		annals_internal.episode_embeddings, annals_internal.facts_history, annals_internal.entities_history CASCADE`)
	if _, err := service.New(client).Rebuild(t.Context(), "t", false); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, toldIn(t, url)); diff != "" {
		t.Errorf("(-was +is)\n%s", diff)
	}
	if names, v := brokenIn(t, client, false); len(names) > 0 {
		t.Errorf("broken: %+v", v.Broken())
	}
}

// An import is rebuilt from the readings that it contains. An import from another program has none,
// and stays as it is.
func TestRebuildAnImport(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	from, url := clienttest.New(t)
	edited(t, from, url)
	var exported bytes.Buffer
	if _, err := from.Export(t.Context(), "t", &exported, annals.ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	client, url := clienttest.New(t)
	if _, err := client.Import(t.Context(), &exported, annals.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	want := toldIn(t, url)
	if _, err := service.New(client).Rebuild(t.Context(), "t", false); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, toldIn(t, url)); diff != "" {
		t.Errorf("(-was +is)\n%s", diff)
	}
	const foreign = `{"episodes": [{"uuid": "0190a000-0000-7000-8000-000000000001", "content": "Ann knows Ben.", "created_at": "2024-01-01T00:00:00Z", "source": "text"}],
		"nodes": [{"uuid": "0190a000-0000-7000-8000-000000000002", "name": "Ann", "created_at": "2024-01-01T00:00:00Z"},
			{"uuid": "0190a000-0000-7000-8000-000000000003", "name": "Ben", "created_at": "2024-01-01T00:00:00Z"}],
		"edges": [{"uuid": "0190a000-0000-7000-8000-000000000004", "source_node_uuid": "0190a000-0000-7000-8000-000000000002",
			"target_node_uuid": "0190a000-0000-7000-8000-000000000003", "name": "KNOWS", "fact": "Ann has known Ben since Wumbrella.",
			"created_at": "2024-01-01T00:00:00Z", "valid_at": "2019-01-01T00:00:00Z", "episodes": ["0190a000-0000-7000-8000-000000000001"]}]}`
	other, url := clienttest.New(t)
	if _, err := other.Import(t.Context(), strings.NewReader(foreign), annals.ImportOptions{From: "graphiti", GroupID: "t"}); err != nil {
		t.Fatal(err)
	}
	want = toldIn(t, url)
	if _, err := service.New(other).Rebuild(t.Context(), "t", false); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, toldIn(t, url)); diff != "" || !strings.Contains(strings.Join(want, "\n"), "Wumbrella") {
		t.Errorf("of another program (-was +is)\n%s", diff)
	}
}
