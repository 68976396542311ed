package citus

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
)

// contents describes all rows of a memory, without ids, recorded times and file names,
// which differ between two memories with the same input. Causes are given by the external
// ids of episodes. Of recorded times it checks that they equal those that they must equal.
const contents = `
WITH names AS (SELECT e.group_id, e.id, e.name FROM annals.entities e),
	said AS (SELECT e.group_id, e.id, e.external_id, e.processed_at FROM annals.episodes e)
SELECT concat_ws(' | ', 'episode', e.group_id, e.external_id, e.content, e.state, e.thread_id, e.authority, e.door, e.terms, e.length) FROM annals.episodes e
UNION ALL SELECT concat_ws(' | ', 'entity', e.group_id, e.name, (SELECT string_agg(a, ',' ORDER BY a) FROM unnest(e.aliases) a), e.labels::text, e.summary, e.attributes::text,
	(SELECT string_agg(s.external_id, ',' ORDER BY s.external_id) FROM said s WHERE s.group_id = e.group_id AND s.id = ANY(e.caused_by)),
	EXISTS (SELECT FROM said s WHERE s.group_id = e.group_id AND s.id = ANY(e.caused_by) AND s.processed_at = lower(e.recorded))) FROM annals.entities e
UNION ALL SELECT concat_ws(' | ', 'mention', m.group_id, n.name, s.external_id) FROM annals.mentions m JOIN names n ON n.group_id = m.group_id AND n.id = m.entity_id
	JOIN said s ON s.group_id = m.group_id AND s.id = m.episode_id
UNION ALL SELECT concat_ws(' | ', 'mentions', m.group_id, m.name, m.mentions) FROM annals_internal.entity_mentions m
UNION ALL SELECT concat_ws(' | ', 'fact', f.group_id, a.name, f.predicate, b.name, f.fact, f.valid::text, f.kind, f.from_basis, f.until_basis, f.ends, f.said_at::text,
	f.expired_at IS NULL, f.bounded_by IS NULL, f.trust, (SELECT string_agg(s.external_id, ',' ORDER BY s.external_id) FROM said s WHERE s.group_id = f.group_id AND s.id = ANY(f.caused_by)),
	EXISTS (SELECT FROM said s WHERE s.group_id = f.group_id AND s.id = ANY(f.caused_by) AND s.processed_at = lower(f.recorded))) FROM annals.facts f
	JOIN names a ON a.group_id = f.group_id AND a.id = f.source_id JOIN names b ON b.group_id = f.group_id AND b.id = f.target_id
UNION ALL SELECT concat_ws(' | ', 'citation', c.group_id, f.fact, s.external_id, c.role) FROM annals.fact_episodes c
	JOIN annals.facts f ON f.group_id = c.group_id AND f.id = c.fact_id JOIN said s ON s.group_id = c.group_id AND s.id = c.episode_id
UNION ALL SELECT concat_ws(' | ', 'former fact', h.group_id, h.predicate, h.fact, h.valid::text, h.trust, cardinality(h.evidence),
	(SELECT string_agg(s.external_id, ',' ORDER BY s.external_id) FROM said s WHERE s.group_id = h.group_id AND s.id = ANY(h.caused_by)),
	(SELECT string_agg(s.external_id, ',' ORDER BY s.external_id) FROM said s WHERE s.group_id = h.group_id AND s.id = ANY(h.ended_by)),
	EXISTS (SELECT FROM said s WHERE s.group_id = h.group_id AND s.id = ANY(h.ended_by) AND s.processed_at = upper(h.recorded)),
	EXISTS (SELECT FROM annals.facts f WHERE f.group_id = h.group_id AND f.id = h.id AND lower(f.recorded) = upper(h.recorded))) FROM annals_internal.facts_history h
UNION ALL SELECT concat_ws(' | ', 'former entity', h.group_id, h.name, h.summary, cardinality(h.evidence),
	(SELECT string_agg(s.external_id, ',' ORDER BY s.external_id) FROM said s WHERE s.group_id = h.group_id AND s.id = ANY(h.ended_by)),
	EXISTS (SELECT FROM said s WHERE s.group_id = h.group_id AND s.id = ANY(h.ended_by) AND s.processed_at = upper(h.recorded))) FROM annals_internal.entities_history h
UNION ALL SELECT concat_ws(' | ', 'community', c.group_id, c.name, c.summary, c.size) FROM annals.communities c
UNION ALL SELECT concat_ws(' | ', 'thread', t.group_id, t.id, t.summary) FROM annals.threads t
UNION ALL SELECT concat_ws(' | ', 'rejection', r.group_id, r.predicate, r.fact, r.authority, r.door) FROM annals.rejections r
UNION ALL SELECT concat_ws(' | ', 'postings', p.group_id, p.kind, p.term, count(*), sum(p.tf)) FROM annals_internal.all_postings p GROUP BY p.group_id, p.kind, p.term
UNION ALL SELECT concat_ws(' | ', 'vectors', v.group_id, v.kind, v.model, count(*)) FROM annals.vectors v GROUP BY v.group_id, v.kind, v.model
UNION ALL SELECT concat_ws(' | ', 'edit', d.group_id, d.kind, d.action, d.door, count(*)) FROM annals.edits d GROUP BY d.group_id, d.kind, d.action, d.door
UNION ALL SELECT concat_ws(' | ', 'tombstones', t.group_id, t.kind, count(*)) FROM annals_internal.tombstones t GROUP BY t.group_id, t.kind
UNION ALL SELECT concat_ws(' | ', 'undone', u.group_id, count(*)) FROM annals_internal.undone u GROUP BY u.group_id` + believed

// reads matches the tables that contents reads.
var reads = regexp.MustCompile(`(FROM|JOIN) (annals(?:_internal)?\.\w+) (\w+)`)

// contentsOf returns the rows of a memory in words, of some groups or of all. Each part of
// contents is queried by itself, and goes to every server at once.
func contentsOf(t testing.TB, address string, groups ...string) []string {
	t.Helper()
	of := contents
	if len(groups) > 0 {
		of = reads.ReplaceAllString(contents, `$1 (SELECT * FROM $2 WHERE group_id IN ('`+strings.Join(groups, "', '")+`')) $3`)
	}
	conn := connect(t, address)
	head, union, _ := strings.Cut(of, "SELECT concat_ws(' | ', 'episode'")
	var lines []string
	for _, part := range strings.Split("SELECT concat_ws(' | ', 'episode'"+union, "\nUNION ALL ") {
		rows, err := conn.Query(t.Context(), head+part)
		if err != nil {
			t.Fatalf("%s: %v", part, err)
		}
		found, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatalf("%.200s: %v", part, err)
		}
		for _, line := range found {
			lines = append(lines, ofItsOwn.ReplaceAllString(line, "…"))
		}
	}
	slices.Sort(lines)
	return lines
}

// deed is an operation that is applied to both memories.
type deed struct {
	name string
	do   func(ctx context.Context, client *annals.Client) error
}

// episodeNamed returns the episode with a name.
func episodeNamed(ctx context.Context, client *annals.Client, groupID, externalID string) (uuid.UUID, error) {
	episodes, err := client.Episodes(ctx, annals.EpisodeFilter{GroupID: groupID, Limit: 100})
	if err != nil {
		return uuid.Nil, err
	}
	for _, e := range episodes {
		if e.ExternalID == externalID {
			return e.ID, nil
		}
	}
	return uuid.Nil, fmt.Errorf("no episode %s in %s", externalID, groupID)
}

// touched lists the groups that the operations change.
var touched = []string{"", "g0", "g1", "g2", "g3", "alike", "g1-copy"}

var deeds = []deed{
	{"undo an episode", func(ctx context.Context, c *annals.Client) error {
		id, err := episodeNamed(ctx, c, "g1", "line-7")
		if err == nil {
			_, err = c.Undo(ctx, "g1", id)
		}
		return err
	}},
	{"edit a fact", func(ctx context.Context, c *annals.Client) error {
		facts, err := c.Facts(ctx, annals.FactFilter{GroupID: "g1", Limit: 100})
		if err != nil {
			return err
		}
		slices.SortFunc(facts, func(a, b annals.Fact) int { return strings.Compare(a.Fact, b.Fact) })
		said := "It is said otherwise now."
		_, err = c.EditFact(ctx, "g1", facts[0].ID, annals.FactEdit{Fact: &said})
		return err
	}},
	{"withdraw a fact", func(ctx context.Context, c *annals.Client) error {
		facts, err := c.Facts(ctx, annals.FactFilter{GroupID: "g2", Limit: 100})
		if err != nil {
			return err
		}
		slices.SortFunc(facts, func(a, b annals.Fact) int { return strings.Compare(a.Fact, b.Fact) })
		return c.WithdrawFact(ctx, "g2", facts[0].ID)
	}},
	{"erase an episode", func(ctx context.Context, c *annals.Client) error {
		id, err := episodeNamed(ctx, c, "g2", "line-5")
		if err == nil {
			_, err = c.Erase(ctx, annals.Erasure{GroupID: "g2", EpisodeIDs: []uuid.UUID{id}})
		}
		return err
	}},
	{"erase an entity", func(ctx context.Context, c *annals.Client) error {
		e, err := c.Entity(ctx, "g3", "Carol")
		if err == nil {
			_, err = c.Erase(ctx, annals.Erasure{GroupID: "g3", EntityID: e.ID})
		}
		return err
	}},
	{"build communities", func(ctx context.Context, c *annals.Client) error {
		_, err := c.BuildCommunities(ctx, "alike")
		return err
	}},
	{"export and import", func(ctx context.Context, c *annals.Client) error { return c.Clone(ctx, "g1", "g1-copy") }},
	{"erase a group", func(ctx context.Context, c *annals.Client) error {
		_, err := c.Erase(ctx, annals.Erasure{GroupID: "g0"})
		return err
	}},
	{"add after all that", func(ctx context.Context, c *annals.Client) error {
		if _, err := c.Add(ctx, annals.Episode{
			GroupID: "g1", Actor: "Alice", Content: "I moved to Oslo yesterday.", ExternalID: "late",
			OccurredAt: time.Date(2024, 5, 1, 9, 0, 0, 0, time.UTC),
		}); err != nil {
			return err
		}
		return c.Process(ctx, "g1", nil)
	}},
}

// alike imports a group into both memories with the same ids. Ids decide what community an
// entity joins if facts leave that open.
func alike(t *testing.T, clients map[string]*annals.Client, to string) {
	t.Helper()
	var file bytes.Buffer
	if _, err := clients["one server"].Export(t.Context(), group, &file, annals.ExportOptions{Vectors: true}); err != nil {
		t.Fatal(err)
	}
	for where, client := range clients {
		if _, err := client.Import(t.Context(), bytes.NewReader(file.Bytes()), annals.ImportOptions{GroupID: to}); err != nil {
			t.Fatalf("%s: %v", where, err)
		}
	}
}

// One server and a cluster have the same rows after the same input and operations. Causes,
// times and counts are as required.
func TestTheSameRows(t *testing.T) {
	nodes(t, "")
	one, many := pgtest.New(t), distributed(t)
	begun, groups, episodes := time.Now(), 4, 30
	if slow.Long() {
		groups, episodes = 40, 50
	}
	clients := map[string]*annals.Client{"one server": open(t, one), "cluster": open(t, many)}
	for _, client := range clients {
		for n := range groups {
			tell(t, client, fmt.Sprint("g", n), n, episodes)
		}
	}
	compare := func(after string, groups ...string) {
		t.Helper()
		if diff := cmp.Diff(contentsOf(t, one, groups...), contentsOf(t, many, groups...)); diff != "" {
			t.Errorf("after %s (-one server +cluster):\n%.4000s", after, diff)
		}
	}
	compare("reading")
	t.Logf("%d groups read and compared after %v", groups, time.Since(begun).Round(time.Second))
	alike(t, clients, "alike")
	compare("importing one file")
	for _, d := range slices.Concat(beliefs, deeds) {
		failed := map[string]error{}
		for where, client := range clients {
			failed[where] = d.do(t.Context(), client)
		}
		if told(failed["one server"]) != told(failed["cluster"]) {
			t.Errorf("%s: %v on the cluster, %v on one server", d.name, failed["cluster"], failed["one server"])
		}
		compare("to "+d.name, touched...)
	}
	alike(t, clients, "believed")
	compare("all that")
	for where, client := range clients {
		wholeChains(t, where, client)
	}
	broken := map[string][]string{}
	for where, client := range clients {
		v, err := service.New(client).Verify(t.Context(), "", false)
		if err != nil {
			t.Fatalf("%s: %v", where, err)
		}
		for _, check := range v.Broken() {
			broken[where] = append(broken[where], fmt.Sprint(check.Name, " ", check.Found))
		}
	}
	if diff := cmp.Diff(broken["one server"], broken["cluster"]); diff != "" {
		t.Errorf("what 'annals verify' finds (-one server +cluster):\n%s", diff)
	}
}
