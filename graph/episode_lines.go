package graph

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// EpisodeLines reads episodes from JSON lines, in the form that every door
// accepts. It skips empty lines.
type EpisodeLines struct {
	// Rest supplies the fields that a line leaves out.
	Rest EpisodeInput

	// Identify returns an external id for a line that has none, so that adding
	// the same lines again changes nothing. It may be nil, and it may return the
	// empty string.
	Identify func(e Episode, number int, line []byte) string

	groupID string
	scanner *bufio.Scanner
	number  int
}

// NewEpisodeLines returns a reader of the episodes of a group. A line may have
// up to MaxEpisodeJSON bytes.
func NewEpisodeLines(groupID string, r io.Reader) *EpisodeLines {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(make([]byte, 0, 64<<10), MaxEpisodeJSON+len("\r\n"))
	return &EpisodeLines{groupID: groupID, scanner: scanner}
}

// LineError is the error of one line. It wraps an [Error], or [bufio.ErrTooLong]
// if the line is too long.
type LineError struct {
	Number int // counted from 1
	Err    error
}

// Error returns the number of the line and its error.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Number, e.Err) }

// Unwrap returns the error of the line.
func (e *LineError) Unwrap() error { return e.Err }

// ReadError is an error of the underlying reader.
type ReadError struct{ Err error }

// Error returns the text of the reader's error.
func (e *ReadError) Error() string { return e.Err.Error() }

// Unwrap returns the reader's error.
func (e *ReadError) Unwrap() error { return e.Err }

// errLongLine is the error of a line beyond the limit.
var errLongLine = fmt.Errorf("is longer than %d MiB, the limit of a line: %w", MaxEpisodeJSON>>20, bufio.ErrTooLong)

// Next returns the next episode and the number of its line. It does not validate
// the episode; storing does. The error is a [LineError], a [ReadError], or
// [io.EOF] after the last line.
func (l *EpisodeLines) Next() (Episode, int, error) {
	for l.scanner.Scan() {
		if l.scanner.Err() != nil { // the last token is an incomplete line
			break
		}
		l.number++
		line := bytes.TrimSpace(l.scanner.Bytes())
		if len(line) == 0 {
			continue
		}
		episode, err := l.read(line)
		if err != nil {
			err = &LineError{l.number, err}
		}
		return episode, l.number, err
	}
	switch err := l.scanner.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return Episode{}, l.number + 1, &LineError{l.number + 1, errLongLine}
	case err != nil:
		return Episode{}, l.number, &ReadError{err}
	}
	return Episode{}, l.number, io.EOF
}

func (l *EpisodeLines) read(line []byte) (Episode, error) {
	if len(line) > MaxEpisodeJSON {
		return Episode{}, errLongLine
	}
	decoded, err := ParseEpisode(line, l.Rest)
	if err != nil {
		return Episode{}, err
	}
	episode, err := decoded.Episode(l.groupID)
	if err != nil {
		return Episode{}, err
	}
	if episode.ExternalID == "" && l.Identify != nil {
		episode.ExternalID = l.Identify(episode, l.number, line)
	}
	return episode, nil
}
