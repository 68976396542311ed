package annals_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/sync/errgroup"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/model"
)

// words returns all that a call returned, including an error.
func words(result any, err error) string {
	if found, ok := result.(annals.Result); ok {
		found.Asked = "" // it is the caller's own question
		result = found
	}
	text, _ := json.Marshal(result)
	return strings.ToLower(fmt.Sprintf("%s %+v %v", text, result, err))
}

func (l *leak) methods(t *testing.T) {
	open := func(url string) *annals.Client {
		client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: url})
		l.try(err)
		t.Cleanup(client.Close)
		return client
	}
	client := open(l.url)
	bound, err := client.ForTenant(t.Context(), tenantName(7))
	l.try(err)
	// The connection alone names the tenant: the library permits every group, so only the database
	// protects them.
	session := open(l.url + "&options=" + "-c%20role%3Dannals_tenant%20-c%20annals.group_id%3Dtenant-07")
	var archive strings.Builder
	_, err = bound.Export(t.Context(), tenantName(7), &archive, annals.ExportOptions{})
	l.try(err)
	l.archive = archive.String()
	calls, before := l.clientCalls(), l.fingerprint()
	for _, name := range inOrder(calls) {
		call := calls[name]
		result, err := call.call(t.Context(), bound, tenantName(8))
		if graph.CodeOf(err) != graph.CodeForbidden {
			t.Errorf("%s of another group: %v, want it forbidden", name, err)
		}
		if text := words(result, nil); len(foreign(text, 7)) != 0 {
			t.Errorf("%s tells %s", name, text)
		}
		if name == "AddTx" || name == "AddAllTx" { // these use the caller's own transaction
			continue
		}
		if text := words(call.call(t.Context(), session, tenantName(8))); strings.Contains(text, secret(8)) {
			t.Errorf("%s in the session of another tenant tells %s", name, text)
		}
	}
	both := annals.Query{GroupID: tenantName(7), AlsoIn: []string{tenantName(8)}, Text: "Bob Carol knows secret08x"}
	if _, err := bound.Search(t.Context(), both); graph.CodeOf(err) != graph.CodeForbidden {
		t.Errorf("a search of another group too: %v, want it forbidden", err)
	}
	if text := words(session.Search(t.Context(), both)); strings.Contains(text, secret(8)) {
		t.Errorf("a search of another group too tells %s", text)
	}
	l.reembedding(bound, session)
	if after := l.fingerprint(); after != before {
		t.Error("a tenant changed rows of others")
	}
	for _, name := range inOrder(calls) {
		call := calls[name]
		if control := words(call.call(t.Context(), client, tenantName(8))); call.read && !strings.Contains(control, secret(8)) {
			t.Errorf("%s of another group does not even tell the owner anything: %s", name, control)
		}
	}
	for _, name := range inOrder(calls) {
		call := calls[name]
		result, err := call.call(t.Context(), bound, tenantName(7))
		text := words(result, err)
		if found := foreign(text, 7); len(found) != 0 {
			t.Errorf("%s tells %q", name, found)
		}
		if code := graph.CodeOf(err); err != nil && (code == graph.CodeForbidden || code == graph.CodeInternal) {
			t.Errorf("%s of the own group: %v", name, err)
		}
		if call.read && err == nil && !strings.Contains(text, secret(7)) {
			t.Errorf("%s of the own group tells nothing: %s", name, text)
		}
	}
	l.erasing(bound, client)
}

// A tenant cannot change what serves all groups.
func (l *leak) reembedding(bound, session *annals.Client) {
	l.Helper()
	to, err := model.NewHashEmbedder(16)
	l.try(err)
	if _, err := bound.Reembed(l.Context(), to, nil); graph.CodeOf(err) != graph.CodeForbidden {
		l.Errorf("Reembed: %v, want it forbidden", err)
	}
	if _, err := session.Reembed(l.Context(), to, nil); err == nil {
		l.Error("a tenant's session re-embeds the database")
	}
}

// A tenant erases its own group to the last row, is refused when it adds that again, and affects no
// other group.
func (l *leak) erasing(bound, client *annals.Client) {
	l.Helper()
	before := l.fingerprint()
	certificate, err := bound.Erase(l.Context(), annals.Erasure{GroupID: tenantName(7)})
	if err != nil || len(certificate.Tombstones) != 1 || len(certificate.Removed) < len(l.tables)/2 {
		l.Errorf("%+v (%v), want the group erased", certificate, err)
	}
	for _, table := range l.tables {
		if n := l.count("SELECT count(*) FROM "+table+" WHERE group_id = $1", tenantName(7)); n != 0 {
			l.Errorf("%s still has %d rows of the group", table, n)
		}
	}
	if after := l.fingerprint(); after != before {
		l.Error("a tenant erased rows of others")
	}
	for _, c := range []*annals.Client{bound, client} {
		_, err := c.Add(l.Context(), annals.Episode{GroupID: tenantName(7), Content: "It is me again."})
		if graph.CodeOf(err) != graph.CodeConflict {
			l.Errorf("a group that was erased comes again: %v, want a conflict", err)
		}
	}
}

// fingerprint returns all rows of the groups that no call was allowed to change.
func (l *leak) fingerprint() string {
	l.Helper()
	var parts []string
	for _, table := range l.tables {
		parts = append(parts, l.texts("SELECT coalesce(md5(string_agg(to_jsonb(r)::text, ',' ORDER BY to_jsonb(r)::text)), '') FROM "+
			table+" r WHERE group_id NOT IN ('tenant-07', '')")...)
	}
	return strings.Join(parts, " ")
}

// Many tenants share few connections: none sees another's rows, and none stays bound to a previous
// tenant.
func (l *leak) interleaved(t *testing.T, url string) {
	client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: url + "&pool_max_conns=8"})
	l.try(err)
	defer client.Close()
	calls := l.clientCalls()
	tasks, ctx := errgroup.WithContext(t.Context())
	tasks.SetLimit(16)
	tenants := slow.Of(15, 15, stranger)
	for i := range tenants {
		for _, name := range []string{"Search", "Facts", "AddTx", "Episodes", "Entities", "Add", "Timeline", "History"} {
			tasks.Go(func() error {
				bound, err := client.ForTenant(ctx, tenantName(i))
				if err != nil {
					return err
				}
				result, err := calls[name].call(ctx, bound, tenantName(i))
				if err != nil {
					return fmt.Errorf("%s of %s: %w", name, tenantName(i), err)
				}
				text := words(result, nil)
				if found := foreign(text, i); len(found) != 0 {
					t.Errorf("%s of %s tells %q", name, tenantName(i), found)
				}
				if calls[name].read && !strings.Contains(text, secret(i)) {
					t.Errorf("%s of %s tells nothing", name, tenantName(i))
				}
				_, err = client.Facts(ctx, annals.FactFilter{GroupID: tenantName(i)}) // as the owner, in between
				return err
			})
		}
	}
	l.try(tasks.Wait())
	for range 32 {
		var role, group string
		l.try(l.owner.QueryRow(t.Context(), "SELECT current_setting('role'), coalesce(current_setting('annals.group_id', true), '')").Scan(&role, &group))
		if role != "none" || group != "" {
			t.Errorf("a connection was left as %s of %q", role, group)
		}
	}
}

func sqlState(err error) string {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code
	}
	return ""
}
