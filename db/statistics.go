package db

import (
	"context"
	"fmt"
)

// RefreshStatistics counts the documents and the frequent terms of a group, which weigh words in
// searches, and packs its postings.
func RefreshStatistics(ctx context.Context, pool Pool, groupID string) error {
	queries := New(pool)
	if err := queries.StatisticsRefresh(ctx, groupID); err != nil {
		return fmt.Errorf("count the documents of %s: %w", groupID, err)
	}
	if err := queries.FrequentTermsRefresh(ctx, groupID); err != nil {
		return fmt.Errorf("count the frequent terms of %s: %w", groupID, err)
	}
	if err := queries.packPostings(ctx, groupID); err != nil {
		return fmt.Errorf("pack the postings of %s: %w", groupID, err)
	}
	return nil
}

// packPostings packs the postings of the kinds that have grown or shrunk, part by part, each in a
// transaction of its own. If another transaction removes postings of the group meanwhile, the rest
// is left for the next time.
func (q *Queries) packPostings(ctx context.Context, groupID string) error {
	kinds, err := q.PostingsDue(ctx, groupID)
	if err != nil {
		return err
	}
	for _, kind := range kinds {
		parts, err := q.PostingsToPack(ctx, PostingsToPackParams{GroupID: groupID, Kind: kind})
		if err != nil {
			return err
		}
		for _, terms := range parts {
			done, err := q.PostingsPack(ctx, PostingsPackParams{GroupID: groupID, Kind: kind, Terms: terms})
			if err != nil || !done {
				return err
			}
		}
		if err := q.PostingsPacked(ctx, PostingsPackedParams{GroupID: groupID, Kind: kind}); err != nil {
			return err
		}
	}
	return nil
}
