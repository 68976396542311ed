package main

import (
	"bufio"
	"bytes"
	"context"
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
	"github.com/annalsdb/annals/service"
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
func (l *lines) next() (service.Line, error) {
	if l.scanner == nil {
		if l.one == nil {
			return service.Line{}, io.EOF
		}
		episode := *l.one
		l.one = nil
		return service.Line{Episode: episode}, nil
	}
	for l.scanner.Scan() {
		l.number++
		if len(l.scanner.Bytes()) > maxLine {
			return service.Line{}, l.tooLong(l.number)
		}
		if line := bytes.TrimSpace(l.scanner.Bytes()); len(line) > 0 {
			episode, err := l.read(line)
			if err != nil {
				return service.Line{}, l.at(l.number, err)
			}
			return service.Line{Number: l.number, Episode: episode}, nil
		}
	}
	switch err := l.scanner.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return service.Line{}, l.tooLong(l.number + 1)
	case err != nil:
		return service.Line{}, fmt.Errorf("read %s: %w", l.name(), err)
	}
	return service.Line{}, io.EOF
}

// store stores all episodes. bad is what is wrong with one of them: what came
// before it is stored. err is what is wrong with the database.
func (l *lines) store(ctx context.Context, client *annals.Client, report *addReport) (bad, err error) {
	err = service.Load(ctx, client, func() (line service.Line, err error) {
		line, err = l.next()
		if !errors.Is(err, io.EOF) {
			bad = err
		}
		return line, err
	}, report.add)
	if bad != nil && errors.Is(err, bad) {
		return bad, nil
	}
	if refused, ok := errors.AsType[*service.LineError](err); ok {
		return l.at(refused.Number, refused.Err), nil
	}
	return nil, err
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
	return episode, nil
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
