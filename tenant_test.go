package annals_test

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/db/embeddings"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/migrations"
	"github.com/annalsdb/annals/model"
)

// loginOf makes a user with only what the statement grants, and returns the URL to connect as it.
func loginOf(t *testing.T, address, grant string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	name := "annals_login_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	t.Cleanup(func() {
		_, err := conn.Exec(context.Background(), "DROP OWNED BY "+name+"; DROP ROLE "+name)
		if err != nil {
			t.Error(err)
		}
		_ = conn.Close(context.Background())
	})
	if _, err := conn.Exec(t.Context(), "CREATE ROLE "+name+" LOGIN PASSWORD 'annals_test'; "+strings.ReplaceAll(grant, "$user", name)); err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(name, "annals_test")
	return u.String()
}

// A user who is only a tenant adds, processes and searches in its group, and sees nothing without a
// group.
func TestALoginForTenantsOnly(t *testing.T) {
	t.Parallel()
	address := pgtest.New(t)
	login := loginOf(t, address, "GRANT annals_tenant TO $user")
	client := clienttest.Open(t, annals.Config{DatabaseURL: login, Tenant: "acme", Communities: true})
	for _, content := range []string{"I live in Paris.", "I work at Acme.", "I moved to Lisbon last week."} {
		if _, err := client.Add(t.Context(), annals.Episode{GroupID: "acme", Actor: "Alice", Content: content}); err != nil {
			t.Fatal(err)
		}
	}
	if err := client.Process(t.Context(), "acme", func(p annals.Processed) {
		if p.Err != nil {
			t.Error(p.Err)
		}
	}); err != nil {
		t.Fatal(err)
	}
	found, err := client.Search(t.Context(), annals.Query{GroupID: "acme", Text: "Where does Alice live?"})
	if err != nil || len(found.Facts) == 0 || len(found.Episodes) == 0 {
		t.Errorf("found %d facts and %d episodes (%v), want some of both", len(found.Facts), len(found.Episodes), err)
	}
	unbound := clienttest.Open(t, annals.Config{DatabaseURL: login})
	if facts, err := unbound.Facts(t.Context(), annals.FactFilter{GroupID: "acme"}); err != nil || len(facts) != 0 {
		t.Errorf("bound to no group it sees %d facts (%v), want none", len(facts), err)
	}
}

// A tenant can change a fact and remove it in one transaction.
func TestATenantChangesAndRemovesAtOnce(t *testing.T) {
	t.Parallel()
	login := loginOf(t, pgtest.New(t), "GRANT annals_tenant TO $user")
	client := clienttest.Open(t, annals.Config{DatabaseURL: login, Tenant: "acme"})
	say(t, client, annals.Episode{GroupID: "acme", Actor: "Alice", Content: "I live in Paris."})
	conn, err := pgx.Connect(t.Context(), login)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	_, err = conn.Exec(t.Context(), "BEGIN; SET LOCAL annals.group_id = 'acme'; UPDATE annals.facts SET told = 'Alice had lived in Paris.'; DELETE FROM annals.facts; COMMIT")
	if err != nil {
		t.Error(err)
	}
}

// A user who cannot act as a tenant gets an error, and no other access.
func TestWhoMayNotBeATenant(t *testing.T) {
	t.Parallel()
	address := pgtest.New(t)
	login := loginOf(t, address, "GRANT USAGE ON SCHEMA annals TO $user; GRANT SELECT ON ALL TABLES IN SCHEMA annals TO $user")
	_, err := annals.Open(t.Context(), annals.Config{DatabaseURL: login, Tenant: "acme"})
	if annals.CodeOf(err) != annals.CodeConflict {
		t.Errorf("Open as no tenant: %v, want a conflict", err)
	}
	pool, err := db.Open(t.Context(), login)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if err := db.CheckTenant(t.Context(), pool, "acme"); err == nil || !strings.Contains(err.Error(), "GRANT annals_tenant") {
		t.Errorf("%v, want it to say what to grant", err)
	}
}

// AddTx leaves the caller's transaction unchanged.
func TestAddTxGivesTheTransactionBack(t *testing.T) {
	t.Parallel()
	client, address := clienttest.New(t)
	bound, err := client.ForTenant(t.Context(), "t")
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bound.AddTx(t.Context(), tx, clienttest.Alice("I live in Paris.", "2023-01-10")); err != nil {
		t.Fatal(err)
	}
	if _, err := bound.AddTx(t.Context(), tx, annals.Episode{GroupID: "other", Content: "x"}); annals.CodeOf(err) != annals.CodeForbidden {
		t.Errorf("an episode of another group: %v, want it forbidden", err)
	}
	var role, group string
	if err := tx.QueryRow(t.Context(), `SELECT current_setting('role'), current_setting('annals.group_id', true)`).Scan(&role, &group); err != nil || role != "none" || group != "" {
		t.Errorf("the transaction acts as %q for %q (%v), want as before", role, group, err)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := bound.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "t"}); err != nil || len(got) != 1 {
		t.Errorf("%d episodes (%v), want one", len(got), err)
	}
}

// A tenant cannot find out by trial what others erased: not by writing it, nor by a trigger on a
// table of its own, nor from the hashes and their key.
func TestATenantLearnsNothingOfWhatOthersErased(t *testing.T) {
	t.Parallel()
	client, address := clienttest.New(t)
	stored, err := client.Add(t.Context(), annals.Episode{GroupID: "theirs", Content: "The safe is behind the mirror."})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Erase(t.Context(), annals.Erasure{GroupID: "theirs", EpisodeIDs: []uuid.UUID{stored.ID}}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Add(t.Context(), annals.Episode{GroupID: "theirs", Content: "the safe is behind the MIRROR."}); annals.CodeOf(err) != annals.CodeConflict {
		t.Errorf("its own group takes it in again: %v", err)
	}
	pool, err := db.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	const episode = `(group_id, id, content) VALUES ('theirs', gen_random_uuid(), 'The safe is behind the mirror.')`
	for _, group := range []string{"mine", ""} {
		for _, statement := range []string{
			`INSERT INTO annals.episodes ` + episode,
			`SET LOCAL annals.take_back = 'on'; INSERT INTO annals.episodes ` + episode,
			`CREATE TEMP TABLE episodes (group_id text, id uuid, content text, external_id text);
				CREATE TRIGGER probe BEFORE INSERT ON episodes FOR EACH ROW EXECUTE FUNCTION annals_internal.refuse_erased();
				INSERT INTO episodes ` + episode,
			`SELECT annals_internal.add_tombstone('theirs', 'content', 'x')`, `SELECT annals_internal.erase_group('theirs')`,
			`SELECT annals_internal.tombstone_hash('content', 'The safe is behind the mirror.')`, `TABLE annals_internal.tombstones`,
			`SELECT annals_internal.sentence_fingerprint('the safe is behind the mirror')`, `SELECT annals_internal.copies_of('mine')`, // which other groups there are
			`SELECT 1 / count(*) FROM annals_internal.settings WHERE name = 'tombstone_key'`, // there is none
		} {
			tx, err := db.Tenant(pool, group).Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := tx.Exec(t.Context(), statement, pgx.QueryExecModeSimpleProtocol); sqlState(err) != "42501" && sqlState(err) != "22012" {
				t.Errorf("bound to %q, %s: %v, want it refused", group, statement, err)
			}
			if err := tx.Rollback(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// The owner of the tables need not be a superuser, whom row-level security exempts: everything
// works for an ordinary owner.
func TestAnOwnerUnderRowLevelSecurity(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	login := loginOf(t, pgtest.New(t), `DROP SCHEMA annals, annals_internal CASCADE;
		GRANT annals_tenant TO $user;
		DO $do$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO $user', current_database()); END $do$`)
	if _, err := migrations.Up(t.Context(), login, migrations.Options{}); err != nil {
		t.Fatal(err)
	}
	client := clienttest.Open(t, annals.Config{DatabaseURL: login, Communities: true, IndexedVectors: -1})
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2023-01-10"), clienttest.Alice("I work at Acme.", "2023-01-11"), clienttest.Alice("I moved to Lisbon.", "2023-06-01"))
	lives := annals.Query{GroupID: "t", Text: "Where does Alice live?"}
	if found, err := client.Search(t.Context(), lives); err != nil || len(found.Facts) == 0 || len(found.Episodes) == 0 {
		t.Errorf("found %d facts and %d episodes (%v), want some of both", len(found.Facts), len(found.Episodes), err)
	}
	pool, err := db.Open(t.Context(), login)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if built, err := embeddings.BuildIndexes(t.Context(), pool, "t", 2); err != nil || len(built) < 2 {
		t.Errorf("indexes: %+v (%v), want those of episodes, entities and facts", built, err)
	}
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := db.CopyRows(t.Context(), tx, "annals.groups", []string{"group_id"}, 2, func(i int) ([]any, error) { return []any{[]string{"a", "b"}[i]}, nil }); err != nil {
		t.Error(err)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	var archive strings.Builder
	exported, err := client.Export(t.Context(), "t", &archive, annals.ExportOptions{Vectors: true})
	if err != nil {
		t.Fatal(err)
	}
	imported, err := client.Import(t.Context(), strings.NewReader(archive.String()), annals.ImportOptions{GroupID: "again"})
	if err != nil || imported.Rows["facts"] == 0 || imported.Rows["facts"] != exported.Rows["facts"] {
		t.Errorf("imported %v of %v (%v)", imported.Rows, exported.Rows, err)
	}
	for _, erasure := range []annals.Erasure{{GroupID: "t", EpisodeIDs: episodeIDs(t, client, "t")[:1]}, {GroupID: "t"}} {
		if gone, err := client.Erase(t.Context(), erasure); err != nil || len(gone.Tombstones) == 0 {
			t.Errorf("erased %+v (%v)", gone, err)
		}
	}
	small, err := model.NewHashEmbedder(16)
	if err != nil {
		t.Fatal(err)
	}
	if done, err := client.Reembed(t.Context(), small, nil); err != nil || done.Made == 0 || done.Dropped == 0 {
		t.Errorf("re-embedded %+v (%v)", done, err)
	}
}

func episodeIDs(t *testing.T, client *annals.Client, group string) (ids []uuid.UUID) {
	t.Helper()
	episodes, err := client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: group})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range episodes {
		ids = append(ids, e.ID)
	}
	return ids
}
