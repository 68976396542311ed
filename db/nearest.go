package db

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/graph"
)

// The breadth of an approximate search: how many vectors it keeps in view (Malkov & Yashunin, 2018,
// algorithm 2, ef). A larger breadth finds more and takes longer; the more vectors there are, the
// more it takes. Over all sorts of queries these find 0.99 of the ten nearest of 10,000 vectors,
// and 0.96 of those of 100,000 and of 300,000; one step less finds 0.93 of the latter.
const (
	smallBreadth = 200 // under midSize vectors
	midBreadth   = 300
	largeBreadth = 400 // from largeSize on
	midSize      = 30_000
	largeSize    = 200_000

	maxBreadth = 1000 // that pgvector allows
)

// VectorsPerRow is how many vectors of a row with passages are assumed to be among the nearest:
// that of the whole and one of a passage.
const VectorsPerRow = 2

// candidatesBefore is how many times the limit the first look compares before it asks whether facts
// are in force, as most are, or whether a filter lets rows pass.
const candidatesBefore = 4

// A walk over the index continues past rows that do not meet a condition until it has compared
// 20,000 vectors, or a tenth of a larger group. pgvector then fills the result with the nearest of
// those. Of the ten nearest of 5,000 rows that met a condition, among 100,000, a bound of 20,000
// found 0.99, of 10,000 0.95 and of 3,333 0.78. In a group of up to three times as many, comparing
// all vectors takes less time.
const (
	walkedOn      = 20_000
	walkedOnShare = 10
	worthWalking  = 3 * walkedOn
)

// So many vectors, or this part of a large group's, are looked up one by one in less time than a
// scan of all takes to find them.
const (
	lookedUp      = 2000
	lookedUpShare = 20
)

// Nearest says which vectors of a group to search.
type Nearest struct {
	Kind    graph.Kind
	GroupID string
	Model   string // of the embedder that made Vector
	Vector  []float32
	Limit   int

	// Passages says that a row may have several vectors; the nearest of them counts.
	Passages bool

	// Enough is how many rows, of Limit, a search by index must find: it does not continue for
	// more. Zero: Limit.
	Enough int

	// Narrowed keeps the rows that Filter, ValidAt and IncludeEnded let pass, as the functions
	// annals_internal.*_passing read them; communities have no filter. Without it, ValidAt and
	// IncludeEnded still choose among facts: those that held then or, if ValidAt is nil, those that
	// have not ended.
	Narrowed     bool
	Filter       json.RawMessage
	ValidAt      *time.Time
	IncludeEnded bool

	// Shape is that of the group, from [Queries.Shape]. Zero: every vector of the group is
	// compared, which misses nothing.
	Shape Shape

	// Breadth is how many vectors a search by index keeps in view, at most 1000. Zero: as many as
	// suit the size of the group. It is raised to the limit.
	Breadth int
}

// NearestRows finds the rows with the nearest vectors, the best first, with their cosine
// similarities, −1 to 1. It uses the group's index if there is one, and else compares all vectors.
// If the index gives too few rows, it compares all vectors after all, so that a condition that few
// rows meet misses none of them. It must run in a transaction: it sets how indexes are searched
// until that ends.
func (q *Queries) NearestRows(ctx context.Context, n Nearest) ([]RankedRow, error) {
	var found [][]RankedRow
	together := q.Together()
	together.Nearest([]Nearest{n}, &found)
	if err := together.Send(ctx); err != nil {
		return nil, fmt.Errorf("find the nearest vectors of %s: %w", n.Kind, err)
	}
	return q.NearestOn(ctx, n, found[0])
}

// NearestOn continues a search whose first look found too little.
func (q *Queries) NearestOn(ctx context.Context, n Nearest, first []RankedRow) ([]RankedRow, error) {
	found := n.kept(first)
	for _, look := range n.looks()[1:] {
		if len(found) >= n.enough() {
			break
		}
		if look == LookOn && len(found) < n.worthIt() {
			continue
		}
		batch := &pgx.Batch{}
		n.Queue(batch, look, &found)
		if err := q.db.SendBatch(ctx, batch).Close(); err != nil {
			return nil, fmt.Errorf("find the nearest vectors of %s: %w", n.Kind, err)
		}
	}
	return found, nil
}

// Nearest adds the first look of several searches. into gets the rows of each, in their order;
// [Queries.NearestOn] takes them from there.
func (t *Together) Nearest(asked []Nearest, into *[][]RankedRow) {
	if len(asked) == 0 {
		return
	}
	broadest := -1
	for i, n := range asked {
		if n.byIndex() && n.looks()[0] != LookAll && (broadest < 0 || n.breadth() > asked[broadest].breadth()) {
			broadest = i
		}
	}
	if broadest >= 0 {
		asked[broadest].set(&t.batch, LookOnce)
	}
	s := nearestOf(asked)
	t.batch.Queue(s.sql, s.args...).Query(func(rows pgx.Rows) error {
		*into = make([][]RankedRow, len(asked))
		var place int
		var ids []uuid.UUID
		var scores []float64
		_, err := pgx.ForEachRow(rows, []any{&place, &ids, &scores}, func() error {
			(*into)[place] = rankedRows(ids, scores)
			ids, scores = nil, nil
			return nil
		})
		return err
	})
}

// enough is how many rows end the search.
func (n Nearest) enough() int {
	if n.Enough == 0 || !n.byIndex() {
		return n.Limit
	}
	return min(n.Enough, n.Limit)
}

// Look is a way to search vectors. Each takes longer than the one before it and may find more.
type Look int

// The ways to look.
const (
	LookOnce Look = iota // by the index, or among a number of candidates: rows that do not meet the condition are missing
	LookOn               // by the index, continuing until enough rows meet the condition
	LookAll              // through all vectors, or those of all rows that a filter lets pass
)

// looks are the looks to try until one finds enough. Most facts are in force, so that the first
// mostly does; continuing keeps every vector that was passed, which takes half as long again.
func (n Nearest) looks() []Look {
	switch {
	case n.conditional() && n.Shape.HasFew(n.Kind) && !n.byIndex():
		return []Look{LookAll}
	case n.byIndex() && n.Shape.iterates() && n.conditional() && n.size() >= worthWalking:
		return []Look{LookOnce, LookOn, LookAll}
	case n.byIndex() || n.conditional():
		return []Look{LookOnce, LookAll}
	}
	return []Look{LookOnce}
}

// Queue adds a look to a batch. found gets the rows.
func (n Nearest) Queue(batch *pgx.Batch, look Look, found *[]RankedRow) {
	if n.byIndex() && look != LookAll {
		n.set(batch, look)
	}
	s := n.statement(look)
	batch.Queue(s.sql, s.args...).Query(func(rows pgx.Rows) error {
		near, err := ranked(rows, n.limit())
		*found = n.kept(near)
		return err
	})
}

// set adds the settings of a search by index.
func (n Nearest) set(batch *pgx.Batch, look Look) {
	batch.Queue(hnswSettings, strconv.Itoa(n.breadth()), n.scan(look), strconv.FormatInt(n.walked(), 10))
}

// kept drops the facts that are known to have ended, and cuts the rest to the limit.
func (n Nearest) kept(near []RankedRow) []RankedRow {
	if ended := n.ended(); len(ended) > 0 {
		near = slices.DeleteFunc(near, func(r RankedRow) bool { return ended[r.ID] })
	}
	return near[:min(n.Limit, len(near))]
}

// hnswSettings hold until the transaction ends. pgvector before 0.8 has no iterative scans. Such a
// scan remembers what it walked over, in less than 200 bytes each.
const hnswSettings = `SELECT set_config('hnsw.ef_search', $1, true),
	CASE WHEN $2 <> '' THEN set_config('hnsw.iterative_scan', $2, true) END,
	CASE WHEN $2 <> '' THEN set_config('hnsw.max_scan_tuples', $3, true) END,
	CASE WHEN $2 <> '' THEN set_config('hnsw.scan_mem_multiplier',
		least(greatest(1, ceil($3::bigint * 200.0 / pg_size_bytes(current_setting('work_mem')))), 1000)::text, true) END`

// scan is the mode of pgvector's iterative scans. The statement sorts what a relaxed order returns.
func (n Nearest) scan(look Look) string {
	switch {
	case !n.Shape.iterates():
		return ""
	case look == LookOn:
		return "relaxed_order"
	}
	return "off"
}

// walked is how many vectors a walk over the index compares at most.
func (n Nearest) walked() int64 { return max(n.size()/walkedOnShare, walkedOn) }

// size is about how many vectors the group has.
func (n Nearest) size() int64 {
	rows, _ := n.Shape.Size(n.Kind)
	return int64(n.vectors(int(rows)))
}

// worthIt is how many of the nearest rows must meet the condition for a longer walk to be expected
// to find enough that do.
func (n Nearest) worthIt() int {
	return 1 + int(int64(n.enough()*n.breadth())/n.walked())
}

func (n Nearest) byIndex() bool { return n.Shape.HasIndex(n.Kind) }

func (n Nearest) breadth() int {
	breadth := n.Breadth
	switch size := n.size(); {
	case breadth > 0:
	case size < midSize:
		breadth = smallBreadth
	case size < largeSize:
		breadth = midBreadth
	default:
		breadth = largeBreadth
	}
	return min(max(breadth, n.reach()), maxBreadth)
}

// conditional reports whether a row must meet a condition besides being near.
func (n Nearest) conditional() bool {
	switch {
	case n.Kind == graph.KindCommunity:
		return false
	case n.Narrowed:
		return true
	}
	return n.Kind == graph.KindFact && (n.ValidAt != nil || !n.IncludeEnded && !n.knowsEnded())
}

// knowsEnded reports whether the ended facts are known from the shape, so that the statement need
// not ask.
func (n Nearest) knowsEnded() bool { return n.Shape.HasFew(n.Kind) && !n.byIndex() }

// ended are the facts to leave out of the result.
func (n Nearest) ended() map[uuid.UUID]bool {
	if n.Narrowed || n.ValidAt != nil || n.IncludeEnded || !n.knowsEnded() {
		return nil
	}
	return n.Shape.Ended(n.Kind)
}

// limit is how many rows are searched. If the group has few it is all, as the ended ones are
// dropped afterwards.
func (n Nearest) limit() int {
	if n.knowsEnded() && !n.conditional() {
		return Few + 1
	}
	return n.Limit
}
