package annals_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/prompts"
)

// aliceSummary is the summary of Alice.
func aliceSummary(t *testing.T, client *annals.Client) string {
	t.Helper()
	alice, err := client.Entity(t.Context(), "t", "Alice")
	if err != nil {
		t.Fatal(err)
	}
	return alice.Summary
}

// A confirmed statement that is to expire, confirmed by hand or by repetition, is in no summary:
// the summary would outlive it.
func TestWhatIsConfirmedAndExpiresIsInNoSummary(t *testing.T) {
	t.Parallel()
	client, _ := wary(t)
	soon := time.Now().Add(time.Hour)
	helper := func(said string, expires time.Time) {
		say(t, client, annals.Episode{Actor: "Helper", Role: "assistant", Content: said, ExpiresAt: expires})
	}
	candidate := func(word string) uuid.UUID {
		t.Helper()
		facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t", Trust: graph.TrustAll, Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range facts {
			if strings.Contains(f.Fact, word) {
				return f.ID
			}
		}
		t.Fatalf("no fact says %s", word)
		return uuid.Nil
	}
	helper("Alice likes opera.", soon)        // confirmed by hand, its episode expires
	helper("Alice likes chess.", time.Time{}) // confirmed by hand, the fact expires
	helper("Alice likes tea.", time.Time{})   // said again, the fact expires
	helper("Alice likes jazz.", time.Time{})  // said again by what expires
	helper("Alice likes yoga.", time.Time{})  // confirmed and said again, nothing expires
	helper("Alice likes golf.", time.Time{})
	marked(t, client, graph.MarkExpires, soon, candidate("chess"), candidate("tea"))
	if _, err := service.New(client).Confirm(t.Context(), "t", []uuid.UUID{candidate("opera"), candidate("chess"), candidate("golf")}, true); err != nil {
		t.Fatal(err)
	}
	for _, said := range []string{"tea", "jazz", "yoga"} {
		e := annals.Episode{Actor: "Sam", Role: "user", Content: "Alice likes " + said + "."}
		if said == "jazz" {
			e.ExpiresAt = soon
		}
		say(t, client, e)
	}
	got := aliceSummary(t, client)
	for word, told := range map[string]bool{"opera": false, "chess": false, "tea": false, "jazz": false, "yoga": true, "golf": true} {
		if strings.Contains(got, word) != told {
			t.Errorf("the summary tells %s: %t, want %t: %s", word, !told, told, got)
		}
	}
	if believed := sentences(t, client, annals.FactFilter{Limit: 100}); strings.Count(believed, "believed") != 6 {
		t.Errorf("believed: %s", believed)
	}
}

// A statement that was to expire returns to the summary when it is said again without an expiry.
func TestWhatIsSaidAgainForGoodIsInTheSummary(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	say(t, client, annals.Episode{Actor: "Alice", Content: "I like tea.", ExpiresAt: time.Now().Add(time.Hour)})
	if got := aliceSummary(t, client); strings.Contains(got, "tea") {
		t.Fatalf("the summary tells what is to expire: %s", got)
	}
	say(t, client, annals.Episode{Actor: "Alice", Content: "I like tea."})
	if got := aliceSummary(t, client); !strings.Contains(got, "tea") {
		t.Errorf("said again for good, it is not in the summary: %q", got)
	}
}

// An observation of a model is removed when one of its facts is to expire, however many are left:
// nobody knows which facts its words come from.
func TestObservationsOfAModelGoWithWhatExpires(t *testing.T) {
	t.Parallel()
	client, _ := openScripted(t, booking(), func(c *annals.Config, _ *modeltest.Server) { c.Observations, c.Window = true, 1 })
	fly := func(from, to int) {
		t.Helper()
		for n := from; n <= to; n++ {
			clienttest.AddAndProcess(t, client, clienttest.Alice(fmt.Sprintf("I booked an aisle seat on flight %d.", n), "2024-05-01"))
		}
		if err := client.Observe(t.Context(), "t"); err != nil {
			t.Fatal(err)
		}
	}
	seen := func() []annals.Observation {
		t.Helper()
		list, err := client.Observations(t.Context(), annals.ObservationFilter{GroupID: "t", Ended: true})
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	fly(1, 8)
	list := seen()
	if len(list) != 1 || list[0].Proof < 3 {
		t.Fatalf("observed is %+v", list)
	}
	passing := list[0].Facts[0]
	marked(t, client, graph.MarkExpires, time.Now().Add(time.Hour), passing)
	if left := seen(); len(left) != 0 {
		t.Errorf("of what is to expire there is %+v", left)
	}
	fly(9, 12)
	list = seen()
	if len(list) != 1 || list[0].Proof < 2 {
		t.Fatalf("of what is left and new, observed is %+v", list)
	}
	for _, id := range list[0].Facts {
		if id == passing {
			t.Errorf("it rests on what is to expire: %+v", list[0])
		}
	}
}

// A query for disputed rows shows no document in quarantine, in SQL as in the library.
func TestDisputedShowsNoDocumentInQuarantine(t *testing.T) {
	t.Parallel()
	client, url := wary(t)
	say(t, client, annals.Episode{Actor: "Alice", Content: "I live in Lisbon."})
	say(t, client, annals.Episode{Source: graph.SourceText, Content: "Alice moved to Porto."})
	found, err := client.Search(t.Context(), annals.Query{
		GroupID: "t", Text: "Where does Alice live? Porto Lisbon", Trust: graph.TrustDisputed, Scopes: []graph.Kind{graph.KindEpisode}, MinFit: -1,
	})
	if err != nil || len(found.Episodes) != 1 || !strings.Contains(found.Episodes[0].Content, "Lisbon") {
		t.Fatalf("the library finds %+v, %v", found.Episodes, err)
	}
	if got := psql(t, url, `SELECT string_agg(content, ' ') FROM annals.search('t', 'Where does Alice live? Porto Lisbon', '{episode}', filter => '{"trust": "disputed"}')`); got != "I live in Lisbon." {
		t.Errorf("SQL finds %q", got)
	}
}

// A policy set in plain SQL removes candidates from summaries.
func TestAPolicyBySQLReachesSummaries(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	say(t, client, annals.Episode{Actor: "Alice", Content: "I live in Lisbon."})
	say(t, client, annals.Episode{Actor: "Helper", Role: "assistant", Content: "Alice likes opera."})
	if got := aliceSummary(t, client); !strings.Contains(got, "opera") {
		t.Fatalf("the summary is %q", got)
	}
	say(t, client, annals.Episode{Actor: "Lookup", Role: "tool", ThreadID: "inbox", Content: "The parcel is in Oslo."})
	psql(t, url, `INSERT INTO annals.threads (group_id, id, summary) VALUES ('t', 'inbox', 'The parcel is in Oslo.')
		ON CONFLICT (group_id, id) DO UPDATE SET summary = excluded.summary`)
	psql(t, url, `UPDATE annals.groups SET hold_assistants = true, hold_documents = true WHERE group_id = 't'`)
	if got := psql(t, url, `SELECT summary FROM annals.threads WHERE group_id = 't' AND id = 'inbox'`); got != "" {
		t.Errorf("under the policy, the conversation is summarised as %q", got)
	}
	if got := aliceSummary(t, client); strings.Contains(got, "opera") || !strings.Contains(got, "Lisbon") {
		t.Errorf("under the policy, the summary is %q", got)
	}
	if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.edits WHERE action <> 'policy'`); n != 0 {
		t.Errorf("%d edits are noted beside the policy", n)
	}
}

// Pinned rows that are gone or have expired take no place among the pinned.
func TestDeadPinsTakeNoPlace(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, url := clienttest.New(t)
	var episodes []annals.Episode
	for n := range 30 {
		episodes = append(episodes, clienttest.Alice(fmt.Sprintf("I like thing%d.", n), "2024-03-01"))
	}
	clienttest.AddAndProcess(t, client, append(episodes, clienttest.Alice("I own Rex.", "2024-03-01"))...)
	marked(t, client, graph.MarkPinned, time.Time{}, factSaying(t, client, "Rex").ID)
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t", Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range facts {
		if !strings.Contains(f.Fact, "thing") {
			continue
		}
		marked(t, client, graph.MarkPinned, time.Time{}, f.ID)
		if i%2 == 0 {
			marked(t, client, graph.MarkExpires, time.Now().Add(time.Hour), f.ID)
		} else if err := client.WithdrawFact(t.Context(), "t", f.ID); err != nil {
			t.Fatal(err)
		}
	}
	passed(t, url)
	text, err := client.Context(t.Context(), annals.Query{GroupID: "t", Text: "zzzqqq"})
	if err != nil || !strings.Contains(text, "Rex") || strings.Contains(text, "thing") {
		t.Errorf("what is pinned and there is not shown: %v, %s", err, text)
	}
}

// Reading an episode that repeats a statement does not fail if the statement expires meanwhile.
func TestWhatExpiresWhileItIsSaidAgain(t *testing.T) {
	t.Parallel()
	var expire func()
	likes := script{
		"extract_entities": func(modeltest.Request) modeltest.Reply {
			return modeltest.Reply{JSON: prompts.ExtractedEntities{Entities: []prompts.ExtractedEntity{{Name: "Alice"}, {Name: "tea"}}}}
		},
		"extract_facts": func(modeltest.Request) modeltest.Reply {
			if expire != nil {
				expire()
			}
			return modeltest.Reply{JSON: prompts.ExtractedFacts{Facts: []prompts.ExtractedFact{
				{Source: 1, Target: 2, Predicate: "LIKES", Fact: "Alice likes tea.", Kind: prompts.State},
			}}}
		},
	}
	var url string
	client, _ := openScripted(t, likes, func(c *annals.Config, _ *modeltest.Server) { url = c.DatabaseURL })
	e := clienttest.Alice("I like tea.", "2024-03-01")
	e.ExpiresAt = time.Now().Add(time.Hour)
	clienttest.AddAndProcess(t, client, e)
	expire = func() { passed(t, url) }
	clienttest.AddAndProcess(t, client, clienttest.Alice("I like tea!", "2024-03-02"))
	if got := sentences(t, client, annals.FactFilter{}); got != "Alice likes tea. believed" {
		t.Errorf("believed: %q", got)
	}
	if got := aliceSummary(t, client); !strings.Contains(got, "tea") {
		t.Errorf("the summary is %q", got)
	}
}
