package main

import (
	"context"
	"errors"
	"io"

	"github.com/annalsdb/annals"
)

// What is stored in one transaction ends with the first of these, so that
// memory stays bounded however long the lines are.
const (
	batchSize  = 200     // episodes
	batchBytes = 8 << 20 // of content and metadata
)

// batch is what is stored in one transaction.
type batch struct {
	episodes []annals.Episode
	numbers  []int // of the lines they come from
}

// batch reads as many episodes as are stored at once. The error, [io.EOF] or
// what is wrong with a line, comes with the episodes before it.
func (l *lines) batch() (batch, error) {
	var b batch
	for size := 0; len(b.episodes) < batchSize && size < batchBytes; {
		episode, err := l.next()
		if err != nil {
			return b, err
		}
		b.episodes, b.numbers = append(b.episodes, episode), append(b.numbers, l.number)
		size += len(episode.Content) + len(episode.Metadata)
	}
	return b, nil
}

// storeAll stores the episodes in batches. bad is what is wrong with one of
// them: what came before it is stored. err is what is wrong with the database.
func storeAll(ctx context.Context, client *annals.Client, source *lines, report *addReport) (bad, err error) {
	for {
		b, end := source.batch()
		if bad, err := b.store(ctx, client, source, report); bad != nil || err != nil {
			return bad, err
		}
		if errors.Is(end, io.EOF) {
			return nil, nil
		}
		if end != nil {
			return end, nil
		}
	}
}

// store stores the batch or, where the database refuses one of its episodes,
// those before that one.
func (b batch) store(ctx context.Context, client *annals.Client, source *lines, report *addReport) (bad, err error) {
	if len(b.episodes) == 0 {
		return nil, nil
	}
	stored, err := client.AddAll(ctx, b.episodes)
	switch {
	case err == nil:
		report.add(b.episodes, stored)
		return nil, nil
	case annals.CodeOf(err) != annals.CodeInvalid:
		return nil, err
	case len(b.episodes) == 1:
		return source.at(b.numbers[0], err), nil
	}
	for i := range b.episodes { // one of them is refused, but not which is said
		one := batch{b.episodes[i : i+1], b.numbers[i : i+1]}
		if bad, err := one.store(ctx, client, source, report); bad != nil || err != nil {
			return bad, err
		}
	}
	return nil, nil
}

func (r *addReport) add(episodes []annals.Episode, stored []annals.Stored) {
	for i, s := range stored {
		if s.New {
			r.Added++
		} else {
			r.Existing++
		}
		if len(r.Episodes) < maxNamed {
			r.Episodes = append(r.Episodes, addedJSON{ID: s.ID, New: s.New, ExternalID: episodes[i].ExternalID})
		}
	}
}
