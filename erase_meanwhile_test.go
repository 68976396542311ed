package annals_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
)

// halt makes writers to a table of a group wait at that point.
type halt struct {
	t    *testing.T
	url  string
	conn *pgx.Conn
}

func haltAt(t *testing.T, url, table, group string) *halt {
	t.Helper()
	h := &halt{t: t, url: url, conn: clienttest.Dial(t, url)}
	for _, statement := range []string{
		fmt.Sprintf(`CREATE FUNCTION public.halt() RETURNS trigger LANGUAGE plpgsql AS
			'BEGIN IF NEW.group_id = ''%s'' THEN PERFORM pg_advisory_xact_lock_shared(42); END IF; RETURN NEW; END'`, group),
		"CREATE TRIGGER halt BEFORE INSERT ON " + table + " FOR EACH ROW EXECUTE FUNCTION public.halt()",
		"SELECT pg_advisory_lock(42)",
	} {
		if _, err := h.conn.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// until waits until so many wait for an advisory lock, or the operation is done.
func (h *halt) until(waiting int, done chan error) {
	h.t.Helper()
	for clienttest.Count(h.t, h.url, `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`) < waiting {
		select {
		case err := <-done:
			h.t.Errorf("it did not wait, and ended with %v", err)
			done <- err
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (h *halt) release() {
	h.t.Helper()
	if _, err := h.conn.Exec(h.t.Context(), "SELECT pg_advisory_unlock(42)"); err != nil {
		h.t.Fatal(err)
	}
}

func doing(work func() error) chan error {
	done := make(chan error, 1)
	go func() { done <- work() }()
	return done
}

func wanted(t *testing.T, done <-chan error) {
	t.Helper()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// secretOf adds two messages to a group and returns the one about a safe, with an export of both.
func secretOf(t *testing.T, client *annals.Client) (secret uuid.UUID, exported []byte) {
	t.Helper()
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2024-01-10"),
		clienttest.Alice("The safe is behind the mirror in the hall.", "2024-01-11"))
	episodes, err := client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "t"})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range episodes {
		if strings.Contains(e.Content, "safe") {
			secret = e.ID
		}
	}
	var file bytes.Buffer
	if _, err := client.Export(t.Context(), "t", &file, annals.ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	return secret, file.Bytes()
}

func importing(ctx context.Context, client *annals.Client, file []byte) func() error {
	return func() error {
		_, err := client.Import(ctx, bytes.NewReader(file), annals.ImportOptions{GroupID: "copy"})
		return err
	}
}

func erasing(ctx context.Context, client *annals.Client, secret uuid.UUID) func() error {
	return func() error {
		_, err := client.Erase(ctx, annals.Erasure{GroupID: "t", EpisodeIDs: []uuid.UUID{secret}, Copies: true})
		return err
	}
}

func noCopyOfTheSecret(t *testing.T, url string) {
	t.Helper()
	if n := clienttest.Count(t, url, "SELECT count(*) FROM annals.episodes WHERE group_id = 'copy'"); n != 1 {
		t.Errorf("the copy has %d episodes, want the other one", n)
	}
	if n := clienttest.Count(t, url, "SELECT count(*) FROM annals.episodes WHERE content LIKE '%safe%'"); n != 0 {
		t.Errorf("%d episodes have what was erased", n)
	}
}

// An import waits for an erasure in the exported group, and leaves out what it erases.
func TestImportDuringAnErasure(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	secret, file := secretOf(t, client)
	h := haltAt(t, url, "annals.erasures", "t")
	erased := doing(erasing(t.Context(), client, secret))
	h.until(1, erased)
	imported := doing(importing(t.Context(), client, file))
	h.until(2, imported)
	h.release()
	wanted(t, erased)
	wanted(t, imported)
	noCopyOfTheSecret(t, url)
}

// An erasure waits for an import of the same group, and finds the copy.
func TestErasureDuringAnImport(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, url := clienttest.New(t)
	secret, file := secretOf(t, client)
	h := haltAt(t, url, "annals_internal.search_statistics", "copy")
	imported := doing(importing(t.Context(), client, file))
	h.until(1, imported)
	erased := doing(erasing(t.Context(), client, secret))
	h.until(2, erased)
	h.release()
	wanted(t, imported)
	wanted(t, erased)
	noCopyOfTheSecret(t, url)
}

// A reply saved just before an erasure is committed is erased with it.
func TestReplyDuringAnErasure(t *testing.T) {
	t.Parallel()
	for _, scope := range []string{"an episode", "the group"} {
		t.Run(scope, func(t *testing.T) {
			t.Parallel()
			client, url := clienttest.New(t)
			secret, _ := secretOf(t, client)
			what, of := annals.Erasure{GroupID: "t", EpisodeIDs: []uuid.UUID{secret}}, "t"
			if scope == "the group" {
				what, of = annals.Erasure{GroupID: "t"}, ""
			}
			h := haltAt(t, url, "annals.erasures", of)
			erased := doing(func() error {
				_, err := client.Erase(t.Context(), what)
				return err
			})
			h.until(1, erased)
			request := service.Request{GroupID: "t", Caller: "somebody", Key: "word"}
			if _, err := service.New(client).ClaimKey(t.Context(), request); err != nil {
				t.Fatal(err)
			}
			if err := service.New(client).SaveReply(t.Context(), request, service.Reply{Status: 200, Body: []byte("behind the mirror")}); err != nil {
				t.Fatal(err)
			}
			h.release()
			wanted(t, erased)
			if n := clienttest.Count(t, url, "SELECT count(*) FROM annals_internal.replies"); n != 0 {
				t.Errorf("%d replies are left", n)
			}
		})
	}
}
