package service

import (
	"context"
	"errors"
	"io"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// The limits on one transaction of [Load]: it ends at whichever is reached first. They bound the memory that an
// input of any length needs.
const (
	loadEpisodes = 200
	loadBytes    = 8 << 20 // of content and metadata
)

// line is an episode with its line number.
type line struct {
	annals.Episode
	number int
}

// NextEpisode returns the next episode and its line number, 0 if there are no lines, and [io.EOF] after the
// last. [graph.EpisodeLines.Next] is one.
type NextEpisode func() (annals.Episode, int, error)

// OnStored receives the episodes of one transaction and the outcome of each.
type OnStored func([]annals.Episode, []annals.Stored)

// Refused is an episode that was left out because it was erased before.
type Refused struct {
	Line       int    `json:"line,omitempty" doc:"The line it stood on; left out: there are no lines"`
	ExternalID string `json:"external_id,omitempty"`
	Reason     string `json:"reason" doc:"Why it was refused. It holds nothing of the text"`
}

// MaxRefused is how many refused episodes are listed. Beyond that they are only counted.
const MaxRefused = 1000

// Load stores any number of episodes in their order, some hundred in each transaction. Episodes that came
// before an error stay stored. Load returns an error of next unchanged; if an episode is refused, it returns a
// [graph.LineError]. Episodes that were erased before are left out: Load returns their number and the first
// [MaxRefused] of them. If all were erased, it returns an error for the first.
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

// Added is the outcome of adding several episodes at once.
type Added struct {
	Episodes []annals.Episode // those that were stored, or were there already
	Stored   []annals.Stored  // the outcome of each of them
	Refused  []Refused        // left out because they were erased before; Line is the place from 1; at most MaxRefused
}

// Left returns how many of the given episodes were left out.
func (a Added) Left(given int) int { return given - len(a.Stored) }

// AddEach stores episodes of one group in one transaction, all or none. Only those that were erased before are
// left out; Added.Refused lists them. It fails if all were erased, or if there are no episodes. beside, if not
// nil, runs in the same transaction.
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

// addEachTx stores the episodes that were not erased. It finds them with savepoints.
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
	add     func(context.Context, []annals.Episode) ([]annals.Stored, error) // stores all or none
	stored  OnStored
	kept    int       // how many were stored, or were there already
	left    int       // how many were left out because they were erased
	refused []Refused // the first MaxRefused of those
	first   error     // the error of the first of them
}

// nothing returns an error if all lines were erased before.
func (l *loading) nothing() error {
	if l.kept > 0 {
		return nil
	}
	return l.first
}

// leave records that a line is left out.
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

// readLines reads as many lines as one transaction stores. With an error, it also returns the lines before it.
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

// store stores the lines. If a line is refused, the lines before it are stored. Lines that were erased before
// are left out.
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
	// The error does not say which line it is about: try each half.
	half := len(lines) / 2
	if err := l.store(ctx, lines[:half]); err != nil {
		return err
	}
	return l.store(ctx, lines[half:])
}
