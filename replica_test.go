package annals_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/retrieval"
)

// following is a memory whose reads go to a replica, as a test sees it.
type following struct {
	*pgtest.Standby
	t      *testing.T
	client *annals.Client
	log    *operatorLog
}

// operatorLog is the log for operators.
type operatorLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *operatorLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *operatorLog) count(words string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), words)
}

// follow opens a memory that waits for its replica for a given time.
func follow(t *testing.T, wait time.Duration) *following {
	t.Helper()
	f := &following{Standby: pgtest.NewStandby(t), t: t, log: &operatorLog{}}
	f.client = f.open(annals.Config{ReadWait: wait})
	return f
}

func (f *following) open(config annals.Config) *annals.Client {
	f.t.Helper()
	config.DatabaseURL, config.ReadDatabaseURL = f.Primary, f.Replica
	config.Log = slog.New(slog.NewTextHandler(f.log, nil))
	client := clienttest.Open(f.t, config)
	return client
}

// sessions counts the sessions on the replica whose last statement read rows.
func (f *following) sessions() (n int) {
	f.t.Helper()
	conn, err := pgx.Connect(f.t.Context(), f.Replica)
	if err != nil {
		f.t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	const reads = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'annals' AND query LIKE '%annals.%'"
	if err := conn.QueryRow(f.t.Context(), reads).Scan(&n); err != nil {
		f.t.Fatal(err)
	}
	return n
}

// sees fails the test unless the client finds the word by search and in the list.
func (f *following) sees(client *annals.Client, word string) {
	f.t.Helper()
	ctx := f.t.Context()
	found, err := client.Search(ctx, annals.Query{GroupID: "t", Text: word})
	if err != nil {
		f.t.Fatal(err)
	}
	if !slices.ContainsFunc(found.Episodes, func(h retrieval.EpisodeHit) bool { return strings.Contains(h.Content, word) }) {
		f.t.Errorf("searching for %s finds %d episodes, none of which has it", word, len(found.Episodes))
	}
	if !f.lists(ctx, client, word) {
		f.t.Errorf("%s is not in the list", word)
	}
}

func (f *following) lists(ctx context.Context, client *annals.Client, word string) bool {
	f.t.Helper()
	listed, err := client.Episodes(ctx, annals.EpisodeFilter{GroupID: "t"})
	if err != nil {
		f.t.Fatal(err)
	}
	return slices.ContainsFunc(listed, func(e annals.Episode) bool { return strings.Contains(e.Content, word) })
}

// These make the replica stop and resume showing what it receives.
const (
	pause  = "SELECT pg_wal_replay_pause()"
	resume = "SELECT pg_wal_replay_resume()"
)

const patiently = time.Minute // longer than any replica takes to catch up

func TestReadsGoToTheReplica(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	f := follow(t, patiently)
	for _, part := range []struct {
		name string
		look func(*testing.T)
	}{
		{"each sees what was written before it", f.readYourWrites},
		{"a tenant's too", f.tenants},
		{"every method", f.methods},
		{"a replica that is behind", f.behind},
		{"a replica that is gone", f.gone},
	} {
		t.Run(part.name, func(t *testing.T) {
			f.t, f.Standby.TB = t, t
			part.look(t)
		})
		f.t, f.Standby.TB = t, t
	}
}

func (f *following) readYourWrites(t *testing.T) {
	for i := range 20 {
		word := fmt.Sprintf("Kaunas%d", i)
		clienttest.AddAndProcess(t, f.client, clienttest.Alice("I live in "+word+".", "2024-03-15"))
		f.sees(f.client, word)
	}
	if f.sessions() == 0 {
		t.Error("nothing was read from the replica")
	}
	if status, err := f.client.Replica(t.Context()); err != nil || !status.Following {
		t.Errorf("the replica's state is %+v, %v", status, err)
	}
	f.quiet()
}

// quiet fails the test if there was a warning.
func (f *following) quiet() {
	f.t.Helper()
	if f.log.count("level=WARN") > 0 {
		f.t.Errorf("an operator reads %s", f.log.text.String())
	}
}

// The replica separates tenants as the primary does. The extensions are in the schema public, where a tenant
// finds them, for adding and searching.
func (f *following) tenants(t *testing.T) {
	ctx := t.Context()
	f.extensionsAreIn("public")
	if _, err := f.client.Add(ctx, annals.Episode{GroupID: "other", Actor: "Bob", Content: "I live in Hidden."}); err != nil {
		t.Fatal(err)
	}
	bound, err := f.client.ForTenant(ctx, "t")
	if err != nil {
		t.Fatal(err)
	}
	clienttest.AddAndProcess(t, bound, clienttest.Alice("I live in Vilnius.", "2024-03-16"))
	f.sees(bound, "Vilnius")
	f.sees(f.client, "Vilnius")
	if _, err := bound.Episodes(ctx, annals.EpisodeFilter{GroupID: "other"}); annals.CodeOf(err) != annals.CodeForbidden {
		t.Errorf("a read of another group: %v, want it forbidden", err)
	}
	after, err := f.client.LSN(ctx)
	if err != nil {
		t.Fatal(err)
	}
	replica, err := db.OpenReplica(ctx, f.Replica, patiently, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer replica.Close()
	count := func(from db.Pool) (n int) {
		if !replica.Read(ctx, after, func(ctx context.Context) error {
			return from.QueryRow(ctx, "SELECT count(*) FROM annals.episodes WHERE group_id = 'other'").Scan(&n)
		}) {
			t.Error("the replica did not answer")
		}
		return n
	}
	if all, own := count(replica.Pool()), count(db.Tenant(replica.Pool(), "t")); all != 1 || own != 0 {
		t.Errorf("of the other group's one episode the owner sees %d, a tenant %d", all, own)
	}
}

func (f *following) extensionsAreIn(schema string) {
	f.t.Helper()
	conn, err := pgx.Connect(f.t.Context(), f.Primary)
	if err != nil {
		f.t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	rows, _ := conn.Query(f.t.Context(), "SELECT extname::text FROM pg_extension WHERE extname <> 'plpgsql' AND extnamespace = $1::regnamespace ORDER BY 1", schema)
	there, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if want := []string{"btree_gist", "pg_trgm", "unaccent", "vector"}; err != nil || !slices.Equal(there, want) {
		f.t.Errorf("%q (%v) lie in the schema %s, want %q", there, err, schema, want)
	}
}

// Every method that reads can use a replica, where it may write nothing. After every method that writes to a
// group, the next read sees the write.
func (f *following) methods(t *testing.T) {
	ctx, group := t.Context(), tenantName(0)
	primary, err := db.Open(ctx, f.Primary)
	if err != nil {
		t.Fatal(err)
	}
	defer primary.Close()
	for _, quiet := range []string{"ALTER SYSTEM SET autovacuum = off", "SELECT pg_reload_conf()"} {
		if _, err := primary.Exec(ctx, quiet); err != nil {
			t.Fatal(err)
		}
	}
	l := &leak{T: t, url: f.Primary, owner: primary}
	l.tell(f.client)
	var archive strings.Builder
	if _, err := f.client.Export(ctx, group, &archive, annals.ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	l.archive = archive.String()
	transactions := func() (n int64) {
		l.try(primary.QueryRow(ctx, "SELECT txid_snapshot_xmax(txid_current_snapshot())").Scan(&n))
		return n
	}
	calls := l.clientCalls()
	for _, name := range inOrder(calls) {
		_, err := f.client.Groups(ctx, annals.GroupFilter{}) // needs the marks of all groups
		l.try(err)
		before := transactions()
		result, err := calls[name].call(ctx, f.client, group)
		if calls[name].read && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if calls[name].read && !strings.Contains(words(result, err), secret(0)) {
			t.Errorf("%s of the replica does not tell what was written: %s", name, words(result, err))
		}
		after := transactions()
		_, err = f.client.Episodes(ctx, annals.EpisodeFilter{GroupID: group})
		l.try(err)
		// Asking for the mark takes a transaction itself.
		if wrote, asked := after > before, transactions() > after; wrote && !asked && !slices.Contains(unread, name) {
			t.Errorf("%s writes, and the next read does not know: have it call Client.wrote", name)
		}
	}
	f.quiet()
}

// unread are the methods whose writes no method reads from a replica; AddTx, whose transaction is not
// committed yet; and the previews (TakeBack is called as one), which roll back.
var unread = []string{"AddTx", "AddAllTx", "ClaimKey", "ReleaseKey", "SaveReply", "PreviewErase", "PreviewUndo", "TakeBack"}

// While the replica is behind, recent writes are read from the primary, and the rest from the replica.
func (f *following) behind(t *testing.T) {
	ctx := t.Context()
	hasty, stranger := f.open(annals.Config{ReadWait: -1}), f.open(annals.Config{ReadWait: -1})
	f.Tell(pause)
	defer f.Tell(resume)
	clienttest.AddAndProcess(t, hasty, clienttest.Alice("I live in Tartu.", "2024-03-17"))
	f.sees(hasty, "Tartu")
	f.sees(hasty, "Tartu")
	if n := f.log.count("the replica is behind"); n != 1 {
		t.Errorf("an operator is told %d times that the replica is behind", n)
	}
	if f.lists(ctx, stranger, "Tartu") {
		t.Error("a process that did not write it sees what the replica has not got: it did not ask the replica")
	}
	written, err := hasty.LSN(ctx)
	if err != nil {
		t.Fatal(err)
	}
	told, err := annals.ParseLSN(written.String())
	if err != nil || told != written {
		t.Fatalf("%s reads as %s, %v", written, told, err)
	}
	if !f.lists(annals.ReadAfter(ctx, told), stranger, "Tartu") {
		t.Error("a read that demands what was written does not see it")
	}
	if status, err := hasty.Replica(ctx); err != nil || status.Behind <= 0 {
		t.Errorf("the paused replica's state is %+v, %v", status, err)
	}
	f.Tell(resume)
	if !f.lists(annals.ReadAfter(ctx, told), f.client, "Tartu") {
		t.Error("a read that waits for the replica does not see what was written")
	}
}

// Without its replica a memory continues to work, and uses the replica again when it returns.
func (f *following) gone(t *testing.T) {
	client := f.open(annals.Config{})
	f.sees(client, "Tartu")
	f.Stop()
	before := f.log.count("does not answer")
	f.sees(client, "Tartu")
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Riga.", "2024-03-18"))
	f.sees(client, "Riga")
	if n := f.log.count("does not answer") - before; n != 1 {
		t.Errorf("an operator is told %d times that the replica is gone", n)
	}
	late := f.open(annals.Config{})
	f.sees(late, "Riga")
	f.Start()
	f.sees(f.open(annals.Config{ReadWait: patiently}), "Riga")
	if f.sessions() == 0 {
		t.Error("the replica that is back is not read from")
	}
	ctx, cancel := context.WithTimeout(t.Context(), patiently)
	defer cancel()
	for f.log.count("the replica follows again") == 0 && ctx.Err() == nil {
		f.lists(t.Context(), client, "Riga")
	}
	if ctx.Err() != nil {
		t.Error("the replica that is back is never tried again")
	}
}
