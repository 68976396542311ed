package pooler_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/pooler"
)

// Behind a pooler no statement is prepared, unless the URL asks for it.
func TestAPoolerIsNoticed(t *testing.T) {
	t.Parallel()
	direct := pgtest.Empty(t)
	through := pgtest.Bouncer(t, direct)
	for _, tt := range []struct {
		url    string
		behind bool
		mode   pgx.QueryExecMode
	}{
		{direct, false, pgx.QueryExecModeCacheStatement},
		{direct + "&default_query_exec_mode=exec", false, pgx.QueryExecModeExec},
		{through, true, pgx.QueryExecModeCacheDescribe},
		{through + "&default_query_exec_mode=exec", true, pgx.QueryExecModeExec},
		{through + "&default_query_exec_mode=cache_statement", true, pgx.QueryExecModeCacheStatement},
	} {
		config, err := pgx.ParseConfig(tt.url)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 { // it is no matter of chance
			suited := config.Copy()
			behind, err := pooler.Suit(t.Context(), suited)
			if err != nil {
				t.Fatal(err)
			}
			if behind != tt.behind || suited.DefaultQueryExecMode != tt.mode {
				t.Fatalf("%s: behind %t in mode %v, want %t in %v", tt.url, behind, suited.DefaultQueryExecMode, tt.behind, tt.mode)
			}
		}
	}
}

// A login that acts as another role from the start sees only the id of its own
// process.
func TestWhoActsAsAnotherRoleConnects(t *testing.T) {
	t.Parallel()
	url := pgtest.Empty(t)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	const role = "annals_pooler_guest"
	if _, err := conn.Exec(t.Context(), "CREATE ROLE "+role+" LOGIN; CREATE ROLE "+role+"_as; GRANT "+role+"_as TO "+role+
		"; ALTER ROLE "+role+" SET role = '"+role+"_as'"); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if _, err := conn.Exec(t.Context(), "DROP ROLE "+role+"; DROP ROLE "+role+"_as"); err != nil {
			t.Error(err)
		}
	}()
	config := conn.Config()
	config.User = role
	if behind, err := pooler.Suit(t.Context(), config); err != nil || behind {
		t.Errorf("behind %t (%v), want neither", behind, err)
	}
}
