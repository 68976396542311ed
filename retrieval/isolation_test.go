package retrieval_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/retrieval"
)

// lengthReranker prefers long texts.
type lengthReranker struct{}

func (lengthReranker) Name() string { return "length" }

func (lengthReranker) Rerank(_ context.Context, _ string, texts []string) ([]float64, error) {
	scores := make([]float64, len(texts))
	for i, text := range texts {
		scores[i] = 1 - 1/float64(1+len(text))
	}
	return scores, nil
}

const rowsOfTwin = 12 // of each kind

// twinID is the id of a row. The first half of the ids are the same in every group, and in all
// kinds.
func twinID(group string, n int) uuid.UUID {
	if n < rowsOfTwin/2 {
		group = "shared"
	}
	return uuid.NewSHA1(uuid.NameSpaceOID, fmt.Appendf(nil, "%s %d", group, n))
}

// twin fills a group with the same rows as every other, except for its name at the end of each
// text.
func (w *world) twin(group string) {
	w.t.Helper()
	w.exec(`INSERT INTO annals.groups (group_id) VALUES ($1)`, group)
	texts := make([]string, rowsOfTwin)
	for n := range texts {
		texts[n] = fmt.Sprintf("Alice met Bob in Lisbon %d of %s", n, group)
		id, end := twinID(group, n), any(nil)
		if n%4 == 3 {
			end = aDay(40)
		}
		w.exec(`INSERT INTO annals.entities (group_id, id, name, labels) VALUES ($1, $2, $3, '{Person}')`, group, id, texts[n])
		w.exec(`INSERT INTO annals.episodes (group_id, id, content, actor, thread_id, occurred_at) VALUES ($1, $2, $3, 'Alice', 't', $4)`,
			group, id, texts[n], aDay(n))
		w.exec(`INSERT INTO annals.mentions (group_id, episode_id, entity_id) VALUES ($1, $2, $2)`, group, id)
		w.exec(`INSERT INTO annals.communities (group_id, id, name, summary) VALUES ($1, $2, 'Travels', $3)`, group, id, texts[n])
		if n > 0 {
			w.exec(`INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, statement_id)
				VALUES ($1, $2, $2, $3, 'MET', $4, tstzrange($5::timestamptz, $6::timestamptz), $2)`,
				group, id, twinID(group, n-1), texts[n], aDay(n), end)
			w.exec(`INSERT INTO annals.fact_episodes (group_id, fact_id, episode_id, role) VALUES ($1, $2, $2, 'states')`, group, id)
		}
	}
	w.embedTwin(group, texts)
}

func (w *world) embedTwin(group string, texts []string) {
	w.t.Helper()
	vectors, err := w.embedder.Embed(w.t.Context(), texts)
	if err != nil {
		w.t.Fatal(err)
	}
	for n, vector := range vectors {
		for _, kind := range allKinds {
			if kind == graph.KindFact && n == 0 {
				continue
			}
			w.exec(`INSERT INTO annals_internal.`+string(kind)+`_embeddings (group_id, model, `+string(kind)+`_id, embedding) VALUES ($1, $2, $3, $4)`,
				group, w.embedder.Name(), twinID(group, n), db.Vector(vector))
		}
	}
	if err := db.New(w.pool).StatisticsRefresh(w.t.Context(), group); err != nil {
		w.t.Fatal(err)
	}
}

// strangers returns the rows of a result that belong to another group, or that occur twice.
func strangers(group string, result retrieval.Result) []string {
	var found []string
	var ids []uuid.UUID
	for n := range rowsOfTwin {
		ids = append(ids, twinID(group, n))
	}
	seen := map[string]bool{}
	own := func(kind graph.Kind, id uuid.UUID, text string) {
		key := fmt.Sprint(kind, id)
		if !slices.Contains(ids, id) || seen[key] || !strings.HasSuffix(text, " of "+group) {
			found = append(found, fmt.Sprintf("%s %v %q", kind, id, text))
		}
		seen[key] = true
	}
	for _, h := range result.Facts {
		own(graph.KindFact, h.ID, h.Fact.Fact)
		for _, end := range []string{h.Source, h.Target} {
			if !strings.HasSuffix(end, " of "+group) {
				found = append(found, fmt.Sprintf("end %q of fact %v", end, h.ID))
			}
		}
		if len(h.Episodes) > 1 {
			found = append(found, fmt.Sprintf("episodes %v of fact %v", h.Episodes, h.ID))
		}
	}
	for _, h := range result.Entities {
		own(graph.KindEntity, h.ID, h.Name)
	}
	for _, h := range result.Episodes {
		own(graph.KindEpisode, h.ID, h.Content)
	}
	for _, h := range result.Communities {
		own(graph.KindCommunity, h.ID, h.Summary)
	}
	return found
}

// anyOf draws some of the given values, in any order.
func anyOf[T any](t *rapid.T, of []T, name string) []T {
	return rapid.Permutation(of).Draw(t, name)[:rapid.IntRange(0, len(of)).Draw(t, name+" taken")]
}

// drawQuery draws a query of any sort, with ids that may be those of rows of
// another group.
func drawQuery(t *rapid.T, group, other string, known time.Time) retrieval.Query {
	ids := []uuid.UUID{twinID(group, 1), twinID(group, 8), twinID(other, 9), twinID(other, 2)}
	q := retrieval.Query{
		GroupID: group,
		Text: rapid.SampledFrom([]string{
			"Alice met Bob", "who went to Lisbon in January?", "of " + other, "Lisbon 9", "\"met Bob\" of " + group,
		}).Draw(t, "text"),
		Limit:      rapid.SampledFrom([]int{0, 1, 5, 100}).Draw(t, "limit"),
		Scopes:     anyOf(t, allKinds, "scopes"),
		Methods:    anyOf(t, allMethods, "methods"),
		Rerank:     anyOf(t, allRerankers, "rerank"),
		Center:     rapid.SampledFrom(ids).Draw(t, "center"),
		Seeds:      anyOf(t, ids, "seeds"),
		SeedRecent: rapid.SampledFrom([]int{0, 5}).Draw(t, "recent"),
		Hops:       rapid.IntRange(0, 4).Draw(t, "hops"),
		Explain:    rapid.Bool().Draw(t, "explain"),

		IncludeEnded: rapid.Bool().Draw(t, "ended"),
		KnownAt:      rapid.SampledFrom([]time.Time{{}, known}).Draw(t, "known"),
		ValidAt:      rapid.SampledFrom([]time.Time{{}, aDay(20)}).Draw(t, "valid"),
	}
	switch rapid.IntRange(0, 4).Draw(t, "filter") {
	case 1:
		q.Filter.Labels = []string{"Person"}
	case 2:
		q.Filter.Threads, q.Filter.Actors = []string{"t"}, []string{"Alice"}
	case 3:
		q.Filter.ExcludedPredicates = []string{"KNOWS"}
		q.Filter.Occurred = retrieval.TimeCondition{{{Op: retrieval.OpGreater, At: aDay(3)}}}
	}
	return q
}

var (
	allMethods   = []retrieval.Method{retrieval.MethodTerms, retrieval.MethodVector, retrieval.MethodGraph}
	allRerankers = []retrieval.Rerank{retrieval.RerankMMR, retrieval.RerankMentions, retrieval.RerankDistance, retrieval.RerankModel}
)

// twins is a world of groups that differ only in their names, and a time after which their facts
// were changed.
func twins(t *testing.T) (w *world, search *retrieval.Searcher, known time.Time) {
	t.Helper()
	w = newWorld(t)
	for _, group := range []string{"east", "west"} {
		w.twin(group)
	}
	if err := w.pool.QueryRow(t.Context(), `SELECT clock_timestamp()`).Scan(&known); err != nil {
		t.Fatal(err)
	}
	w.exec(`UPDATE annals.facts SET valid = tstzrange(lower(valid), $1) WHERE id = ANY($2)`, aDay(50), []uuid.UUID{
		twinID("east", 2), twinID("east", 8), twinID("west", 8),
	})
	return w, retrieval.New(w.pool, w.embedder, lengthReranker{}), known
}

// Every query finds rows of its own group only.
func TestSearchKeepsToTheGroup(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	_, search, known := twins(t)
	hits := 0
	rapid.Check(t, func(t *rapid.T) {
		groups := rapid.Permutation([]string{"east", "west"}).Draw(t, "groups")
		q := drawQuery(t, groups[0], groups[1], known)
		result, err := search.Search(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		if found := strangers(q.GroupID, result); len(found) > 0 {
			t.Fatalf("of another group, or twice: %q", found)
		}
		hits += len(result.Facts) + len(result.Entities) + len(result.Episodes) + len(result.Communities)
	})
	if hits == 0 {
		t.Error("nothing was ever found")
	}
}

// Any bytes are a query, for all scopes, methods and rerankers.
func TestAnyBytesAreAQueryInEveryWay(t *testing.T) {
	t.Parallel()
	_, search, known := twins(t)
	pieces := []string{
		"\x00", "\xff\xfe", "\xed\xa0\x80", "\"", "'", "\\", "&", "|", "!", "<->", ":*", "(", ")", "%", "$1", "--", ";", "{{", "\u202e", "\u0301", "Ⅷ", "日本語", "👩‍🚀",
		"Alice", "in May", "before", "31 February 99999", "-infinity", " ", "\n", strings.Repeat("long", 3000), strings.Repeat("w ", 5000), strings.Repeat("\x00", 9000),
	}
	text := rapid.OneOf(
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
		rapid.Map(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 12), func(s []string) string { return strings.Join(s, "") }),
		rapid.String(),
	)
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuery(t, "east", "west", known)
		q.Text = text.Draw(t, "bytes")
		result, err := search.Search(context.Background(), q)
		if err != nil {
			t.Fatalf("query %q: %v", q.Text, err)
		}
		if found := strangers("east", result); len(found) > 0 {
			t.Fatalf("query %q: of another group, or twice: %q", q.Text, found)
		}
	})
}
