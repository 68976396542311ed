package main

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// lines returns episodes one by one: those of a JSON lines file, or a single text.
type lines struct {
	file   string // base name of the file; empty: standard input
	stable bool   // the file can be read again, so its name and a line identify an episode
	many   *graph.EpisodeLines
	seen   map[uint64]uint32 // how often a line occurred before, by a part of its hash
	one    *annals.Episode
	force  string // the external id or line of an erased episode to add all the same
	forced bool   // whether that episode occurred
}

func newLines(group, file string, r io.Reader) *lines {
	l := &lines{file: file, stable: file != "", many: graph.NewEpisodeLines(group, r), seen: map[uint64]uint32{}}
	l.many.Identify = l.identify
	return l
}

// textSource returns one episode, with the given source if it has none.
func textSource(episode annals.Episode, content string, source graph.Source) *lines {
	episode.Content, episode.Source = content, cmp.Or(episode.Source, source)
	return &lines{one: &episode}
}

func (l *lines) next() (annals.Episode, int, error) {
	if l.many != nil {
		episode, line, err := l.many.Next()
		episode.Force = episode.Force || l.isForced(episode, line)
		episode.SourceDescription = cmp.Or(episode.SourceDescription, l.file) // lets 'annals undo --source' undo all episodes of a file
		return episode, line, err
	}
	if l.one == nil {
		return annals.Episode{}, 0, io.EOF
	}
	episode := *l.one
	episode.Force = l.isForced(episode, 1)
	l.one = nil
	return episode, 0, nil
}

// isForced reports whether an episode is the one to add although it was erased, by its external id
// or its line. A single text is line 1.
func (l *lines) isForced(e annals.Episode, line int) bool {
	is := l.force != "" && line > 0 && (l.force == e.ExternalID || l.force == strconv.Itoa(line))
	l.forced = l.forced || is
	return is
}

// store stores all episodes. bad is an error in an episode or in the file; the episodes before it
// are stored. err is an error of the database.
func (l *lines) store(ctx context.Context, client *annals.Client, report *addReport) (bad, err error) {
	report.Refused, report.RefusedLines, err = service.Load(ctx, client, l.next, report.add)
	if l.force != "" && !l.forced && (err == nil || graph.IsErased(err)) {
		return graph.Invalid("force", "%q is neither the external id nor the line of an episode that was given; nothing was taken in by it", l.force), nil
	}
	if wrong, ok := errors.AsType[*graph.LineError](err); ok {
		return l.at(wrong), nil
	}
	if _, ok := errors.AsType[*graph.ReadError](err); ok {
		return fmt.Errorf("read %s: %w", l.name(), err), nil
	}
	return nil, err
}

// at adds the file and the line to an error. A single text has no lines.
func (l *lines) at(wrong *graph.LineError) error {
	switch {
	case l.many == nil:
		return wrong.Err
	case errors.Is(wrong, bufio.ErrTooLong):
		return fmt.Errorf("%s line %d: is longer than %d MiB, the limit of a line", l.name(), wrong.Number, graph.MaxEpisodeJSON>>20)
	}
	return fmt.Errorf("%s %w", l.name(), wrong)
}

func (l *lines) name() string { return cmp.Or(l.file, "standard input") }

// identify makes an external id for a line without one, so that adding the line again changes
// nothing. It returns "" if nothing distinguishes the lines.
func (l *lines) identify(e annals.Episode, _ int, line []byte) string {
	first := saidID(e, 1)
	if first == "" && l.stable {
		first = hashID(l.file, string(line), "1")
	}
	if first == "" {
		return ""
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(first)) // it never fails
	key := h.Sum64()
	l.seen[key]++
	switch times := l.seen[key]; {
	case times == 1:
		return first
	case !e.OccurredAt.IsZero():
		return saidID(e, int(times))
	default:
		return hashID(l.file, string(line), fmt.Sprint(times))
	}
}

// saidID returns an external id derived from an episode's text, time, speaker, thread and other
// fields, so that a repeated message is recognised. times distinguishes messages that agree in all
// of these: the first, the second and so on. It returns "" for an episode without a time: what is
// said now is new.
func saidID(e annals.Episode, times int) string {
	if e.OccurredAt.IsZero() {
		return ""
	}
	return hashID(e.OccurredAt.UTC().Format(time.RFC3339Nano), string(cmp.Or(e.Source, graph.SourceMessage)), e.Actor, e.Role, e.ThreadID, e.Content,
		e.Name, e.SourceDescription, strings.TrimSpace(string(e.Metadata)), fmt.Sprint(times))
}

// hashID returns an external id derived from parts.
func hashID(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return "sha256:" + hex.EncodeToString(sum[:])
}
