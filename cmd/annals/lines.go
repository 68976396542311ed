package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

const maxLine = graph.MaxEpisodeJSON // bytes of a JSON line

// lines gives episodes one by one: those of a JSON lines file, or a single text.
type lines struct {
	group   string
	file    string             // base name; empty: standard input
	stable  bool               // the file can be read again: its name and a line tell an episode
	rest    graph.EpisodeInput // what lines leave out
	scanner *bufio.Scanner
	number  int
	seen    map[uint64]uint32 // how often a line occurred before, by a part of its hash
	one     *annals.Episode
}

func newLines(group, file string, r io.Reader) *lines {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(make([]byte, 0, 64<<10), maxLine+len("\r\n"))
	return &lines{group: group, file: file, stable: file != "", scanner: scanner, seen: map[uint64]uint32{}}
}

// textSource gives one episode. Its source, where none was said, is the given one.
func textSource(episode annals.Episode, content string, source graph.Source) *lines {
	episode.Content = content
	if episode.Source == "" {
		episode.Source = source
	}
	return &lines{one: &episode}
}

// next returns the next episode, [io.EOF] after the last, or what is wrong
// with a line.
func (l *lines) next() (annals.Episode, error) {
	if l.scanner == nil {
		if l.one == nil {
			return annals.Episode{}, io.EOF
		}
		episode := *l.one
		l.one = nil
		return episode, episode.Validate()
	}
	for l.scanner.Scan() {
		l.number++
		if len(l.scanner.Bytes()) > maxLine {
			return annals.Episode{}, l.tooLong(l.number)
		}
		if line := bytes.TrimSpace(l.scanner.Bytes()); len(line) > 0 {
			episode, err := l.read(line)
			if err != nil {
				return annals.Episode{}, l.at(l.number, err)
			}
			return episode, nil
		}
	}
	switch err := l.scanner.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return annals.Episode{}, l.tooLong(l.number + 1)
	case err != nil:
		return annals.Episode{}, fmt.Errorf("read %s: %w", l.name(), err)
	}
	return annals.Episode{}, io.EOF
}

func (l *lines) tooLong(number int) error {
	return l.at(number, fmt.Errorf("is longer than %d MiB, the limit of a line", maxLine>>20))
}

// at says where in the file something is wrong. A single text has no lines.
func (l *lines) at(number int, err error) error {
	if l.scanner == nil {
		return err
	}
	return fmt.Errorf("%s line %d: %w", l.name(), number, err)
}

func (l *lines) name() string {
	if l.file == "" {
		return "standard input"
	}
	return l.file
}

func (l *lines) read(line []byte) (annals.Episode, error) {
	decoded, err := graph.ParseEpisode(line, l.rest)
	if err != nil {
		return annals.Episode{}, err
	}
	episode, err := decoded.Episode(l.group)
	if err != nil {
		return annals.Episode{}, err
	}
	if episode.ExternalID == "" {
		episode.ExternalID = l.identify(episode, line)
	}
	return episode, episode.Validate()
}

// identify makes an external id for a line that has none, so that adding it
// again changes nothing. It is empty where nothing tells one from the next.
func (l *lines) identify(e annals.Episode, line []byte) string {
	var parts []string
	switch {
	case !e.OccurredAt.IsZero():
		parts = []string{e.OccurredAt.UTC().Format(time.RFC3339Nano), string(e.Source), e.Actor, e.Role, e.ThreadID, e.Content}
	case l.stable:
		parts = []string{l.file, string(line)}
	default:
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	key := binary.BigEndian.Uint64(sum[:])
	l.seen[key]++
	return derivedID(append(parts, fmt.Sprint(l.seen[key]))...)
}

func derivedID(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return "sha256:" + hex.EncodeToString(sum[:])
}
