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
	"github.com/annalsdb/annals/retrieval"
)

// past makes a group whose entities were renamed and merged, and whose facts ended and were
// withdrawn, after a moment.
func past(t *testing.T) (client *annals.Client, then time.Time) {
	t.Helper()
	client, url := clienttest.New(t)
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2023-01-10"), clienttest.Alice("I work at Acme.", "2023-02-10"),
		clienttest.Alice("I like chess.", "2023-03-10"))
	then = time.Now().UTC()
	clienttest.AddAndProcess(t, client, clienttest.Alice("I moved to Lisbon last week.", "2024-03-15"))
	entity := func(name string) uuid.UUID {
		e, err := client.Entity(t.Context(), "t", name)
		if err != nil {
			t.Fatal(err)
		}
		return e.ID
	}
	if _, err := client.RenameEntity(t.Context(), "t", entity("Acme"), "Zenith Corporation"); err != nil {
		t.Fatal(err)
	}
	psql(t, url, `DELETE FROM annals.entities WHERE group_id = 't' AND name ILIKE 'chess'`)
	return client, then
}

func TestReadersGoBack(t *testing.T) {
	t.Parallel()
	client, then := past(t)
	names := func(f annals.EntityFilter) string {
		t.Helper()
		f.GroupID = "t"
		entities, err := client.Entities(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, e := range entities {
			all = append(all, strings.ToLower(e.Name))
		}
		slices.Sort(all)
		return strings.Join(all, ", ")
	}
	if got, want := names(annals.EntityFilter{}), "alice, lisbon, paris, zenith corporation"; got != want {
		t.Errorf("now %q, want %q", got, want)
	}
	if got, want := names(annals.EntityFilter{KnownAt: then}), "acme, alice, chess, paris"; got != want {
		t.Errorf("then %q, want %q", got, want)
	}
	if got, want := names(annals.EntityFilter{KnownAt: then, ValidAt: time.Date(2023, 1, 20, 0, 0, 0, 0, time.UTC)}), "alice, paris"; got != want {
		t.Errorf("then, of January 2023, %q, want %q", got, want)
	}
	if got := names(annals.EntityFilter{KnownAt: then.AddDate(-1, 0, 0)}); got != "" {
		t.Errorf("a year before anything was known: %q", got)
	}
	if e, err := client.EntityAt(t.Context(), "t", "ACME", then); err != nil || e.Name != "Acme" {
		t.Errorf("Acme then: %+v, %v", e, err)
	}
	if _, err := client.EntityAt(t.Context(), "t", "Zenith Corporation", then); annals.CodeOf(err) != annals.CodeNotFound {
		t.Errorf("Zenith then: %v, want not found", err)
	}
	acme, err := client.EntityAt(t.Context(), "t", "Acme", then)
	if err != nil {
		t.Fatal(err)
	}
	versions, err := client.EntityHistory(t.Context(), "t", acme.ID)
	if err != nil || len(versions) < 2 || !versions[len(versions)-1].Current || len(versions[0].CausedBy) != 1 {
		t.Errorf("versions of Acme %+v, %v", versions, err)
	}
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t", KnownAt: then, EntityID: acme.ID})
	if err != nil || len(facts) != 1 || facts[0].Target != "Acme" {
		t.Errorf("facts of Acme then %+v, %v", facts, err)
	}
	changes, err := client.Timeline(t.Context(), annals.TimelineFilter{GroupID: "t", KnownAt: then})
	if err != nil || len(changes) != 3 {
		t.Errorf("timeline then %+v, %v; want three beginnings", changes, err)
	}
	changes, err = client.Timeline(t.Context(), annals.TimelineFilter{
		GroupID: "t", KnownAt: then, AsOf: time.Date(2023, 2, 20, 0, 0, 0, 0, time.UTC),
	})
	if err != nil || len(changes) != 2 {
		t.Errorf("timeline until February, then %+v, %v; want two", changes, err)
	}
}

// Rows that left the graph are found as of the time when they were in it, by words, by vector and
// by neighbours.
func TestSearchFindsWhatWasKnown(t *testing.T) {
	t.Parallel()
	client, then := past(t)
	for _, method := range []retrieval.Method{retrieval.MethodTerms, retrieval.MethodVector, retrieval.MethodGraph} {
		for _, tt := range []struct {
			text, fact, entity string
		}{{"chess", "chess", "chess"}, {"Acme", "acme", "acme"}} {
			q := annals.Query{GroupID: "t", Text: tt.text, KnownAt: then, Methods: []retrieval.Method{method}}
			if method == retrieval.MethodGraph {
				at, err := client.EntityAt(t.Context(), "t", "Alice", then)
				if err != nil {
					t.Fatal(err)
				}
				q.Seeds = []uuid.UUID{at.ID}
			}
			found, err := client.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(found.Facts, func(f retrieval.FactHit) bool { return strings.Contains(strings.ToLower(f.Fact.Fact), tt.fact) }) {
				t.Errorf("%s: no fact of %s among %+v", method, tt.fact, found.Facts)
			}
			if !slices.ContainsFunc(found.Entities, func(e retrieval.EntityHit) bool { return strings.EqualFold(e.Name, tt.entity) }) {
				t.Errorf("%s: no entity %s among %+v", method, tt.entity, found.Entities)
			}
			for _, e := range found.Episodes {
				if strings.Contains(e.Content, "Lisbon") {
					t.Errorf("%s: %q had not been said", method, e.Content)
				}
			}
		}
	}
	now, err := client.Search(t.Context(), annals.Query{GroupID: "t", Text: "chess Acme", Scopes: []graph.Kind{graph.KindEntity}})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range now.Entities {
		if strings.EqualFold(e.Name, "chess") || e.Name == "Acme" {
			t.Errorf("%s is found as known now", e.Name)
		}
	}
	found, err := client.Search(t.Context(), annals.Query{
		GroupID: "t", Text: "acme", KnownAt: then, Rerank: []retrieval.Rerank{retrieval.RerankMMR},
		Filter: retrieval.Filter{Actors: []string{"Alice"}},
	})
	if err != nil || len(found.Facts) == 0 || len(found.Entities) == 0 {
		t.Errorf("with a filter and a reranker %+v, %v", found, err)
	}
	text, err := client.Context(t.Context(), annals.Query{GroupID: "t", Text: "Where is work?", KnownAt: then})
	if err != nil || !strings.Contains(text, "Acme") || strings.Contains(text, "Zenith") || strings.Contains(text, "Lisbon") {
		t.Errorf("context then %q, %v", text, err)
	}
}

func TestDiff(t *testing.T) {
	t.Parallel()
	client, then := past(t)
	diff, err := client.Diff(t.Context(), annals.DiffFilter{GroupID: "t", From: then})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, c := range diff.Facts {
		shown := c.After
		if shown == nil {
			shown = c.Before
		}
		got[strings.ToLower(shown.Target)] = c.Change
		if (c.Before == nil) != (c.Change == "added") || (c.After == nil) != (c.Change == "withdrawn") {
			t.Errorf("%s has before %v, after %v", c.Change, c.Before, c.After)
		}
		if c.Change == "ended" && (!c.Before.Valid.Ongoing() || c.After.Valid.Ongoing() || len(c.CausedBy) != 1) {
			t.Errorf("ended: from %v to %v because of %v", c.Before.Valid, c.After.Valid, c.CausedBy)
		}
	}
	for target, change := range map[string]string{"paris": "ended", "lisbon": "added", "chess": "withdrawn"} {
		if got[target] != change {
			t.Errorf("the fact of %s is %q, want %q", target, got[target], change)
		}
	}
	if _, there := got["zenith corporation"]; there {
		t.Error("the fact of Acme is listed, which only its entity's name changed")
	}
	entities := map[string]annals.EntityChange{}
	for _, c := range diff.Entities {
		shown := c.After
		if shown == nil {
			shown = c.Before
		}
		entities[strings.ToLower(shown.Name)] = c
	}
	for name, change := range map[string]string{
		"lisbon": "added", "zenith corporation": "renamed", "chess": "removed", "alice": "summary",
	} {
		if entities[name].Change != change {
			t.Errorf("%s is %q, want %q", name, entities[name].Change, change)
		}
	}
	if none, err := client.Diff(t.Context(), annals.DiffFilter{GroupID: "t", From: then.Add(-time.Microsecond), To: then}); err != nil ||
		len(none.Facts)+len(none.Entities) != 0 {
		t.Errorf("between two moments at which nothing changed: %+v, %v", none, err)
	}
	for _, f := range []annals.DiffFilter{
		{GroupID: "t"}, {GroupID: "t", From: then, To: then}, {GroupID: "", From: then}, {GroupID: "t", From: then, Limit: -1},
	} {
		if _, err := client.Diff(t.Context(), f); annals.CodeOf(err) != annals.CodeInvalid {
			t.Errorf("%+v: %v, want it refused", f, err)
		}
	}
}
