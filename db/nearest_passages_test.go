package db_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/db/embeddings"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/slow"
)

// say stores messages: every third has one vector, the others those of one to five passages more.
func say(t testing.TB, pool *pgxpool.Pool, group string, messages int) {
	t.Helper()
	exec(t, pool, `INSERT INTO annals.groups (group_id) VALUES ($1)`, group)
	r := rand.New(rand.NewPCG(5, 5))
	var rows []db.EpisodeEmbeddingUpsertParams
	for i := range messages {
		id := uuid.Must(uuid.NewV7())
		exec(t, pool, `INSERT INTO annals.episodes (group_id, id, source, content, actor, occurred_at, state, deferred)
			VALUES ($1, $2, 'message', 'Hello.', $3, now(), 'done', true)`, group, id, fmt.Sprintf("Speaker %d", i%20))
		vectors := [][]float32{point(r)}
		for range i % 3 * (1 + i%3) {
			vectors = append(vectors, point(r))
		}
		rows = append(rows, db.EpisodeVectors(group, embedder, id, vectors)...)
	}
	if err := db.Exec(db.New(pool).EpisodeEmbeddingUpsert(t.Context(), rows)); err != nil {
		t.Fatal(err)
	}
	if err := db.New(pool).StatisticsRefresh(t.Context(), group); err != nil {
		t.Fatal(err)
	}
}

// nearestMessages compares all vectors; of a message the nearest counts.
func nearestMessages(t testing.TB, pool *pgxpool.Pool, n db.Nearest, condition string) []uuid.UUID {
	t.Helper()
	return ranked(t, pool, n, `SELECT v.episode_id FROM annals_internal.episode_embeddings v JOIN annals.episodes e ON e.group_id = v.group_id AND e.id = v.episode_id
		WHERE v.group_id = $1 AND v.model = $2 AND (`+condition+`) GROUP BY 1 ORDER BY min(v.embedding <=> $3), 1 LIMIT $4`)
}

// The nearest vector of a message counts, and the message is found once, by every look.
func TestNearestPassages(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	pool := open(t)
	say(t, pool, "g", 350) // which are few
	few := shapeOf(t, pool, "g")
	exec(t, pool, `UPDATE annals_internal.search_statistics SET documents = 5000`)
	many := shapeOf(t, pool, "g")
	build(t, pool, "g")
	indexed := shapeOf(t, pool, "g")
	if !few.HasFew(graph.KindEpisode) || many.HasFew(graph.KindEpisode) || many.HasIndex(graph.KindEpisode) || !indexed.HasIndex(graph.KindEpisode) {
		t.Fatalf("shapes %+v, %+v and %+v", few, many, indexed)
	}
	for name, tt := range map[string]struct {
		narrow    func(*db.Nearest)
		condition string
	}{
		"all":       {func(*db.Nearest) {}, `true`},
		"few":       {func(n *db.Nearest) { n.Limit = 1 }, `true`},
		"very many": {func(n *db.Nearest) { n.Limit = 900 }, `true`},
		"enough":    {func(n *db.Nearest) { n.Limit, n.Enough = 100, 10 }, `true`},
		"narrowed":  {func(n *db.Nearest) { n.Narrowed, n.Filter = true, []byte(`{"actors": ["Speaker 7", "Speaker 8"]}`) }, `e.actor IN ('Speaker 7', 'Speaker 8')`},
	} {
		n := nearest("g")
		n.Kind, n.Passages = graph.KindEpisode, true
		tt.narrow(&n)
		all := nearestMessages(t, pool, n, tt.condition)
		for shape, of := range map[string]db.Shape{"not known": {}, "few": few, "many": many, "indexed": indexed} {
			n.Shape = of
			got, want := search(t, pool, n), all
			if shape == "indexed" {
				if n.Enough > 0 && len(got) >= n.Enough { // of a hundred vectors
					want = want[:min(len(want), len(got))]
				}
				if both := shared(idsOf(got), want); len(got) != len(want) || both < len(want)*9/10 {
					t.Errorf("%s, by the index: %d of %d found, %d rows", name, both, len(want), len(got))
				}
			} else if diff := cmp.Diff(want, idsOf(got)); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", name, shape, diff)
			}
			for i := 1; i < len(got); i++ {
				if got[i].Score > got[i-1].Score {
					t.Errorf("%s, %s: not the best first", name, shape)
					break
				}
			}
		}
	}
}

// A message that is read again has only the vectors of its new passages.
func TestPassagesAreReplaced(t *testing.T) {
	t.Parallel()
	pool := open(t)
	say(t, pool, "g", 1)
	id := one[uuid.UUID](t, pool, `SELECT id FROM annals.episodes`)
	store := func(model string, vectors ...[]float32) {
		t.Helper()
		if err := db.Exec(db.New(pool).EpisodeEmbeddingUpsert(t.Context(), db.EpisodeVectors("g", model, id, vectors))); err != nil {
			t.Fatal(err)
		}
	}
	held := func(model string) []string {
		return one[[]string](t, pool, `SELECT array_agg(part || ' ' || embedding::text ORDER BY part) FROM annals_internal.episode_embeddings WHERE model = $1`, model)
	}
	store("a", []float32{1, 0}, []float32{0, 1}, []float32{1, 1})
	store("b", []float32{1, 0}, []float32{0, 1}, []float32{1, 1})
	store("a", []float32{2, 0}, []float32{0, 2})
	if diff := cmp.Diff([]string{"0 [2,0]", "1 [0,2]"}, held("a")); diff != "" {
		t.Errorf("of two parts (-want +got):\n%s", diff)
	}
	store("a", []float32{3, 0})
	if diff := cmp.Diff([]string{"0 [3,0]"}, held("a")); diff != "" {
		t.Errorf("of the whole (-want +got):\n%s", diff)
	}
	if got := held("b"); len(got) != 3 {
		t.Errorf("another model's are %v", got)
	}
	if n := one[int](t, pool, `SELECT count(*) FROM annals.vectors WHERE model = 'b'`); n != 1 {
		t.Errorf("the view has %d vectors of a message, want that of the whole", n)
	}
	if _, err := db.New(pool).FillVectors(t.Context(), graph.KindEpisode, "g", "c",
		[]db.VectorsPageRow{{ID: id, Text: "Hello."}, {ID: id, Text: "Another text."}}, [][][]float32{{{1, 0}, {0, 1}}, {{5, 5}}}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"0 [1,0]", "1 [0,1]"}, held("c")); diff != "" {
		t.Errorf("filled in (-want +got):\n%s", diff)
	}
}

// A group with too few messages for an index has one if it has enough vectors.
func TestPassagesCountForTheIndex(t *testing.T) {
	t.Parallel()
	pool := open(t)
	say(t, pool, "g", 2*threshold/3)
	vectors := one[int](t, pool, `SELECT count(*) FROM annals_internal.episode_embeddings`)
	if due, err := embeddings.IndexesDue(t.Context(), pool, "g", threshold, true); err != nil || !due {
		t.Fatalf("%d vectors are due for an index: %v, %v", vectors, due, err)
	}
	if diff := cmp.Diff([]string{fmt.Sprintf("built episode of g, %d", vectors)}, build(t, pool, "")); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	if due, err := embeddings.IndexesDue(t.Context(), pool, "g", threshold, true); err != nil || due {
		t.Errorf("an index that was built is due: %v, %v", due, err)
	}
}
