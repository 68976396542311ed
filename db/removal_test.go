package db_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
)

// Removing many rows at once leaves the same postings, in the same blocks, as removing them one by
// one, and searches by words find the same.
func TestRemovingTogetherIsRemovingOneByOne(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	url := pgtest.New(t)
	for group, url := range map[string]func(*testing.T) string{
		"directly":        func(*testing.T) string { return url },
		"behind a pooler": func(t *testing.T) string { return pgtest.Bouncer(t, url) },
	} {
		t.Run(group, func(t *testing.T) {
			pool, err := db.Open(t.Context(), url(t))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(pool.Close)
			exec(t, pool, `INSERT INTO annals.groups (group_id) VALUES ($1)`, group)
			r := rand.New(rand.NewPCG(5, 11))
			g := removals{t: t, pool: pool, tenant: db.Tenant(pool, group), group: group, ids: map[graph.Kind][]uuid.UUID{}}
			rounds := 3
			if !slow.Long() {
				rounds = 2
			}
			for round := range rounds {
				g.grow(r, 120)
				if round%2 == 0 { // what comes later stays loose
					g.pack()
				}
				for _, kind := range []graph.Kind{graph.KindFact, graph.KindEpisode, graph.KindCommunity, graph.KindEntity} {
					g.remove(r, kind)
				}
			}
		})
	}
}

// removals removes rows of a group in both ways.
type removals struct {
	t      *testing.T
	pool   db.Pool
	tenant db.Pool
	group  string
	ids    map[graph.Kind][]uuid.UUID
}

func (g removals) exec(statement string, args ...any) {
	g.t.Helper()
	if _, err := g.pool.Exec(g.t.Context(), statement, append([]any{g.group}, args...)...); err != nil {
		g.t.Fatalf("%s: %v", statement, err)
	}
}

// grow adds n rows of each kind.
func (g removals) grow(r *rand.Rand, n int) {
	said := func() string { // some words stand in most texts, some in few; some twice in one
		words := make([]string, 1+r.IntN(12))
		for i := range words {
			words[i] = "word" + strings.Repeat("x", int(r.ExpFloat64()*4))
		}
		return strings.Join(words, " ")
	}
	for range n {
		id := uuid.Must(uuid.NewRandomFromReader(randomly{r}))
		g.exec(`INSERT INTO annals.entities (group_id, id, name) VALUES ($1, $2, $3)`, id, said())
		g.exec(`INSERT INTO annals.communities (group_id, id, name) VALUES ($1, $2, $3)`, id, said())
		g.exec(`INSERT INTO annals.episodes (group_id, id, content, occurred_at) VALUES ($1, $2, $3, now())`, id, said()+" "+id.String())
		for _, kind := range []graph.Kind{graph.KindEntity, graph.KindCommunity, graph.KindEpisode} {
			g.ids[kind] = append(g.ids[kind], id)
		}
		others := g.ids[graph.KindEntity][:len(g.ids[graph.KindEntity])-1]
		if len(others) == 0 {
			continue
		}
		g.exec(`INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, statement_id)
			VALUES ($1, $2, $2, $3, 'KNOWS', $4, '[2020-01-01,)', $2)`, id, others[r.IntN(len(others))], said())
		g.ids[graph.KindFact] = append(g.ids[graph.KindFact], id)
	}
}

// randomly makes ids of a seed.
type randomly struct{ *rand.Rand }

func (r randomly) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(r.Uint32())
	}
	return len(p), nil
}

func (g removals) pack() {
	g.exec(`UPDATE annals_internal.search_statistics SET refreshed_at = '-infinity', packed = 0 WHERE group_id = $1`)
	if err := db.RefreshStatistics(g.t.Context(), g.pool, g.group); err != nil {
		g.t.Fatal(err)
	}
}

// remove removes some rows of a kind one by one, rolls that back, removes them together, and
// compares what is left.
func (g removals) remove(r *rand.Rand, kind graph.Kind) {
	g.t.Helper()
	r.Shuffle(len(g.ids[kind]), func(i, j int) { g.ids[kind][i], g.ids[kind][j] = g.ids[kind][j], g.ids[kind][i] })
	some := min(50+r.IntN(60), len(g.ids[kind])) // from 50 on they go together
	gone := append([]uuid.UUID{uuid.Max, g.ids[kind][0]}, g.ids[kind][:some]...)
	g.ids[kind] = g.ids[kind][some:]
	table := map[graph.Kind]string{graph.KindFact: "facts", graph.KindEpisode: "episodes", graph.KindCommunity: "communities", graph.KindEntity: "entities"}[kind]
	var oneByOne, together left
	for _, way := range []struct {
		left *left
		do   func(pgx.Tx) error
	}{
		{&oneByOne, func(tx pgx.Tx) error {
			for _, id := range gone {
				if _, err := tx.Exec(g.t.Context(), `DELETE FROM annals.`+table+` WHERE group_id = $1 AND id = $2`, g.group, id); err != nil {
					return err
				}
			}
			return nil
		}},
		{&together, func(tx pgx.Tx) error {
			_, err := tx.Exec(g.t.Context(), `SELECT annals_internal.remove_rows($1, $2, $3)`, g.group, string(kind), gone)
			return err
		}},
	} {
		tx, err := g.tenant.Begin(g.t.Context())
		if err != nil {
			g.t.Fatal(err)
		}
		if err := way.do(tx); err != nil {
			g.t.Fatal(err)
		}
		*way.left = g.look(tx)
		if way.left == &together {
			err = tx.Commit(g.t.Context())
		} else {
			err = tx.Rollback(g.t.Context())
		}
		if err != nil {
			g.t.Fatal(err)
		}
	}
	if diff := cmp.Diff(oneByOne, together); diff != "" {
		g.t.Fatalf("%d of %s were removed (-one by one +together):\n%s", len(gone), table, diff)
	}
	if len(together.Blocks) == 0 || len(together.Loose) == 0 || len(together.Found) == 0 {
		g.t.Fatalf("%d blocks, %d loose postings and %d hits are left; there must be some to compare", len(together.Blocks), len(together.Loose), len(together.Found))
	}
	if len(together.Stray) > 0 {
		g.t.Fatalf("%d of %s were removed: %v have other postings than words", len(gone), table, together.Stray)
	}
}

// left is the remaining postings, with the results of searches by words.
type left struct {
	Loose, Blocks, Found, Stray []string
}

func (g removals) look(tx pgx.Tx) left {
	g.t.Helper()
	var l left
	for statement, into := range map[string]*[]string{
		`SELECT p::text FROM annals_internal.postings p ORDER BY 1`:       &l.Loose,
		`SELECT b::text FROM annals_internal.posting_blocks b ORDER BY 1`: &l.Blocks,
	} {
		rows, err := tx.Query(g.t.Context(), statement)
		if err != nil {
			g.t.Fatal(err)
		}
		if *into, err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
			g.t.Fatal(err)
		}
	}
	q := db.New(tx)
	for _, kind := range []graph.Kind{graph.KindFact, graph.KindEpisode, graph.KindCommunity, graph.KindEntity} {
		found, err := q.ByWords(g.t.Context(), g.group, nil, db.Words{Kind: kind, Text: "word wordx wordxxxx wordxxxxxxxxx", IncludeEnded: true, MaxRows: 1000})
		rows := found.Ranking
		if err != nil {
			g.t.Fatal(err)
		}
		for _, row := range rows {
			l.Found = append(l.Found, fmt.Sprint(kind, row))
		}
	}
	stray, err := q.VerifyPostings(g.t.Context(), &g.group)
	if err != nil {
		g.t.Fatal(err)
	}
	l.Stray = stray
	return l
}
