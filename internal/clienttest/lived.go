package clienttest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// Lived fills the group t with a long history: facts that ended, entities that
// were renamed, merged and split, a conversation, communities, an ontology, an
// undone episode, retention, and edits by hand.
func Lived(t testing.TB, client *annals.Client, url string) {
	t.Helper()
	ctx := t.Context()
	var episodes []annals.Episode
	for i, name := range []string{"Bob", "Carol", "Dave", "Erin", "Frank", "Grace"} {
		episodes = append(episodes,
			Alice("I live in Paris with my friend "+name+".", "2023-01-1"+fmt.Sprint(i)),
			Alice(name+" works for Acme and knows Alice's café “Zoë's\nCorner” \\ \u2028.", "2023-02-1"+fmt.Sprint(i)))
	}
	episodes = append(episodes, Alice("I moved to Lisbon last week.", "2024-03-15"), Alice("I moved to Oslo yesterday.", "2024-03-20"))
	episodes[len(episodes)-1].Role = "assistant" // contradicts what she said
	for i := range episodes {
		episodes[i].ThreadID = "talk"
		episodes[i].Metadata = []byte(`{"n": 1.10, "ü": [null, true, "\u0001"]}`)
		episodes[i].ExternalID = fmt.Sprint("line-", i)
	}
	AddAndProcess(t, client, episodes...)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(client.SetOntology(ctx, "t", annals.Ontology{EntityTypes: []graph.EntityType{{Name: "Person", Description: "A human being."}}}))
	_, err := client.BuildCommunities(ctx, "t")
	must(err)
	must(client.Observe(ctx, "t"))
	facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "t", Limit: 100})
	must(err)
	for i, mark := range []graph.Mark{graph.MarkExpires, graph.MarkPinned, graph.MarkUnpinned, graph.MarkUseful, graph.MarkWrong, graph.MarkOutdated} {
		change := service.MarkChange{IDs: []uuid.UUID{facts[i/2].ID}, Mark: mark}
		if mark == graph.MarkExpires {
			change.ExpiresAt = time.Now().Add(time.Hour)
		}
		_, err = service.New(client).Mark(ctx, "t", change)
		must(err)
	}
	_, err = client.KeepAnswer(ctx, annals.Question{
		Query: annals.Query{GroupID: "t", Text: "Where does Alice live?"}, Schema: []byte(`{"type": "object", "properties": {"lives_in": {"type": "string"}}}`),
	})
	must(err)
	_, err = client.SummariseThread(ctx, "t", "talk")
	must(err)
	must(service.New(client).AddInstructions(ctx, service.Scope{GroupID: "t"}, service.PurposeGraph, []service.Instruction{{Name: "tone", Text: "Mind the tone."}}))
	_, err = service.New(client).CreateTemplate(ctx, "t", service.Template{ID: "short", Template: "%{edges}"})
	must(err)
	_, err = client.CreateThread(ctx, annals.NewThread{GroupID: "t", ID: "silent", Metadata: []byte(`{"topic": "none"}`)})
	must(err)
	_, err = Dial(t, url).Exec(ctx, `INSERT INTO annals.users (group_id, email, metadata) VALUES ('t', 'alice@example.com', '{"plan": "pro"}')`)
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
	AddAndProcess(t, client, Alice("Frank moved to Rome.", "2024-05-01"))
	AddAndProcess(t, client, Alice("I work at Hooli.", "2024-05-01"), Alice("I misspoke.", "2024-05-01"))
	_, err = client.BuildCommunities(ctx, "t")
	must(err)
	AddAndProcess(t, client, Alice("Erin moved to Vienna.", "2024-05-02"))
	last, err := client.Episodes(ctx, annals.EpisodeFilter{GroupID: "t", Limit: 1})
	must(err)
	_, err = client.Undo(ctx, "t", last[0].ID)
	must(err)
	learned(t, client)
	must(client.SetRetention(ctx, "t", annals.Retention{MaxAge: 100 * 365 * 24 * time.Hour, MaxEpisodes: 1000}))
	_, err = client.ApplyRetention(ctx, "t", false)
	must(err)
	_, err = client.Add(ctx, Alice("Nobody has read this yet.", "2024-06-01"))
	must(err)
	conn, err := pgx.Connect(ctx, url)
	must(err)
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	for _, edit := range []string{
		`UPDATE annals.facts SET valid = tstzrange('-infinity', 'infinity') WHERE group_id = 't' AND predicate = 'KNOWS'`,
		`UPDATE annals.facts SET valid = tstzrange('0044-03-15 12:00:00.123456', NULL, '()')
			WHERE group_id = 't' AND id = (SELECT id FROM annals.facts WHERE group_id = 't' ORDER BY id LIMIT 1)`,
		`DELETE FROM annals.facts WHERE group_id = 't' AND fact LIKE '%Erin%Acme%'`,
		`UPDATE annals.observations SET proof = proof + 1 WHERE group_id = 't'`,
		`INSERT INTO annals_internal.settings VALUES ('t', 'colour', '{"blue": 1.0}')`,
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
	must(client.Process(ctx, "t", nil)) // the edits hid the standing answer
}

// learned records two runs of a task, from which a skill is learned, and
// approves the skill.
func learned(t testing.TB, client *annals.Client) {
	t.Helper()
	for day := range 2 {
		run, err := annals.Run{Task: "Cut a release", Outcome: "success", Steps: []annals.RunStep{{Tool: "git tag"}}}.Episode("t", time.Date(2024, time.May, 3+day, 0, 0, 0, 0, time.UTC))
		if err != nil {
			t.Fatal(err)
		}
		AddAndProcess(t, client, run)
	}
	skills, err := client.Skills(t.Context(), annals.SkillFilter{GroupID: "t"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := service.New(client).DecideSkill(t.Context(), "t", skills[0].ID, "approve"); err != nil {
		t.Fatal(err)
	}
}
