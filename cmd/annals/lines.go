package main

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

const maxLine = 10 << 20 // bytes of a JSON line

// lines gives episodes one by one: those of a JSON lines file, or a single text.
type lines struct {
	group   string
	file    string   // base name; empty: standard input
	stable  bool     // the file can be read again: its name and a line tell an episode
	rest    lineJSON // what lines leave out
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

// lineJSON is a line as users write it.
type lineJSON struct {
	Content           string          `json:"content"`
	OccurredAt        string          `json:"occurred_at"`
	Source            graph.Source    `json:"source"`
	Actor             string          `json:"actor"`
	Role              string          `json:"role"`
	ThreadID          string          `json:"thread_id"`
	ExternalID        string          `json:"external_id"`
	Metadata          json.RawMessage `json:"metadata"`
	Name              string          `json:"name"`
	SourceDescription string          `json:"source_description"`
	Deferred          bool            `json:"deferred"`
	Force             bool            `json:"force"`
	Previous          *int            `json:"previous"`
}

func (l *lines) read(line []byte) (annals.Episode, error) {
	// The decoder would put question marks in place of bad bytes and not say so.
	if !utf8.Valid(line) {
		return annals.Episode{}, graph.Invalid("content", "is not valid UTF-8; convert the file first, for example with iconv")
	}
	decoded, err := decodeLine(line, l.rest)
	if err != nil {
		return annals.Episode{}, err
	}
	at, err := parseTime("occurred_at", decoded.OccurredAt)
	if err != nil {
		return annals.Episode{}, err
	}
	episode := decoded.episode(l.group, at)
	if episode.ExternalID == "" {
		episode.ExternalID = l.identify(episode, line)
	}
	return episode, episode.Validate()
}

func (j lineJSON) episode(group string, at time.Time) annals.Episode {
	if string(j.Metadata) == "null" {
		j.Metadata = nil
	}
	return annals.Episode{
		GroupID: group, Source: cmp.Or(j.Source, graph.SourceMessage), Content: j.Content, Actor: j.Actor, Role: j.Role,
		Name: j.Name, SourceDescription: j.SourceDescription, ThreadID: j.ThreadID, OccurredAt: at,
		Metadata: j.Metadata, ExternalID: j.ExternalID, Deferred: j.Deferred, Force: j.Force, Previous: j.Previous,
	}
}

// decodeLine reads a line over what it may leave out.
func decodeLine(line []byte, rest lineJSON) (lineJSON, error) {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	decoded := rest
	decoded.Metadata = slices.Clone(rest.Metadata) // the decoder writes into it
	if err := decoder.Decode(&decoded); err != nil {
		var wrongType *json.UnmarshalTypeError
		switch {
		case errors.As(err, &wrongType) && wrongType.Field != "":
			return decoded, graph.Invalid(wrongType.Field, "is a JSON %s; it must be a %s", wrongType.Value, jsonKind(wrongType.Type))
		case strings.HasPrefix(err.Error(), "json: unknown field "):
			key := strings.TrimPrefix(err.Error(), "json: unknown field ")
			return decoded, fmt.Errorf("the key %s is not known; put what is your own under \"metadata\"", key)
		}
		return decoded, fmt.Errorf("is not a JSON object: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return decoded, errors.New("holds more than one JSON object, or something after it; write one object a line")
	}
	return decoded, wholeCharacters(line)
}

// jsonKind is what JSON calls a kind of value.
func jsonKind(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int:
		return "whole number"
	case reflect.Bool:
		return "boolean: true or false"
	default:
		return t.String()
	}
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
