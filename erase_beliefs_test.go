package annals_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/model"
)

// Zarathox Quillby is a name, Vexelberg a place; the stem of xylotransit is itself.
var secretWords = []string{"zarathox", "quillby", "vexelberg", "xylotransit"}

// opinionated is a memory in which observations, answers, marks, decisions, withheld rows and the
// audit log also contain the secret.
type opinionated struct {
	*testing.T
	client *annals.Client
	url    string
	secret []uuid.UUID // the episodes with a secret word
	said   int
}

// repeat makes everything around a memory repeat an episode's text: calls of models, an agent,
// failed deliveries and jobs, and replies.
func (o *opinionated) repeat(id uuid.UUID, said string) {
	o.Helper()
	pool, err := db.Open(o.Context(), o.url)
	o.must(err)
	defer pool.Close()
	for _, about := range []uuid.UUID{id, uuid.Nil} {
		o.must(analyst.NewLedger(pool).Record(o.Context(), model.Call{
			Subject: model.Subject{GroupID: "t", EpisodeID: about}, Kind: "chat", Prompt: "ask", Model: "m", Answer: said, Error: said,
		}))
	}
	for _, statement := range []string{
		`UPDATE annals.blocks SET value = value || E'\n' || $1 WHERE group_id = 't' AND $2 <> ''`,
		`UPDATE annals.agents SET summary = $1, last_seq = last_seq + 2 WHERE group_id = 't' AND $2 <> ''`,
		`INSERT INTO annals.agent_steps (group_id, agent_id, step, kind, note) SELECT group_id, id, last_seq, 'eviction', $1 FROM annals.agents WHERE group_id = 't' AND $2 <> ''`,
		`INSERT INTO annals.agent_messages (group_id, agent_id, seq, id, role, kind, content, tokens, occurred_at)
			SELECT group_id, id, last_seq - 1, gen_random_uuid(), 'assistant', 'thought', 'Noted: ' || $1, 3, now() FROM annals.agents WHERE group_id = 't' AND $2 <> ''`,
		`INSERT INTO annals.agent_messages (group_id, agent_id, seq, id, role, kind, content, tokens, occurred_at, episode_id)
			SELECT group_id, id, last_seq, gen_random_uuid(), 'user', 'message', $1, 3, now(), $2::uuid FROM annals.agents WHERE group_id = 't'`,
		`UPDATE annals.webhook_deliveries SET error = $1 WHERE group_id = 't' AND episode_id = $2::uuid`,
		`INSERT INTO annals_internal.river_job (args, kind, max_attempts, state, finalized_at, errors)
			SELECT jsonb_build_object('group_id', 't', 'of', left($2, 0)), k, 25, s::annals_internal.river_job_state, CASE s WHEN 'cancelled' THEN now() END, ARRAY[jsonb_build_object('error', $1::text)]
			FROM (VALUES ('drain', 'cancelled'), ('drain', 'retryable'), ('webhook', 'retryable')) v(k, s)`,
	} {
		_, err := pool.Exec(o.Context(), statement, said, id.String())
		o.must(err)
	}
	request := service.Request{GroupID: "t", Caller: "somebody", Key: id.String()}
	_, err = service.New(o.client).ClaimKey(o.Context(), request)
	o.must(err)
	o.must(service.New(o.client).SaveReply(o.Context(), request, service.Reply{Status: 200, Body: []byte(said)}))
}

// agentOfT makes an agent that is removed with its group.
const agentOfT = `INSERT INTO annals.agents (group_id, id, name) VALUES ('t', '01890000-0000-7000-8000-00000000a9e7', 'sam');
	INSERT INTO annals.blocks (group_id, id, label, value, char_limit) VALUES ('t', '01890000-0000-7000-8000-0000000b10c5', 'human', 'Is kind.', 5000);
	INSERT INTO annals.agent_blocks (group_id, agent_id, block_id) SELECT 't', a.id, b.id FROM annals.agents a, annals.blocks b`

const inbox = "inbox of zarathox quillby"

func (o *opinionated) must(err error) {
	o.Helper()
	if err != nil {
		o.Fatal(err)
	}
}

// say adds a message of today, and returns the facts that it states.
func (o *opinionated) say(e annals.Episode) (uuid.UUID, []annals.Fact) {
	o.Helper()
	o.said++
	e.ExternalID = fmt.Sprintf("%d %s %s", o.said, e.Actor, e.Content) // which deliveries repeat
	id := say(o.T, o.client, e)
	if text := strings.ToLower(e.ExternalID); slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(text, word) }) {
		o.secret = append(o.secret, id)
		o.repeat(id, e.ExternalID)
	}
	facts, err := o.client.Facts(o.Context(), annals.FactFilter{GroupID: "t", Trust: graph.TrustAll, Limit: 100})
	o.must(err)
	stated := slices.DeleteFunc(slices.Clone(facts), func(f annals.Fact) bool { return !slices.Contains(f.Episodes, id) })
	if len(stated) == 0 {
		o.Fatalf("%q states nothing", e.Content)
	}
	return id, stated
}

// newOpinionated plants the secret. With named, the questions, threads and schemas that people
// write contain its name too.
func newOpinionated(t *testing.T, named bool) *opinionated {
	t.Helper()
	client, url := wary(t)
	o := &opinionated{T: t, client: client, url: url}
	ctx, s := annals.WithOrigin(t.Context(), annals.Origin{Door: "rest", Key: "nora"}), service.New(client)
	_, _, err := s.CreateWebhook(ctx, service.WebhookSpec{GroupID: "t", URL: "https://example.com/hook"})
	o.must(err)
	_, err = clienttest.Dial(t, url).Exec(ctx, agentOfT)
	o.must(err)
	thread, question := "inbox", "Who works at Siemens?"
	if named {
		thread, question = inbox, "Does Zarathox Quillby work at Siemens?"
	}
	o.must(s.SetTrustPolicy(ctx, "t", graph.TrustPolicy{Assistants: true, Documents: true, Threads: []string{thread, "post"}, Sources: []string{"mails of " + thread}, Relations: []string{"of " + thread}}))
	o.must(client.Observe(ctx, "t"))
	for _, text := range []string{question, "What does Alice like?", "Where does Alice work?"} {
		schema := `{"type": "object", "properties": {"likes": {"type": "array", "items": {"type": "string"}}, "knows": {"type": "string"}, "works_at": {"type": "string"}}}`
		if named && text != question {
			schema = strings.Replace(schema, `"knows": {`, `"knows": {"description": "such as Zarathox Quillby", `, 1)
		}
		keep(t, client, text, schema)
	}
	mark := func(mark graph.Mark, expires time.Time, ids ...uuid.UUID) {
		t.Helper()
		_, err := s.Mark(ctx, "t", service.MarkChange{IDs: ids, Mark: mark, ExpiresAt: expires})
		o.must(err)
	}
	for _, text := range []string{"I live in Paris.", "I like opera.", "I like Vexelberg.", "I like opera.", "I like Vexelberg.", "I like Vexelberg."} {
		id, facts := o.say(annals.Episode{Actor: "Alice", Content: text, ThreadID: "talk"})
		mark(graph.MarkPinned, time.Time{}, id, facts[0].ID, facts[0].TargetID)
		mark(graph.MarkUseful, time.Time{}, id, facts[0].ID)
		mark(graph.MarkUnpinned, time.Time{}, facts[0].TargetID)
	}
	_, opera := o.say(annals.Episode{Actor: "Zarathox Quillby", Content: "Alice likes opera."}) // told by both
	mark(graph.MarkExpires, time.Now().Add(time.Hour), opera[0].Episodes[2])
	mark(graph.MarkKeeps, time.Time{}, opera[0].Episodes[2])
	_, works := o.say(annals.Episode{Actor: "Helper", Role: "assistant", Content: "Zarathox Quillby works at Siemens."})
	_, err = s.Confirm(ctx, "t", []uuid.UUID{works[0].ID}, true)
	o.must(err)
	mark(graph.MarkWrong, time.Time{}, works[0].ID)
	released, _ := o.say(annals.Episode{Source: graph.SourceText, ThreadID: thread, Content: "Alice works at Vexelberg."})
	_, err = s.Release(ctx, "t", service.Release{EpisodeIDs: []uuid.UUID{released}})
	o.must(err)
	o.say(annals.Episode{Source: graph.SourceText, ThreadID: thread, Content: "Alice likes the Xylotransit. Zarathox Quillby lives in Vexelberg."}) // stays in quarantine
	o.must(client.Observe(ctx, "t"))
	_, err = s.Confirm(ctx, "t", []uuid.UUID{works[0].ID}, false)
	o.must(err)
	_, err = s.Confirm(ctx, "t", []uuid.UUID{works[0].ID}, true)
	o.must(err)
	_, err = client.SummariseThread(ctx, "t", "talk")
	o.must(err)
	o.must(client.Process(ctx, "t", nil))
	for range 2 { // the second leaves a former version
		_, err = client.BuildCommunities(ctx, "t")
		o.must(err)
		o.say(annals.Episode{Actor: "Zarathox Quillby", Content: "I live in Vexelberg. I like xylotransit rides."})
	}
	want := []string{
		"observations.observation", "observations_history.observation", "answers.body", "answers_history.body", "facts_history.fact", "episodes.content", "pg_dump",
		"communities.summary", "communities_history.summary", "model_calls.answer", "model_calls.error", "agents.summary", "agent_messages.content", "agent_steps.note",
		"blocks.value", "blocks_history.value", "webhook_deliveries.payload", "webhook_deliveries.error", "river_job.errors", "replies.body", "threads.summary",
		"entities_history.name", "all_postings.term",
	}
	if named {
		want = append(want, "answers.question", "answers.schema", "answers_history.question", "groups.hold_threads", "groups.hold_sources")
	}
	found := pgtest.Traces(t, url, secretWords...)
	for _, column := range want {
		if !slices.Contains(found, column) {
			t.Fatalf("%s has none of the words; the scan would find nothing there anyway: %v", column, found)
		}
	}
	if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.marks WHERE subject_id = ANY ($1)`, o.secret); n == 0 {
		t.Fatal("nothing that is secret is marked")
	}
	return o
}

// ids lists the ids of the rows that rest on the secret alone.
func (o *opinionated) ids() []string {
	o.Helper()
	facts, err := o.client.Facts(o.Context(), annals.FactFilter{GroupID: "t", Trust: graph.TrustAll, Limit: 100})
	o.must(err)
	var out []string
	for _, id := range o.secret {
		out = append(out, id.String())
	}
	for _, f := range facts {
		if !slices.ContainsFunc(f.Episodes, func(id uuid.UUID) bool { return !slices.Contains(o.secret, id) }) {
			out = append(out, f.ID.String())
		}
	}
	return out
}

// whole checks that the audit log is complete, and that all checks of the memory pass.
func (o *opinionated) whole() {
	o.Helper()
	if found := auditBreaks(o.T, o.url); len(found) != 0 {
		o.Errorf("the audit is broken at %q", found)
	}
	verified, err := service.New(o.client).Verify(o.Context(), "", false)
	o.must(err)
	for _, c := range verified.Checks {
		if c.Found > 0 {
			o.Errorf("verify finds %+v", c)
		}
	}
}

// Erasing episodes also erases the observations, answers, marks, confirmations and releases that
// rest on them, in every version, and keeps the audit log complete.
func TestErasingEpisodesReachesBeliefs(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	o := newOpinionated(t, false)
	ids := o.ids()
	_, err := o.client.Erase(t.Context(), annals.Erasure{GroupID: "t", EpisodeIDs: o.secret, AnyReader: true})
	o.must(err)
	if found := pgtest.Traces(t, o.url, secretWords...); len(found) > 0 {
		t.Errorf("still found in %v", found)
	}
	// The audit log names rows of decisions by id, as the certificate does.
	onRecord := []string{"edits.subject_id", "erasures.certificate", "pg_dump"}
	if found := slices.DeleteFunc(pgtest.Traces(t, o.url, ids...), func(c string) bool { return slices.Contains(onRecord, c) }); len(found) > 0 {
		t.Errorf("ids are still found in %v", found)
	}
	o.whole()
	o.must(o.client.Process(t.Context(), "t", nil))
	for _, s := range o.standing() {
		if s.Answer == nil || strings.HasPrefix(s.Question, "What") && !strings.Contains(s.Text(), "opera") {
			t.Errorf("of what is left it is said %q: %q", s.Question, s.Text())
		}
	}
	if found := pgtest.Traces(t, o.url, secretWords...); len(found) > 0 {
		t.Errorf("asked anew, found in %v", found)
	}
}

func (o *opinionated) standing() []annals.StandingAnswer {
	o.Helper()
	list, err := o.client.StandingAnswers(o.Context(), annals.StandingFilter{GroupID: "t"})
	o.must(err)
	return list
}

// Erasing an entity also reaches what people wrote about it: questions, schemas, and the threads
// that a policy names.
func TestErasingAnEntityReachesBeliefs(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	o := newOpinionated(t, true)
	entity, err := o.client.Entity(t.Context(), "t", "Zarathox Quillby")
	o.must(err)
	_, err = o.client.Erase(t.Context(), annals.Erasure{GroupID: "t", EntityID: entity.ID})
	o.must(err)
	// Others mentioned Vexelberg too; the Xylotransit occurs only beside the name.
	if found := pgtest.Traces(t, o.url, "zarathox", "quillby", "xylotransit"); len(found) > 0 {
		t.Errorf("still found in %v", found)
	}
	o.whole()
	policy, err := service.New(o.client).TrustPolicy(t.Context(), "t")
	if err != nil || !policy.Documents || !slices.Equal(policy.Threads, []string{"post"}) {
		t.Errorf("the policy is %+v, %v", policy, err)
	}
}

// Erasing a user leaves only the record of the erasure, in the service's chain.
func TestErasingAUserReachesBeliefs(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	o := newOpinionated(t, true)
	ids := o.ids()
	_, err := clienttest.Dial(t, o.url).Exec(t.Context(), `UPDATE annals.groups SET kind = 'user'`)
	o.must(err)
	_, err = o.client.Erase(t.Context(), annals.Erasure{UserID: "t"})
	o.must(err)
	if found := pgtest.Traces(t, o.url, append(ids, secretWords...)...); len(found) > 0 {
		t.Errorf("still found in %v", found)
	}
	for _, table := range []string{
		"annals.observations", "annals_internal.observations_history", "annals.answers", "annals_internal.answers_history", "annals_internal.answer_rows",
		"annals.marks", "annals.edits",
	} {
		if n := clienttest.Count(t, o.url, "SELECT count(*) FROM "+table); n > 0 {
			t.Errorf("%s has %d rows", table, n)
		}
	}
	o.whole()
}

// Undoing removes a statement from all that is believed now; the history keeps it.
func TestUndoingReachesBeliefs(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	o := newOpinionated(t, false)
	before := time.Now()
	_, err := o.client.UndoAll(t.Context(), annals.Undoing{GroupID: "t", EpisodeIDs: o.secret, AnyReader: true})
	o.must(err)
	look := func(when string) {
		t.Helper()
		for _, column := range pgtest.Traces(t, o.url, secretWords...) {
			table, _, _ := strings.Cut(column, ".")
			if strings.HasPrefix(table, "observation") && !strings.HasPrefix(table, "observations_history") && table != "observation_versions" ||
				table == "answers" || table == "facts" || table == "entities" || table == "episodes" || table == "communities" || table == "threads" {
				t.Errorf("%s, %s has it", when, column)
			}
		}
		for name, text := range everythingShown(t, o.client, o.url) {
			if name != "known" && slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(strings.ToLower(text), word) }) {
				t.Errorf("%s, %s shows it: %s", when, name, text)
			}
		}
	}
	look("undone")
	o.must(o.client.Process(t.Context(), "t", nil))
	look("asked anew")
	o.whole()
	known := ""
	for _, s := range o.standing() {
		known += s.Text()
	}
	then, err := o.client.StandingAnswers(t.Context(), annals.StandingFilter{GroupID: "t", KnownAt: before})
	o.must(err)
	was := ""
	for _, s := range then {
		was += s.Text()
	}
	if strings.Contains(known, "Vexelberg") || !strings.Contains(was, "Vexelberg") {
		t.Errorf("now it is said %q, and was before %q", known, was)
	}
}
