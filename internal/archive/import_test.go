package archive_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/slow"
)

// derived lists what an export omits: columns that follow from others or mean nothing in another
// database, and group_id, which the first line has.
var derived = map[string][]string{
	"audit":               nil, // an imported group begins a new chain
	"changes":             nil, // notes of the source database about who governs the group
	"api_keys":            nil, // of the server, not of a group
	"batch_items":         nil, // of batches, which belong to an application
	"batches":             nil,
	"communities":         {"length", "size", "terms"},
	"communities_history": {"length", "terms"},
	"entities":            {"length", "terms"},
	"entities_history":    {"length", "terms"},
	"entity_mentions":     nil,
	"entity_names":        nil,
	"episodes":            {"asks", "content_hash", "left_out", "length", "said_key", "says_when", "terms", "trace_context"},
	"facts":               {"length", "terms"},
	"facts_history":       {"length", "terms"},
	"frequent_terms":      nil,
	"groups":              {"copy_of", "written_at"},
	"posting_blocks":      nil,
	"postings":            nil,
	"replies":             nil, // to requests of the last day, in the source database
	"run_spans":           nil, // wait in the source database for a run that comes within the hour
	"rejections":          {"terms"},
	"search_statistics":   nil,
	"erasures":            nil, // erasures in the source database
	"erased_groups":       nil, // of no group
	"tombstones":          nil, // hashed with the database's own key
	"vector_indexes":      nil,
	"webhook_batches":     nil, // the source database sends their notifications
	"webhook_deliveries":  nil,
	"webhooks":            nil, // with their secrets; both databases would send the same notifications
}

// A new column must be exported and imported, or be derived.
func TestExportHasEveryColumn(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, url := clienttest.New(t)
	clienttest.Lived(t, client, url)
	if _, err := client.BuildCommunities(t.Context(), "t"); err != nil { // an undo removed their texts and vectors
		t.Fatal(err)
	}
	exported := map[string][]string{}
	for line := range bytes.Lines(export(t, client, "t", annals.ExportOptions{Vectors: true})) {
		var l struct {
			Table string
			Row   map[string]json.RawMessage
		}
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		if l.Table != "" {
			exported[l.Table] = slices.Sorted(maps.Keys(l.Row))
		}
	}
	rows, err := clienttest.Dial(t, url).Query(t.Context(), `SELECT t.table_name::text, array_agg(c.column_name::text ORDER BY c.column_name COLLATE "C")
		FROM information_schema.tables t JOIN information_schema.columns c USING (table_schema, table_name)
		WHERE t.table_schema IN ('annals', 'annals_internal') AND t.table_type = 'BASE TABLE' AND t.table_name <> 'migrations' AND t.table_name !~ '^river_' AND c.column_name <> 'group_id' AND c.is_generated = 'NEVER' GROUP BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	var table string
	var columns []string
	if _, err := pgx.ForEachRow(rows, []any{&table, &columns}, func() error {
		left, known := derived[table]
		if known && left == nil {
			return nil
		}
		want := slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return slices.Contains(left, c) })
		if got := exported[table]; !slices.Equal(got, want) {
			t.Errorf("%s: exported are %q, not all of %q; see annals_internal.exported_columns, or say that it is derived",
				table, got, want)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

func TestDamagedExports(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, url := clienttest.New(t)
	clienttest.Lived(t, client, url)
	whole := export(t, client, "t", annals.ExportOptions{})
	lines := slices.Collect(strings.Lines(string(whole)))
	last := len(lines) - 1
	join := func(lines ...string) string { return strings.Join(lines, "") }
	swapped := func(table string) string {
		l := slices.Clone(lines)
		i := slices.IndexFunc(l, func(s string) bool { return strings.HasPrefix(s, `{"table":"`+table+`"`) })
		l[i], l[i+1] = l[i+1], l[i]
		return join(l...)
	}
	header := func(from, to string) string {
		return join(strings.Replace(lines[0], from, to, 1), join(lines[1:]...))
	}
	empty, emptyURL := clienttest.New(t)
	for name, tt := range map[string]struct{ file, want string }{
		"nothing":                 {"", "empty"},
		"something else":          {`{"content":"I live in Paris."}` + "\n", "no export of Annals"},
		"no JSON":                 {"I live in Paris.\n", "no export of Annals"},
		"half of it":              {string(whole[:len(whole)/2]), "it ends in the middle of line"},
		"without its last line":   {join(lines[:last]...), "before its last line"},
		"only its first line":     {lines[0], "before its last line"},
		"half of its last line":   {string(whole[:len(whole)-20]), "it ends in the middle of line"},
		"without a line":          {join(join(lines[:9]...), join(lines[10:]...)), fmt.Sprintf("line %d is its last, in place of %d", last-1, last)},
		"a line twice":            {join(join(lines[:9]...), lines[8], join(lines[9:]...)), fmt.Sprintf("line %d is its last, in place of %d", last+1, last)},
		"another word":            {strings.Replace(string(whole), "Lisbon last", "London last", 1), "checksum"},
		"another id":              {strings.Replace(string(whole), `"row":{"id":"01`, `"row":{"id":"02`, 1), "checksum"},
		"lines swapped":           {swapped("episodes"), "checksum"},
		"tables swapped":          {join(lines[0], lines[last-1], join(lines[1:last-1]...), lines[last]), "does not belong there"},
		"an unknown table":        {join(lines[0], `{"table":"pg_authid","row":{}}`+"\n", join(lines[1:]...)), "does not belong there"},
		"broken JSON":             {strings.Replace(string(whole), `"row":{"id"`, `"row":{"id`, 1), "no JSON object"},
		"two files":               {string(whole) + "\n" + string(whole), "follows its last line"},
		"a newer format":          {header(`"version":2`, `"version":3`), "version 3 of the format"},
		"a newer schema":          {header(`"schema":`, `"schema":9`), "newer Annals"},
		"a group that cannot be":  {header(`"group":"t"`, `"group":""`), "group"},
		"another group's content": {header(`"group":"t"`, `"group":"u"`), "checksum"},
	} {
		_, err := empty.Import(t.Context(), strings.NewReader(tt.file), annals.ImportOptions{})
		if annals.CodeOf(err) != annals.CodeInvalid || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v; want %q", name, err, tt.want)
		}
		if n := clienttest.Count(t, emptyURL, `SELECT count(*) FROM (SELECT group_id FROM annals.groups UNION ALL SELECT group_id FROM annals.episodes
			UNION ALL SELECT group_id FROM annals_internal.all_postings UNION ALL SELECT group_id FROM annals.model_calls) any_row`); n != 0 {
			t.Errorf("%s: %d rows were stored", name, n)
		}
	}
	if _, err := empty.Import(t.Context(), bytes.NewReader(whole), annals.ImportOptions{}); err != nil {
		t.Errorf("the whole file: %v", err)
	}
}

func TestImportElsewhere(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, url := clienttest.New(t)
	clienttest.Lived(t, client, url)
	file := export(t, client, "t", annals.ExportOptions{Vectors: true})
	if _, err := client.Import(t.Context(), bytes.NewReader(file), annals.ImportOptions{}); annals.CodeOf(err) != annals.CodeConflict {
		t.Errorf("into the group it comes from: %v; want a conflict", err)
	}
	if _, err := client.Import(t.Context(), bytes.NewReader(file), annals.ImportOptions{GroupID: "copy"}); err != nil {
		t.Fatal(err)
	}
	copied := export(t, client, "copy", annals.ExportOptions{Vectors: true})
	original, again := strings.Split(string(file), "\n"), strings.Split(string(copied), "\n")
	if !slices.Equal(original[1:len(original)-2], again[1:len(again)-2]) { // all but the header, which names the group, and the checksum
		t.Errorf("the copy differs: %s", firstDifference(file, copied))
	}
	if _, err := client.Erase(t.Context(), annals.Erasure{GroupID: "t"}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Import(t.Context(), bytes.NewReader(file), annals.ImportOptions{}); annals.CodeOf(err) != annals.CodeConflict || !strings.Contains(err.Error(), "erased") {
		t.Errorf("of a group that was erased: %v; want a conflict", err)
	}
	if _, err := client.Export(t.Context(), "nowhere", &bytes.Buffer{}, annals.ExportOptions{}); annals.CodeOf(err) != annals.CodeNotFound {
		t.Errorf("export of no group: %v", err)
	}
}

// Vectors of another embedder are replaced by new ones.
func TestImportOfOtherVectors(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, url := clienttest.New(t)
	clienttest.Lived(t, client, url)
	file := export(t, client, "t", annals.ExportOptions{Vectors: true})
	there, thereURL := clienttest.New(t)
	if _, err := there.Reembed(t.Context(), clienttest.Hash(t, 64), nil); err != nil {
		t.Fatal(err)
	}
	reopened := clienttest.Open(t, annals.Config{DatabaseURL: thereURL})
	if _, err := there.Import(t.Context(), bytes.NewReader(file), annals.ImportOptions{GroupID: "late"}); annals.CodeOf(err) != annals.CodeConflict {
		t.Errorf("import by a client whose embedder was replaced: %v; want a conflict", err)
	}
	moved, err := reopened.Import(t.Context(), bytes.NewReader(file), annals.ImportOptions{})
	if err != nil || moved.Rows["entity_embeddings"] != 0 {
		t.Errorf("imported %d vectors, %v; want none", moved.Rows["entity_embeddings"], err)
	}
	clienttest.AllMadeBy(t, thereURL, clienttest.Hash(t, 64))
}

// 2,500 random rows of everything that PostgreSQL can hold.
func TestExportOfRandomRows(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, url := clienttest.New(t)
	randomRows(t, url, rand.New(rand.NewPCG(5, 17)))
	file := export(t, client, "t", annals.ExportOptions{})
	if n := bytes.Count(file, []byte("\n")); n < 2500 {
		t.Fatalf("only %d lines", n)
	}
	there, _ := clienttest.New(t)
	if _, err := there.Import(t.Context(), bytes.NewReader(file), annals.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	if again := export(t, there, "t", annals.ExportOptions{}); !bytes.Equal(file, again) {
		t.Errorf("the export of the import differs: %s", firstDifference(file, again))
	}
}

func randomRows(t *testing.T, url string, r *rand.Rand) {
	t.Helper()
	const each = 500
	conn := clienttest.Dial(t, url)
	batch := &pgx.Batch{}
	batch.Queue(`INSERT INTO annals.groups (group_id, kind, text_search) VALUES ('t', 'user', 'simple')`)
	var entities, episodes []uuid.UUID
	for range each {
		entities, episodes = append(entities, randomID(r)), append(episodes, randomID(r))
	}
	for i := range each {
		batch.Queue(`INSERT INTO annals.entities (group_id, id, name, aliases, summary, attributes, recorded) VALUES ('t', $1, $2, $3, $4, $5, tstzrange($6, NULL))`,
			entities[i], randomText(r, 40), []string{randomText(r, 9), "NULL", "", `"{,}"`}, randomText(r, 99), randomObject(r), randomTime(r))
		batch.Queue(`INSERT INTO annals.episodes (group_id, id, content, actor, occurred_at, created_at, metadata, thread_id) VALUES ('t', $1, $2, $3, $4, $5, $6, $7)`,
			episodes[i], randomText(r, 400), randomText(r, 9), randomTime(r), randomTime(r), randomObject(r), randomText(r, 3))
	}
	for i := range each {
		batch.Queue(`INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, recorded, statement_id)
			VALUES ('t', $1, $2, $3, $4, $5, $6::text::tstzrange, tstzrange($7, NULL), $8)`,
			randomID(r), entities[i], entities[(i+1+r.IntN(each-1))%each], randomText(r, 9), randomText(r, 99), randomRange(r), randomTime(r), randomID(r))
		batch.Queue(`INSERT INTO annals.mentions VALUES ('t', $1, $2)`, episodes[i], entities[r.IntN(each)])
	}
	if err := conn.SendBatch(t.Context(), batch).Close(); err != nil {
		t.Fatal(err)
	}
	for _, edit := range []string{ // makes history of what was known
		`UPDATE annals.facts SET valid = tstzrange(lower(valid), 'infinity', '(]'), expired_at = now() WHERE lower(recorded) < now() - interval '100 years'`,
		`UPDATE annals.entities SET summary = 'Other.' WHERE lower(recorded) < now() - interval '50 years'`,
		`DELETE FROM annals.facts WHERE lower(recorded) < now() - interval '200 years'`,
	} {
		if _, err := conn.Exec(t.Context(), edit); err != nil {
			t.Fatal(err)
		}
	}
}

func randomID(r *rand.Rand) uuid.UUID {
	var id uuid.UUID
	for i := range id {
		id[i] = byte(r.IntN(256))
	}
	return id
}

// randomText returns characters other than NUL, which PostgreSQL cannot hold.
func randomText(r *rand.Rand, most int) string {
	awkward := []rune("\"\\/'{}[],:\t\n\r\b\f\u007f\u2028\u2029\ufeff\u00a0é ß漢🙂\U0010ffff")
	text := []rune{'x'}
	for range r.IntN(most) {
		switch r.IntN(4) {
		case 0:
			text = append(text, awkward[r.IntN(len(awkward))])
		case 1:
			text = append(text, rune(1+r.IntN(0xd7ff)))
		default:
			text = append(text, rune('a'+r.IntN(26)))
		}
	}
	return string(text)
}

func randomObject(r *rand.Rand) []byte {
	text, err := json.Marshal(map[string]any{randomText(r, 9): []any{randomText(r, 9), r.NormFloat64(), nil, r.Uint64()}})
	if err != nil {
		panic(err)
	}
	return text
}

// randomTime returns a time between the years 1 and 2026, to the microsecond.
func randomTime(r *rand.Rand) time.Time {
	first := time.Date(1, 1, 2, 0, 0, 0, 0, time.UTC)
	return first.AddDate(r.IntN(2024), 0, r.IntN(365)).Add(time.Duration(r.IntN(1e6)) * time.Microsecond)
}

func randomRange(r *rand.Rand) string {
	lower, upper := randomTime(r), randomTime(r)
	if lower.After(upper) {
		lower, upper = upper, lower
	}
	whole := [][2]string{
		{"", ""},
		{"-infinity", "infinity"},
		{lower.Format(time.RFC3339Nano), ""},
		{"", upper.Format(time.RFC3339Nano)},
		{lower.Format(time.RFC3339Nano), upper.AddDate(0, 0, 1).Format(time.RFC3339Nano)},
	}[r.IntN(5)]
	return []string{"[", "("}[r.IntN(2)] + whole[0] + "," + whole[1] + []string{"]", ")"}[r.IntN(2)]
}
