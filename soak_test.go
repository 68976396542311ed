package annals_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/slow"
)

const (
	soakGroups  = 4
	soakWriters = 16              // of each group
	soakTime    = 4 * time.Second // then the operations in progress finish
)

// Sixteen writers in each of four groups add, process, edit, undo, build communities and search at
// once. There is no deadlock and no error, no episode is lost, and no undone one is left.
func TestManyWritersAtOnce(t *testing.T) {
	t.Parallel()
	if !slow.Long() {
		t.Skip("takes ten seconds")
	}
	client, url := clienttest.New(t)
	deadline := time.Now().Add(soakTime)
	var mu sync.Mutex
	left := map[string]int{}
	tasks, ctx := errgroup.WithContext(t.Context())
	for g := range soakGroups {
		group := fmt.Sprintf("soak-%d", g)
		for w := range soakWriters {
			tasks.Go(func() error {
				for round := 0; round == 0 || time.Now().Before(deadline); round++ {
					stays, err := soak(ctx, client, group, w, round)
					if err != nil {
						return fmt.Errorf("writer %d of %s, round %d: %w", w, group, round, err)
					}
					mu.Lock()
					left[group] += stays
					mu.Unlock()
				}
				return nil
			})
		}
	}
	if err := tasks.Wait(); err != nil {
		t.Fatal(err)
	}
	for group, n := range left {
		if err := client.Process(t.Context(), group, nil); err != nil {
			t.Fatal(err)
		}
		counts, err := client.EpisodeCounts(t.Context(), group)
		if err != nil || counts[graph.StateDone] != n {
			t.Errorf("%s: %v (%v), want %d done and nothing else", group, counts, err, n)
		}
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	var deadlocks int
	if err := conn.QueryRow(t.Context(), `SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`).Scan(&deadlocks); err != nil || deadlocks != 0 {
		t.Errorf("%d deadlocks (%v)", deadlocks, err)
	}
}

// soak adds one episode, does one other operation, and returns how many episodes that leaves.
func soak(ctx context.Context, client *annals.Client, group string, writer, round int) (int, error) {
	name := fmt.Sprintf("Person%c", 'A'+(writer+round)%8)
	stored, err := client.Add(ctx, annals.Episode{
		GroupID: group, Actor: name, Content: fmt.Sprintf("I live in Paris and I work at Acme. Round %d of %d.", round, writer),
		ExternalID: fmt.Sprintf("%d-%d", writer, round),
	})
	if err != nil {
		return 0, err
	}
	switch (writer + round) % 8 {
	case 0, 4:
		return 1, client.Process(ctx, group, nil)
	case 1, 5:
		return 1, rename(ctx, client, group, name)
	case 2:
		_, err = client.BuildCommunities(ctx, group)
		return 1, err
	case 3: // processed by now or not
		_, err = client.Undo(ctx, group, stored.ID)
		return 0, err
	}
	_, err = client.Search(ctx, annals.Query{GroupID: group, Text: "Who works at Acme in Paris?"})
	return 1, err
}

// rename gives an entity its own name again. It is no error if the entity does not exist yet, or if
// two have the name.
func rename(ctx context.Context, client *annals.Client, group, name string) error {
	entity, err := client.Entity(ctx, group, name)
	if err == nil {
		_, err = client.RenameEntity(ctx, group, entity.ID, name)
	}
	if code := graph.CodeOf(err); err != nil && (code == graph.CodeNotFound || code == graph.CodeConflict) {
		return nil
	}
	return err
}
