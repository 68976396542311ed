package community

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/prompts"
)

// narrator answers the questions about communities and counts them.
type narrator struct {
	mu       sync.Mutex
	maps     []prompts.SummariseMembers
	combines []prompts.CombineSummaries
	names    []prompts.NameCommunity
	before   func() error // called before naming
}

func (n *narrator) SummariseMembers(_ context.Context, q prompts.SummariseMembers) (prompts.Summary, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.maps = append(n.maps, q)
	return prompts.Summary{Summary: fmt.Sprintf("About %s and %d others.", q.Members[0].Name, len(q.Members)-1)}, nil
}

func (n *narrator) CombineSummaries(_ context.Context, q prompts.CombineSummaries) (prompts.Summary, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.combines = append(n.combines, q)
	return prompts.Summary{Summary: strings.Join(q.Summaries, " ")}, nil
}

func (n *narrator) NameCommunity(_ context.Context, q prompts.NameCommunity) (prompts.CommunityName, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.names = append(n.names, q)
	if n.before != nil {
		if err := n.before(); err != nil {
			return prompts.CommunityName{}, err
		}
	}
	return prompts.CommunityName{Name: "Circle of " + q.Members[0]}, nil
}

// asked returns the number of questions since the last call: about members, about summaries, for
// names.
func (n *narrator) asked() [3]int {
	n.mu.Lock()
	defer n.mu.Unlock()
	counts := [3]int{len(n.maps), len(n.combines), len(n.names)}
	n.maps, n.combines, n.names = nil, nil, nil
	return counts
}

// society is a group whose graph is written by hand.
type society struct {
	t        *testing.T
	pool     *pgxpool.Pool
	builder  *Builder
	narrator *narrator
}

func newSociety(t *testing.T) *society {
	t.Helper()
	pool, err := db.Open(t.Context(), pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	s := &society{t: t, pool: pool, narrator: &narrator{}}
	s.builder = s.builderWith(s.narrator)
	s.exec(`INSERT INTO annals.groups (group_id) VALUES ('g'), ('other')`)
	return s
}

func (s *society) builderWith(by analyst.Communities) *Builder {
	s.t.Helper()
	embedder, err := model.NewHashEmbedder(384)
	if err != nil {
		s.t.Fatal(err)
	}
	return New(s.pool, by, embedder, slog.New(slog.DiscardHandler))
}

func (s *society) exec(statement string, args ...any) {
	s.t.Helper()
	if _, err := s.pool.Exec(s.t.Context(), statement, args...); err != nil {
		s.t.Fatal(err)
	}
}

func (s *society) count(query string, args ...any) int {
	s.t.Helper()
	var n int
	if err := s.pool.QueryRow(s.t.Context(), query, args...).Scan(&n); err != nil {
		s.t.Fatal(err)
	}
	return n
}

// entities creates the missing ones of these entities.
func (s *society) entities(names ...string) []uuid.UUID {
	s.t.Helper()
	s.exec(`INSERT INTO annals.entities (group_id, id, name, summary)
		SELECT 'g', md5(n)::uuid, n, n || ' is known.' FROM unnest($1::text[]) AS n ON CONFLICT DO NOTHING`, names)
	rows, err := s.pool.Query(s.t.Context(), `SELECT md5(n)::uuid FROM unnest($1::text[]) AS n`, names)
	if err != nil {
		s.t.Fatal(err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		s.t.Fatal(err)
	}
	return ids
}

// knows joins two entities by the given number of facts.
func (s *society) knows(a, b string, facts int) {
	s.t.Helper()
	s.entities(a, b)
	s.exec(`INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, statement_id)
		SELECT 'g', gen_random_uuid(), md5($1)::uuid, md5($2)::uuid, 'KNOWS', $1 || ' knows ' || $2, '[2024-01-01,)', gen_random_uuid()
		FROM generate_series(1, $3)`, a, b, facts)
}

// circle joins every pair of the names.
func (s *society) circle(names ...string) {
	s.t.Helper()
	for i, a := range names {
		for _, b := range names[:i] {
			s.knows(a, b, 1)
		}
	}
}

func (s *society) build() Built {
	s.t.Helper()
	built, err := s.builder.Build(s.t.Context(), "g")
	if err != nil {
		s.t.Fatal(err)
	}
	return built
}

// told is a stored community in brief.
type told struct{ Name, Summary, Members string }

// communities returns the stored communities, and their ids by name.
func (s *society) communities() ([]told, map[string]uuid.UUID) {
	s.t.Helper()
	rows, err := db.New(s.pool).CommunityList(s.t.Context(), db.CommunityListParams{GroupID: "g", MaxRows: 100})
	if err != nil {
		s.t.Fatal(err)
	}
	ids := map[string]uuid.UUID{}
	var out []told
	for _, row := range rows {
		out = append(out, told{row.Name, row.Summary, strings.Join(row.MemberNames, " ")})
		ids[row.Name] = row.ID
	}
	return out, ids
}

func (s *society) history() []string {
	s.t.Helper()
	rows, err := s.pool.Query(s.t.Context(), `
		SELECT h.name || ': ' || (SELECT string_agg(e.name, ' ' ORDER BY e.name) FROM annals.entities e WHERE e.id = ANY(h.evidence))
		FROM annals_internal.communities_history h ORDER BY lower(h.recorded), h.name`)
	if err != nil {
		s.t.Fatal(err)
	}
	versions, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		s.t.Fatal(err)
	}
	return versions
}
