package clienttest

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/model"
)

// Alice returns an episode of the group t: a statement of Alice on a day.
func Alice(content, day string) annals.Episode {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return annals.Episode{GroupID: "t", Actor: "Alice", Content: content, OccurredAt: at}
}

// AddAndProcess adds episodes to the group t and reads them.
func AddAndProcess(t testing.TB, client *annals.Client, episodes ...annals.Episode) {
	t.Helper()
	if _, err := client.AddAll(t.Context(), episodes); err != nil {
		t.Fatal(err)
	}
	err := client.Process(t.Context(), "t", func(p annals.Processed) {
		if p.Err != nil {
			t.Errorf("%q: %v", p.Episode.Content, p.Err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Hash returns the hash embedder with the given number of dimensions.
func Hash(t testing.TB, dimensions int) model.Embedder {
	t.Helper()
	e, err := model.NewHashEmbedder(dimensions)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Count returns the number that a query selects.
func Count(t testing.TB, url, query string, args ...any) (n int) {
	t.Helper()
	conn := Dial(t, url)
	if err := conn.QueryRow(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

// Dial connects to a database; the connection is closed when the test ends.
func Dial(t testing.TB, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// AllMadeBy checks that every processed row with words has exactly one vector, made by e, and
// that vectors of entities are made from their current names.
func AllMadeBy(t testing.TB, url string, e model.Embedder) {
	t.Helper()
	for kind, rows := range map[string]string{
		"episode": "annals.episodes r WHERE state = 'done'", "entity": "annals.entities r WHERE true",
		"fact": "annals.facts r WHERE true", "community": "annals.communities r WHERE NOT stale",
	} {
		all := Count(t, url, `SELECT count(*) FROM `+rows)
		with := Count(t, url, `SELECT count(*) FROM `+rows+` AND EXISTS (SELECT FROM annals_internal.`+kind+`_embeddings v
			WHERE v.group_id = r.group_id AND v.`+kind+`_id = r.id AND v.model = $1 AND vector_dims(v.embedding) = $2)`, e.Name(), e.Dimensions())
		if vectors := Count(t, url, `SELECT count(*) FROM annals_internal.`+kind+`_embeddings`); all == 0 && kind != "community" || with != all || vectors != all {
			t.Errorf("of %d rows of kind %s %d have a vector by %s; there are %d vectors", all, kind, with, e.Name(), vectors)
		}
	}
	if past := Count(t, url, `SELECT count(*) FROM annals_internal.embeddings_history WHERE model <> $1`, e.Name()); past != 0 {
		t.Errorf("%d vectors of what is no more are left that nobody would find", past)
	}
	conn := Dial(t, url)
	rows, err := conn.Query(t.Context(), `SELECT DISTINCT name FROM annals.entities`)
	if err != nil {
		t.Fatal(err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	vectors, err := e.Embed(t.Context(), names)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		stale := 0
		if err := conn.QueryRow(t.Context(), `SELECT count(*) FROM annals.entities n JOIN annals_internal.entity_embeddings v
			ON v.group_id = n.group_id AND v.entity_id = n.id WHERE n.name = $1 AND v.embedding <=> $2::text::halfvec > 0.0001`,
			name, db.Vector(vectors[i]).String()).Scan(&stale); err != nil {
			t.Fatal(err)
		}
		if stale > 0 {
			t.Errorf("the vector of %s was made from another name", name)
		}
	}
}
