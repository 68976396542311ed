package retrieval

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
)

// Each method hands this many times the limit to fusion, so that a row which
// two methods rank just below the limit can still come out on top.
const candidateFactor = 3

// Searcher answers queries. It is safe for concurrent use.
type Searcher struct {
	pool     *pgxpool.Pool
	embedder model.Embedder
}

// New is a searcher on a database whose vectors come from embedder.
func New(pool *pgxpool.Pool, embedder model.Embedder) *Searcher {
	return &Searcher{pool: pool, embedder: embedder}
}

// Search finds facts, entities and episodes by Okapi BM25 and by cosine
// similarity and fuses the two rankings of each scope. It sees one state of
// the database. An empty text, or a group that is not there, finds nothing.
func (s *Searcher) Search(ctx context.Context, q Query) (Result, error) {
	q, err := q.prepared()
	if err != nil {
		return Result{}, err
	}
	result := Result{Facts: []FactHit{}, Entities: []EntityHit{}, Episodes: []EpisodeHit{}, Communities: []CommunityHit{}}
	if q.Text == "" {
		return result, nil
	}
	vectors, err := s.embedder.Embed(model.WithSubject(ctx, model.Subject{GroupID: q.GroupID}), []string{q.Text})
	if err != nil {
		return Result{}, fmt.Errorf("embed the query: %w", err)
	}
	err = db.InSnapshot(ctx, s.pool, func(queries *db.Queries) error {
		v := view{queries: queries, query: q, vector: vectors[0], model: s.embedder.Name()}
		if result.Facts, err = v.facts(ctx); err != nil {
			return err
		}
		if result.Entities, err = v.entities(ctx); err != nil {
			return err
		}
		result.Episodes, err = v.episodes(ctx)
		return err
	})
	if err != nil {
		return Result{}, fmt.Errorf("search %s: %w", q.GroupID, err)
	}
	return result, nil
}

// view is one query over one state of the database.
type view struct {
	queries *db.Queries
	query   Query
	vector  []float32
	model   string
}

func (v view) candidates() int32 { return int32(v.query.Limit * candidateFactor) }

func (v view) validAt() *time.Time { return db.Nullable(v.query.ValidAt) }

func (v view) byTerms(ctx context.Context, kind graph.Kind) ([]scored, error) {
	return rankingOf(v.queries.RankByTerms(ctx, db.RankByTermsParams{
		GroupID: v.query.GroupID, Query: v.query.Text, Kind: kind, ValidAt: v.validAt(),
		IncludeEnded: v.query.IncludeEnded, MaxRows: v.candidates(),
	}))
}

func (v view) facts(ctx context.Context) ([]FactHit, error) {
	near, err := rankingOf(v.queries.FactsByVector(ctx, db.FactsByVectorParams{
		GroupID: v.query.GroupID, Model: v.model, Embedding: db.Vector(v.vector), ValidAt: v.validAt(),
		IncludeEnded: v.query.IncludeEnded, MaxRows: v.candidates(),
	}))
	if err != nil {
		return nil, err
	}
	return fusedHits(ctx, v, graph.KindFact, near, func(ids []uuid.UUID, score scoreOf) ([]FactHit, error) {
		rows, err := v.queries.FactsByIDs(ctx, db.FactsByIDsParams{GroupID: v.query.GroupID, Ids: ids})
		found := make([]FactHit, len(rows))
		for i, row := range rows {
			found[i] = FactHit{db.Fact(v.query.GroupID, row), score(row.ID)}
		}
		return found, err
	})
}

func (v view) entities(ctx context.Context) ([]EntityHit, error) {
	near, err := rankingOf(v.queries.EntitiesByVector(ctx, db.EntitiesByVectorParams{
		GroupID: v.query.GroupID, Model: v.model, Embedding: db.Vector(v.vector), MaxRows: v.candidates(),
	}))
	if err != nil {
		return nil, err
	}
	return fusedHits(ctx, v, graph.KindEntity, near, func(ids []uuid.UUID, score scoreOf) ([]EntityHit, error) {
		rows, err := v.queries.EntitiesByIDs(ctx, db.EntitiesByIDsParams{GroupID: v.query.GroupID, Ids: ids})
		found := make([]EntityHit, len(rows))
		for i, row := range rows {
			found[i] = EntityHit{db.Entity(v.query.GroupID, row), score(row.ID)}
		}
		return found, err
	})
}

func (v view) episodes(ctx context.Context) ([]EpisodeHit, error) {
	near, err := rankingOf(v.queries.EpisodesByVector(ctx, db.EpisodesByVectorParams{
		GroupID: v.query.GroupID, Model: v.model, Embedding: db.Vector(v.vector), MaxRows: v.candidates(),
	}))
	if err != nil {
		return nil, err
	}
	return fusedHits(ctx, v, graph.KindEpisode, near, func(ids []uuid.UUID, score scoreOf) ([]EpisodeHit, error) {
		rows, err := v.queries.EpisodesByIDs(ctx, db.EpisodesByIDsParams{GroupID: v.query.GroupID, Ids: ids})
		found := make([]EpisodeHit, len(rows))
		for i, row := range rows {
			found[i] = EpisodeHit{db.Episode(v.query.GroupID, db.EpisodeListRow(row)), score(row.ID)}
		}
		return found, err
	})
}

// scoreOf tells the fused score of a row.
type scoreOf func(uuid.UUID) float64

// fusedHits ranks a scope by its terms, fuses that with the ranking by vector
// and reads the rows that come out on top, best first.
func fusedHits[Hit interface{ key() scored }](
	ctx context.Context, v view, kind graph.Kind, near []scored, read func([]uuid.UUID, scoreOf) ([]Hit, error),
) ([]Hit, error) {
	terms, err := v.byTerms(ctx, kind)
	if err != nil {
		return nil, err
	}
	fused := fuse(v.query.Limit, terms, near)
	scores := make(map[uuid.UUID]float64, len(fused))
	ids := make([]uuid.UUID, len(fused))
	for i, s := range fused {
		scores[s.ID], ids[i] = s.Score, s.ID
	}
	found, err := read(ids, func(id uuid.UUID) float64 { return scores[id] })
	slices.SortFunc(found, func(a, b Hit) int { return bestFirst(a.key(), b.key()) })
	return found, err
}
