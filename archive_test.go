package annals_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/service"
)

func export(t *testing.T, client *annals.Client, group string, options annals.ExportOptions) []byte {
	t.Helper()
	var file bytes.Buffer
	if _, err := client.Export(t.Context(), group, &file, options); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// lived makes a group with a past: facts that ended, entities that were renamed,
// merged and split, a conversation, communities, an ontology, an episode that was
// taken back, retention, edits by hand.
func lived(t *testing.T, client *annals.Client, url string) {
	t.Helper()
	ctx := t.Context()
	var episodes []annals.Episode
	for i, name := range []string{"Bob", "Carol", "Dave", "Erin", "Frank", "Grace"} {
		episodes = append(episodes,
			alice("I live in Paris with my friend "+name+".", "2023-01-1"+fmt.Sprint(i)),
			alice(name+" works for Acme and knows Alice's café “Zoë's\nCorner” \\ \u2028.", "2023-02-1"+fmt.Sprint(i)))
	}
	episodes = append(episodes, alice("I moved to Lisbon last week.", "2024-03-15"))
	for i := range episodes {
		episodes[i].ThreadID = "talk"
		episodes[i].Metadata = []byte(`{"n": 1.10, "ü": [null, true, "\u0001"]}`)
		episodes[i].ExternalID = fmt.Sprint("line-", i)
	}
	addAndProcess(t, client, episodes...)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(client.SetOntology(ctx, "t", annals.Ontology{EntityTypes: []graph.EntityType{{Name: "Person", Description: "A human being."}}}))
	_, err := client.BuildCommunities(ctx, "t")
	must(err)
	_, err = client.SummariseThread(ctx, "t", "talk")
	must(err)
	must(service.New(client).AddInstructions(ctx, service.Scope{GroupID: "t"}, service.PurposeGraph, []service.Instruction{{Name: "tone", Text: "Mind the tone."}}))
	_, err = service.New(client).CreateTemplate(ctx, "t", service.Template{ID: "short", Template: "%{edges}"})
	must(err)
	_, err = client.CreateThread(ctx, annals.NewThread{GroupID: "t", ID: "silent", Metadata: []byte(`{"topic": "none"}`)})
	must(err)
	_, err = dial(t, url).Exec(ctx, `INSERT INTO annals.users (group_id, email, metadata) VALUES ('t', 'alice@example.com', '{"plan": "pro"}')`)
	must(err)
	named := map[string]annals.Entity{}
	entities, err := client.Entities(ctx, annals.EntityFilter{GroupID: "t", Limit: 100})
	must(err)
	for _, e := range entities {
		named[e.Name] = e
	}
	_, err = client.RenameEntity(ctx, "t", named["Bob"].ID, "Robert")
	must(err)
	_, err = client.MergeEntities(ctx, "t", named["Carol"].ID, named["Dave"].ID)
	must(err)
	addAndProcess(t, client, alice("Frank moved to Rome.", "2024-05-01"))
	_, err = client.BuildCommunities(ctx, "t")
	must(err)
	addAndProcess(t, client, alice("Erin moved to Vienna.", "2024-05-02"))
	last, err := client.Episodes(ctx, annals.EpisodeFilter{GroupID: "t", Limit: 1})
	must(err)
	_, err = client.DeleteEpisode(ctx, "t", last[0].ID)
	must(err)
	must(client.SetRetention(ctx, "t", annals.Retention{MaxAge: 100 * 365 * 24 * time.Hour, MaxEpisodes: 1000}))
	_, err = client.ApplyRetention(ctx, "t", false)
	must(err)
	_, err = client.Add(ctx, alice("Nobody has read this yet.", "2024-06-01"))
	must(err)
	conn, err := pgx.Connect(ctx, url)
	must(err)
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	for _, edit := range []string{
		`UPDATE annals.facts SET valid = tstzrange('-infinity', 'infinity') WHERE group_id = 't' AND predicate = 'KNOWS'`,
		`UPDATE annals.facts SET valid = tstzrange('0044-03-15 12:00:00.123456 BC', NULL, '()')
			WHERE group_id = 't' AND id = (SELECT id FROM annals.facts WHERE group_id = 't' ORDER BY id LIMIT 1)`,
		`DELETE FROM annals.facts WHERE group_id = 't' AND fact LIKE '%Erin%Acme%'`,
		`INSERT INTO annals.settings VALUES ('t', 'colour', '{"blue": 1.0}')`,
		`INSERT INTO annals.model_calls (group_id, id, kind, prompt, version, model, key, input_tokens, cached_tokens,
			output_tokens, latency, cost, from_cache, repair, answer)
			VALUES ('t', gen_random_uuid(), 'chat', 'p', 1, 'm:x', '\x00ff', 1, 2, 3, '1.234567 s', 0.00010, false, false, '{"a": 1}')`,
		`INSERT INTO annals.agents (group_id, id, name, settings, heartbeat_seconds, last_seq)
			VALUES ('t', '00000000-0000-7000-8000-00000000a9e7', 'sam', '{"window": 4000}', 60, 1)`,
		`INSERT INTO annals.blocks (group_id, id, label, value, char_limit) VALUES ('t', '00000000-0000-7000-8000-0000000b10c5', 'human', 'Eva', 100)`,
		`UPDATE annals.blocks SET value = 'Eva Li' WHERE group_id = 't'`,
		`INSERT INTO annals.agent_blocks (group_id, agent_id, block_id) SELECT 't', a.id, b.id FROM annals.agents a, annals.blocks b`,
		`INSERT INTO annals.agent_messages (group_id, agent_id, seq, id, role, kind, content, tokens, occurred_at, episode_id)
			SELECT 't', a.id, 1, gen_random_uuid(), 'user', 'message', 'Hi', 3, now(), (SELECT id FROM annals.episodes WHERE group_id = 't' LIMIT 1)
			FROM annals.agents a`,
		`INSERT INTO annals.agent_steps (group_id, agent_id, step, kind, note) SELECT 't', id, 1, 'answer', 'a note' FROM annals.agents`,
		`INSERT INTO annals.agent_files (group_id, agent_id, id, name, content, lines, chunks, open_from, open_to, opened_at)
			SELECT 't', id, gen_random_uuid(), 'notes.txt', 'One\nTwo', 2, 1, 0, 2, now() FROM annals.agents`,
		`UPDATE annals.episodes SET state = 'failed', error = 'no luck' WHERE group_id = 't' AND state = 'pending'`,
	} {
		_, err := conn.Exec(ctx, edit)
		must(err)
	}
}

func TestExportImportExport(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]annals.ExportOptions{"without vectors": {}, "with vectors": {Vectors: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			here, url := open(t)
			lived(t, here, url)
			file := export(t, here, "t", options)
			for _, table := range db.MovedTables {
				if got := bytes.Contains(file, []byte(`{"table":"`+table.Name+`"`)); got == table.Vectors && !options.Vectors {
					t.Errorf("rows of %s in the export: %v", table.Name, got)
				}
			}
			there, thereURL := open(t)
			if _, err := there.Import(t.Context(), bytes.NewReader(file), annals.ImportOptions{}); err != nil {
				t.Fatal(err)
			}
			if again := export(t, there, "t", options); !bytes.Equal(file, again) {
				t.Errorf("the export of the import differs: %s", firstDifference(file, again))
			}
			sameDerived(t, url, thereURL)
			sameAnswers(t, here, there)
		})
	}
}

func firstDifference(a, b []byte) string {
	x, y := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("line %d:\n%s\n%s", i+1, x[i], y[i])
		}
	}
	return fmt.Sprintf("%d and %d lines", len(x), len(y))
}

// sameDerived compares what the triggers and the embedder made of the rows.
func sameDerived(t *testing.T, url, other string) {
	t.Helper()
	read := func(url, query string) []string {
		conn, err := pgx.Connect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
		rows, err := conn.Query(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		return lines
	}
	for _, query := range []string{
		`SELECT p::text FROM annals.postings p ORDER BY 1`,
		`SELECT n::text FROM annals.entity_names n ORDER BY 1`,
		`SELECT (e.id, e.terms, e.length, encode(e.content_hash, 'hex'))::text FROM annals.episodes e ORDER BY 1`,
		`SELECT (f.id, f.terms, f.length)::text FROM annals.facts f ORDER BY 1`,
		`SELECT (n.id, n.terms, n.length)::text FROM annals.entities n ORDER BY 1`,
		`SELECT (c.id, c.terms, c.length)::text FROM annals.communities c ORDER BY 1`,
		`SELECT (f.id, f.recorded, f.terms, f.length)::text FROM annals.facts_history f ORDER BY 1`,
		`SELECT (n.id, n.recorded, n.terms, n.length)::text FROM annals.entities_history n ORDER BY 1`,
		`SELECT (c.id, c.recorded, c.terms, c.length)::text FROM annals.communities_history c ORDER BY 1`,
		`SELECT v::text FROM annals.entity_embeddings v ORDER BY 1`,
		`SELECT v::text FROM annals.fact_embeddings v ORDER BY 1`,
		`SELECT v::text FROM annals.episode_embeddings v ORDER BY 1`,
		`SELECT v::text FROM annals.community_embeddings v ORDER BY 1`,
	} {
		want, got := read(url, query), read(other, query)
		if len(want) == 0 || !slices.Equal(want, got) {
			t.Errorf("%s: %d rows, then %d, or others", query, len(want), len(got))
		}
	}
}

func sameAnswers(t *testing.T, here, there *annals.Client) {
	t.Helper()
	query := annals.Query{GroupID: "t", Text: "Where does Alice live?"}
	want, err := here.Context(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	got, err := there.Context(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	if want != got {
		t.Errorf("the same question has another answer:\n%s\n%s", want, got)
	}
}
