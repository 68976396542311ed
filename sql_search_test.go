package annals_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/testdata"
)

// addConversation adds the conversation of `annals demo`.
func addConversation(t *testing.T, client *annals.Client) {
	t.Helper()
	var episodes []annals.Episode
	for line := range bytes.Lines(testdata.Conversation) {
		var e struct {
			Content, Actor, Role string
			OccurredAt           time.Time `json:"occurred_at"`
			ThreadID             string    `json:"thread_id"`
		}
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		episodes = append(episodes, annals.Episode{
			GroupID: "t", Content: e.Content, Actor: e.Actor, Role: e.Role, OccurredAt: e.OccurredAt, ThreadID: e.ThreadID,
		})
	}
	clienttest.AddAndProcess(t, client, episodes...)
}

// asked is a statement and its expected output.
type asked struct{ sql, want string }

// answers runs all statements in one session.
func answers(t *testing.T, url string, all ...asked) {
	t.Helper()
	const next = "(the next answer)"
	var script strings.Builder
	for _, a := range all {
		fmt.Fprintf(&script, "SET timezone = 'UTC'; %s;\n\\echo '%s'\n", a.sql, next)
	}
	for i, got := range strings.Split(strings.TrimSuffix(psql(t, url, script.String()), next), next) {
		if got := strings.TrimSpace(got); got != all[i].want {
			t.Errorf("%s: %q, want %q", all[i].sql, got, all[i].want)
		}
	}
}

// related fills a group with facts, of which two have no word of a question, and makes a vector for
// each: the third axis is farthest from the first.
const related = `
	INSERT INTO annals.groups (group_id) VALUES ('r');
	INSERT INTO annals.entities (group_id, id, name) VALUES
		('r', '00000000-0000-7000-8000-0000000000a1', 'Ann'), ('r', '00000000-0000-7000-8000-0000000000b1', 'Bob'), ('r', '00000000-0000-7000-8000-0000000000c1', 'Cy');
	INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, kind, statement_id)
	SELECT 'r', ('00000000-0000-7000-8000-0000000000f' || n)::uuid, ('00000000-0000-7000-8000-0000000000' || source)::uuid,
		('00000000-0000-7000-8000-0000000000' || target)::uuid, 'KNOWS', fact, valid::tstzrange, 'state', gen_random_uuid()
	FROM (VALUES (1, 'b1', 'c1', 'A garden in the north.', '[2020-01-01,)'), (2, 'a1', 'c1', 'A garden in the south.', '[2020-01-01,)'),
		(3, 'b1', 'a1', 'They met at school.', '[2020-01-01,)'), (4, 'c1', 'b1', 'A lamp.', '[2020-01-01,)'),
		(5, 'a1', 'b1', 'They shared a flat.', '[2020-01-01,2022-01-01)')) AS f(n, source, target, fact, valid);
	INSERT INTO annals_internal.fact_embeddings (group_id, model, fact_id, embedding)
	SELECT 'r', 'm', f.id, (SELECT array_agg(CASE WHEN i = right(f.id::text, 1)::int THEN 1.0 WHEN i = 4 THEN 0.5 ELSE 0 END::real ORDER BY i) FROM generate_series(1, 384) i)::real[]::halfvec
	FROM annals.facts f WHERE f.group_id = 'r';`

// axis returns the vector of the question that is nearest to a fact.
func axis(n string) string {
	return `(SELECT array_agg(CASE WHEN i = ` + n + ` THEN 1.0 ELSE 0 END::real ORDER BY i) FROM generate_series(1, 384) i)::real[]::vector`
}

// SQL finds by words, by a vector, and by the entities that a question names, and puts first what
// several of these find. By a vector it finds the same with and without an index.
func TestSQLSearchFuses(t *testing.T) {
	t.Parallel()
	_, url := clienttest.New(t)
	psql(t, url, related)
	const list = `SELECT string_agg(right(id::text, 1), '' ORDER BY rank) FROM annals.search('r', `
	all := []asked{
		{list + `'lamp')`, "4"},
		{list + `'garden', '{fact}')`, "12"},
		{list + `'the garden of Bob', '{fact}')`, "1423"}, // by words and relation, by relation, by words, by relation
		{list + `'Ann, Bob?', '{fact}')`, "3421"},         // the fact that joins both comes first
		{list + `'Ann and Bob', '{fact}', include_ended => true)`, "53421"},
		{list + `'', '{fact}')`, ""},
		{list + `'', '{fact}', query_vector => ` + axis("3") + `, max_rows => 1)`, "3"},
		{list + `'', '{fact}', query_vector => ` + axis("5") + `, max_rows => 1)`, "1"},
		{list + `'', '{fact}', query_vector => ` + axis("5") + `, max_rows => 1, valid_at => '2021-01-01')`, "5"},
		{list + `'', '{fact}', query_vector => ` + axis("3") + `, max_rows => 1, known_at => now())`, "3"},
		{list + `'garden', '{fact}', query_vector => ` + axis("1") + `, max_rows => 1)`, "1"},
		{list + `'', '{fact}', query_vector => ` + axis("3") + `, max_rows => 1, filter => '{"excluded_predicates": ["KNOWS"]}')`, ""},
		{`SELECT round(score * 61 * 1000) FROM annals.search('r', 'lamp', '{fact}')`, "1000"},
	}
	answers(t, url, all...)
	psql(t, url, `SET search_path = public; CREATE INDEX fact_near ON annals_internal.fact_embeddings USING hnsw ((embedding::halfvec(384)) halfvec_cosine_ops)
		WHERE group_id = 'r' AND model = 'm';
		INSERT INTO annals_internal.vector_indexes (group_id, kind, model, index_name, rows_at_build, valid) VALUES ('r', 'fact', 'm', 'fact_near', 5, true)`)
	answers(t, url, append(all, asked{`SELECT pg_stat_force_next_flush()`, ""})...)
	answers(t, url, asked{`SELECT idx_scan > 0 FROM pg_stat_user_indexes WHERE indexrelname = 'fact_near'`, "t"},
		asked{`BEGIN; SET LOCAL hnsw.ef_search = 41; SELECT count(*) > 0 FROM annals.search('r', '', query_vector => ` + axis("1") + `); SHOW hnsw.ef_search; COMMIT`, "t\n41"})
}

// No method finds rows that have expired or belong to another time.
func TestSQLSearchHidesWhatHasExpired(t *testing.T) {
	t.Parallel()
	_, url := clienttest.New(t)
	psql(t, url, related)
	const find = `SELECT count(*) FROM annals.search('r', 'Did Ann and Bob meet at school?', '{fact}', query_vector => `
	answers(t, url, asked{find + axis("3") + `) WHERE content = 'They met at school.'`, "1"})
	before := psql(t, url, `SELECT clock_timestamp()`)
	psql(t, url, `SELECT annals.mark('r', '{00000000-0000-7000-8000-0000000000f3}', 'expires', now() + interval '1 hour');
		UPDATE annals.marks SET expires_at = clock_timestamp() WHERE expires_at > now()`)
	answers(t, url, asked{find + axis("3") + `) WHERE content = 'They met at school.'`, "0"},
		asked{`SELECT annals.context('r', 'school Ann Bob', query_vector => ` + axis("3") + `) LIKE '%school%'`, "f"})
	psql(t, url, `DELETE FROM annals.facts WHERE id = '00000000-0000-7000-8000-0000000000f4'`)
	answers(t, url, asked{`SELECT count(*) FROM annals.search('r', 'lamp of Bob')  WHERE content = 'A lamp.'`, "0"},
		asked{`SELECT count(*) FROM annals.search('r', 'lamp of Bob', known_at => '` + before + `') WHERE content = 'A lamp.'`, "1"},
		asked{`SELECT count(*) FROM annals.search('r', 'Whom does Bob know?', '{fact}', known_at => '` + before + `') WHERE content = 'A lamp.'`, "1"},
		asked{`SELECT count(*) FROM annals.search('r', 'Whom does Bob know?', '{fact}', known_at => '2020-01-01')`, "0"})
}

// Every message with a word is found by it, and by its vector, with passages.
func TestSQLSearchFindsMessages(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t)
	hash, err := model.NewHashEmbedder(384)
	if err != nil {
		t.Fatal(err)
	}
	client := clienttest.Open(t, annals.Config{DatabaseURL: url, Embedder: meaning{hash}})
	addConversation(t, client)
	answers(t, url,
		asked{`SELECT count(*) FROM annals.episodes e WHERE group_id = 't' AND content ~* '\mprinter\M' AND NOT EXISTS (
			SELECT FROM annals.search('t', 'printer', '{episode}', max_rows => 50) s WHERE s.id = e.id)`, "0"},
		asked{`SELECT bool_and(s.rank = 1) FROM annals.vectors v CROSS JOIN LATERAL annals.search('t', '', ARRAY[v.kind::text], query_vector => v.embedding::vector, max_rows => 3, include_ended => true) s
			WHERE v.group_id = 't' AND v.kind = 'episode' AND s.id = v.id`, "t"},
		asked{`SELECT content FROM annals.search('t', 'Where does Nora live?', '{fact}', max_rows => 1)`, "Nora Lindqvist lives in Porto now."},
	)
}

// Only Go has the weights of the library: SQL's search has only the constant of the fusion, in a
// function.
func TestSQLSearchHasNoWeights(t *testing.T) {
	t.Parallel()
	sql, err := os.ReadFile("migrations/00009_sql_search.sql")
	if err != nil {
		t.Fatal(err)
	}
	if found := regexp.MustCompile(`(?i)\b[0-9]+\.[0-9]+\b|\w*weight\w*|\w*decay\w*`).FindAll(sql, -1); len(found) > 0 {
		t.Errorf("SQL's search has numbers of its own: %q", found)
	}
	files, err := filepath.Glob("retrieval/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	weight := regexp.MustCompile(`(?m)^\s*(\w*(?:Weight|Meant))\s*=\s*[0-9.]+`)
	weights := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		weights += len(weight.FindAll(text, -1))
	}
	if weights < 5 {
		t.Errorf("%d weights in the library; the test looks for the wrong thing", weights)
	}
}
