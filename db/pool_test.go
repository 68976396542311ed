package db_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/internal/pgtest"
)

// Ids are read as they were written, alone and in lists, in every exec mode. Only pointers take
// NULL.
func TestIDs(t *testing.T) {
	t.Parallel()
	type row struct {
		ID, Maybe *uuid.UUID
		IDs       []uuid.UUID
		Same      uuid.UUID
		Null      uuid.NullUUID
		Any       any
	}
	id, url := uuid.Must(uuid.NewV7()), pgtest.New(t)
	want := row{ID: &id, IDs: []uuid.UUID{id, uuid.Nil}, Same: id, Any: id}
	for _, mode := range []string{"cache_statement", "cache_describe", "describe_exec", "exec", "simple_protocol"} {
		pool, err := db.Open(t.Context(), url+"&default_query_exec_mode="+mode)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := pool.Query(t.Context(), `SELECT $1::uuid, NULL::uuid, $2::uuid[], $1::uuid, NULL::uuid, $1::uuid`, id, []uuid.UUID{id, uuid.Nil})
		if err != nil {
			t.Fatalf("%s: %v", mode, err)
		}
		got, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[row])
		if err != nil {
			t.Fatalf("%s: %v", mode, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", mode, diff)
		}
		var none uuid.UUID
		if err := pool.QueryRow(t.Context(), `SELECT NULL::uuid`).Scan(&none); err == nil {
			t.Errorf("%s: no id was read as %v", mode, none)
		}
		pool.Close()
	}
}

// Ids are read as bytes and not as text: reading one allocates nothing.
func TestIDsAreReadAsBytes(t *testing.T) {
	pool := open(t)
	conn, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	id := uuid.Must(uuid.NewV7())
	kind, ok := conn.Conn().TypeMap().TypeForName("uuid")
	if !ok {
		t.Fatal("no type of ids")
	}
	var got uuid.UUID
	plan := conn.Conn().TypeMap().PlanScan(kind.OID, pgx.BinaryFormatCode, &got)
	if allocations := testing.AllocsPerRun(100, func() {
		if err := plan.Scan(id[:], &got); err != nil {
			t.Fatal(err)
		}
	}); allocations > 0 || got != id {
		t.Errorf("%v was read as %v with %v allocations", id, got, allocations)
	}
}
