package service_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/lanes"
	"github.com/annalsdb/annals/internal/service"
)

// standing returns the bars of a group's lanes at a time of belief, in words.
func standing(t *testing.T, s *service.Service, q service.LaneQuery, known time.Time) string {
	t.Helper()
	found, err := s.Lanes(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var bars []string
	for _, lane := range found.Lanes {
		for _, bar := range lane.At(known) {
			bars = append(bars, fmt.Sprintf("%s %s: %s %s", lane.Entity, lane.Name, bar.Label, bar.State))
		}
	}
	slices.Sort(bars)
	return strings.Join(bars, "\n")
}

// said stores messages one by one, and processes them.
func said(t *testing.T, client *annals.Client, episodes ...annals.Episode) {
	t.Helper()
	for _, e := range episodes {
		e.GroupID = "t"
		if _, err := client.Add(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		if err := client.Process(t.Context(), "t", nil); err != nil {
			t.Fatal(err)
		}
	}
}

// Facts that are withheld, have expired or were merged with another fact do not count as taken
// back, nor do restored facts.
func TestLanesSayWhatBecameOfFacts(t *testing.T) {
	t.Parallel()
	client, url := open(t)
	s, ctx := service.New(client), t.Context()
	said(t, client, annals.Episode{Actor: "Helper", Role: "assistant", Content: "Alice likes opera."},
		annals.Episode{Actor: "Alice", Content: "I like tea."}, annals.Episode{Actor: "Alice", Content: "I like jazz."}, annals.Episode{Actor: "Alice", Content: "I like chess."},
		annals.Episode{Actor: "Alice", Content: "I like Lisbon."}, annals.Episode{Actor: "Alice", Content: "I like Lisboa."},
		annals.Episode{Actor: "Alice", Content: "My dog is called Pixel."})
	all := service.LaneQuery{GroupID: "t", Entities: []string{"Alice"}}
	believed := time.Now()
	before := standing(t, s, all, time.Time{})
	facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "t"})
	if err != nil {
		t.Fatal(err)
	}
	of := func(target string) annals.Fact {
		t.Helper()
		i := slices.IndexFunc(facts, func(f annals.Fact) bool { return f.Target == target })
		if i < 0 {
			t.Fatalf("no fact leads to %s: %v", target, facts)
		}
		return facts[i]
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(s.SetTrustPolicy(ctx, "t", graph.TrustPolicy{Assistants: true}))
	must(client.WithdrawFact(ctx, "t", of("jazz").ID))
	must(client.WithdrawFact(ctx, "t", of("chess").ID))
	_, err = client.RestoreFact(ctx, "t", of("chess").ID)
	must(err)
	_, err = client.MergeEntities(ctx, "t", of("Lisboa").TargetID, of("Lisbon").TargetID)
	must(err)
	_, err = s.Mark(ctx, "t", service.MarkChange{IDs: []uuid.UUID{of("tea").ID}, Mark: graph.MarkExpires, ExpiresAt: time.Now().Add(time.Hour)})
	must(err)
	run(t, url, `UPDATE annals.marks SET expires_at = clock_timestamp()`)
	_, err = client.ApplyRetention(ctx, "t", false)
	must(err)
	want := []string{"Alice likes: Lisbon holds", "Alice likes: chess holds", "Alice likes: jazz taken back", "Alice likes: opera withheld", "Alice pet: Pixel holds"}
	if got := standing(t, s, all, time.Time{}); got != strings.Join(want, "\n") {
		t.Errorf("there stand\n%s\nwant:\n%s", got, strings.Join(want, "\n"))
	}
	if got := standing(t, s, all, believed); got != before {
		t.Errorf("as known before there stand\n%s\nwant:\n%s", got, before)
	}
}

// The limit of a relation's lane counts the facts of that relation only.
func TestLanesOfARelationAreNotCutByOthers(t *testing.T) {
	t.Parallel()
	client, _ := open(t)
	s := service.New(client)
	said(t, client, annals.Episode{Actor: "Alice", Content: "I live in Paris."}, annals.Episode{Actor: "Alice", Content: "I like tea."}, annals.Episode{Actor: "Alice", Content: "I like jazz."},
		annals.Episode{Actor: "Alice", Content: "I visited Oslo on 3 May 2024."}, annals.Episode{Actor: "Alice", Content: "I like chess."})
	for relation, want := range map[string]string{
		"home": "Alice home: Paris holds", "LIVES_IN": "Alice home: Paris holds", "lives_in": "Alice home: Paris holds", "what happened": "Alice what happened: visited Oslo on 3 May 2024 happened",
		"likes": "Alice likes: chess holds", "employer": "",
	} {
		if got := standing(t, s, service.LaneQuery{GroupID: "t", Entities: []string{"Alice"}, Relation: relation, MaxFacts: 1}, time.Time{}); got != want {
			t.Errorf("of %s there stands %q, want %q", relation, got, want)
		}
	}
}

// A fact that retention removed, or that expired and was swept, was not taken back or withdrawn:
// lanes, diff and SQL agree.
func TestWhatIsKeptNoLongerWasNotTakenBack(t *testing.T) {
	t.Parallel()
	client, url := open(t)
	s, ctx := service.New(client), t.Context()
	told := func(day int, words string) annals.Episode {
		return annals.Episode{Actor: "Alice", Content: words, OccurredAt: time.Date(2024, 1, day, 0, 0, 0, 0, time.UTC)}
	}
	said(t, client, told(1, "I like tea."), told(2, "I like jazz."), told(3, "I like chess."))
	before := time.Now()
	facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "t"})
	if err != nil || len(facts) != 3 {
		t.Fatal(facts, err)
	}
	for _, f := range facts {
		switch f.Target {
		case "tea":
			err = client.SetRetention(ctx, "t", annals.Retention{MaxEpisodes: 2})
		case "jazz":
			_, err = clienttest.Dial(t, url).Exec(ctx, `INSERT INTO annals.marks (group_id, kind, subject_id, mark, expires_at, door, written_by, authority) VALUES ('t', 'fact', $1, 'expires', now(), 'cli', '', 'person')`, f.ID)
		case "chess":
			err = client.WithdrawFact(ctx, "t", f.ID)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := client.ApplyRetention(ctx, "t", true); err != nil {
		t.Fatal(err)
	}
	if got := standing(t, s, service.LaneQuery{GroupID: "t", Entities: []string{"Alice"}}, time.Time{}); strings.Count(got, "taken back") != 1 || !strings.Contains(got, "chess taken back") {
		t.Errorf("the lanes say\n%s", got)
	}
	diff, err := client.Diff(ctx, annals.DiffFilter{GroupID: "t", From: before})
	if err != nil {
		t.Fatal(err)
	}
	became := map[string]string{}
	for _, c := range diff.Facts {
		became[c.Before.Target] = c.Change
	}
	if fmt.Sprint(became) != "map[chess:withdrawn jazz:expired tea:expired]" {
		t.Errorf("the difference says %v", became)
	}
}

// Changes made by a decision are reported with the decision, at the time at which bars changed.
func TestLanesTellWhatWasDecidedByHand(t *testing.T) {
	t.Parallel()
	client, _ := open(t)
	s, ctx := service.New(client), t.Context()
	if _, err := client.CreateGroup(ctx, annals.Group{ID: "t"}); err != nil {
		t.Fatal(err)
	}
	if err := s.SetTrustPolicy(ctx, "t", graph.TrustPolicy{Assistants: true}); err != nil {
		t.Fatal(err)
	}
	said(t, client, annals.Episode{Actor: "Alice", Content: "I live in Paris.", OccurredAt: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)},
		annals.Episode{Actor: "Helper", Role: "assistant", Content: "Alice lives in Rome since 1 March 2024.", OccurredAt: time.Date(2024, 4, 1, 0, 0, 0, 0, time.UTC)})
	for _, do := range []string{"approve", "leave"} {
		facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "t", Trust: graph.TrustAll})
		if err != nil {
			t.Fatal(err)
		}
		rome := slices.IndexFunc(facts, func(f annals.Fact) bool { return f.Target == "Rome" })
		if rome < 0 {
			t.Fatalf("no fact leads to Rome: %v", facts)
		}
		if _, err := s.Decide(ctx, service.ReviewDecision{GroupID: "t", Do: do, FactIDs: []uuid.UUID{facts[rome].ID}}); err != nil {
			t.Fatal(err)
		}
	}
	found, err := s.Lanes(ctx, service.LaneQuery{GroupID: "t"})
	if err != nil {
		t.Fatal(err)
	}
	var done []string
	for _, edit := range found.Edits {
		changed := slices.ContainsFunc(found.Lanes, func(l lanes.Lane) bool {
			return slices.ContainsFunc(l.Bars, func(b lanes.Bar) bool { return b.ShownFrom.Equal(edit.EditedAt) })
		})
		done = append(done, fmt.Sprintf("%s by %s, changed bars: %t", edit.Action, edit.Door, changed))
	}
	if got := strings.Join(done, "\n"); got != "confirm by library, changed bars: true\nunconfirm by library, changed bars: true" {
		t.Errorf("by hand was done\n%s", got)
	}
}
