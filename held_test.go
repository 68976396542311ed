package annals_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
)

// Statements through an interface, by a role, from a source or of a relation that the group
// withholds end nothing and are shown to nobody, whoever made them, until they are released.
// Putting them back hides them again.
func TestWhatIsHeldByItsOrigin(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		policy  graph.TrustPolicy
		episode annals.Episode
		door    string
	}{
		"door":     {graph.TrustPolicy{Doors: []string{"ZEP"}}, annals.Episode{Actor: "Alice", Role: "user"}, "zep"},
		"role":     {graph.TrustPolicy{Roles: []string{"User"}}, annals.Episode{Actor: "Alice", Role: " USER"}, "rest"},
		"source":   {graph.TrustPolicy{Sources: []string{"mails.jsonl"}}, annals.Episode{Actor: "Alice", SourceDescription: "mails.jsonl"}, "cli"},
		"relation": {graph.TrustPolicy{Relations: []string{"lives in", "Works at"}}, annals.Episode{Actor: "Alice"}, "cli"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, url := clienttest.New(t)
			ctx, s := t.Context(), service.New(client)
			say(t, client, annals.Episode{Actor: "Alice", Content: "I live in Lisbon.", OccurredAt: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)})
			if err := s.SetTrustPolicy(ctx, "t", test.policy); err != nil {
				t.Fatal(err)
			}
			if facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "t", Trust: graph.TrustCandidate}); err != nil {
				t.Fatal(err)
			} else if len(facts) > 0 { // Lisbon is of the relation
				if _, err := s.Confirm(ctx, "t", []uuid.UUID{facts[0].ID}, true); err != nil {
					t.Fatal(err)
				}
			}
			e := test.episode
			e.GroupID, e.Content, e.OccurredAt = "t", "I moved to Porto. I work at Mallory Inc.", time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)
			stored, err := client.Add(annals.WithOrigin(ctx, annals.Origin{Door: test.door}), e)
			if err != nil {
				t.Fatal(err)
			}
			if err := client.Process(ctx, "t", nil); err != nil {
				t.Fatal(err)
			}
			hidden := func(when string) {
				t.Helper()
				if got := sentences(t, client, annals.FactFilter{ValidAt: time.Now()}); got != "Alice lives in Lisbon. believed" {
					t.Errorf("%s: believed is %s", when, got)
				}
				for what, text := range everythingShown(t, client, url) {
					if name == "relation" && !strings.Contains(what, "summary") && what != "facts_at" && what != "timeline" {
						continue // the message is found, which says it
					}
					if strings.Contains(text, "Porto") || strings.Contains(text, "Mallory") {
						t.Errorf("%s: %s shows %s", when, what, text)
					}
				}
				if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.facts WHERE trust <> annals_internal.fact_trust(group_id, id)`); n > 0 {
					t.Errorf("%s: %d facts are not what they should be", when, n)
				}
			}
			hidden("not let out")
			waiting, err := client.Facts(ctx, annals.FactFilter{GroupID: "t", Trust: graph.TrustCandidate})
			if err != nil || len(waiting) != 2 {
				t.Fatalf("%d facts wait, %v", len(waiting), err)
			}
			let := func(out bool) {
				t.Helper()
				if name == "relation" {
					_, err = s.Confirm(ctx, "t", []uuid.UUID{waiting[0].ID, waiting[1].ID}, out)
				} else {
					var n int
					if n, err = s.Release(ctx, "t", service.Release{All: true, Hold: !out}); n != 1 {
						t.Errorf("%d episodes changed", n)
					}
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			let(true)
			if got := sentences(t, client, annals.FactFilter{}); strings.Contains(got, "candidate") || !strings.Contains(got, "Mallory") {
				t.Errorf("let out, believed is %s", got)
			}
			let(false)
			hidden("put back")
			let(true)
			if _, err := client.Undo(ctx, "t", stored.ID); err != nil {
				t.Fatal(err)
			}
			if got := sentences(t, client, annals.FactFilter{Trust: graph.TrustAll}); got != "Alice lives in Lisbon. believed" {
				t.Errorf("undone, there is %s", got)
			}
		})
	}
}

// A fact added by hand through a withheld interface waits. A user's correction is a decision, also
// through that interface.
func TestByHandByAHeldDoor(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	ctx := annals.WithOrigin(t.Context(), annals.Origin{Door: "rest", Cap: graph.AuthorityUser})
	if _, err := client.CreateGroup(ctx, annals.Group{ID: "t"}); err != nil {
		t.Fatal(err)
	}
	if err := service.New(client).SetTrustPolicy(ctx, "t", graph.TrustPolicy{Doors: []string{"rest"}}); err != nil {
		t.Fatal(err)
	}
	added, err := client.AddTriple(ctx, annals.Triple{GroupID: "t", Source: graph.TripleEnd{Name: "Bob"}, Predicate: "WORKS_AT", Target: graph.TripleEnd{Name: "Acme"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := sentences(t, client, annals.FactFilter{Trust: graph.TrustAll}); !strings.HasSuffix(got, " candidate") {
		t.Errorf("told by hand: %s", got)
	}
	fact := "Bob works at Acme Corp."
	if _, err := client.EditFact(ctx, "t", added.FactID, annals.FactEdit{Fact: &fact}); err != nil {
		t.Fatal(err)
	}
	if got := sentences(t, client, annals.FactFilter{}); got != fact+" believed" {
		t.Errorf("corrected: %s", got)
	}
}

// Each column of the policy is guarded: an assistant cannot set it, not even in SQL, and changes
// are recorded with their author.
func TestWhatIsHeldIsGuarded(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	if _, err := client.CreateGroup(t.Context(), annals.Group{ID: "t"}); err != nil {
		t.Fatal(err)
	}
	conn := clienttest.Dial(t, url)
	as := func(authority, column string) error {
		tx, err := conn.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback(t.Context()) }()
		if _, err := tx.Exec(t.Context(), `SELECT set_config('annals.origin', jsonb_build_object('door', 'mcp', 'authority', $1::text)::text, true)`, authority); err != nil {
			t.Fatal(err)
		}
		if _, err = tx.Exec(t.Context(), `UPDATE annals.groups SET `+column+` = '{x}' WHERE group_id = 't'`); err != nil {
			return err
		}
		return tx.Commit(t.Context())
	}
	columns := []string{"hold_threads", "hold_doors", "hold_roles", "hold_sources", "hold_relations"}
	for _, column := range columns {
		if err := as("assistant", column); err == nil || !strings.Contains(err.Error(), "is set with the authority of a user or more") {
			t.Errorf("an assistant sets %s: %v", column, err)
		}
		if err := as("person", column); err != nil {
			t.Errorf("a person sets %s: %v", column, err)
		}
	}
	if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.edits WHERE action = 'policy' AND authority = 'person'`); int(n) != len(columns) {
		t.Errorf("%d policies are on record, want %d", n, len(columns))
	}
}

// What ends a fact of a withheld relation waits for confirmation, too.
func TestTheEndOfAHeldRelationIsHeld(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	ctx, s := t.Context(), service.New(client)
	say(t, client, annals.Episode{Actor: "Carol", Content: "I work at Acme.", OccurredAt: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)})
	if err := s.SetTrustPolicy(ctx, "t", graph.TrustPolicy{Relations: []string{"WORKS_AT"}}); err != nil {
		t.Fatal(err)
	}
	facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "t", Trust: graph.TrustCandidate})
	if err != nil || len(facts) != 1 {
		t.Fatal(facts, err)
	}
	if _, err := s.Confirm(ctx, "t", []uuid.UUID{facts[0].ID}, true); err != nil {
		t.Fatal(err)
	}
	say(t, client, annals.Episode{Actor: "Carol", Content: "I no longer work at Acme.", OccurredAt: time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)})
	if got := sentences(t, client, annals.FactFilter{ValidAt: time.Now()}); got != "Carol works at Acme. believed" {
		t.Errorf("believed is %q", got)
	}
}

// A question in quarantine is not shown with the short answer to it. What only it names is no
// entity at any time, also in SQL; it all appears once it is released.
func TestAWithheldQuestionIsNotShown(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	ctx, s := t.Context(), service.New(client)
	if _, err := client.CreateGroup(ctx, annals.Group{ID: "t"}); err != nil {
		t.Fatal(err)
	}
	if err := s.SetTrustPolicy(ctx, "t", graph.TrustPolicy{Sources: []string{"mails.jsonl"}}); err != nil {
		t.Fatal(err)
	}
	asked := saidIn("a", "Ben", "I work at Zorbaquil. Since when do you keep bees, Alice?", 0)
	asked.SourceDescription = "mails.jsonl"
	clienttest.AddAndProcess(t, client, asked, saidIn("a", "Alice", "Last autumn.", 2))
	conn := clienttest.Dial(t, url)
	shown := func() (out []bool) {
		found, err := client.Search(ctx, annals.Query{GroupID: "t", Text: "autumn", Replies: true})
		if err != nil || len(found.Episodes) == 0 {
			t.Fatal(found, err)
		}
		out = append(out, slices.ContainsFunc(found.Episodes, func(h annals.EpisodeHit) bool { return h.ReplyTo != nil }))
		for _, f := range []annals.EntityFilter{{GroupID: "t"}, {GroupID: "t", KnownAt: time.Now()}} {
			entities, err := client.Entities(ctx, f)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, slices.ContainsFunc(entities, func(e annals.Entity) bool { return e.Name == "Zorbaquil" }))
		}
		for _, query := range []string{
			`SELECT count(*) > 0 FROM annals.entities_at('t') e WHERE e.name = 'Zorbaquil'`,
			`SELECT count(*) > 0 FROM annals.entity_changes('t', '2020-01-01') e WHERE e.name = 'Zorbaquil'`,
		} {
			var is bool
			if err := conn.QueryRow(ctx, query).Scan(&is); err != nil {
				t.Fatal(err)
			}
			out = append(out, is)
		}
		return out
	}
	if got := shown(); slices.Contains(got, true) {
		t.Errorf("not released: %v", got)
	}
	if _, err := s.Release(ctx, "t", service.Release{All: true}); err != nil {
		t.Fatal(err)
	}
	if got := shown(); slices.Contains(got, false) {
		t.Errorf("released: %v", got)
	}
}
