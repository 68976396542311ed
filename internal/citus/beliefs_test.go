package citus

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// beliefs sets what a memory keeps beside its graph: trust, expiry, pins, judgements
// and standing questions.
var beliefs = []deed{
	{"keep questions answered", func(ctx context.Context, c *annals.Client) error {
		for _, text := range []string{"Where does Alice live?", "Who works at Globex?"} {
			if _, err := c.KeepAnswer(ctx, annals.Question{Query: annals.Query{GroupID: group, Text: text}}); err != nil {
				return err
			}
		}
		return nil
	}},
	{"observe", func(ctx context.Context, c *annals.Client) error { return c.Observe(ctx, group) }},
	{"withhold", func(ctx context.Context, c *annals.Client) error {
		return service.New(c).SetTrustPolicy(ctx, group, graph.TrustPolicy{Assistants: true, Documents: true})
	}},
	{"add what is withheld", withheld},
	{"release one conversation", func(ctx context.Context, c *annals.Client) error {
		_, err := service.New(c).Release(ctx, group, graph.Release{ThreadID: "post"})
		return err
	}},
	{"confirm a candidate, and another for a while", func(ctx context.Context, c *annals.Client) error {
		waiting, err := factsInOrder(ctx, c, annals.FactFilter{GroupID: group, Trust: graph.TrustCandidate, Limit: 100})
		if err != nil {
			return err
		}
		if len(waiting) < 3 {
			return fmt.Errorf("%d candidates, want 3", len(waiting))
		}
		memory := service.New(c)
		if _, err := memory.Confirm(ctx, group, []uuid.UUID{waiting[0].ID, waiting[1].ID}, true); err != nil {
			return err
		}
		_, err = memory.Confirm(ctx, group, []uuid.UUID{waiting[1].ID}, false)
		return err
	}},
	{"mark facts, an entity and an episode", mark},
	{"let an episode and a fact expire", expire},
	{"ask again", func(ctx context.Context, c *annals.Client) error { return c.Process(ctx, group, nil) }},
}

// withheld adds statements that are not believed at once: by an assistant, and in
// documents.
func withheld(ctx context.Context, c *annals.Client) error {
	for i, e := range []annals.Episode{
		{Role: "assistant", Actor: "Helper", ThreadID: "talk-1", Content: "Alice lives in Bergen."},
		{Role: "assistant", Actor: "Helper", ThreadID: "talk-1", Content: "Bob works at Hooli."},
		{Source: graph.SourceText, ThreadID: "inbox", Content: "Grace moved to Porto. Grace works at Initech."},
		{Source: graph.SourceText, ThreadID: "post", Content: "Heidi moved to Turin. Heidi works at Umbrella."},
	} {
		e.GroupID, e.ExternalID, e.OccurredAt = group, fmt.Sprint("withheld-", i), time.Date(2023, 11, 1+i, 9, 0, 0, 0, time.UTC)
		e.Metadata = []byte(`{"mood": "good"}`)
		if _, err := c.Add(ctx, e); err != nil {
			return err
		}
	}
	return c.Process(ctx, group, nil)
}

// factsInOrder returns facts sorted by their sentences.
func factsInOrder(ctx context.Context, c *annals.Client, f annals.FactFilter) ([]annals.Fact, error) {
	facts, err := c.Facts(ctx, f)
	slices.SortFunc(facts, func(a, b annals.Fact) int {
		return strings.Compare(a.Fact+a.Valid.String(), b.Fact+b.Valid.String())
	})
	return facts, err
}

func mark(ctx context.Context, c *annals.Client) error {
	facts, err := factsInOrder(ctx, c, annals.FactFilter{GroupID: group, Limit: 100})
	if err != nil {
		return err
	}
	alice, err := c.Entity(ctx, group, "Alice")
	if err != nil {
		return err
	}
	said, err := episodeNamed(ctx, c, group, "line-9")
	if err != nil {
		return err
	}
	far := time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, m := range []service.MarkChange{
		{IDs: []uuid.UUID{alice.ID, facts[0].ID}, Mark: graph.MarkPinned},
		{IDs: []uuid.UUID{facts[0].ID}, Mark: graph.MarkUnpinned},
		{IDs: []uuid.UUID{facts[1].ID, said}, Mark: graph.MarkUseful},
		{IDs: []uuid.UUID{facts[2].ID}, Mark: graph.MarkWrong},
		{IDs: []uuid.UUID{facts[2].ID}, Mark: graph.MarkUnjudged},
		{IDs: []uuid.UUID{facts[3].ID}, Mark: graph.MarkOutdated},
		{IDs: []uuid.UUID{facts[4].ID, said}, Mark: graph.MarkExpires, ExpiresAt: far},
		{IDs: []uuid.UUID{facts[4].ID}, Mark: graph.MarkKeeps},
	} {
		if _, err := service.New(c).Mark(ctx, group, m); err != nil {
			return fmt.Errorf("%s: %w", m.Mark, err)
		}
	}
	return nil
}

// expire sets the expiry of an episode and a fact, and sweeps them.
func expire(ctx context.Context, c *annals.Client) error {
	said, err := episodeNamed(ctx, c, group, "line-11")
	if err != nil {
		return err
	}
	facts, err := factsInOrder(ctx, c, annals.FactFilter{GroupID: group, Limit: 100})
	if err != nil {
		return err
	}
	soon := time.Now().Add(time.Second)
	if _, err := service.New(c).Mark(ctx, group, service.MarkChange{IDs: []uuid.UUID{said, facts[5].ID}, Mark: graph.MarkExpires, ExpiresAt: soon}); err != nil {
		return err
	}
	time.Sleep(time.Until(soon.Add(200 * time.Millisecond)))
	return c.Process(ctx, group, nil)
}

// believed is the part of contents about trust, decisions and marks.
const believed = `
UNION ALL SELECT concat_ws(' | ', 'policy', g.group_id, g.hold_assistants, g.hold_documents, g.hold_threads::text) FROM annals.groups g
UNION ALL SELECT concat_ws(' | ', 'decision', d.group_id, d.kind, d.action, d.door, d.authority, s.external_id, f.fact) FROM annals.edits d
	LEFT JOIN said s ON s.group_id = d.group_id AND s.id = d.subject_id LEFT JOIN annals.facts f ON f.group_id = d.group_id AND f.id = d.subject_id
UNION ALL SELECT concat_ws(' | ', 'dispute', d.group_id, f.fact, o.fact, s.external_id) FROM annals.disputes d
	JOIN annals.facts f ON f.group_id = d.group_id AND f.id = d.fact_id JOIN annals.facts o ON o.group_id = d.group_id AND o.id = d.disputed_by
	JOIN said s ON s.group_id = d.group_id AND s.id = d.episode_id
UNION ALL SELECT concat_ws(' | ', 'mark', m.group_id, m.kind, m.mark, coalesce(s.external_id, f.fact, n.name), CASE WHEN m.expires_at > '2099-01-01' THEN m.expires_at::text ELSE (m.expires_at IS NOT NULL)::text END,
	m.until IS NULL, m.door, m.authority, m.ended_door, m.swept_at IS NULL) FROM annals.marks m LEFT JOIN said s ON s.group_id = m.group_id AND s.id = m.subject_id
	LEFT JOIN annals.facts f ON f.group_id = m.group_id AND f.id = m.subject_id LEFT JOIN names n ON n.group_id = m.group_id AND n.id = m.subject_id
UNION ALL SELECT concat_ws(' | ', 'answer', a.group_id, a.question, a.tokens, a.stale, a.body::text, a.answered_at IS NULL, a.retry_at IS NULL) FROM annals.answers a
UNION ALL SELECT concat_ws(' | ', 'answer from', l.group_id, a.question, l.kind, count(*)) FROM annals_internal.answer_rows l
	JOIN annals.answers a ON a.group_id = l.group_id AND a.id = l.answer_id GROUP BY l.group_id, a.question, l.kind
UNION ALL SELECT concat_ws(' | ', 'former answer', h.group_id, h.question, h.stale, h.body::text,
	EXISTS (SELECT FROM annals.answer_versions v WHERE v.group_id = h.group_id AND v.id = h.id AND lower(v.recorded) = upper(h.recorded))) FROM annals_internal.answers_history h
UNION ALL SELECT concat_ws(' | ', 'observation', o.group_id, n.name, o.predicate, o.observation, o.reader, o.proof, o.against, o.first_seen::text, o.last_seen::text, o.valid::text, cardinality(o.evidence))
	FROM annals.observations o JOIN names n ON n.group_id = o.group_id AND n.id = o.subject_id
UNION ALL SELECT concat_ws(' | ', 'observed in', e.group_id, o.observation, s.external_id) FROM annals_internal.observation_episodes e
	JOIN annals.observations o ON o.group_id = e.group_id AND o.id = e.observation_id JOIN said s ON s.group_id = e.group_id AND s.id = e.episode_id
UNION ALL SELECT concat_ws(' | ', 'observed of', l.group_id, o.observation, f.fact, l.opposes) FROM annals_internal.observation_facts l
	JOIN annals.observations o ON o.group_id = l.group_id AND o.id = l.observation_id JOIN annals.facts f ON f.group_id = l.group_id AND f.id = l.fact_id
UNION ALL SELECT concat_ws(' | ', 'former observation', h.group_id, h.observation, h.proof, h.against, h.valid::text, cardinality(h.evidence)) FROM annals_internal.observations_history h
UNION ALL SELECT concat_ws(' | ', 'change', c.group_id, c.action, c.door, c.authority, c.detail::text, count(*)) FROM annals.changes c GROUP BY c.group_id, c.action, c.door, c.authority, c.detail
UNION ALL SELECT concat_ws(' | ', 'audit', a.group_id, a.position, a.action, a.door, a.authority, length(a.digest), length(a.hash)) FROM annals.audit a`

// ofItsOwn matches what differs between two memories with the same input: ids, and
// times of this run.
var ofItsOwn = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{64}|20(2[5-9]|[3-9]\d)-\d\d-\d\dT[0-9:.]+(Z|[+-]\d\d:\d\d)`)

// wholeChains verifies the audit of every group, and of the service.
func wholeChains(t *testing.T, where string, client *annals.Client) {
	t.Helper()
	groups, err := client.Groups(t.Context(), annals.GroupFilter{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	ids, entries := []string{""}, int64(0)
	for _, g := range groups {
		ids = append(ids, g.ID)
	}
	for _, id := range ids {
		v, err := service.New(client).VerifyAudit(t.Context(), id, "")
		if err != nil {
			t.Fatalf("%s: the audit of %q: %v", where, id, err)
		}
		for _, b := range v.Breaks {
			t.Errorf("%s: the audit of %q: %s", where, id, b)
		}
		entries += v.Position
	}
	if entries < 30 {
		t.Errorf("%s: the audit has %d entries; there is little to verify", where, entries)
	}
}
