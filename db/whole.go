package db

import (
	"context"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"

	"github.com/annalsdb/annals/graph"
)

// Whole is what a kind with few rows is ranked by, as a whole: the postings of the
// terms and the nearest vectors, whatever has ended.
type Whole struct {
	Kind     graph.Kind
	Postings []PostingsOfTermsRow

	terms PostingsOfTermsParams
	near  Nearest
	rows  []RankedRow
}

// mostAhead is how many of the nearest rows are read ahead: the 200 that most searches
// ask for, and some that may have ended.
const mostAhead = 250

// NewWhole is to be read by [Queries.Shape].
func NewWhole(terms PostingsOfTermsParams, near Nearest) *Whole {
	return &Whole{Kind: near.Kind, terms: terms, near: near}
}

// Nearest are those of the rows that are asked for. It is not ok where too few were
// read ahead.
func (w *Whole) Nearest(n Nearest) (near []RankedRow, ok bool) {
	if len(w.rows) == mostAhead && n.limit() > mostAhead {
		return nil, false
	}
	return n.kept(slices.Clone(w.rows)), true
}

func (w *Whole) queue(together *queued) {
	together.postings(w.terms, &w.Postings)
	s := w.near.ifFew()
	together.batch.Queue(s.sql, s.args...).Query(func(rows pgx.Rows) (err error) {
		w.rows, err = ranked(rows, mostAhead)
		return err
	})
}

// ifFew compares the vectors of a kind with few rows, and of another none.
func (n Nearest) ifFew() statement {
	return statement{
		sql: `SELECT n.id, 1 - n.distance
FROM (
	` + n.compared("EXISTS (SELECT FROM annals_internal.search_statistics s WHERE s.group_id = $3 AND s.kind = $5::annals.kind AND s.documents <= "+strconv.Itoa(Few)+")") + `
	ORDER BY 2, 1
	LIMIT $2
) n
ORDER BY n.distance, n.id`,
		args: []any{pgvector.NewHalfVector(n.Vector), mostAhead, n.GroupID, n.Model, n.Kind},
	}
}

// ReadWhole reads, in one round trip, the postings of terms and the nearest
// vectors, which must be few and meet no condition.
func (q *Queries) ReadWhole(ctx context.Context, terms PostingsOfTermsParams, n Nearest) (postings []PostingsOfTermsRow, near []RankedRow, err error) {
	var together queued
	together.postings(terms, &postings)
	n.Queue(&together.batch, LookOnce, &near)
	err = q.db.SendBatch(ctx, &together.batch).Close()
	return postings, near, err
}

func (d *queued) postings(terms PostingsOfTermsParams, found *[]PostingsOfTermsRow) {
	_, _ = New(d).PostingsOfTerms(context.Background(), terms)
	d.then(collect(found))
}
