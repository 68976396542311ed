package annals_test

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/slow"
)

// library makes a group with many rows whose order is equal: entities with equal names and
// mentions, changes at one time, communities of one size.
var library = sqlOf("testdata/lists/library.sql")

// shuffled adds rows to every list, and moves present rows towards the beginning of their list.
// What it ends is no longer known.
var shuffled = sqlOf("testdata/lists/shuffled.sql")

// sqlOf reads a script that other tests also read.
func sqlOf(path string) string {
	script, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return string(script)
}

// paged lists all rows page by page, each by a unique name.
func paged[T any](t *testing.T, limit int, list func(after *T, limit int) ([]T, error), name func(T) string, between func()) []string {
	t.Helper()
	var names []string
	for after := (*T)(nil); ; {
		rows, err := list(after, limit)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			names = append(names, name(row))
		}
		if len(rows) < limit {
			return names
		}
		after = &rows[len(rows)-1]
		between()
	}
}

type pager func(t *testing.T, limit int, between func()) []string

// pagers returns the lists of a group as known at a time; the zero time is now.
func pagers(c *annals.Client, at time.Time) map[string]pager {
	timeline := func(latest bool, asOf time.Time) pager {
		return func(t *testing.T, limit int, between func()) []string {
			return paged(t, limit, func(after *annals.Change, limit int) ([]annals.Change, error) {
				return c.Timeline(t.Context(), annals.TimelineFilter{
					GroupID: "t", AsOf: asOf, KnownAt: at, LatestFirst: latest, After: after, Limit: limit,
				})
			}, func(c annals.Change) string { return fmt.Sprint(c.At, c.Event, c.FactID) }, between)
		}
	}
	entities := func(validAt time.Time) pager {
		return func(t *testing.T, limit int, between func()) []string {
			return paged(t, limit, func(after *annals.Entity, limit int) ([]annals.Entity, error) {
				return c.Entities(t.Context(), annals.EntityFilter{GroupID: "t", ValidAt: validAt, KnownAt: at, After: after, Limit: limit})
			}, func(e annals.Entity) string { return e.ID.String() }, between)
		}
	}
	return map[string]pager{
		"timeline": timeline(false, time.Time{}), "timeline, the latest first": timeline(true, time.Time{}),
		"timeline until a day":                  timeline(false, day(2024, 1, 6)),
		"timeline back from a day":              timeline(true, day(2024, 1, 6)),
		"entities":                              entities(time.Time{}),
		"entities of which something held then": entities(day(2024, 1, 9)),
		"communities": func(t *testing.T, limit int, between func()) []string {
			return paged(t, limit, func(after *annals.Membership, limit int) ([]annals.Membership, error) {
				return c.Communities(t.Context(), annals.CommunityFilter{GroupID: "t", KnownAt: at, After: after, Limit: limit})
			}, func(m annals.Membership) string { return m.ID.String() }, between)
		},
		"threads": func(t *testing.T, limit int, between func()) []string {
			return paged(t, limit, func(after *annals.Thread, limit int) ([]annals.Thread, error) {
				return c.Threads(t.Context(), annals.ThreadFilter{GroupID: "t", After: after, Limit: limit})
			}, func(th annals.Thread) string { return th.ID }, between)
		},
	}
}

func nothing() {}

// Small pages together are the page with everything, now and as known at a time, without rows that
// were added since.
func TestPagesAreTheWholeList(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, url := clienttest.New(t)
	if _, err := client.CreateGroup(t.Context(), annals.Group{ID: "t"}); err != nil {
		t.Fatal(err)
	}
	psql(t, url, library)
	before := map[string][]string{}
	for name, list := range pagers(client, time.Time{}) {
		before[name] = list(t, annals.MaxRows, nothing)
	}
	then, err := time.Parse(time.RFC3339Nano, psql(t, url, `SELECT to_char(annals_internal.recorded_now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.USZ')`))
	if err != nil {
		t.Fatal(err)
	}
	psql(t, url, shuffled+`
		UPDATE annals.entities SET summary = 'Another.' WHERE group_id = 't' AND name = 'Name 3';
		DELETE FROM annals.communities WHERE group_id = 't' AND name = 'Community 1';
		DELETE FROM annals.facts WHERE group_id = 't' AND fact LIKE 'Fact 2%';`)
	for _, at := range []time.Time{{}, then} {
		for name, list := range pagers(client, at) {
			whole := list(t, annals.MaxRows, nothing)
			if len(whole) < 15 {
				t.Errorf("%s: only %d rows", name, len(whole))
			}
			for _, limit := range []int{1, 7} {
				if diff := cmp.Diff(whole, list(t, limit, nothing)); diff != "" {
					t.Errorf("%s, known at %v, by %d:\n%s", name, at, limit, diff)
				}
			}
			if at.IsZero() || name == "threads" {
				continue
			}
			if diff := cmp.Diff(sorted(before[name]), sorted(whole)); diff != "" {
				t.Errorf("%s is no longer what was known then:\n%s", name, diff)
			}
		}
	}
	forwards, back := pagers(client, time.Time{})["timeline"](t, 5, nothing), pagers(client, time.Time{})["timeline, the latest first"](t, 4, nothing)
	slices.Reverse(back)
	if diff := cmp.Diff(forwards, back); diff != "" {
		t.Errorf("back is not the other way round:\n%s", diff)
	}
}

func sorted(s []string) []string { return slices.Sorted(slices.Values(s)) }

// While rows are added, no row is listed twice, and none is omitted that did not move.
func TestNoRowIsListedTwice(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, url := clienttest.New(t)
	if _, err := client.CreateGroup(t.Context(), annals.Group{ID: "t"}); err != nil {
		t.Fatal(err)
	}
	psql(t, url, library)
	for name, list := range pagers(client, time.Time{}) {
		before := list(t, annals.MaxRows, nothing)
		pages := 0
		listed := list(t, 6, func() {
			if pages++; pages == 2 {
				psql(t, url, shuffled)
			}
		})
		if all := sorted(listed); len(slices.Compact(slices.Clone(all))) != len(all) {
			t.Errorf("%s: rows come twice among %q", name, all)
		}
		if pages < 2 || !slices.Equal(listed[:12], before[:12]) {
			t.Errorf("%s: %d pages, of which the first two are not those of before", name, pages)
		}
		if !stays(name) {
			continue
		}
		for _, row := range before {
			if !slices.Contains(listed, row) {
				t.Errorf("%s: %s is left out", name, row)
			}
		}
	}
}

// stays reports whether additions move nothing in a list.
func stays(name string) bool { return name[:4] == "time" }

// Triggers keep the sort keys of lists right, whatever happens in a group: entities are renamed,
// merged and undone, and communities are built again.
func TestWhatListsAreOrderedByIsKept(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, url := clienttest.New(t)
	clienttest.Lived(t, client, url)
	rows, err := clienttest.Dial(t, url).Query(t.Context(), `
		SELECT 'entity ' || e.name || ', mentioned ' || coalesce(m.mentions, -1) || ' as ' || coalesce(m.name, '')
		FROM annals.entities e LEFT JOIN annals_internal.entity_mentions m ON m.group_id = e.group_id AND m.entity_id = e.id
		WHERE (m.name, m.mentions) IS DISTINCT FROM (e.name,
			(SELECT count(*) FROM annals.mentions o WHERE o.group_id = e.group_id AND o.entity_id = e.id)::integer)
		UNION ALL
		SELECT 'community ' || c.name || ' of ' || c.size FROM annals.communities c
		WHERE c.size <> (SELECT count(*) FROM annals.community_members o WHERE o.group_id = c.group_id AND o.community_id = c.id)
		UNION ALL
		SELECT 'nothing to count' WHERE NOT EXISTS (SELECT FROM annals_internal.entity_mentions WHERE mentions > 1)
			OR NOT EXISTS (SELECT FROM annals.communities WHERE size > 1)`)
	if err != nil {
		t.Fatal(err)
	}
	wrong, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range wrong {
		t.Error(row)
	}
}
