package annals_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
)

// Approving a waiting fact ends what it contradicts, by the rules of reading; taking the approval back
// restores it. Undoing other messages and rebuilding give the same. Undoing its message or rejecting it
// reverts everything.
func TestApprovingEndsWhatItContradicts(t *testing.T) {
	t.Parallel()
	day := func(month int) time.Time { return time.Date(2024, time.Month(month), 1, 0, 0, 0, 0, time.UTC) }
	for name, test := range map[string]struct {
		policy graph.TrustPolicy
		said   annals.Episode
	}{
		"source":                  {graph.TrustPolicy{Sources: []string{"mails.jsonl"}}, annals.Episode{Actor: "Alice", Content: "I moved to Porto.", SourceDescription: "mails.jsonl"}},
		"assistant":               {graph.TrustPolicy{Assistants: true}, annals.Episode{Actor: "Helper", Role: "assistant", Content: "Alice moved to Porto."}},
		"document":                {graph.TrustPolicy{}, annals.Episode{Actor: "crm", Role: "tool", Content: "Alice moved to Porto."}},
		"assistant, no time left": {graph.TrustPolicy{Assistants: true}, annals.Episode{Actor: "Helper", Role: "assistant", Content: "Alice has lived in Porto since 1 January 2024."}},
		"document, no time left":  {graph.TrustPolicy{}, annals.Episode{Actor: "crm", Role: "tool", Content: "Alice has lived in Porto since 1 January 2024."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, url := clienttest.New(t)
			ctx, s := t.Context(), service.New(client)
			other := say(t, client, annals.Episode{Actor: "Bob", Content: "I like golf.", OccurredAt: day(1)})
			say(t, client, annals.Episode{Actor: "Alice", Content: "I live in Lisbon.", OccurredAt: day(1)})
			if err := s.SetTrustPolicy(ctx, "t", test.policy); err != nil {
				t.Fatal(err)
			}
			e := test.said
			e.OccurredAt = day(3)
			mail := say(t, client, e)
			homes := func() string {
				t.Helper()
				var all []string
				facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "t", ValidAt: day(6)})
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range facts {
					if f.Predicate == "LIVES_IN" {
						all = append(all, f.Target+" "+string(f.Trust))
					}
				}
				if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.facts WHERE trust <> annals_internal.fact_trust(group_id, id)`); n > 0 {
					t.Errorf("%d facts are not what they should be", n)
				}
				return strings.Join(all, ", ")
			}
			waits := func() service.Reviewed {
				t.Helper()
				list, err := s.Review(ctx, service.ReviewFilter{GroupID: "t"})
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range list {
					if r.Fact.Target == "Porto" {
						return r
					}
				}
				t.Fatal("nothing waits")
				return service.Reviewed{}
			}
			before := homes()
			one := waits()
			whole := strings.Contains(name, "no time left")
			if len(one.Ends) != 1 || (one.Ends[0].After == nil) != whole || one.Ends[0].Before.Target != "Lisbon" || !whole && !one.Ends[0].After.Valid.End.Equal(one.Fact.Valid.Start) {
				t.Fatalf("approving would end %+v", one.Ends)
			}
			approve := func(so bool) {
				t.Helper()
				if _, err := s.Confirm(ctx, "t", []uuid.UUID{one.ID()}, so); err != nil {
					t.Fatal(err)
				}
			}
			const after = "Porto believed"
			approve(true)
			if got := homes(); got != after {
				t.Errorf("approved, she lives in %s", got)
			}
			brought, err := s.Added(ctx, service.ReviewFilter{GroupID: "t", Brought: service.Brought{Since: time.Now().Add(-time.Hour)}, Relation: "LIVES_IN"})
			if err != nil || len(brought) != 2 {
				t.Errorf("it brought %q", reviewLines(brought, err))
			}
			approve(true)
			approve(false)
			if got := homes(); got != before {
				t.Errorf("left, she lives in %s, want %s", got, before)
			}
			if again := waits(); len(again.Ends) != 1 || again.Kind != one.Kind {
				t.Errorf("left, approving would end %+v", again.Ends)
			}
			approve(true)
			if _, err := client.Undo(ctx, "t", other); err != nil {
				t.Fatal(err)
			}
			if got := homes(); got != after {
				t.Errorf("another message is undone, and she lives in %s", got)
			}
			if _, err := s.Rebuild(ctx, "t", false); err != nil {
				t.Fatal(err)
			}
			if got := homes(); got != after {
				t.Errorf("rebuilt, she lives in %s", got)
			}
			if name == "assistant, no time left" {
				_, err = s.Decide(ctx, service.ReviewDecision{GroupID: "t", Do: "reject", FactIDs: []uuid.UUID{one.ID()}})
			} else {
				_, err = client.Undo(ctx, "t", mail)
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := homes(); got != "Lisbon believed" {
				t.Errorf("undone or rejected, she lives in %s", got)
			}
		})
	}
}

// Releasing a fact ends what it contradicts at once, as approving does, and putting it back restores
// that. A policy that withholds less or more does the same. Rebuilding gives the same.
func TestReleasingEndsWhatItContradicts(t *testing.T) {
	t.Parallel()
	day := func(month int) time.Time { return time.Date(2024, time.Month(month), 1, 0, 0, 0, 0, time.UTC) }
	for name, test := range map[string]struct {
		words   string
		release func(*service.Service, *testing.T, bool) error
	}{
		"moved": {"I moved to Porto.", releaseAll},
		"since": {"I have lived in Porto since 1 January 2024.", releaseAll},
		"policy": {"I moved to Porto.", func(s *service.Service, t *testing.T, out bool) error {
			policy := graph.TrustPolicy{}
			if !out {
				policy.Sources = []string{"mails.jsonl"}
			}
			return s.SetTrustPolicy(t.Context(), "t", policy)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, url := clienttest.New(t)
			ctx, s := t.Context(), service.New(client)
			say(t, client, annals.Episode{Actor: "Alice", Content: "I live in Lisbon.", OccurredAt: day(1)})
			if err := s.SetTrustPolicy(ctx, "t", graph.TrustPolicy{Sources: []string{"mails.jsonl"}}); err != nil {
				t.Fatal(err)
			}
			say(t, client, annals.Episode{Actor: "Alice", Content: test.words, SourceDescription: "mails.jsonl", OccurredAt: day(3)})
			lives := func(when, want string) {
				t.Helper()
				var all []string
				facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "t", ValidAt: day(6)})
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range facts {
					if f.Predicate == "LIVES_IN" {
						all = append(all, f.Target+" "+string(f.Trust))
					}
				}
				if got := strings.Join(all, ", "); got != want {
					t.Errorf("%s, she lives in %s, want %s", when, got, want)
				}
				if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.facts WHERE trust <> annals_internal.fact_trust(group_id, id)`); n > 0 {
					t.Errorf("%s, %d facts are not what they should be", when, n)
				}
			}
			lives("held", "Lisbon believed")
			for range 2 {
				if err := test.release(s, t, true); err != nil {
					t.Fatal(err)
				}
				lives("released", "Porto believed")
				if err := test.release(s, t, false); err != nil {
					t.Fatal(err)
				}
				lives("put back", "Lisbon believed")
			}
			if err := test.release(s, t, true); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Rebuild(ctx, "t", false); err != nil {
				t.Fatal(err)
			}
			lives("rebuilt", "Porto believed")
		})
	}
}

func releaseAll(s *service.Service, t *testing.T, out bool) error {
	_, err := s.Release(t.Context(), "t", service.Release{All: true, Hold: !out})
	return err
}

// The preview of an approval shows what it would end with the caller's authority, and approving does
// exactly that.
func TestWhatApprovingWouldEndByWhom(t *testing.T) {
	t.Parallel()
	for cap, ends := range map[graph.Authority]int{graph.AuthorityPerson: 1, graph.AuthorityUser: 0, graph.AuthorityAssistant: 0} {
		t.Run(string(cap), func(t *testing.T) {
			t.Parallel()
			client, _ := clienttest.New(t)
			s := service.New(client)
			say(t, client, annals.Episode{Actor: "Alice", Content: "I live in Oslo.", OccurredAt: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)})
			facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t"})
			if err != nil || len(facts) != 1 {
				t.Fatal(facts, err)
			}
			words := "Alice lives in Oslo, as a person says."
			if _, err := client.EditFact(t.Context(), "t", facts[0].ID, annals.FactEdit{Fact: &words}); err != nil {
				t.Fatal(err)
			}
			say(t, client, annals.Episode{Actor: "Alice", Content: "I moved to Porto.", OccurredAt: time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)})
			ctx := annals.WithOrigin(t.Context(), annals.Origin{Door: "rest", Cap: cap})
			list, err := s.Review(ctx, service.ReviewFilter{GroupID: "t", Kind: "disputed"})
			if err != nil || len(list) != 1 || len(list[0].Against) != 1 {
				t.Fatalf("there waits %+v, %v", list, err)
			}
			if len(list[0].Ends) != ends {
				t.Errorf("approving would end %d facts, want %d", len(list[0].Ends), ends)
			}
			_, err = s.Confirm(ctx, "t", []uuid.UUID{list[0].ID()}, true)
			if refused := annals.CodeOf(err) == annals.CodeForbidden; refused != (cap == graph.AuthorityAssistant) {
				t.Fatal(err)
			}
			now, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t", ValidAt: time.Date(2024, 6, 1, 0, 0, 0, 0, time.UTC)})
			if err != nil || len(now) != 2-ends {
				t.Errorf("approved, there hold %+v, %v", now, err)
			}
		})
	}
}
