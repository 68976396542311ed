package service

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/annalsdb/annals"
)

// A transaction of [Load] ends with the first of these, so that memory stays
// bounded however long the input is.
const (
	loadEpisodes = 200
	loadBytes    = 8 << 20 // of content and metadata
)

// Line is an episode with the number of the line it was read from.
type Line struct {
	Number int // from 1; 0: the input has no lines
	annals.Episode
}

// LineError says which line of an input is refused, and why.
type LineError struct {
	Number int
	Err    error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Number, e.Err) }

// Unwrap returns what is wrong with the line.
func (e *LineError) Unwrap() error { return e.Err }

// Load stores any number of episodes in their order, some hundred in a
// transaction. next gives them, and [io.EOF] after the last. Load calls stored
// after each transaction, with what became of its episodes.
//
// What came before an error is stored. An error of next is returned as it is;
// an episode that is refused when it is stored is a [LineError].
func Load(
	ctx context.Context, client *annals.Client, next func() (Line, error), stored func([]annals.Episode, []annals.Stored),
) error {
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
func readLines(next func() (Line, error)) ([]Line, error) {
	var lines []Line
	for size := 0; len(lines) < loadEpisodes && size < loadBytes; {
		line, err := next()
		if err != nil {
			return lines, err
		}
		lines = append(lines, line)
		size += len(line.Content) + len(line.Metadata)
	}
	return lines, nil
}

// storeLines stores the lines or, where one of them is refused, those before it.
func storeLines(ctx context.Context, client *annals.Client, lines []Line, stored func([]annals.Episode, []annals.Stored)) error {
	if len(lines) == 0 {
		return nil
	}
	episodes := make([]annals.Episode, len(lines))
	for i, line := range lines {
		episodes[i] = line.Episode
	}
	results, err := client.AddAll(ctx, episodes)
	switch {
	case err == nil:
		stored(episodes, results)
		return nil
	case annals.CodeOf(err) != annals.CodeInvalid:
		return err
	case len(lines) == 1:
		return &LineError{Number: lines[0].Number, Err: err}
	}
	// The error does not say which line it is about: it is in one of the halves.
	half := len(lines) / 2
	if err := storeLines(ctx, client, lines[:half], stored); err != nil {
		return err
	}
	return storeLines(ctx, client, lines[half:], stored)
}
