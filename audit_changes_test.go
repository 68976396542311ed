package annals_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
)

// told lists the entries of a group's audit log: what was done, by whom and through which
// interface.
func told(t *testing.T, client *annals.Client, group string) []string {
	t.Helper()
	entries, err := service.New(client).Audit(t.Context(), service.AuditFilter{GroupID: group, Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		if line := strings.Join([]string{e.Action, e.WrittenBy, e.Door}, " "); len(all) == 0 || all[len(all)-1] != line {
			all = append(all, line)
		}
		if e.Row == nil || !strings.Contains(*e.Row, e.RowID.String()) {
			t.Errorf("the row of entry %d is %v", e.Position, e.Row)
		}
	}
	return all
}

// The audit log records changes of settings, not only of facts.
func TestTheAuditNotesWhatGoverns(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	ctx := annals.WithOrigin(t.Context(), annals.Origin{Door: "rest", Key: "nora"})
	s := service.New(client)
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2024-01-10"), clienttest.Alice("I like opera.", "2024-02-10"))
	if list := told(t, client, "t"); len(list) != 0 {
		t.Errorf("what was read is noted: %q", list)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err := client.AddTriple(ctx, annals.Triple{
		GroupID: "t", Source: graph.TripleEnd{Name: "Alice"}, Predicate: "OWNS", Target: graph.TripleEnd{Name: "Boat"}, Fact: "Alice owns a boat.",
	})
	must(err)
	must(client.SetOntology(ctx, "t", annals.Ontology{EntityTypes: []graph.EntityType{{Name: "Person", Description: "A human being."}}}))
	_, err = client.UpdateGroup(ctx, "t", annals.GroupChange{Name: new("Alice's")})
	must(err)
	must(s.AddInstructions(ctx, service.Scope{GroupID: "t"}, service.PurposeSummary, []service.Instruction{{Name: "tone", Text: "Mind the tone."}}))
	_, err = s.CreateTemplate(ctx, "t", service.Template{ID: "short", Template: "%{edges}"})
	must(err)
	_, hook, err := s.CreateWebhook(ctx, service.WebhookSpec{GroupID: "t", URL: "https://example.com/"})
	must(err)
	must(s.DeleteWebhook(ctx, "t", hook.ID))
	must(client.SetRetention(ctx, "t", annals.Retention{MaxEpisodes: 1}))
	_, err = client.ApplyRetention(annals.WithOrigin(t.Context(), annals.Origin{Door: "worker"}), "t", false)
	must(err)
	agents := agent.New(client, agent.Options{})
	block, err := agents.CreateBlock(ctx, "t", agent.Block{Label: "human", Value: "Eva"})
	must(err)
	block.Value = "Eva Li"
	_, err = agents.EditBlock(ctx, "t", block)
	must(err)
	want := []string{
		"triple nora rest", "settings nora rest", "instructions nora rest", "template nora rest", "webhook nora rest", "retention nora rest",
		"undo  worker", "sweep  worker", "block nora rest",
	}
	if diff := cmp.Diff(want, told(t, client, "t")); diff != "" {
		t.Errorf("the audit (-want +got):\n%s", diff)
	}
	if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.changes c WHERE c::text ILIKE ANY (ARRAY['%eva%', '%boat%', '%human%', '%mind%', '%example.com%'])`); n != 0 {
		t.Errorf("%d changes tell what was said", n)
	}
	if found := auditBreaks(t, url); len(found) != 0 {
		t.Errorf("broken at %q", found)
	}
}

// The keys of the service have a chain of their own, which no tenant sees. A key that was given
// more rights past the triggers is found.
func TestTheAuditOfTheService(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	s := service.New(client)
	ctx := annals.WithOrigin(t.Context(), annals.Origin{Door: "cli", Key: "nora"})
	_, key, err := s.CreateAPIKey(ctx, service.KeySpec{Groups: []string{"t"}, Rights: service.RightsRead})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.RevokeAPIKey(ctx, key.ID.String()); err != nil {
		t.Fatal(err)
	}
	if list := told(t, client, ""); len(list) != 1 || list[0] != "key nora cli" {
		t.Errorf("the audit says %q", list)
	}
	conn := clienttest.Dial(t, url)
	for _, rewrite := range []string{`DELETE FROM annals.audit`, `DELETE FROM annals.changes`, `UPDATE annals.changes SET written_by = 'eve'`} {
		if _, err := conn.Exec(t.Context(), rewrite); sqlState(err) != "23001" {
			t.Errorf("%s: %v, want it refused", rewrite, err)
		}
	}
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2024-01-10"))
	tenant := clienttest.Open(t, annals.Config{DatabaseURL: url, Tenant: "t"})
	if _, err := service.New(tenant).Audit(t.Context(), service.AuditFilter{}); annals.CodeOf(err) != annals.CodeForbidden {
		t.Errorf("a tenant reads the audit of the service: %v", err)
	}
	if _, err := conn.Exec(t.Context(), `SET session_replication_role = replica; UPDATE annals.changes SET written_by = 'eve' WHERE detail->>'did' = 'update'; RESET session_replication_role`); err != nil {
		t.Fatal(err)
	}
	v, err := s.VerifyAudit(t.Context(), "", "")
	if err != nil || len(v.Breaks) != 1 || v.Breaks[0].Problem != "row changed" || v.Breaks[0].Position != 2 {
		t.Errorf("verified: %+v (%v)", v, err)
	}
}

// A chain that was cut off, or replaced as a whole, is detected with a head that was kept.
func TestAHeadThatWasKept(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	s := service.New(client)
	for days := range 4 {
		if err := client.SetRetention(t.Context(), "t", annals.Retention{MaxAge: time.Duration(days+1) * 24 * time.Hour}); err != nil {
			t.Fatal(err)
		}
	}
	head, err := s.AuditHead(t.Context(), "t")
	if err != nil || head.Position != 4 || len(head.Hash) != 64 {
		t.Fatalf("the head is %+v (%v)", head, err)
	}
	problems := func(kept string) string {
		t.Helper()
		v, err := s.VerifyAudit(t.Context(), "t", kept)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, b := range v.Breaks {
			list = append(list, b.Problem)
		}
		return strings.Join(list, ", ")
	}
	if got := problems(head.Hash); got != "" {
		t.Errorf("a whole chain: %q", got)
	}
	conn := clienttest.Dial(t, url)
	past := func(statement string) {
		t.Helper()
		if _, err := conn.Exec(t.Context(), `SET session_replication_role = replica; `+statement+`; RESET session_replication_role`); err != nil {
			t.Fatal(err)
		}
	}
	past(`DELETE FROM annals.audit WHERE position > 2`)
	if got := problems(""); got != "row never noted, row never noted" {
		t.Errorf("without its end: %q", got)
	}
	past(`DELETE FROM annals.changes c WHERE NOT EXISTS (SELECT FROM annals.audit a WHERE a.row_id = c.id)`)
	if got := problems(""); got != "" {
		t.Errorf("cut off with its rows: %q", got)
	}
	if got := problems(head.Hash); got != "head missing" {
		t.Errorf("cut off, with the head: %q", got)
	}
	for _, wrong := range []string{"x", "abcd", strings.Repeat("g", 64), head.Hash + "00"} {
		if _, err := s.VerifyAudit(t.Context(), "t", wrong); annals.CodeOf(err) != annals.CodeInvalid {
			t.Errorf("the head %q: %v", wrong, err)
		}
	}
}

// One entry covers everything in an import: a record changed afterwards is found, and so is an
// added one.
func TestTheAuditSealsAnImport(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, url := clienttest.New(t)
	clienttest.Lived(t, client, url)
	var exported bytes.Buffer
	if _, err := client.Export(t.Context(), "t", &exported, annals.ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	ctx := annals.WithOrigin(t.Context(), annals.Origin{Door: "cli", Key: "nora"})
	if _, err := client.Import(ctx, &exported, annals.ImportOptions{GroupID: "copy"}); err != nil {
		t.Fatal(err)
	}
	if list := told(t, client, "copy"); len(list) != 1 || list[0] != "import nora cli" {
		t.Errorf("the audit of the copy says %q", list)
	}
	if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.edits WHERE group_id = 'copy'`); n == 0 {
		t.Fatal("no edits were imported")
	}
	if found := auditBreaks(t, url); len(found) != 0 {
		t.Errorf("broken at %q", found)
	}
	if _, err := client.UpdateGroup(ctx, "copy", annals.GroupChange{Name: new("A copy")}); err != nil {
		t.Fatal(err)
	}
	if found := auditBreaks(t, url); len(found) != 0 {
		t.Errorf("broken at %q after a change", found)
	}
	conn := clienttest.Dial(t, url)
	if _, err := conn.Exec(t.Context(), `SET session_replication_role = replica;
		UPDATE annals.edits SET written_by = 'eve' WHERE (group_id, id) = (SELECT group_id, id FROM annals.edits WHERE group_id = 'copy' LIMIT 1)`); err != nil {
		t.Fatal(err)
	}
	if found := auditBreaks(t, url); len(found) == 0 {
		t.Error("a changed record of the import is not found")
	}
}
