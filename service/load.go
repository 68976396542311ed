package service

import (
	"context"
	"errors"
	"io"

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
	l := &loading{client: client}
	l.stored = func(episodes []annals.Episode, results []annals.Stored) {
		l.kept += len(results)
		stored(episodes, results)
	}
	for {
		lines, end := readLines(next)
		if err := l.store(ctx, lines); err != nil {
			return l.left, l.refused, err
		}
		switch {
		case errors.Is(end, io.EOF) && l.kept == 0 && l.left > 0:
			return l.left, l.refused, l.first
		case errors.Is(end, io.EOF):
			return l.left, l.refused, nil
		case end != nil:
			return l.left, l.refused, end
		}
	}
}

// AddEach stores episodes in one transaction, all or none, but for those that were
// erased: with such ones among them each is stored by itself, and they are left out. It returns what was
// stored, with the outcome of each. Where all were erased, that is the error.
func AddEach(ctx context.Context, client *annals.Client, episodes []annals.Episode) ([]annals.Episode, []annals.Stored, []Refused, error) {
	stored, err := client.AddAll(ctx, episodes)
	if !graph.IsErased(err) {
		return episodes, stored, nil, err
	}
	var kept []annals.Episode
	at := 0
	next := func() (annals.Episode, int, error) {
		if at++; at > len(episodes) {
			return annals.Episode{}, 0, io.EOF
		}
		return episodes[at-1], at, nil
	}
	_, refused, err := Load(ctx, client, next, func(some []annals.Episode, results []annals.Stored) {
		kept, stored = append(kept, some...), append(stored, results...)
	})
	if line, ok := errors.AsType[*graph.LineError](err); ok {
		err = line.Err
	}
	return kept, stored, refused, err
}

// loading is a load under way.
type loading struct {
	client  *annals.Client
	stored  OnStored
	kept    int       // stored, or there already
	left    int       // left out because they were erased
	refused []Refused // the first of those
	first   error     // why the first was
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
	results, err := l.client.AddAll(ctx, episodes)
	switch {
	case err == nil:
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
