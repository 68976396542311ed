package graph

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// EpisodeLines reads episodes from JSON lines, one a line, as every door takes
// them. Empty lines are passed over.
type EpisodeLines struct {
	// Rest is what lines may leave out.
	Rest EpisodeInput

	// Identify makes the external id of a line that has none, so that the same
	// lines can be added again and change nothing. It may be nil, and what it
	// returns may be empty.
	Identify func(e Episode, number int, line []byte) string

	groupID string
	scanner *bufio.Scanner
	number  int
}

// NewEpisodeLines reads the episodes of a group. A line may have MaxEpisodeJSON
// bytes.
func NewEpisodeLines(groupID string, r io.Reader) *EpisodeLines {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(make([]byte, 0, 64<<10), MaxEpisodeJSON+len("\r\n"))
	return &EpisodeLines{groupID: groupID, scanner: scanner}
}

// LineError says what is wrong with a line. It wraps an [Error] or, where the
// line is too long, [bufio.ErrTooLong].
type LineError struct {
	Number int // 1 is the first
	Err    error
}

// Error names the line and what is wrong with it.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Number, e.Err) }

// Unwrap is what is wrong with the line.
func (e *LineError) Unwrap() error { return e.Err }

// errLongLine is what is wrong with a line beyond the limit.
var errLongLine = fmt.Errorf("is longer than %d MiB, the limit of a line: %w", MaxEpisodeJSON>>20, bufio.ErrTooLong)

// Next returns the next episode and the number of its line. Storing it validates
// it. The error is [io.EOF] after the last, a [LineError], or what reading failed with.
func (l *EpisodeLines) Next() (Episode, int, error) {
	for l.scanner.Scan() {
		if l.scanner.Err() != nil { // what was scanned last is a part of a line
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
		return Episode{}, l.number, err
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
