package annals_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
)

// reviewLines formats the rows under review as "kind: sentence < message by whom".
func reviewLines(list []service.Reviewed, err error) []string {
	if err != nil {
		return []string{err.Error()}
	}
	out := []string{}
	for _, r := range list {
		line := r.Kind + ":"
		if r.Before != nil {
			line += " " + r.Before.Fact + " ->"
		}
		if r.Fact != nil {
			line += " " + r.Fact.Fact
		}
		for _, a := range r.Against {
			line += " | " + a.Fact
		}
		for _, e := range r.Said {
			line += " < " + e.Content + " " + e.Speaker() + " " + e.Door
		}
		out = append(out, line)
	}
	return out
}

func sayBy(t *testing.T, client *annals.Client, door string, e annals.Episode) uuid.UUID {
	t.Helper()
	if e.GroupID == "" {
		e.GroupID = "t"
	}
	stored, err := client.Add(annals.WithOrigin(t.Context(), annals.Origin{Door: door, Key: "key-" + door}), e)
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Process(t.Context(), e.GroupID, nil); err != nil {
		t.Fatal(err)
	}
	return stored.ID
}

// Waiting facts are listed with their words, message and speaker, by kind and by origin. Approved
// ones no longer wait, rejected ones stay rejected, even if they are said again; both are in the
// audit log. Deciding twice is the same as once.
func TestReview(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	ctx, s := t.Context(), service.New(client)
	january := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	sayBy(t, client, "rest", annals.Episode{Actor: "Alice", Content: "I live in Lisbon.", OccurredAt: january})
	sayBy(t, client, "zep", annals.Episode{Actor: "Helper", Role: "assistant", Content: "Alice likes opera.", OccurredAt: january})
	sayBy(t, client, "rest", annals.Episode{Actor: "crm", Role: "tool", Content: "Alice lives in Porto.", OccurredAt: january.AddDate(0, 1, 0)})
	sayBy(t, client, "rest", annals.Episode{Actor: "Sam", Content: "Bob likes chess.", OccurredAt: january})
	if err := s.SetTrustPolicy(ctx, "t", graph.TrustPolicy{Sources: []string{"mails.jsonl"}}); err != nil {
		t.Fatal(err)
	}
	sayBy(t, client, "import", annals.Episode{Actor: "Alice", Content: "I like golf.", SourceDescription: "mails.jsonl", OccurredAt: january})

	list := func(f service.ReviewFilter) []string { f.GroupID = "t"; return reviewLines(s.Review(ctx, f)) }
	all := []string{
		"candidate: Alice likes golf. < I like golf. Alice import",
		"disputed: Alice lives in Porto. | Alice lives in Lisbon. < Alice lives in Porto. crm rest",
		"low_trust: Alice likes opera. < Alice likes opera. Helper zep",
		"second_hand: Bob likes chess. < Bob likes chess. Sam rest",
	}
	if diff := cmp.Diff(all, list(service.ReviewFilter{})); diff != "" {
		t.Fatalf("what waits (-want +got):\n%s", diff)
	}
	for name, c := range map[string]struct {
		filter service.ReviewFilter
		want   []string
	}{
		"a kind":     {service.ReviewFilter{Kind: "low_trust"}, all[2:3]},
		"a relation": {service.ReviewFilter{Relation: "lives in"}, all[1:2]},
		"a door":     {service.ReviewFilter{Brought: service.Brought{Door: "rest"}}, []string{all[1], all[3]}},
		"a source":   {service.ReviewFilter{Brought: service.Brought{Source: "mails.jsonl"}}, all[:1]},
		"a key":      {service.ReviewFilter{Brought: service.Brought{Key: "key-zep"}}, all[2:3]},
		"a time":     {service.ReviewFilter{Brought: service.Brought{Until: january}}, []string{}},
		"no kind":    {service.ReviewFilter{Kind: "x"}, []string{`kind: "x" is not one of candidate, disputed, low_trust, second_hand`}},
	} {
		if diff := cmp.Diff(c.want, list(c.filter)); diff != "" {
			t.Errorf("by %s (-want +got):\n%s", name, diff)
		}
	}
	var paged []string
	var after *service.Reviewed
	for range all {
		page, err := s.Review(ctx, service.ReviewFilter{GroupID: "t", Limit: 1, After: after})
		if err != nil || len(page) != 1 {
			t.Fatalf("a page of %d, %v", len(page), err)
		}
		paged, after = append(paged, reviewLines(page, nil)...), &page[0]
	}
	if diff := cmp.Diff(all, paged); diff != "" {
		t.Errorf("page by page (-want +got):\n%s", diff)
	}

	waiting, err := s.Review(ctx, service.ReviewFilter{GroupID: "t"})
	if err != nil {
		t.Fatal(err)
	}
	decide := func(d service.ReviewDecision, want int) {
		t.Helper()
		d.GroupID = "t"
		if n, err := s.Decide(ctx, d); n != want || err != nil {
			t.Errorf("%s: %d decided, %v; want %d", d.Do, n, err, want)
		}
	}
	golf, opera, chess := waiting[0].Fact.ID, waiting[2].Fact.ID, waiting[3].Fact.ID
	decide(service.ReviewDecision{Do: "approve", FactIDs: []uuid.UUID{golf}}, 1)
	decide(service.ReviewDecision{Do: "approve", FactIDs: []uuid.UUID{golf}}, 1)
	decide(service.ReviewDecision{Do: "reject", FactIDs: []uuid.UUID{opera}}, 1)
	decide(service.ReviewDecision{Do: "reject", FactIDs: []uuid.UUID{opera}}, 0)
	words := "Bob likes chess problems."
	decide(service.ReviewDecision{Do: "edit", FactIDs: []uuid.UUID{chess}, Edit: annals.FactEdit{Fact: &words}}, 1)
	decide(service.ReviewDecision{Do: "reject", All: true, Filter: service.ReviewFilter{Kind: "disputed"}}, 1)
	if left := list(service.ReviewFilter{}); len(left) > 0 {
		t.Errorf("decided, there wait %q", left)
	}
	sayBy(t, client, "zep", annals.Episode{Actor: "Helper", Role: "assistant", Content: "Alice likes opera.", OccurredAt: january.AddDate(0, 2, 0)})
	if got := sentences(t, client, annals.FactFilter{}); got != "Alice lives in Lisbon. believed; Bob likes chess problems. believed; Alice likes golf. believed" {
		t.Errorf("believed: %s", got)
	}
	decide(service.ReviewDecision{Do: "leave", FactIDs: []uuid.UUID{golf}}, 1)
	if got := list(service.ReviewFilter{}); !slices.Equal(got, all[:1]) {
		t.Errorf("left, there wait %q", got)
	}
	for action, want := range map[string]int{"confirm": 2, "unconfirm": 1, "withdraw": 2, "edit": 1} {
		if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.audit a JOIN annals.edits e ON e.id = a.row_id WHERE e.kind = 'fact' AND e.action = $1`, action); int(n) != want {
			t.Errorf("%d of %s are in the audit, want %d", n, action, want)
		}
	}
	low := annals.WithOrigin(ctx, annals.Origin{Door: "mcp", Cap: graph.AuthorityAssistant})
	for _, do := range []string{"approve", "reject", "edit", "leave"} {
		if _, err := s.Decide(low, service.ReviewDecision{GroupID: "t", Do: do, FactIDs: []uuid.UUID{golf}}); err == nil {
			t.Errorf("an assistant may %s", do)
		}
	}
}

// The additions of a file are shown as the difference to the memory before it, with the messages,
// and are taken back together, after a preview.
func TestWhatAFileBrought(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	ctx, s := t.Context(), service.New(client)
	january := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	sayBy(t, client, "rest", annals.Episode{Actor: "Alice", Content: "I live in Lisbon.", OccurredAt: january})
	sayBy(t, client, "rest", annals.Episode{Actor: "Alice", Content: "I like golf.", OccurredAt: january})
	before := sentences(t, client, annals.FactFilter{ValidAt: time.Now()})
	file := func(day int, text string) {
		sayBy(t, client, "import", annals.Episode{Actor: "Alice", Content: text, SourceDescription: "bad.jsonl", OccurredAt: january.AddDate(0, 2, day), Metadata: []byte(`{"run_id": "r1"}`)})
	}
	file(0, "I moved to Porto.")
	file(1, "I like opera.")
	want := []string{
		"ended: Alice lives in Lisbon. -> Alice lives in Lisbon. < I moved to Porto. Alice import",
		"added: Alice moved to Porto. < I moved to Porto. Alice import",
		"added: Alice likes opera. < I like opera. Alice import",
	}
	for name, b := range map[string]service.Brought{"source": {Source: "bad.jsonl"}, "run": {Run: "r1"}, "door": {Door: "import"}, "key": {Key: "key-import"}} {
		if diff := cmp.Diff(want, reviewLines(s.Added(ctx, service.ReviewFilter{GroupID: "t", Brought: b}))); diff != "" {
			t.Errorf("by %s (-want +got):\n%s", name, diff)
		}
	}
	if got := reviewLines(s.Added(ctx, service.ReviewFilter{GroupID: "t", Brought: service.Brought{Source: "bad.jsonl"}, Relation: "likes", Limit: 1})); !slices.Equal(got, want[2:]) {
		t.Errorf("of a relation: %q", got)
	}
	if _, err := s.Added(ctx, service.ReviewFilter{GroupID: "t"}); err == nil {
		t.Error("nothing is named, and that is no error")
	}
	p, err := s.TakeBack(ctx, service.TakingBack{GroupID: "t", Brought: service.Brought{Source: "bad.jsonl"}, DryRun: true})
	if err != nil || p.Undone.Episodes != 2 || p.Undone.FactsReopened != 1 || p.Undone.FactsRemoved != 2 || len(p.Facts) != 3 {
		t.Errorf("it would be %+v, %v", p, err)
	}
	if n := len(reviewLines(s.Added(ctx, service.ReviewFilter{GroupID: "t", Brought: service.Brought{Source: "bad.jsonl"}}))); n != 3 {
		t.Errorf("the preview did something: %d are left", n)
	}
	for _, n := range []int{2, 0} {
		if p, err = s.TakeBack(ctx, service.TakingBack{GroupID: "t", Brought: service.Brought{Source: "bad.jsonl"}}); err != nil || p.Undone.Episodes != n {
			t.Errorf("taken back: %+v, %v", p, err)
		}
	}
	if got := sentences(t, client, annals.FactFilter{ValidAt: time.Now()}); got != before {
		t.Errorf("taken back, there is %s; want %s", got, before)
	}
	if _, err := s.TakeBack(ctx, service.TakingBack{GroupID: "t"}); err == nil {
		t.Error("nothing is named, and all would be taken back")
	}
}

// Origins are listed by source, run and day, the latest first, with how much each brought; of one
// group only, and at most as many as requested.
func TestWhatBroughtSomething(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	for i, e := range []annals.Episode{
		{SourceDescription: "a.jsonl"},
		{SourceDescription: "b.jsonl", Metadata: []byte(`{"run_id": "r1"}`)},
		{SourceDescription: "a.jsonl"},
		{},
		{GroupID: "other", SourceDescription: "c.jsonl"},
	} {
		e.Content = fmt.Sprint("Message ", i)
		if e.GroupID == "" {
			e.GroupID = "t"
		}
		if _, err := client.Add(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := clienttest.Dial(t, url).Exec(t.Context(), `UPDATE annals.episodes SET created_at = '2024-01-01 23:00+00'::timestamptz + right(content, 1)::int * interval '40 minutes'`); err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int]string{
		0: "day 2024-01-02 2; source a.jsonl 2; day 2024-01-01 2; run_id r1 1; source b.jsonl 1",
		2: "day 2024-01-02 2; source a.jsonl 2",
	} {
		brought, err := service.New(client).Bringers(t.Context(), "t", limit)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, b := range brought {
			got = append(got, fmt.Sprint(b.By, " ", b.Name, " ", b.Episodes))
		}
		if got := strings.Join(got, "; "); got != want {
			t.Errorf("%d at the most: %s", limit, got)
		}
	}
}

// A decision on a fact as it was shown is refused if somebody else has decided on it or changed it
// since. Decisions on all waiting facts overwrite none either.
func TestTwoDecideOfTheSame(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	for _, first := range []string{"approve", "leave", "reject", "edit", "change"} {
		for _, second := range []string{"approve", "reject", "edit"} {
			t.Run(first+", "+second, func(t *testing.T) {
				t.Parallel()
				ctx, s, group := t.Context(), service.New(client), first+"-"+second
				sayBy(t, client, "zep", annals.Episode{GroupID: group, Actor: "Helper", Role: "assistant", Content: "Alice likes opera."})
				shown := func() service.Reviewed {
					list, err := s.Review(ctx, service.ReviewFilter{GroupID: group, Kind: "low_trust"})
					if err != nil || len(list) != 1 || list[0].Version == "" {
						t.Fatal(list, err)
					}
					return list[0]
				}
				words, others := "Alice likes opera a lot.", "Alice likes opera, as others say."
				one := shown()
				if first == "leave" {
					if _, err := s.Confirm(ctx, group, []uuid.UUID{one.ID()}, true); err != nil {
						t.Fatal(err)
					}
					added, err := s.Added(ctx, service.ReviewFilter{GroupID: group, Brought: service.Brought{Door: "zep"}})
					if err != nil || len(added) != 1 {
						t.Fatal(added, err)
					}
					one = added[0]
				}
				d := service.ReviewDecision{GroupID: group, FactIDs: []uuid.UUID{one.ID()}, Do: first, Versions: []string{one.Version}}
				switch first {
				case "edit":
					d.Edit = annals.FactEdit{Fact: &others}
					fallthrough
				default:
					if n, err := s.Decide(ctx, d); n != 1 || err != nil {
						t.Fatalf("the first: %d, %v", n, err)
					}
				case "change":
					if _, err := client.EditFact(ctx, group, one.ID(), annals.FactEdit{Fact: &others}); err != nil {
						t.Fatal(err)
					}
				}
				before := sentences(t, client, annals.FactFilter{GroupID: group})
				d = service.ReviewDecision{GroupID: group, FactIDs: []uuid.UUID{one.ID()}, Do: second, Versions: []string{one.Version}}
				if second == "edit" {
					d.Edit = annals.FactEdit{Fact: &words}
				}
				if _, err := s.Decide(ctx, d); annals.CodeOf(err) != annals.CodeConflict {
					t.Errorf("the second: %v, want a conflict", err)
				}
				if got := sentences(t, client, annals.FactFilter{GroupID: group}); got != before {
					t.Errorf("there is %s, want %s", got, before)
				}
			})
		}
	}
}

// What a source took back, ended or withdrew is shown as such, whatever else it says of the same.
func TestWhatASourceTookBack(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before, said []string
		want         []string
	}{
		"its own": {nil, []string{"I live in Porto.", "I misspoke: I live in Lisbon."}, []string{
			"withdrawn: Alice lives in Porto. -> < I live in Porto. Alice import < I misspoke: I live in Lisbon. Alice import",
			"added: Alice lives in Lisbon. < I misspoke: I live in Lisbon. Alice import",
		}},
		"its own, which it ended": {nil, []string{"I work at Acme.", "I no longer work at Acme."}, []string{
			"added: Alice works at Acme. < I work at Acme. Alice import < I no longer work at Acme. Alice import",
			"added: Alice no longer works at Acme. < I no longer work at Acme. Alice import",
		}},
		"what stood before": {[]string{"I work at Acme."}, []string{"I work at Acme.", "I no longer work at Acme."}, []string{
			"ended: Alice works at Acme. -> Alice works at Acme. < I work at Acme. Alice import < I no longer work at Acme. Alice import",
			"added: Alice no longer works at Acme. < I no longer work at Acme. Alice import",
		}},
		"what it had ended": {[]string{"I live in Lisbon."}, []string{"I moved to Porto.", "I misspoke: I did not move to Porto."}, []string{
			"withdrawn: Alice moved to Porto. -> < I moved to Porto. Alice import < I misspoke: I did not move to Porto. Alice import",
		}},
		"what it said again": {[]string{"I live in Porto."}, []string{"I live in Porto.", "I misspoke: I live in Lisbon."}, []string{
			"withdrawn: Alice lives in Porto. -> < I live in Porto. Alice import < I misspoke: I live in Lisbon. Alice import",
			"added: Alice lives in Lisbon. < I misspoke: I live in Lisbon. Alice import",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, _ := clienttest.New(t)
			at := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
			for i, text := range append(slices.Clone(test.before), test.said...) {
				e := annals.Episode{Actor: "Alice", Content: text, OccurredAt: at.AddDate(0, i, 0)}
				door := "rest"
				if i >= len(test.before) {
					e.SourceDescription, door = "bad.jsonl", "import"
				}
				sayBy(t, client, door, e)
			}
			got := reviewLines(service.New(client).Added(t.Context(), service.ReviewFilter{GroupID: "t", Brought: service.Brought{Source: "bad.jsonl"}}))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, sentences(t, client, annals.FactFilter{}))
			}
		})
	}
}

// Facts that a key added by hand are among its additions.
func TestWhatAKeyBroughtByHand(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	ctx, s := annals.WithOrigin(t.Context(), annals.Origin{Door: "rest", Key: "k"}), service.New(client)
	sayBy(t, client, "zep", annals.Episode{Actor: "Alice", Content: "I like golf."})
	sayBy(t, client, "zep", annals.Episode{Actor: "Alice", Content: "I like opera."})
	facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "t"})
	if err != nil || len(facts) != 2 {
		t.Fatalf("%d facts, %v", len(facts), err)
	}
	words := facts[0].Fact + " A lot."
	if _, err := client.EditFact(ctx, "t", facts[0].ID, annals.FactEdit{Fact: &words}); err != nil {
		t.Fatal(err)
	}
	if err := client.WithdrawFact(ctx, "t", facts[1].ID); err != nil {
		t.Fatal(err)
	}
	if _, err := client.AddTriple(ctx, annals.Triple{GroupID: "t", Source: graph.TripleEnd{Name: "Bob"}, Predicate: "WORKS_AT", Target: graph.TripleEnd{Name: "Acme"}}); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"changed: " + facts[0].Fact + " -> " + words, "withdrawn: " + facts[1].Fact + " ->", "added: Bob works at Acme. < Bob works at Acme.  rest",
	}
	if diff := cmp.Diff(want, reviewLines(s.Added(ctx, service.ReviewFilter{GroupID: "t", Brought: service.Brought{Key: "k"}}))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
