package engine

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/edit"
	"github.com/annalsdb/annals/graph"
)

// A record of a tool or a document tells of a time. Where that is later than what a user
// said, the two contradict each other no more than two addresses do of somebody who
// moved: in a group whose policy says so, the record ends the older statement.

// successions returns what tells whether one word succeeds another. The policy is read
// only where a record of a later time meets the word of a user.
func (w *walk) successions(ctx context.Context, d *draft, words map[uuid.UUID]word) (func(record, statement word) bool, error) {
	never := func(word, word) bool { return false }
	for _, f := range d.facts {
		for _, k := range f.contradicts {
			a, b := d.wordOf(f), words[k.ID]
			if !a.tellsOfLater(b) && !b.tellsOfLater(a) {
				continue
			}
			policy, err := edit.TrustPolicyOf(ctx, db.New(w.store), d.groupID)
			if err != nil || !policy.RecordsSucceed {
				return never, err
			}
			return word.tellsOfLater, nil
		}
	}
	return never, nil
}

// tellsOfLater reports whether a word is a record that is believed and tells of a later
// day than the statement of a user: than since when that holds, and than it was last said.
func (w word) tellsOfLater(statement word) bool {
	if w.Authority != graph.AuthorityDocument || w.withheld || statement.Authority != graph.AuthorityUser || w.since.IsZero() {
		return false
	}
	day := w.since.UTC().Truncate(24 * time.Hour)
	return day.After(statement.said) && day.After(statement.since)
}
