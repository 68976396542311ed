package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
)

// loadSize is how many facts one COPY to a table writes.
const loadSize = 4000

// loader writes a group.
type loader struct {
	tx       pgx.Tx
	embedder model.Embedder
	world    world
	group    string
	entities []uuid.UUID
}

// load creates a group with a number of facts in one transaction, unless it
// exists. It returns the time taken; zero: it existed.
func load(ctx context.Context, pool *pgxpool.Pool, embedder model.Embedder, w world, group string, facts int) (time.Duration, error) {
	began := time.Now()
	there, err := db.New(pool).GroupExists(ctx, group)
	if err != nil || there {
		return 0, err
	}
	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if err := db.New(tx).GroupEnsure(ctx, group); err != nil {
			return err
		}
		l := &loader{tx: tx, embedder: embedder, world: w, group: group}
		if err := l.loadEntities(ctx); err != nil {
			return err
		}
		r := rand.New(rand.NewPCG(w.seed, 11))
		for left := facts; left > 0; left -= loadSize {
			if err := l.loadFacts(ctx, r, min(left, loadSize)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("make the group %s: %w", group, err)
	}
	return time.Since(began), nil
}

func (l *loader) copy(ctx context.Context, table string, columns []string, rows [][]any) error {
	return db.CopyRows(ctx, l.tx, table, append([]string{"group_id"}, columns...), len(rows), func(i int) ([]any, error) {
		return append([]any{l.group}, rows[i]...), nil
	})
}

func (l *loader) loadEntities(ctx context.Context) error {
	var rows [][]any
	var texts []string
	for i := range l.world.entities {
		id, name := newID(), l.world.name(i)
		l.entities = append(l.entities, id)
		rows = append(rows, []any{id, name, []string{"Person"}})
		texts = append(texts, name)
	}
	if err := l.copy(ctx, "annals.entities", []string{"id", "name", "labels"}, rows); err != nil {
		return err
	}
	return l.loadVectors(ctx, graph.KindEntity, l.entities, texts)
}

func (l *loader) loadVectors(ctx context.Context, kind graph.Kind, ids []uuid.UUID, texts []string) error {
	vectors, err := l.embedder.Embed(ctx, texts)
	if err != nil {
		return fmt.Errorf("embed: %w", err)
	}
	rows := make([][]any, len(ids))
	for i, id := range ids {
		rows[i] = []any{l.embedder.Name(), id, db.Vector(vectors[i])}
	}
	return l.copy(ctx, "annals_internal."+string(kind)+"_embeddings", []string{"model", string(kind) + "_id", "embedding"}, rows)
}

// chunk holds facts and the episodes that state them.
type chunk struct {
	factIDs, episodeIDs     []uuid.UUID
	factTexts, episodeTexts []string
	facts, episodes         [][]any
	citations, mentions     [][]any
}

func (l *loader) loadFacts(ctx context.Context, r *rand.Rand, n int) error {
	c := &chunk{}
	for len(c.facts) < n {
		l.addEpisode(c, r, min(factsPerEpisode, n-len(c.facts)))
	}
	for _, t := range []struct {
		table   string
		columns []string
		rows    [][]any
	}{
		{"annals.episodes", []string{"id", "content", "actor", "role", "thread_id", "occurred_at", "state"}, c.episodes},
		{"annals.facts", []string{"id", "source_id", "target_id", "predicate", "fact", "valid", "statement_id"}, c.facts},
		{"annals.mentions", []string{"episode_id", "entity_id"}, c.mentions},
		{"annals.fact_episodes", []string{"fact_id", "episode_id", "role"}, c.citations},
	} {
		if err := l.copy(ctx, t.table, t.columns, t.rows); err != nil {
			return err
		}
	}
	if err := l.loadVectors(ctx, graph.KindFact, c.factIDs, c.factTexts); err != nil {
		return err
	}
	return l.loadVectors(ctx, graph.KindEpisode, c.episodeIDs, c.episodeTexts)
}

// addEpisode adds an episode that states a number of facts.
func (l *loader) addEpisode(c *chunk, r *rand.Rand, facts int) {
	episode, content := newID(), ""
	mentioned := map[int]bool{}
	var said time.Time
	for range facts {
		f := l.world.fact(r)
		id := newID()
		content += f.sentence + " "
		said = f.begin
		mentioned[f.source], mentioned[f.target] = true, true
		c.factIDs, c.factTexts = append(c.factIDs, id), append(c.factTexts, f.embedded())
		c.facts = append(c.facts, []any{id, l.entities[f.source], l.entities[f.target], f.predicate, f.sentence, validity(f), id})
		c.citations = append(c.citations, []any{id, episode, string(graph.RoleStates)})
	}
	for entity := range mentioned {
		c.mentions = append(c.mentions, []any{episode, l.entities[entity]})
	}
	thread := fmt.Sprintf("thread-%d", len(c.episodeIDs)/20)
	c.episodeIDs, c.episodeTexts = append(c.episodeIDs, episode), append(c.episodeTexts, content)
	c.episodes = append(c.episodes, []any{episode, content, "narrator", "user", thread, said, string(graph.StateDone)})
}

func validity(f madeFact) pgtype.Range[pgtype.Timestamptz] {
	valid := pgtype.Range[pgtype.Timestamptz]{
		Lower: pgtype.Timestamptz{Time: f.begin, Valid: true}, LowerType: pgtype.Inclusive, UpperType: pgtype.Unbounded, Valid: true,
	}
	if !f.end.IsZero() {
		valid.Upper, valid.UpperType = pgtype.Timestamptz{Time: f.end, Valid: true}, pgtype.Exclusive
	}
	return valid
}

func newID() uuid.UUID { return uuid.Must(uuid.NewV7()) }
