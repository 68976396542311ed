package annals_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
)

// SQL's views and walks and the picture show neither expired nor withheld rows.
func TestLookingOverAppliesTrustAndExpiry(t *testing.T) {
	t.Parallel()
	client, url := wary(t)
	say(t, client, annals.Episode{Actor: "Alice", Content: "I like tea."})
	say(t, client, annals.Episode{Actor: "Alice", Content: "I work at Initech."})
	say(t, client, annals.Episode{Actor: "Alice", Content: "I know Bob.", ExpiresAt: time.Now().Add(time.Hour)})
	say(t, client, annals.Episode{Source: graph.SourceText, ThreadID: "inbox", Content: "Alice knows Mallory."})
	say(t, client, annals.Episode{Actor: "Helper", Role: "assistant", Content: "Alice lives in Porto."})
	marked(t, client, graph.MarkExpires, time.Now().Add(time.Hour), factSaying(t, client, "Initech").ID)
	passed(t, url)
	readers := map[string]string{
		"salient":   `SELECT string_agg(name || ' ' || mentions, ', ' ORDER BY name) FROM annals.salient_entities('t')`,
		"knowledge": `SELECT string_agg(name || ' ' || mentions || ' ' || facts || ' ' || facts_holding, ', ' ORDER BY name) FROM annals.entity_knowledge WHERE group_id = 't'`,
		"stream":    `SELECT string_agg(DISTINCT content, ' ') FROM annals.memory_stream WHERE group_id = 't'`,
		"near": `SELECT string_agg(e.name, ', ' ORDER BY e.name) FROM annals.entities a CROSS JOIN LATERAL annals.neighborhood('t', ARRAY[a.id], 2) n
			JOIN annals.entities e ON e.id = n.entity_id WHERE a.name = 'Alice' AND n.distance > 0`,
	}
	for name, want := range map[string]string{
		"salient": "Alice 3, Initech 1, Porto 1, tea 1", "knowledge": "Alice 3 1 1, Initech 1 0 0, Porto 1 0 0, tea 1 1 1",
		"stream": "Alice lives in Porto. I like tea. I work at Initech.", "near": "tea",
	} {
		if got := psql(t, url, readers[name]); got != want {
			t.Errorf("%s shows %q, want %q", name, got, want)
		}
	}
	picture, err := service.New(client).Picture(t.Context(), service.PictureQuery{GroupID: "t"})
	if err != nil {
		t.Fatal(err)
	}
	overview, err := service.New(client).Overview(t.Context(), "t")
	if err != nil {
		t.Fatal(err)
	}
	lanes, err := service.New(client).Lanes(t.Context(), service.LaneQuery{GroupID: "t"})
	if err != nil {
		t.Fatal(err)
	}
	if i := slices.Index(picture.Entities.Name, "Alice"); i < 0 || picture.Entities.Mentions[i] != 3 {
		t.Errorf("the picture counts %v mentions of %v, want 3 of Alice", picture.Entities.Mentions, picture.Entities.Name)
	}
	if i := slices.IndexFunc(overview.Salient, func(s service.Salient) bool { return s.Name == "Alice" }); i < 0 || overview.Salient[i].Mentions != 3 {
		t.Errorf("the overview counts %v, want 3 mentions of Alice", overview.Salient)
	}
	for what, shown := range map[string]any{"the picture": picture, "the overview": overview, "the lanes": lanes} {
		text := words(shown, nil)
		for _, word := range []string{"works at initech", "bob", "mallory", "lives in porto"} {
			if strings.Contains(text, word) {
				t.Errorf("%s shows %s: %s", what, word, text)
			}
		}
		if !strings.Contains(text, "tea") {
			t.Errorf("%s does not show tea: %s", what, text)
		}
	}
}

// Writes after an import, from a server whose clock was a day ahead, are later than everything in
// it: also marks, decisions and answers.
func TestWhatFollowsAnImportIsLater(t *testing.T) {
	t.Parallel()
	client, url := wary(t)
	s := service.New(client)
	say(t, client, annals.Episode{Actor: "Helper", Role: "assistant", Content: "Alice likes opera."})
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t", Trust: graph.TrustCandidate})
	if err != nil || len(facts) != 1 {
		t.Fatalf("%v, %v", facts, err)
	}
	ids := []uuid.UUID{facts[0].ID}
	if _, err := s.Confirm(t.Context(), "t", ids, true); err != nil {
		t.Fatal(err)
	}
	marked(t, client, graph.MarkPinned, time.Time{}, ids...)
	ahead := `UPDATE annals.marks SET since = since + interval '1 day'; ALTER TABLE annals.edits DISABLE TRIGGER only_added;
		UPDATE annals.edits SET edited_at = edited_at + interval '1 day'; ALTER TABLE annals.edits ENABLE TRIGGER only_added`
	psql(t, url, ahead)
	var out bytes.Buffer
	if _, err := client.Export(t.Context(), "t", &out, annals.ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Import(t.Context(), &out, annals.ImportOptions{GroupID: "copy"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Mark(t.Context(), "copy", service.MarkChange{IDs: ids, Mark: graph.MarkUnpinned}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Confirm(t.Context(), "copy", ids, false); err != nil {
		t.Fatal(err)
	}
	if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.marks WHERE group_id = 'copy' AND mark = 'pinned' AND until > since + interval '1 microsecond'`); n != 1 {
		t.Errorf("%d pins were set and then ended", n)
	}
	if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.facts WHERE group_id = 'copy' AND trust = 'candidate'`); n != 1 {
		t.Errorf("%d candidates, though the confirmation was taken back last", n)
	}
}

// If the clock is set back while marks, trust and answers change, their history stays in order, and
// nothing fails.
func TestTheClockIsSetBackWhileBeliefsChange(t *testing.T) {
	t.Parallel()
	client, url := wary(t)
	s, ctx := service.New(client), t.Context()
	say(t, client, annals.Episode{Actor: "Alice", Content: "I like tea."})
	say(t, client, annals.Episode{Actor: "Helper", Role: "assistant", Content: "Alice likes opera."})
	if _, err := client.KeepAnswer(ctx, annals.Question{Query: annals.Query{GroupID: "t", Text: "What does Alice like?"}}); err != nil {
		t.Fatal(err)
	}
	candidates, err := client.Facts(ctx, annals.FactFilter{GroupID: "t", Trust: graph.TrustCandidate})
	if err != nil || len(candidates) != 1 {
		t.Fatalf("%v, %v", candidates, err)
	}
	opera, tea := candidates[0].ID, factSaying(t, client, "tea").ID
	marked(t, client, graph.MarkPinned, time.Time{}, tea)
	marked(t, client, graph.MarkUseful, time.Time{}, tea)
	// Earlier writes used a clock an hour ahead of the present one.
	psql(t, url, `UPDATE annals.groups SET written_at = written_at + interval '1 hour'; UPDATE annals.marks SET since = since + interval '1 hour'`)
	for range 2 {
		marked(t, client, graph.MarkUnpinned, time.Time{}, tea)
		marked(t, client, graph.MarkPinned, time.Time{}, tea)
		marked(t, client, graph.MarkWrong, time.Time{}, tea)
		marked(t, client, graph.MarkUseful, time.Time{}, tea)
		if _, err := s.Confirm(ctx, "t", []uuid.UUID{opera}, true); err != nil {
			t.Fatal(err)
		}
		if err := client.Process(ctx, "t", nil); err != nil { // which asks its questions anew
			t.Fatal(err)
		}
		if _, err := s.Confirm(ctx, "t", []uuid.UUID{opera}, false); err != nil {
			t.Fatal(err)
		}
	}
	psql(t, url, `UPDATE annals.marks SET since = since + interval '9 hours' WHERE until IS NULL`) // one that SQL set by another clock
	marked(t, client, graph.MarkUnpinned, time.Time{}, tea)
	for what, query := range map[string]string{
		"marks that end before they begin": `SELECT count(*) FROM annals.marks WHERE until <= since`,
		"pins that stand":                  `SELECT count(*) FROM annals.marks WHERE mark = 'pinned' AND until IS NULL`,
		"answers out of order": `SELECT count(*) FROM annals.answer_versions a JOIN annals.answer_versions b USING (group_id, id)
			WHERE a.recorded && b.recorded AND a.recorded <> b.recorded`,
		"believed and taken back": `SELECT count(*) FROM annals.facts WHERE trust <> annals_internal.fact_trust(group_id, id) OR id = '` + opera.String() + `' AND trust <> 'candidate'`,
		"versions out of order": `SELECT count(*) FROM annals.fact_versions a JOIN annals.fact_versions b USING (group_id, id)
			WHERE a.recorded && b.recorded AND a.recorded <> b.recorded`,
	} {
		if n := clienttest.Count(t, url, query); n != 0 {
			t.Errorf("%d %s", n, what)
		}
	}
	if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.marks WHERE mark = 'pinned'`); n != 3 {
		t.Errorf("%d pins are on record, want 3", n)
	}
	if checked, err := s.VerifyAudit(ctx, "t", ""); err != nil || len(checked.Breaks) > 0 {
		t.Errorf("the audit: %+v, %v", checked, err)
	}
}

// Rebuilding the graph keeps its marks.
func TestRebuildingKeepsMarks(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	whatAliceSaid(t, client)
	tea := factSaying(t, client, "tea")
	marked(t, client, graph.MarkPinned, time.Time{}, tea.ID, tea.Episodes[0])
	marked(t, client, graph.MarkUseful, time.Time{}, tea.ID)
	noted := func() string {
		return psql(t, url, `SELECT string_agg(concat_ws(' ', m.mark, m.kind, m.since, m.until, m.expires_at, m.subject_id), '; ' ORDER BY m.id) FROM annals.marks m`)
	}
	before := noted()
	if _, err := service.New(client).Rebuild(t.Context(), "t", false); err != nil {
		t.Fatal(err)
	}
	if after := noted(); after != before {
		t.Errorf("marks are\n%s\nnot\n%s", after, before)
	}
	if again := factSaying(t, client, "tea"); again.ID != tea.ID || !again.Marks.Pinned {
		t.Errorf("the fact is %+v", again)
	}
}
