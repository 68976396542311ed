package torture

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/service"
)

// base is a database to copy.
type base struct {
	testing.TB
	url   string
	admin string // another database of the server
	name  string
}

var copies atomic.Int64

func newBase(t testing.TB, databaseURL string) *base {
	t.Helper()
	u, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	b := &base{TB: t, url: databaseURL, name: strings.TrimPrefix(u.Path, "/")}
	u.Path = "/postgres"
	b.admin = u.String()
	return b
}

func (b *base) exec(sql string) {
	b.Helper()
	ctx := context.WithoutCancel(b.Context())
	conn, err := pgx.Connect(ctx, b.admin)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, sql); err != nil {
		b.Fatalf("%s: %v", sql, err)
	}
}

// copy copies the base, and returns the copy's URL and a function that drops it.
func (b *base) copy() (databaseURL string, drop func()) {
	b.Helper()
	name := fmt.Sprintf("torture_%d_%d", time.Now().UnixNano()%1e9, copies.Add(1))
	b.exec("CREATE DATABASE " + name + " TEMPLATE " + pgx.Identifier{b.name}.Sanitize())
	u, _ := url.Parse(b.url)
	u.Path = "/" + name
	return u.String(), func() { b.exec("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)") }
}

// settle waits until the server has noticed the death of a program.
func settle(t testing.TB, databaseURL string) {
	t.Helper()
	ctx := t.Context()
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(3 * time.Millisecond) {
		var others int
		if err := conn.QueryRow(ctx, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
			AND pid <> pg_backend_pid() AND backend_type = 'client backend'`).Scan(&others); err != nil {
			t.Fatal(err)
		}
		if others == 0 {
			return
		}
	}
	t.Log("connections of a dead program are still open after 20 seconds")
}

// broken returns the broken invariants of a database, except those that may be open.
func broken(ctx context.Context, client *annals.Client, open ...string) ([]string, error) {
	v, err := service.New(client).Verify(ctx, "", false)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, check := range v.Broken() {
		if slices.Contains(open, check.Name) {
			continue
		}
		found = append(found, fmt.Sprintf("%s: %d, as %q", check.Name, check.Found, check.Examples))
	}
	return found, nil
}

// portrait describes the contents of a memory, without ids and recorded times, which
// differ between runs.
const portrait = `
WITH names AS (SELECT e.group_id, e.id, e.name FROM annals.entities e)
SELECT concat_ws(' | ', 'episode', e.group_id, e.external_id, e.content, e.state, e.thread_id, e.authority, e.door) FROM annals.episodes e
UNION ALL SELECT concat_ws(' | ', 'entity', e.group_id, e.name, (SELECT string_agg(a, ',' ORDER BY a) FROM unnest(e.aliases) a), e.labels::text, e.summary, e.attributes::text) FROM annals.entities e
UNION ALL SELECT concat_ws(' | ', 'mention', m.group_id, n.name, e.content) FROM annals.mentions m JOIN names n ON n.group_id = m.group_id AND n.id = m.entity_id
	JOIN annals.episodes e ON e.group_id = m.group_id AND e.id = m.episode_id
UNION ALL SELECT concat_ws(' | ', 'fact', f.group_id, s.name, f.predicate, t.name, f.fact, f.valid::text, f.kind, f.from_basis, f.until_basis, f.ends, f.said_at::text,
	f.expired_at IS NULL, f.bounded_by IS NULL) FROM annals.facts f
	JOIN names s ON s.group_id = f.group_id AND s.id = f.source_id JOIN names t ON t.group_id = f.group_id AND t.id = f.target_id
UNION ALL SELECT concat_ws(' | ', 'citation', c.group_id, f.fact, e.content, c.role) FROM annals.fact_episodes c
	JOIN annals.facts f ON f.group_id = c.group_id AND f.id = c.fact_id JOIN annals.episodes e ON e.group_id = c.group_id AND e.id = c.episode_id
UNION ALL SELECT concat_ws(' | ', 'former fact', h.group_id, h.predicate, h.fact, h.valid::text) FROM annals_internal.facts_history h
UNION ALL SELECT concat_ws(' | ', 'former entity', h.group_id, h.name, h.summary) FROM annals_internal.entities_history h
UNION ALL SELECT concat_ws(' | ', 'community', c.group_id, c.name, c.summary, c.digest = '', (SELECT string_agg(n.name, ',' ORDER BY n.name) FROM annals.community_members m
	JOIN names n ON n.group_id = m.group_id AND n.id = m.entity_id WHERE m.group_id = c.group_id AND m.community_id = c.id)) FROM annals.communities c
UNION ALL SELECT concat_ws(' | ', 'thread', t.group_id, t.id, t.summary, e.content) FROM annals.threads t
	LEFT JOIN annals.episodes e ON e.group_id = t.group_id AND e.id = t.through_id
UNION ALL SELECT concat_ws(' | ', 'rejection', r.group_id, r.predicate, count(*)) FROM annals.rejections r GROUP BY r.group_id, r.predicate
UNION ALL SELECT concat_ws(' | ', 'postings', p.group_id, p.kind, count(*), sum(p.tf)) FROM annals_internal.all_postings p GROUP BY p.group_id, p.kind
UNION ALL SELECT concat_ws(' | ', 'vectors', v.group_id, v.kind, v.model, count(*)) FROM annals.vectors v GROUP BY v.group_id, v.kind, v.model
UNION ALL SELECT concat_ws(' | ', 'edit', d.group_id, d.kind, d.action, count(*)) FROM annals.edits d GROUP BY d.group_id, d.kind, d.action
UNION ALL SELECT concat_ws(' | ', 'tombstones', t.group_id, count(*)) FROM annals_internal.tombstones t GROUP BY t.group_id
UNION ALL SELECT concat_ws(' | ', 'agent message', m.group_id, m.seq, m.role, m.kind, m.function, m.content) FROM annals.agent_messages m
UNION ALL SELECT concat_ws(' | ', 'block', b.group_id, b.label, b.value, b.version) FROM annals.blocks b
ORDER BY 1`

func portraitOf(ctx context.Context, databaseURL, query string) ([]string, error) {
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(ctx) }()
	rows, err := conn.Query(ctx, query)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// difference returns the lines that only one of two portraits has.
func difference(want, got []string) (lines []string) {
	for _, line := range want {
		if !slices.Contains(got, line) {
			lines = append(lines, "- "+line)
		}
	}
	for _, line := range got {
		if !slices.Contains(want, line) {
			lines = append(lines, "+ "+line)
		}
	}
	if len(lines) == 0 && len(want) != len(got) {
		lines = append(lines, fmt.Sprintf("%d lines instead of %d", len(got), len(want)))
	}
	return lines
}
