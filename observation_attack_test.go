package annals_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/model/modeltest"
)

// Several workers that build, read and edit at once write each observation once, however a model
// words it. The result is that of a fresh count.
func TestBuildersTogetherWriteEachObservationOnce(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	said := booking()
	var url string
	client, server := openScripted(t, said, func(c *annals.Config, _ *modeltest.Server) { c.Observations, c.Window, url = true, 1, c.DatabaseURL })
	other := clienttest.Open(t, annals.Config{DatabaseURL: url, LLM: llmAt(t, server, "main"), Observations: true, Window: 1})
	var working sync.WaitGroup
	for w, c := range []*annals.Client{client, other, client, other} {
		working.Go(func() {
			for n := range 6 {
				e := clienttest.Alice(fmt.Sprintf("I booked an aisle seat on flight %d.", 1+(4*n+w)%9), "2024-05-01")
				if _, err := c.Add(t.Context(), e); err != nil {
					t.Error(err)
				}
				if err := c.Process(t.Context(), "t", nil); err != nil {
					t.Error(err)
				}
				if err := c.Observe(t.Context(), "t"); err != nil {
					t.Error(err)
				}
				facts, err := c.Facts(t.Context(), annals.FactFilter{GroupID: "t"})
				if err != nil || len(facts) == 0 {
					t.Error("no facts", err)
					continue
				}
				what := "Alice booked seat after seat."
				if _, err := c.EditFact(t.Context(), "t", facts[n%len(facts)].ID, annals.FactEdit{Fact: &what}); err != nil && annals.CodeOf(err) != annals.CodeConflict && annals.CodeOf(err) != annals.CodeNotFound {
					t.Error(err)
				}
			}
		})
	}
	working.Wait()
	list := everyObservation(t, client)
	seen := 0
	for _, o := range list {
		if o.Reader != "offline" {
			seen++
		}
	}
	if seen > 1 {
		t.Errorf("the model's observation was written %d times: %+v", seen, list)
	}
	before := fmt.Sprint(list)
	if err := client.Observe(t.Context(), "t"); err != nil {
		t.Fatal(err)
	}
	for _, o := range everyObservation(t, client) {
		if o.Reader == "offline" && !strings.Contains(before, fmt.Sprint(o)) {
			t.Errorf("a fresh count finds %+v, which was not there", o)
		}
	}
}

func everyObservation(t *testing.T, client *annals.Client) []annals.Observation {
	t.Helper()
	list, err := client.Observations(t.Context(), annals.ObservationFilter{GroupID: "t", Ended: true, Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Content that is erased while a model reads it is in no observation afterwards, and in no version
// of one.
func TestErasingWhileObservationsAreBuilt(t *testing.T) {
	t.Parallel()
	looking, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	said := booking()
	derive := said["derive_observations"]
	said["derive_observations"] = func(r modeltest.Request) modeltest.Reply {
		once.Do(func() {
			close(looking)
			<-release
		})
		return derive(r)
	}
	var url string
	client, _ := openScripted(t, said, func(c *annals.Config, _ *modeltest.Server) { c.Window, url = 1, c.DatabaseURL })
	var episodes []uuid.UUID
	for n := range 3 {
		stored, err := client.Add(t.Context(), clienttest.Alice(fmt.Sprintf("I booked an aisle seat on flight %d.", n+1), "2024-05-01"))
		if err != nil {
			t.Fatal(err)
		}
		episodes = append(episodes, stored.ID)
	}
	if err := client.Process(t.Context(), "t", nil); err != nil {
		t.Fatal(err)
	}
	var erased atomic.Bool
	var working sync.WaitGroup
	working.Go(func() {
		if err := client.Observe(t.Context(), "t"); err != nil {
			t.Error(err)
		}
	})
	<-looking
	working.Go(func() {
		if _, err := client.Erase(t.Context(), annals.Erasure{GroupID: "t", EpisodeIDs: episodes[:2], AnyReader: true}); err != nil {
			t.Error(err)
		}
		erased.Store(true)
	})
	for range 50 { // it is done while the model is working, or waits for it
		if erased.Load() {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	close(release)
	working.Wait()
	if list := everyObservation(t, client); len(list) > 0 {
		t.Errorf("one message that is left shows %+v", list)
	}
	conn := clienttest.Dial(t, url)
	var left int
	if err := conn.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM annals.observations) + (SELECT count(*) FROM annals_internal.observations_history)
		+ (SELECT count(*) FROM annals_internal.observation_facts) + (SELECT count(*) FROM annals_internal.observation_episodes)`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d rows are left (%v)", left, err)
	}
}

// The observations of a tenant behind a pooler are kept like others: each transaction that reads,
// adds, edits or undoes also counts.
func TestATenantKeepsObservationsBehindAPooler(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t)
	client := clienttest.Open(t, annals.Config{DatabaseURL: pgtest.Bouncer(t, url), Tenant: "t", Observations: true})
	proofs := func() (told []string) {
		t.Helper()
		for _, o := range everyObservation(t, client) {
			told = append(told, fmt.Sprint(o.Subject, " ", o.Predicate, " ", o.Proof))
		}
		return told
	}
	want := func(step string, told ...string) {
		t.Helper()
		if got := proofs(); strings.Join(got, ", ") != strings.Join(told, ", ") {
			t.Errorf("%s: %q, want %q", step, got, told)
		}
	}
	clienttest.AddAndProcess(t, client, clienttest.Alice("I like opera.", "2024-05-01"), clienttest.Alice("I like opera.", "2024-05-02"))
	want("two messages", "Alice LIKES 2")
	if _, err := client.AddTriple(t.Context(), annals.Triple{
		GroupID: "t", Source: graph.TripleEnd{Name: "Alice"}, Predicate: "LIKES", Target: graph.TripleEnd{Name: "opera"}, Fact: "Alice likes opera.",
	}); err != nil {
		t.Fatal(err)
	}
	want("and one told by hand", "Alice LIKES 3")
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t"})
	if err != nil || len(facts) == 0 {
		t.Fatal(err)
	}
	loves := "LOVES"
	for _, f := range facts {
		if _, err := client.EditFact(t.Context(), "t", f.ID, annals.FactEdit{Predicate: &loves}); err != nil {
			t.Fatal(err)
		}
	}
	want("all edited", "Alice LOVES 3")
	episodes, err := client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "t"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Erase(t.Context(), annals.Erasure{GroupID: "t", EpisodeIDs: []uuid.UUID{episodes[0].ID, episodes[1].ID, episodes[2].ID}}); err != nil {
		t.Fatal(err)
	}
	want("all erased")
}
