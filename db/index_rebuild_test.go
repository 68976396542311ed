package db_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/db/embeddings"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/slow"
)

func TestIndexesGoWithTheirGroup(t *testing.T) {
	t.Parallel()
	pool := open(t)
	fill(t, pool, "stays", threshold, 1)
	fill(t, pool, "goes", threshold, 2)
	build(t, pool, "stays")
	build(t, pool, "goes")
	kept := one[string](t, pool, `SELECT index_name FROM annals_internal.vector_indexes WHERE group_id = 'stays'`)
	exec(t, pool, `DELETE FROM annals.groups WHERE group_id = 'goes'`)
	if diff := cmp.Diff([]string{"dropped fact of goes, 0"}, build(t, pool, "stays")); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{kept}, ours(t, pool)); diff != "" {
		t.Errorf("indexes (-want +got):\n%s", diff)
	}
}

// A crash leaves an invalid row of the catalogue, an invalid index, or an index without a row. The
// next run starts over.
func TestWhatACrashLeavesIsCleared(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	for name, crash := range map[string][]string{
		"before the index":     {`DROP INDEX annals_internal.%s`, `UPDATE annals_internal.vector_indexes SET valid = false`},
		"half an index":        {`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'annals_internal.%s'::regclass`, `UPDATE annals_internal.vector_indexes SET valid = false`},
		"before it was noted":  {`UPDATE annals_internal.vector_indexes SET valid = false`},
		"a broken index":       {`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'annals_internal.%s'::regclass`},
		"an index unaccounted": {`DELETE FROM annals_internal.vector_indexes`},
		"a dropped index":      {`DROP INDEX annals_internal.%s`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := open(t)
			fill(t, pool, "g", threshold, 1)
			build(t, pool, "g")
			index := one[string](t, pool, `SELECT index_name FROM annals_internal.vector_indexes`)
			for _, statement := range crash {
				exec(t, pool, strings.ReplaceAll(statement, "%s", index))
			}
			search(t, pool, func() db.Nearest { n := nearest("g"); n.Shape = shapeOf(t, pool, "g"); return n }())
			build(t, pool, "g")
			working := one[int](t, pool, `SELECT count(*) FROM annals_internal.vector_indexes v JOIN pg_index x ON x.indexrelid = ('annals_internal.' || v.index_name)::regclass
				WHERE v.valid AND x.indisvalid`)
			if got := ours(t, pool); working != 1 || len(got) != 1 {
				t.Errorf("%d indexes work of %v, want one of one", working, got)
			}
		})
	}
}

func TestAFailedRebuildLeavesTheOldIndex(t *testing.T) {
	t.Parallel()
	pool := open(t)
	fill(t, pool, "g", threshold, 1)
	build(t, pool, "g")
	before := ours(t, pool)
	fill(t, pool, "g", threshold, 2)
	holder, err := pool.Begin(t.Context()) // the rebuild waits for what it has written
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = holder.Rollback(context.Background()) }()
	if _, err := holder.Exec(t.Context(), `DELETE FROM annals_internal.fact_embeddings WHERE group_id = 'none'`); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := embeddings.BuildIndexes(ctx, pool, "g", threshold)
		done <- err
	}()
	for len(ours(t, pool)) < 2 { // until the new one is begun
		select {
		case err := <-done:
			t.Fatalf("the rebuild did not wait: %v", err)
		default:
		}
	}
	cancel()
	if err := holder.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err == nil {
		t.Error("a cancelled rebuild reports no error")
	}
	if diff := cmp.Diff(before, ours(t, pool)); diff != "" {
		t.Errorf("indexes (-want +got):\n%s", diff)
	}
	if !shapeOf(t, pool, "g").HasIndex(graph.KindFact) {
		t.Error("the old index no longer serves")
	}
}

func TestBuildersDoNotMeet(t *testing.T) {
	t.Parallel()
	pool := open(t)
	fill(t, pool, "g", threshold, 1)
	changes := make(chan []embeddings.IndexChange)
	for range 4 {
		go func() {
			c, err := embeddings.BuildIndexes(t.Context(), pool, "g", threshold)
			if err != nil {
				t.Error(err)
			}
			changes <- c
		}()
	}
	built := 0
	for range 4 {
		built += len(<-changes)
	}
	if got := ours(t, pool); built != 1 || len(got) != 1 {
		t.Errorf("%d were built and %v stand, want one", built, got)
	}
}

// In a container with little shared memory one process builds alone.
func TestAnIndexIsBuiltAloneWithoutSharedMemory(t *testing.T) {
	t.Parallel()
	pool := open(t)
	fill(t, pool, "g", threshold, 1)
	exec(t, pool, `CREATE TABLE attempts (processes text)`)
	exec(t, pool, `CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$
		BEGIN
			IF current_setting('max_parallel_maintenance_workers') <> '0' THEN
				RAISE EXCEPTION 'could not resize shared memory segment' USING ERRCODE = 'disk_full';
			END IF;
			INSERT INTO public.attempts VALUES (current_setting('max_parallel_maintenance_workers'));
		END $$`)
	exec(t, pool, `CREATE EVENT TRIGGER refuse ON ddl_command_start WHEN TAG IN ('CREATE INDEX') EXECUTE FUNCTION refuse()`)
	if diff := cmp.Diff([]string{"built fact of g, 300"}, build(t, pool, "g")); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	if alone := one[[]string](t, pool, `SELECT array_agg(processes) FROM attempts`); !slices.Equal(alone, []string{"0"}) {
		t.Errorf("attempts that were let in: %v", alone)
	}
}
