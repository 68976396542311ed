package annals_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
)

// whoseWord counts the rows of a group by authority.
func whoseWord(t *testing.T, url, group string) string {
	t.Helper()
	var counted string
	if err := clienttest.Dial(t, url).QueryRow(t.Context(), `
		SELECT string_agg(format('%s %s: %s', w.kind, w.authority, w.rows), ', ' ORDER BY w.kind, w.authority)
		FROM (
			SELECT 'edits' AS kind, authority, count(*) AS rows FROM annals.edits WHERE group_id = $1 GROUP BY 2
			UNION ALL
			SELECT 'episodes', authority, count(*) FROM annals.episodes WHERE group_id = $1 GROUP BY 2
			UNION ALL
			SELECT 'facts', annals_internal.fact_authority(group_id, id), count(*) FROM annals.facts WHERE group_id = $1 GROUP BY 2
			UNION ALL
			SELECT 'rejections', authority, count(*) FROM annals.rejections WHERE group_id = $1 GROUP BY 2
		) w`, group).Scan(&counted); err != nil {
		t.Fatal(err)
	}
	return counted
}

// The authority in an export is capped at that of the importer.
func TestImportDoesNotRaiseAuthority(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2024-01-10"), clienttest.Alice("I like chess.", "2024-01-11"))
	if _, err := client.AddTriple(t.Context(), annals.Triple{GroupID: "t", Source: graph.TripleEnd{Name: "Alice"}, Predicate: "OWNS", Target: graph.TripleEnd{Name: "Boat"}, Fact: "Alice owns a boat."}); err != nil {
		t.Fatal(err)
	}
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range facts {
		if strings.Contains(f.Fact, "chess") {
			if err := client.WithdrawFact(t.Context(), "t", f.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	var file bytes.Buffer
	if _, err := client.Export(t.Context(), "t", &file, annals.ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	const zep = `{"episodes": [{"uuid": "019a0000-0000-7000-8000-000000000001", "content": "I live in Paris.", "role_type": "user", "source": "message",
			"created_at": "2024-01-10T00:00:00Z"}],
		"nodes": [{"uuid": "019a0000-0000-7000-8000-000000000002", "name": "Alice", "created_at": "2024-01-10T00:00:00Z"},
			{"uuid": "019a0000-0000-7000-8000-000000000003", "name": "Paris", "created_at": "2024-01-10T00:00:00Z"}],
		"edges": [{"uuid": "019a0000-0000-7000-8000-000000000004", "source_node_uuid": "019a0000-0000-7000-8000-000000000002",
			"target_node_uuid": "019a0000-0000-7000-8000-000000000003", "name": "LIVES_IN", "fact": "Alice lives in Paris.", "created_at": "2024-01-10T00:00:00Z"}]}`
	byTool := annals.WithOrigin(t.Context(), annals.Origin{Door: "rest", Key: "tool", Cap: graph.AuthorityDocument})
	there, thereURL := clienttest.New(t)
	for _, tt := range []struct {
		group, file, want string
		ctx               context.Context
		from              annals.ImportOptions
	}{
		{"whole", file.String(), whoseWord(t, url, "t"), t.Context(), annals.ImportOptions{}},
		{"capped", file.String(), "edits document: 1, episodes document: 3, facts document: 2, rejections document: 1", byTool, annals.ImportOptions{}},
		{"zep", zep, "edits document: 1, episodes document: 1, facts document: 1", byTool, annals.ImportOptions{From: "zep"}},
		{"trusted", zep, "edits person: 1, episodes user: 1, facts person: 1", t.Context(), annals.ImportOptions{From: "zep"}},
	} {
		tt.from.GroupID = tt.group
		if _, err := there.Import(tt.ctx, strings.NewReader(tt.file), tt.from); err != nil {
			t.Fatal(err)
		}
		if got := whoseWord(t, thereURL, tt.group); got != tt.want {
			t.Errorf("%s: whose word it is:\n%s\nwant\n%s", tt.group, got, tt.want)
		}
	}
}
