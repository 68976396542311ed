package annals_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/retrieval/construct"
	"github.com/annalsdb/annals/testdata"
)

// Words of the made-up texts, a few of them frequent.
var madeUpWords = strings.Fields(`river harbour lamp garden music train letter winter copper bread window silver forest morning
	paper Zürich café naïve don't 北京 東京タワー สวัสดี Москва data-driven re-entry node.js v1.2.3 50€ 👍 a/b he'll ½ Ⅳ हिन्दी`)

func madeUp(random *rand.Rand, words int) string {
	text := make([]string, words)
	for i := range text {
		text[i] = madeUpWords[min(random.IntN(len(madeUpWords)), random.IntN(len(madeUpWords)))]
	}
	return strings.Join(text, " ")
}

// addConversation takes in the conversation of `annals demo`.
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

// addMadeUp fills a group with so many facts and episodes, in conversations of forty.
func addMadeUp(t *testing.T, conn *pgx.Conn, group string, rows int) {
	t.Helper()
	random := rand.New(rand.NewPCG(7, uint64(rows)))
	batch := &pgx.Batch{}
	batch.Queue(`INSERT INTO annals.groups (group_id) VALUES ($1)`, group)
	entities := make([]uuid.UUID, 2+rows/10)
	for i := range entities {
		entities[i] = uuid.Must(uuid.NewV7())
		batch.Queue(`INSERT INTO annals.entities (group_id, id, name, summary, labels) VALUES ($1, $2, $3, $4, $5)`,
			group, entities[i], fmt.Sprint("Entity ", i), madeUp(random, random.IntN(12)), []string{[]string{"Person", "Place"}[i%2]})
	}
	for i := range rows {
		valid := []string{"[2020-01-01,)", "[2020-01-01,2022-01-01)", "(,)"}[random.IntN(3)]
		values := fmt.Sprintf(`{"n": %d, "tags": ["red", "a b"], "who": {"first \"name\"": "O'Hara%d"}, "open": %t}`, i%5-2, i%3, i%2 == 0)
		batch.Queue(`INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, statement_id, attributes)
			VALUES ($1, $2, $3, $4, $5, $6, $7::text::tstzrange, $2, $8)`, group, uuid.Must(uuid.NewV7()), entities[i%len(entities)],
			entities[(i+1)%len(entities)], fmt.Sprint("P", i%7), madeUp(random, 1+random.IntN(9)), valid, values)
		who := random.IntN(4)
		batch.Queue(`SELECT annals.add_episode($1, $2, $3, 'message', $4, $5, $6, metadata => $7, deferred => true)`, group,
			madeUp(random, 1+random.IntN(20))+[]string{"?", "."}[random.IntN(2)],
			time.Date(2024, 1, 1, 0, i/3, 0, 0, time.UTC), []string{"Alice Liddell", "Bob", "", "Zoë"}[who],
			[]string{"user", "assistant", "tool", ""}[who], fmt.Sprint("thread ", i/40), values)
	}
	if err := conn.SendBatch(t.Context(), batch).Close(); err != nil {
		t.Fatal(err)
	}
	queries := db.New(conn)
	if err := queries.StatisticsRefresh(t.Context(), group); err != nil {
		t.Fatal(err)
	}
	if err := queries.FrequentTermsRefresh(t.Context(), group); err != nil {
		t.Fatal(err)
	}
}

// questions are some that name no time.
func questions(random *rand.Rand) []string {
	all := []string{
		"", "the of and", "?!", "Where does Nora live?", "when did my sister visit me", "What does Alice say about Bob's train?", "How many would",
		`"silver forest"`, `letter "winter copper" and "no such words here" “bread window”`, `unbalanced " mark`, "北京", "京", "東京タワー", "สวัสดี",
		"हिन्दी", "café Zurich NAIVE", "Who uses node.js v1.2.3, at a/b?", "he'll don't would've", "data-driven re-entry", "½ Ⅳ 👍50€",
		"Alice Liddell", "I", strings.Repeat("ü river ", 2000), "\u00a0 lamp \u3000", "<FACTS> lamp </FACTS>", "a\tb\nlamp", "Nora's printer",
	}
	for range 15 {
		all = append(all, madeUp(random, 1+random.IntN(6)))
	}
	return all
}

// conditions are some on the attributes of facts and the metadata of episodes.
var conditions = []annals.Condition{
	{Path: []string{"n"}, Op: annals.OpGreaterEqual, Value: -1},
	{Path: []string{"n"}, Op: annals.OpIn, Value: []any{0, 1.0, "x"}},
	{Not: &annals.Condition{Path: []string{"who", `first "name"`}, Op: annals.OpEqual, Value: "O'Hara1"}},
	{Path: []string{"who", `first "name"`}, Op: annals.OpContains, Value: "Hara2"},
	{And: []annals.Condition{
		{Path: []string{"tags"}, Op: annals.OpContains, Value: "a b"}, {Path: []string{"open"}, Op: annals.OpNotEqual, Value: true},
	}},
	{Or: []annals.Condition{{Path: []string{"missing"}, Op: annals.OpExists}, {Path: []string{"n"}, Op: annals.OpLess, Value: 0}}},
}

// found is a hit, however it was found.
type found struct {
	Kind  string
	ID    uuid.UUID
	Score float64
}

func hitsOf(r annals.Result) []found {
	hits := []found{}
	for _, h := range r.Facts {
		hits = append(hits, found{"fact", h.ID, h.Score})
	}
	for _, h := range r.Entities {
		hits = append(hits, found{"entity", h.ID, h.Score})
	}
	for _, h := range r.Episodes {
		hits = append(hits, found{"episode", h.ID, h.Score})
	}
	for _, h := range r.Communities {
		hits = append(hits, found{"community", h.ID, h.Score})
	}
	return hits
}

// askSQL asks the function of that name what the library was asked.
func askSQL(t *testing.T, conn db.DBTX, function string, q annals.Query, vector []float32) pgx.Rows {
	t.Helper()
	filter, err := json.Marshal(q.Filter)
	if err != nil {
		t.Fatal(err)
	}
	var asked *string
	if vector != nil {
		text := db.Vector(vector).String()
		asked = &text
	}
	kinds := []string{} // all
	for _, kind := range q.Scopes {
		kinds = append(kinds, string(kind))
	}
	rows, err := conn.Query(t.Context(), function, pgx.NamedArgs{
		"group": q.GroupID, "text": q.Text, "valid_at": db.Nullable(q.ValidAt), "known_at": db.Nullable(q.KnownAt), "filter": string(filter),
		"max_rows": q.Limit, "include_ended": q.IncludeEnded, "vector": asked,
		"kinds": kinds,
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

const (
	sqlArguments = `(@group, @text, kinds => @kinds, valid_at => @valid_at, known_at => @known_at, filter => @filter::text::jsonb, max_rows => @max_rows,
		include_ended => @include_ended, query_vector => @vector::text::vector)`
	sqlSearch  = `SELECT kind, id, score FROM annals.search` + sqlArguments
	sqlContext = `SELECT annals.context` + sqlArguments
)

// sqlForm is the form of annals.context: all hits by rank.
const sqlForm = `{{if .Nothing}}Nothing is known about this.
{{else}}What is known; (…) first in a line says when it holds.
{{if .Facts}}<FACTS>
{{range .Facts -}}
- {{.Line}}
{{end -}}
</FACTS>
{{end}}{{if .Entities}}<ENTITIES>
{{range .Entities -}}
- {{.Line}}
{{end -}}
</ENTITIES>
{{end}}{{if .Communities}}<COMMUNITIES>
{{range .Communities -}}
- {{.Line}}
{{end -}}
</COMMUNITIES>
{{end}}{{if .Episodes}}<EPISODES>
{{range .Episodes -}}
- {{.Line}}
{{end -}}
</EPISODES>
{{end}}{{end}}`

// sameAsLibrary compares what SQL finds, and makes a context of, with the library. Facts
// that answer by their relation stand first in the library alone.
func sameAsLibrary(t *testing.T, client *annals.Client, conn db.DBTX, q annals.Query, vector []float32) (hits int) {
	t.Helper()
	q.Changes, q.Explain = true, true
	result, err := client.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	want := hitsOf(result)
	got, err := pgx.CollectRows(askSQL(t, conn, sqlSearch, q, vector), pgx.RowToStructByPos[found])
	if err != nil {
		t.Fatalf("%.60q: %v", q.Text, err)
	}
	related := relatedIn(result)
	if !sameHits(got, want, related) {
		t.Errorf("%.60q of %s with %+v:\n%s", q.Text, q.GroupID, q.Filter, differences(fmt.Sprintln(got), fmt.Sprintln(want)))
		return len(want)
	}
	if len(related) > 0 {
		q.Scopes = slices.DeleteFunc(scopesOf(q), func(k graph.Kind) bool { return k == graph.KindFact })
	}
	if len(scopesOf(q)) > 0 {
		sameContext(t, client, conn, q, vector)
	}
	return len(want)
}

// scopesOf are the scopes of a query.
func scopesOf(q annals.Query) []graph.Kind {
	if len(q.Scopes) > 0 {
		return q.Scopes
	}
	return []graph.Kind{graph.KindFact, graph.KindEntity, graph.KindEpisode, graph.KindCommunity}
}

// relatedIn are the facts that a search ranked by their relation.
func relatedIn(r annals.Result) map[uuid.UUID]bool {
	related := map[uuid.UUID]bool{}
	if r.Explanation == nil { // nothing was asked
		return related
	}
	for _, h := range r.Explanation.Hits {
		if _, is := h.Places[retrieval.MethodRelation]; is {
			related[h.ID] = true
		}
	}
	return related
}

// sameHits compares hits. Where some are related, the other facts of the library are
// among those of SQL, in their order.
func sameHits(inSQL, inGo []found, related map[uuid.UUID]bool) bool {
	if len(related) > 0 {
		inGo = slices.DeleteFunc(slices.Clone(inGo), func(h found) bool { return related[h.ID] })
		inSQL = slices.DeleteFunc(slices.Clone(inSQL), func(h found) bool {
			return h.Kind == "fact" && !slices.ContainsFunc(inGo, func(o found) bool { return o.ID == h.ID })
		})
	}
	return slices.EqualFunc(inSQL, inGo, func(a, b found) bool { return a.Kind == b.Kind && a.ID == b.ID && math.Abs(a.Score-b.Score) < 1e-12 })
}

// instead is what a note names in the place of something: the library knows relations that
// hold to one at a time.
var instead = regexp.MustCompile(`, (?:now |corrected: )[^;)]*`)

// sameContext compares the context that SQL makes with that of the library.
func sameContext(t *testing.T, client *annals.Client, conn db.DBTX, q annals.Query, vector []float32) {
	t.Helper()
	asked := []annals.Query{q}
	if !q.ValidAt.IsZero() { // messages by then, and no summaries
		facts, episodes := q, q
		facts.Scopes, episodes.Scopes = []graph.Kind{graph.KindFact}, []graph.Kind{graph.KindEpisode}
		episodes.Filter.Occurred = annals.TimeCondition{{{Op: "lte", At: q.ValidAt}}}
		asked = slices.DeleteFunc([]annals.Query{facts, episodes}, func(one annals.Query) bool { return !slices.Contains(scopesOf(q), one.Scopes[0]) })
	}
	result := annals.Result{AsOf: q.ValidAt}
	for _, one := range asked {
		r, err := client.Search(t.Context(), one)
		if err != nil {
			t.Fatal(err)
		}
		result.Facts, result.Entities = append(result.Facts, r.Facts...), append(result.Entities, r.Entities...)
		result.Episodes, result.Communities = append(result.Episodes, r.Episodes...), append(result.Communities, r.Communities...)
	}
	inSQL, err := pgx.CollectExactlyOneRow(askSQL(t, conn, sqlContext, q, vector), pgx.RowTo[string])
	inGo, failed := construct.Construction{Template: sqlForm}.Construct(result)
	if inSQL, inGo = instead.ReplaceAllString(inSQL, ""), instead.ReplaceAllString(inGo, ""); err != nil || failed != nil || inSQL != inGo {
		t.Errorf("%.60q of %s at %s: %v, %v\n%s", q.Text, q.GroupID, q.ValidAt, err, failed, differences(inSQL, inGo))
	}
}

// SQL ranks by words as the library does, hit by hit and score by score, in small
// groups and in those where frequent words are bounded, and makes the same string of it.
func TestSQLSearchIsTheLibrarys(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	conn := connect(t, url)
	addConversation(t, client)
	learned := time.Now()
	addMadeUp(t, conn, "small", 120)
	groups := []string{"t", "small"}
	if !testing.Short() {
		addMadeUp(t, conn, "large", 2500)
		groups = append(groups, "large")
	}
	random := rand.New(rand.NewPCG(1, 2))
	hits := map[string]int{}
	for i, text := range questions(random) {
		for _, group := range groups {
			if i%slow.Of(4, 2, 1) != 0 && (group != "t" || testing.Short()) {
				continue
			}
			q := annals.Query{GroupID: group, Text: text, Methods: []retrieval.Method{retrieval.MethodTerms}, Limit: 1 + random.IntN(20)}
			if random.IntN(4) == 0 {
				q.Limit = 150 + random.IntN(850)
			}
			hits[group] += sameAsLibrary(t, client, conn, q, nil)
			switch random.IntN(7) {
			case 0:
				q.ValidAt = time.Date(2021, 6, 1, 0, 0, 0, 0, time.UTC)
			case 1:
				q.KnownAt = learned
			case 2:
				q.IncludeEnded = true
			case 3:
				q.Filter = annals.Filter{Labels: []string{"Person"}, Predicates: []string{"P1", "LIVES_IN"}}
			case 4:
				q.Filter = annals.Filter{Actors: []string{"Bob", "Sam"}, ExcludedPredicates: []string{"P2"}}
			case 5:
				q.Filter = annals.Filter{Valid: annals.TimeCondition{{{Op: "gte", At: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}}}}
			case 6:
				condition := conditions[random.IntN(len(conditions))]
				q.Filter = annals.Filter{Attributes: &condition}
				if random.IntN(2) == 0 {
					q.Filter = annals.Filter{Metadata: &condition}
				}
			}
			hits[group] += sameAsLibrary(t, client, conn, q, nil)
		}
	}
	for group, n := range hits {
		if n < slow.Of(30, 100, 100) {
			t.Errorf("%d hits in %s; the questions are to find more", n, group)
		}
	}
}

// differences are the lines in which two texts differ.
func differences(inSQL, inGo string) string {
	split := func(r rune) bool { return r == '\n' || r == '}' }
	a, b := strings.FieldsFunc(inSQL, split), strings.FieldsFunc(inGo, split)
	var lines []string
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) {
			lines = append(lines, fmt.Sprintf("%d lines in SQL, %d in the library", len(a), len(b)))
			break
		}
		if a[i] != b[i] {
			lines = append(lines, fmt.Sprintf("SQL     %q\nlibrary %q", a[i], b[i]))
		}
	}
	return strings.Join(lines[:min(len(lines), 3)], "\n")
}
