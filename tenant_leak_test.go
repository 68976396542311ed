package annals_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/answer"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/model"
)

// The leak tests: ten tenants, or fifty, have rows with the same ids in every table, with different
// groups and a word of their own. The last one, the stranger, has ids of its own. No call of one
// tenant may return rows of another.

const stranger = 49

func leakTenants() int { return slow.Of(10, stranger+1, stranger+1) }

func tenantName(i int) string { return fmt.Sprintf("tenant-%02d", i) }

func secret(i int) string { return fmt.Sprintf("secret%02dx", i) }

var anySecret = regexp.MustCompile(`secret\d\dx|tenant-\d\d`)

// foreign lists the parts of a text that belong to other tenants than i.
func foreign(text string, i int) []string {
	found := slices.DeleteFunc(anySecret.FindAllString(text, -1), func(s string) bool { return s == secret(i) || s == tenantName(i) })
	slices.Sort(found)
	return slices.Compact(found)
}

// leak is a database with the tenants.
type leak struct {
	*testing.T
	url                   string
	owner                 *pgxpool.Pool
	tables, views         []string
	episode, fact, entity uuid.UUID
	other, observation    uuid.UUID // an entity, and an observation of one
	answer                uuid.UUID // a standing answer
	skill                 uuid.UUID
	ids                   []uuid.UUID
	said                  []uuid.UUID // episodes
	archive               string      // an export of a group
}

// forms are views without rows, used as result types of functions.
var forms = []string{"annals_internal.erased", "annals_internal.ranked"}

func newLeak(t *testing.T) *leak {
	t.Helper()
	l := &leak{T: t, url: pgtest.New(t)}
	client := clienttest.Open(t, annals.Config{DatabaseURL: l.url})
	var err error
	if l.owner, err = db.Open(t.Context(), l.url); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.owner.Close)
	l.tables, l.views = l.texts(relations, []string{"r", "p"}), l.texts(relations, []string{"v", "m"})
	// Not of a tenant: see keysAreInvisible, and erasedGroupsAreHidden.
	l.tables = slices.DeleteFunc(l.tables, func(table string) bool {
		return table == "annals_internal.api_keys" || table == "annals_internal.erased_groups"
	})
	l.views = slices.DeleteFunc(l.views, func(view string) bool { return slices.Contains(forms, view) })
	for _, form := range forms {
		if rows := l.texts("SELECT f::text FROM " + form + " f"); len(rows) > 0 {
			t.Errorf("%s holds rows, which are of no group: %q", form, rows)
		}
	}
	l.tell(client)
	for _, table := range l.tables {
		l.fill(table)
	}
	l.multiply()
	return l
}

// register stores an application's rows about a group: its user and what it keeps.
func (l *leak) register(client *annals.Client, group string) {
	l.Helper()
	l.try(service.New(client).AddInstructions(l.Context(), service.Scope{GroupID: group}, service.PurposeGraph, []service.Instruction{{Name: secret(0), Text: "Mind " + secret(0)}}))
	_, err := service.New(client).CreateTemplate(l.Context(), group, service.Template{ID: "template", Template: "%{edges} " + secret(0)})
	l.try(err)
	_, err = client.CreateThread(l.Context(), annals.NewThread{GroupID: group, ID: "thread-" + secret(0)})
	l.try(err)
	batch, err := service.New(client).CreateBatch(l.Context(), group, service.Batch{})
	l.try(err)
	_, err = service.New(client).AddToBatch(l.Context(), group, batch.ID, []annals.Episode{{GroupID: group, Source: graph.SourceText, Content: "Later " + secret(0)}})
	l.try(err)
	_, err = l.owner.Exec(l.Context(), `INSERT INTO annals.users (group_id, first_name) VALUES ($1, $2)`, group, secret(0))
	l.try(err)
}

const relations = `SELECT oid::regclass::text FROM pg_class WHERE relnamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace) AND relkind::text = ANY($1)
	AND relname <> 'migrations' AND relname !~ '^river_' ORDER BY relname`

func (l *leak) texts(query string, args ...any) []string {
	l.Helper()
	rows, err := l.owner.Query(l.Context(), query, args...)
	if err != nil {
		l.Fatal(err)
	}
	texts, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		l.Fatal(err)
	}
	return texts
}

func (l *leak) try(err error) {
	l.Helper()
	if err != nil {
		l.Fatal(err)
	}
}

// tell makes rows of every kind for the first tenant.
func (l *leak) tell(client *annals.Client) {
	l.Helper()
	ctx, group := l.Context(), tenantName(0)
	say := func(content string) annals.Episode {
		return annals.Episode{GroupID: group, Actor: "Alice " + secret(0), Content: content, ThreadID: "thread", Name: secret(0)}
	}
	stored, err := client.AddAll(ctx, []annals.Episode{
		say("I live in Paris. " + secret(0)), say("I work at Acme. " + secret(0)), say("I moved to Lisbon. " + secret(0)),
		say("My sister Ingrid lives in Oslo. " + secret(0)), // second-hand, so it waits for a review
	})
	l.try(err)
	l.episode, l.said = stored[0].ID, []uuid.UUID{stored[0].ID, stored[1].ID, stored[2].ID}
	_, _, err = service.New(client).CreateWebhook(ctx, service.WebhookSpec{GroupID: group, URL: "https://example.com/" + secret(0)})
	l.try(err)
	l.try(client.SetOntology(ctx, group, annals.Ontology{Instructions: "Mind " + secret(0)}))
	l.try(service.New(client).SetTrustPolicy(ctx, group, service.TrustPolicy{Threads: []string{"post of " + secret(0)}}))
	l.try(client.Process(ctx, group, nil))
	l.learn(client, group)
	triple := func(source, target string) annals.AddedTriple {
		added, err := client.AddTriple(ctx, annals.Triple{
			GroupID: group, Source: graph.TripleEnd{Name: source}, Predicate: "KNOWS", Target: graph.TripleEnd{Name: target},
			Fact: source + " knows " + target + " " + secret(0) + ".",
		})
		l.try(err)
		return added
	}
	added := triple("Bob", "Carol")
	triple("Bob", "Carol")
	_, err = service.New(client).Mark(ctx, group, service.MarkChange{IDs: []uuid.UUID{added.FactID}, Mark: graph.MarkUseful})
	l.try(err)
	l.try(client.Observe(ctx, group))
	triple("Bob", "Carol")
	l.try(client.Observe(ctx, group))                                     // and makes a former version
	l.try(client.WithdrawFact(ctx, group, triple("Eve", "Frank").FactID)) // makes a rejection
	_, err = l.owner.Exec(ctx, `UPDATE annals.facts SET kind = 'state', valid = '[2024-01-01,2024-02-01)' WHERE group_id = $1 AND id = $2`, group, triple("Gina", "Hans").FactID)
	l.try(err)
	twin := triple("Bobby", "Dora")
	l.fact, l.entity, l.other = added.FactID, added.SourceID, added.TargetID
	_, err = client.RenameEntity(ctx, group, twin.SourceID, "Bobby "+secret(0))
	l.try(err)
	_, err = client.MergeEntities(ctx, group, twin.SourceID, added.SourceID)
	l.try(err)
	_, err = client.RenameEntity(ctx, group, l.entity, "Bob "+secret(0))
	l.try(err)
	_, err = client.RenameEntity(ctx, group, l.other, "Carol "+secret(0))
	l.try(err)
	_, err = client.BuildCommunities(ctx, group)
	l.try(err)
	_, err = client.SummariseThread(ctx, group, "thread")
	l.try(err)
	l.register(client, group)
	l.try(analyst.NewLedger(l.owner).Record(ctx, model.Call{
		Subject: model.Subject{GroupID: group, EpisodeID: l.episode}, Kind: "chat", Prompt: "extract_facts", Model: "m", Answer: secret(0),
	}))
	forgotten, err := client.Add(ctx, annals.Episode{GroupID: group, Content: "This is to be erased."})
	l.try(err)
	_, err = client.Erase(ctx, annals.Erasure{GroupID: group, EpisodeIDs: []uuid.UUID{forgotten.ID}, AnyReader: true, Later: true})
	l.try(err)
	request := service.Request{GroupID: group, Caller: secret(0), Key: secret(0)}
	_, err = service.New(client).ClaimKey(ctx, request)
	l.try(err)
	l.try(service.New(client).SaveReply(ctx, request, service.Reply{Status: 200}))
	_, err = l.owner.Exec(ctx, `UPDATE annals.communities SET name = name || $2, summary = summary || $2 WHERE group_id = $1;`, group, " "+secret(0))
	l.try(err)
	for _, statement := range agentRows {
		_, err = l.owner.Exec(ctx, statement, group, secret(0))
		l.try(err)
	}
	observed, err := client.Observations(ctx, annals.ObservationFilter{GroupID: group, Ended: true})
	l.try(err)
	l.observation = observed[0].ID
	for _, tokens := range []int{answer.DefaultTokens, 1000} { // the second makes a former version
		kept, err := client.KeepAnswer(ctx, annals.Question{Query: annals.Query{GroupID: group, Text: "Who is Bob " + secret(0) + "?"}, Tokens: tokens})
		l.try(err)
		l.answer = kept.ID
	}
	_, err = l.owner.Exec(ctx, `INSERT INTO annals.marks (group_id, kind, subject_id, mark, since, expires_at, written_by)
		VALUES ($1, 'fact', '01890000-0000-7000-8000-0000000000fa', 'expires', now() - interval '2 hours', now() - interval '1 hour', $2)`, group, secret(0))
	l.try(err)
	l.ids = []uuid.UUID{l.episode, l.fact, l.entity, l.other, twin.SourceID}
}

// learn has the first tenant's agents do a task, from which a skill is learned and approved.
func (l *leak) learn(client *annals.Client, group string) {
	l.Helper()
	for range 2 { // the second makes a former version
		run, err := annals.Run{Task: "Deploy " + secret(0), Outcome: "success", Steps: []annals.RunStep{{Tool: secret(0)}}}.Episode(group, time.Time{})
		l.try(err)
		_, err = client.Add(l.Context(), run)
		l.try(err)
		l.try(client.Process(l.Context(), group, nil))
	}
	skills, err := client.Skills(l.Context(), annals.SkillFilter{GroupID: group})
	l.try(err)
	l.skill = skills[0].ID
	_, err = service.New(client).DecideSkill(l.Context(), group, l.skill, "approve")
	l.try(err)
}

// agentRows are the rows of an agent.
var agentRows = []string{
	`INSERT INTO annals.agents (group_id, id, name, summary, last_seq) VALUES ($1, '01890000-0000-7000-8000-00000000a9e7', 'sam', $2, 1)`,
	`INSERT INTO annals.blocks (group_id, id, label, value, char_limit) VALUES ($1, '01890000-0000-7000-8000-0000000b10c5', 'human', $2, 100)`,
	`UPDATE annals.blocks SET value = 'Eva ' || $2 WHERE group_id = $1`,
	`INSERT INTO annals.agent_blocks (group_id, agent_id, block_id)
		SELECT $1, a.id, b.id FROM annals.agents a, annals.blocks b WHERE $2 <> '' AND a.group_id = $1 AND b.group_id = $1`,
	`INSERT INTO annals.agent_messages (group_id, agent_id, seq, id, role, kind, content, tokens, occurred_at)
		SELECT $1, id, 1, '01890000-0000-7000-8000-0000000005a9', 'user', 'message', $2, 3, now() FROM annals.agents WHERE group_id = $1`,
	`INSERT INTO annals.agent_steps (group_id, agent_id, step, kind, note) SELECT $1, id, 1, 'answer', $2 FROM annals.agents WHERE group_id = $1`,
	`INSERT INTO annals.agent_files (group_id, agent_id, id, name, content, lines, chunks)
		SELECT $1, id, '01890000-0000-7000-8000-00000000f11e', 'notes', $2, 1, 1 FROM annals.agents WHERE group_id = $1`,
}

// sample selects a value for a column of a type, for tables that no call of a client has filled.
const sample = `SELECT a.attname::text || '=' || CASE
		WHEN a.attname = 'group_id' THEN $2
		WHEN t.typtype = 'e' THEN (SELECT enumlabel::text FROM pg_enum WHERE enumtypid = t.oid ORDER BY enumsortorder LIMIT 1)
		WHEN t.typcategory = 'N' THEN '1' WHEN t.typcategory = 'B' THEN 'false' WHEN t.typcategory = 'D' THEN '2024-01-01'
		WHEN t.typcategory = 'T' THEN '1 s' WHEN t.typcategory = 'A' THEN '{}' WHEN t.typname = 'uuid' THEN '01890000-0000-7000-8000-000000000001'
		WHEN t.typname = 'bytea' THEN '\x01' WHEN t.typname = 'jsonb' THEN '{}' WHEN t.typname = 'tstzrange' THEN '[2024-01-01,2025-01-01)'
		ELSE 'fact' END
	FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
	WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND (a.attnotnull AND NOT a.atthasdef OR a.attname = 'group_id')`

// fill adds a row of the first tenant to a table that has none.
func (l *leak) fill(table string) {
	l.Helper()
	if l.count("SELECT count(*) FROM "+table+" WHERE group_id = $1", tenantName(0)) > 0 {
		return
	}
	row := map[string]string{}
	for _, pair := range l.texts(sample, table, tenantName(0)) {
		column, value, _ := strings.Cut(pair, "=")
		row[column] = value
	}
	columns, values, args := []string{}, []string{}, []any{}
	for column, value := range row {
		columns, args = append(columns, pgx.Identifier{column}.Sanitize()), append(args, value)
		values = append(values, fmt.Sprintf("$%d", len(args)))
	}
	l.asReplica(func(tx pgx.Tx) error {
		_, err := tx.Exec(l.Context(), "INSERT INTO "+table+" ("+strings.Join(columns, ", ")+
			") VALUES ("+strings.Join(values, ", ")+")", append([]any{pgx.QueryExecModeSimpleProtocol}, args...)...)
		if err != nil {
			return fmt.Errorf("the leak suite has no row for the table %s; add one that a client makes: %w", table, err)
		}
		return nil
	})
}

// asReplica writes without triggers and foreign keys.
func (l *leak) asReplica(write func(pgx.Tx) error) {
	l.Helper()
	l.try(pgx.BeginFunc(l.Context(), l.owner, func(tx pgx.Tx) error {
		if _, err := tx.Exec(l.Context(), `SET LOCAL session_replication_role = replica`); err != nil {
			return err
		}
		return write(tx)
	}))
}

// columns returns the writable columns of a table.
func (l *leak) columns(table string) string {
	l.Helper()
	return strings.Join(l.texts(`SELECT quote_ident(attname) FROM pg_attribute
		WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`, table), ", ")
}

// multiply copies the rows of the first tenant to all others, each with its own group and words,
// under the same ids, and to the stranger under ids whose third part begins with 8.
func (l *leak) multiply() {
	l.Helper()
	l.asReplica(func(tx pgx.Tx) error {
		for _, table := range l.tables {
			columns := l.columns(table)
			_, err := tx.Exec(l.Context(), `INSERT INTO `+table+` (`+columns+`) SELECT `+columns+` FROM (SELECT (jsonb_populate_record(NULL::`+table+`,
				regexp_replace(regexp_replace(CASE n WHEN $1 THEN regexp_replace(to_jsonb(r)::text, $2, '\18\2', 'g') ELSE to_jsonb(r)::text END,
					'secret00x', 'secret' || i || 'x', 'gi'), 'tenant-00', 'tenant-' || i, 'g')::jsonb)).*
				FROM `+table+` r, (SELECT n, lpad(n::text, 2, '0') FROM generate_series(1, $1::int) n WHERE n < $3 OR n = $1) s(n, i) WHERE r.group_id = 'tenant-00') x`,
				stranger, `([0-9a-f]{8}-[0-9a-f]{4}-)[0-9a-f]([0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})`, leakTenants()-1)
			if err != nil {
				return fmt.Errorf("multiply %s: %w", table, err)
			}
		}
		return nil
	})
	_, err := l.owner.Exec(l.Context(), "ANALYZE")
	l.try(err)
}

func (l *leak) count(query string, args ...any) (n int) {
	l.Helper()
	l.try(l.owner.QueryRow(l.Context(), query, args...).Scan(&n))
	return n
}

// as runs statements as a bound client does, and rolls them back.
func (l *leak) as(pool db.Pool, group string, do func(pgx.Tx)) {
	l.Helper()
	tx, err := db.Tenant(pool, group).Begin(l.Context())
	l.try(err)
	do(tx)
	l.try(tx.Rollback(l.Context()))
}

func TestTenantsCannotSeeEachOther(t *testing.T) {
	t.Parallel()
	l := newLeak(t)
	for _, part := range []struct {
		name string
		look func(*leak, *testing.T)
	}{
		{"tables and views", (*leak).tablesAndViews},
		{"erased groups", (*leak).erasedGroupsAreHidden},
		{"writing", (*leak).writing},
		{"functions", (*leak).functions},
		{"interleaved", func(l *leak, t *testing.T) { l.interleaved(t, l.url) }},
		{"interleaved behind a pooler", func(l *leak, t *testing.T) { l.interleaved(t, pgtest.Bouncer(t, l.url)) }},
		{"methods", (*leak).methods},
	} {
		t.Run(part.name, func(t *testing.T) {
			if strings.HasPrefix(part.name, "interleaved") {
				slow.Test(t)
			}
			part.look(&leak{t, l.url, l.owner, l.tables, l.views, l.episode, l.fact, l.entity, l.other, l.observation, l.answer, l.skill, l.ids, l.said, ""}, t)
		})
	}
}
