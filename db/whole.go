package db

import "context"

// ReadWhole reads, in one round trip, the postings of terms and the nearest
// vectors, which must be few and meet no condition.
func (q *Queries) ReadWhole(ctx context.Context, terms PostingsOfTermsParams, n Nearest) (postings []PostingsOfTermsRow, near []RankedRow, err error) {
	var together queued
	_, _ = New(&together).PostingsOfTerms(ctx, terms)
	together.then(collect(&postings))
	n.Queue(&together.batch, LookOnce, &near)
	err = q.db.SendBatch(ctx, &together.batch).Close()
	return postings, near, err
}
