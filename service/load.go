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

// Load stores any number of episodes in their order, some hundred in a
// transaction. What came before an error is stored. An error of next is returned
// as it is; an episode that is refused when it is stored is a [graph.LineError].
func Load(ctx context.Context, client *annals.Client, next NextEpisode, stored OnStored) error {
	for {
		lines, end := readLines(next)
		if err := storeLines(ctx, client, lines, stored); err != nil {
			return err
		}
		if errors.Is(end, io.EOF) {
			return nil
		}
		if end != nil {
			return end
		}
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

// storeLines stores the lines or, where one of them is refused, those before it.
func storeLines(ctx context.Context, client *annals.Client, lines []line, stored OnStored) error {
	if len(lines) == 0 {
		return nil
	}
	episodes := make([]annals.Episode, len(lines))
	for i := range lines {
		episodes[i] = lines[i].Episode
	}
	results, err := client.AddAll(ctx, episodes)
	switch {
	case err == nil:
		stored(episodes, results)
		return nil
	case annals.CodeOf(err) != annals.CodeInvalid:
		return err
	case len(lines) == 1:
		return &graph.LineError{Number: lines[0].number, Err: err}
	}
	// The error does not say which line it is about: it is in one of the halves.
	half := len(lines) / 2
	if err := storeLines(ctx, client, lines[:half], stored); err != nil {
		return err
	}
	return storeLines(ctx, client, lines[half:], stored)
}
