package service_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
)

// A restored database that was never analysed has no statistics. No operation becomes slow because
// of that.
func TestNothingNeedsStatistics(t *testing.T) {
	slow.Test(t)
	client, url := clienttest.New(t)
	conn := clienttest.Dial(t, url)
	const group, facts = "made", 10000
	if err := (clienttest.Made{Group: group, People: facts / 10, Facts: facts, Began: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)}).Write(t.Context(), conn); err != nil {
		t.Fatal(err)
	}
	rows, err := conn.Query(t.Context(), `SELECT id FROM annals.episodes WHERE group_id = $1 ORDER BY occurred_at DESC LIMIT 400`, group)
	if err != nil {
		t.Fatal(err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil || len(ids) < 400 {
		t.Fatal(len(ids), err)
	}
	for _, work := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"erase", func(ctx context.Context) error {
			_, err := client.Erase(ctx, annals.Erasure{GroupID: group, EpisodeIDs: ids[:60]})
			return err
		}},
		{"verify", func(ctx context.Context) error {
			_, err := service.New(client).Verify(ctx, "", false)
			return err
		}},
		{"undo", func(ctx context.Context) error {
			_, err := client.UndoAll(ctx, annals.Undoing{GroupID: group, EpisodeIDs: ids[300:303]})
			return err
		}},
		{"erase again", func(ctx context.Context) error {
			_, err := client.Erase(ctx, annals.Erasure{GroupID: group, EpisodeIDs: ids[303:304]})
			return err
		}},
		{"retention", func(ctx context.Context) error {
			if err := client.SetRetention(ctx, group, annals.Retention{MaxEpisodes: facts - 500}); err != nil {
				return err
			}
			_, err := client.ApplyRetention(ctx, group, true)
			return err
		}},
	} {
		if _, err := conn.Exec(t.Context(), `DELETE FROM pg_catalog.pg_statistic WHERE starelid IN (SELECT oid FROM pg_catalog.pg_class WHERE relnamespace::regnamespace::text LIKE 'annals%')`); err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Exec(t.Context(), `UPDATE pg_catalog.pg_class SET reltuples = -1, relpages = 0 WHERE relnamespace::regnamespace::text LIKE 'annals%' AND relkind IN ('r', 'i')`); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
		began := time.Now()
		if err := work.do(ctx); err != nil {
			t.Errorf("%s: %v", work.name, err)
		}
		stop()
		t.Logf("%s took %s", work.name, time.Since(began))
	}
}
