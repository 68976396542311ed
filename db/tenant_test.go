package db_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/internal/pgtest"
)

// Behind a pooler no statement is prepared, unless the URL asks for it.
func TestAPoolerIsNoticed(t *testing.T) {
	t.Parallel()
	direct := pgtest.New(t)
	through := pgtest.Bouncer(t, direct)
	for _, tt := range []struct {
		url  string
		want pgx.QueryExecMode
	}{
		{direct, pgx.QueryExecModeCacheStatement},
		{through, pgx.QueryExecModeCacheDescribe},
		{through + "&default_query_exec_mode=exec", pgx.QueryExecModeExec},
	} {
		pool, err := db.Open(t.Context(), tt.url)
		if err != nil {
			t.Fatal(err)
		}
		if got := pool.Config().ConnConfig.DefaultQueryExecMode; got != tt.want {
			t.Errorf("%s: mode %v, want %v", tt.url, got, tt.want)
		}
		pool.Close()
	}
}
