package doors_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
)

// Content that two clients add at the same time is a duplicate, not a conflict, in every way of
// adding.
func TestADuplicateThatIsAddedMeanwhile(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t)
	s := serveWith(t, annals.Config{DatabaseURL: url})
	conn := clienttest.Dial(t, url)
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	const body = `{"content": "I like tea.", "external_id": "twelve"}`
	episode := annals.Episode{GroupID: group, Content: "I like tea.", ExternalID: "twelve"}
	first, err := s.client.AddTx(t.Context(), tx, episode)
	if err != nil {
		t.Fatal(err)
	}
	said := func(method, path, body string, status int) func() error {
		return func() error {
			got := s.send(t, attempt{method: method, path: "/v1/groups/" + group + path, body: body})
			if got.status != status || !strings.Contains(string(got.body), first.ID.String()) {
				return fmt.Errorf("%s %s: %d %s; want %d and %s", method, path, got.status, got.body, status, first.ID)
			}
			return nil
		}
	}
	known := func(way string, stored annals.Stored, err error) error {
		if err != nil || stored.New || stored.ID != first.ID {
			return fmt.Errorf("%s: %+v, %w; want the old %s", way, stored, err, first.ID)
		}
		return nil
	}
	ways := []func() error{
		said("POST", "/episodes", body, http.StatusOK),
		said("POST", "/threads/t/messages", `{"messages": [`+body+`]}`, http.StatusAccepted),
		func() error {
			stored, err := s.client.Add(t.Context(), episode)
			return known("Add", stored, err)
		},
		func() error { // beside what is new and what expires
			other, last := episode, episode
			other.ExternalID, last.ExternalID, last.ExpiresAt = "other", "last", time.Now().Add(time.Hour)
			stored, err := s.client.AddAll(t.Context(), []annals.Episode{other, episode, episode, last})
			if err != nil {
				return known("AddAll", annals.Stored{}, err)
			}
			if !stored[0].New || !stored[3].New || stored[2] != stored[1] {
				return fmt.Errorf("AddAll: %+v", stored)
			}
			return known("AddAll", stored[1], nil)
		},
		func() error {
			sql, err := pgx.Connect(t.Context(), url)
			if err != nil {
				return err
			}
			defer func() { _ = sql.Close(context.WithoutCancel(t.Context())) }()
			var stored annals.Stored
			err = sql.QueryRow(t.Context(), `SELECT annals.add_episode($1, 'I like tea.', external_id => 'twelve')`, group).Scan(&stored.ID)
			return known("SQL", stored, err)
		},
	}
	var all errgroup.Group
	for _, way := range ways {
		all.Go(way)
	}
	waiting := clienttest.Dial(t, url)
	for n := 0; n < len(ways); time.Sleep(10 * time.Millisecond) {
		const blocked = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`
		if err := waiting.QueryRow(t.Context(), blocked).Scan(&n); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := all.Wait(); err != nil {
		t.Error(err)
	}
}
