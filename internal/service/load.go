package service

import (
	"context"
	"errors"
	"io"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// A transaction of [Load] ends with the first of these, so that memory stays
// bounded however long the input is.
const (
	loadEpisodes = 200
	loadBytes    = 8 << 20 // of content and metadata
)

// line is an episode with the number of the line it was read from.
type line struct {
	annals.Episode
	number int
}

// NextEpisode gives an episode and the number of its line, 0 where there are no
// lines, and [io.EOF] after the last. [graph.EpisodeLines.Next] is one.
type NextEpisode func() (annals.Episode, int, error)

// OnStored receives the episodes of one transaction and the outcome of each.
type OnStored func([]annals.Episode, []annals.Stored)

// Refused is an episode that is not taken in again because it was erased.
type Refused struct {
	Line       int    `json:"line,omitempty" doc:"The line it stood on; left out: there are no lines"`
	ExternalID string `json:"external_id,omitempty"`
	Reason     string `json:"reason" doc:"Why it was refused. It holds nothing of the text"`
}

// MaxRefused is how many refused episodes are named one by one.
const MaxRefused = 1000

// Load stores any number of episodes in their order, some hundred in a
// transaction. What came before an error is stored. An error of next is returned
// as it is; an episode that is refused when it is stored is a [graph.LineError].
// Those that were erased are left out, and named: the number of them comes with
// the first [MaxRefused]. Where all were erased, the first is the error.
func Load(ctx context.Context, client *annals.Client, next NextEpisode, stored OnStored) (int, []Refused, error) {
	l := &loading{add: client.AddAll, stored: stored}
	for {
		lines, end := readLines(next)
		if err := l.store(ctx, lines); err != nil {
			return l.left, l.refused, err
		}
		switch {
		case errors.Is(end, io.EOF):
			return l.left, l.refused, l.nothing()
		case end != nil:
			return l.left, l.refused, end
		}
	}
}

// Added is what came of episodes that were added at once.
type Added struct {
	Episodes []annals.Episode // those that are stored, or were there already
	Stored   []annals.Stored  // the outcome of each of them
	Refused  []Refused        // left out because they were erased, by their place from 1; the first MaxRefused
}

// Left is how many of the given episodes were left out.
func (a Added) Left(given int) int { return given - len(a.Stored) }

// AddEach stores episodes of one group in one transaction, all or none, but for
// those that were erased: they are left out, and named. Where all were erased,
// that is the error; so are no episodes at all. What beside does, if it is not nil, belongs to the transaction.
func AddEach(ctx context.Context, client *annals.Client, episodes []annals.Episode, beside func(pgx.Tx, Added) error) (Added, error) {
	if len(episodes) == 0 {
		return Added{}, graph.Invalid("episodes", "are none; send at least one")
	}
	s, added := New(client), Added{Episodes: episodes}
	together := func(add func(pgx.Tx) error) error {
		return client.InGroup(ctx, episodes[0].GroupID, func(tx pgx.Tx) error {
			err := add(tx)
			if err == nil && beside != nil {
				err = beside(tx, added)
			}
			return err
		})
	}
	var err error
	if beside == nil {
		added.Stored, err = client.AddAll(ctx, episodes)
	} else {
		err = together(func(tx pgx.Tx) (err error) {
			added.Stored, err = s.AddAllTx(ctx, tx, episodes)
			return err
		})
	}
	if graph.IsErased(err) && len(episodes) > 1 {
		err = together(func(tx pgx.Tx) (err error) {
			added, err = addEachTx(ctx, tx, episodes, s.AddAllTx)
			return err
		})
	}
	return added, err
}

// storeTx stores episodes in a transaction: all, or none.
type storeTx func(ctx context.Context, tx pgx.Tx, episodes []annals.Episode) ([]annals.Stored, error)

// addEachTx stores what was not erased, and tries which that is with savepoints.
func addEachTx(ctx context.Context, tx pgx.Tx, episodes []annals.Episode, store storeTx) (Added, error) {
	var added Added
	l := &loading{
		add: func(ctx context.Context, some []annals.Episode) (stored []annals.Stored, err error) {
			err = pgx.BeginFunc(ctx, tx, func(savepoint pgx.Tx) error {
				stored, err = store(ctx, savepoint, some)
				return err
			})
			return stored, err
		},
		stored: func(some []annals.Episode, results []annals.Stored) {
			added.Episodes, added.Stored = append(added.Episodes, some...), append(added.Stored, results...)
		},
	}
	var lines []line
	for i, episode := range episodes {
		lines = append(lines, line{episode, i + 1})
	}
	err := l.store(ctx, lines)
	if err == nil {
		err = l.nothing()
	}
	if wrong, ok := errors.AsType[*graph.LineError](err); ok {
		err = wrong.Err
	}
	added.Refused = l.refused
	return added, err
}

// loading is a load under way.
type loading struct {
	add     func(context.Context, []annals.Episode) ([]annals.Stored, error) // all or none
	stored  OnStored
	kept    int       // stored, or there already
	left    int       // left out because they were erased
	refused []Refused // the first of those
	first   error     // why the first was
}

// nothing is the error of a load of which nothing was kept, because all of it
// was erased.
func (l *loading) nothing() error {
	if l.kept > 0 {
		return nil
	}
	return l.first
}

// leave notes that a line is left out.
func (l *loading) leave(one line, err error) {
	if l.left++; l.first == nil {
		l.first = &graph.LineError{Number: one.number, Err: err}
	}
	if len(l.refused) < MaxRefused {
		reason := err.Error()
		if known, ok := errors.AsType[*annals.Error](err); ok {
			reason = known.Message
		}
		l.refused = append(l.refused, Refused{Line: one.number, ExternalID: one.ExternalID, Reason: reason})
	}
}

// readLines reads as many lines as one transaction stores. The error comes with
// the lines before it.
func readLines(next NextEpisode) ([]line, error) {
	var lines []line
	for size := 0; len(lines) < loadEpisodes && size < loadBytes; {
		episode, number, err := next()
		if err != nil {
			return lines, err
		}
		lines = append(lines, line{episode, number})
		size += len(episode.Content) + len(episode.Metadata)
	}
	return lines, nil
}

// store stores the lines or, where one of them is refused, those before it. Those
// that were erased are left out.
func (l *loading) store(ctx context.Context, lines []line) error {
	if len(lines) == 0 {
		return nil
	}
	episodes := make([]annals.Episode, len(lines))
	for i := range lines {
		episodes[i] = lines[i].Episode
	}
	results, err := l.add(ctx, episodes)
	switch {
	case err == nil:
		l.kept += len(results)
		l.stored(episodes, results)
		return nil
	case annals.CodeOf(err) != annals.CodeInvalid && !graph.IsErased(err):
		return err
	case len(lines) == 1 && graph.IsErased(err):
		l.leave(lines[0], err)
		return nil
	case len(lines) == 1:
		return &graph.LineError{Number: lines[0].number, Err: err}
	}
	// The error does not say which line it is about: it is in one of the halves.
	half := len(lines) / 2
	if err := l.store(ctx, lines[:half]); err != nil {
		return err
	}
	return l.store(ctx, lines[half:])
}
