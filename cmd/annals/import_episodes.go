package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/archive"
	"github.com/annalsdb/annals/internal/archive/chats"
	"github.com/annalsdb/annals/internal/archive/mem0"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/service"
)

// episodesImported is the outcome of an import of messages or memories. They are stored as episodes
// and read later.
type episodesImported struct {
	Groups       []string          `json:"groups"`
	Read         string            `json:"read"`
	Episodes     int64             `json:"episodes"`
	Added        int64             `json:"added"`
	Existing     int64             `json:"existing"`
	Refused      int               `json:"refused,omitempty"`
	RefusedLines []service.Refused `json:"refused_episodes,omitempty"`
	Unmapped     archive.Unmapped  `json:"unmapped,omitempty"`
}

// episodesFrom is the source of such an import.
type episodesFrom struct {
	next     service.NextEpisode
	read     func() string // what was read, in words
	unmapped func() archive.Unmapped
	close    func()
}

// importEpisodes imports messages or memories.
func (s *session) importEpisodes(ctx context.Context, in importing) error {
	from, err := s.episodesFrom(ctx, in)
	if err != nil {
		return err
	}
	defer from.close()
	if len(s.args) == 1 && s.args[0] != "-" && !isURL(s.args[0]) {
		from.next = comingFrom(filepath.Base(s.args[0]), from.next)
	}
	out := &episodesImported{Groups: []string{}}
	if in.DryRun {
		err = out.count(from.next)
	} else {
		err = out.store(ctx, s.Client, from.next)
	}
	out.Read, out.Unmapped = from.read(), from.unmapped()
	if err != nil && out.Added > 0 {
		err = fmt.Errorf("%w (stored so far: %s; the same command goes on with the rest)", err, each.Count(out.Added, "episode"))
	}
	if err != nil {
		return err
	}
	if s.json {
		return s.printJSON(map[string]*episodesImported{in.done(): out})
	}
	s.unmapped(out.Unmapped)
	s.printEpisodesImported(out, in.DryRun)
	return nil
}

func (p *printer) printEpisodesImported(out *episodesImported, dry bool) {
	into := each.Count(len(out.Groups), "group")
	if len(out.Groups) == 1 {
		into = out.Groups[0]
	}
	if dry {
		fmt.Fprintf(p.stdout, "Would import %s into %s\n", out.Read, into)
		return
	}
	if out.Refused > 0 {
		fmt.Fprintf(p.stderr, "%d left out, as they were erased\n", out.Refused)
	}
	fmt.Fprintf(p.stdout, "Imported %s into %s: %d added, %d were there already\n", out.Read, into, out.Added, out.Existing)
	if out.Added > 0 {
		fmt.Fprintln(p.stdout, "'annals worker' or 'annals serve' reads them into the graph, or 'annals retry --group GROUP'")
	}
}

// episodesFrom opens the source of an import.
func (s *session) episodesFrom(ctx context.Context, in importing) (episodesFrom, error) {
	if in.From == fromMem0 {
		return s.memoriesFrom(ctx, in)
	}
	if in.As == "" {
		return episodesFrom{}, graph.Invalid("as", "is missing: name the group that the conversations go into")
	}
	options := chats.Options{From: chats.From(in.From), GroupID: in.As, Actor: in.Actor}
	var reader *chats.Reader
	var err error
	if len(s.args) == 1 && s.args[0] != "-" {
		reader, err = chats.Open(s.args[0], options)
	} else {
		var source io.ReadCloser
		if source, err = s.importSource(); err == nil {
			reader, err = chats.NewReader(source, options)
		}
	}
	if err != nil {
		return episodesFrom{}, err
	}
	return episodesFrom{
		next: reader.Next, read: func() string { return reader.Counts.String() },
		unmapped: func() archive.Unmapped { return reader.Unmapped }, close: func() { _ = reader.Close() },
	}, nil
}

// memoriesFrom opens a file of Mem0, or its table.
func (s *session) memoriesFrom(ctx context.Context, in importing) (episodesFrom, error) {
	options := mem0.Options{GroupID: in.As, Only: in.Only}
	if in.As != "" {
		if group, _ := strings.CutSuffix(in.As, ":*"); graph.ValidateGroupID(group) != nil {
			return episodesFrom{}, graph.Invalid("as", "%q is neither a group nor a namespace such as acme:*", in.As)
		}
	}
	var reader *mem0.Reader
	var err error
	end := func() {}
	if len(s.args) == 1 && isURL(s.args[0]) {
		reader, err = mem0.Open(ctx, s.args[0], in.Table, options)
	} else {
		var source io.ReadCloser
		if source, err = s.importSource(); err == nil {
			reader, end = mem0.NewReader(source, options), func() { _ = source.Close() }
		}
	}
	if err != nil {
		return episodesFrom{}, err
	}
	return episodesFrom{
		next: reader.Next, read: func() string { return each.Count(reader.Memories, "memory") },
		unmapped: func() archive.Unmapped { return reader.Unmapped },
		close: func() {
			reader.Close()
			end()
		},
	}, nil
}

func isURL(s string) bool {
	return strings.HasPrefix(s, "postgres://") || strings.HasPrefix(s, "postgresql://")
}

// comingFrom sets the source description of episodes that have none to the name of the file.
func comingFrom(file string, next service.NextEpisode) service.NextEpisode {
	return func() (annals.Episode, int, error) {
		e, line, err := next()
		e.SourceDescription = cmp.Or(e.SourceDescription, file)
		return e, line, err
	}
}

// note records the group of an episode.
func (out *episodesImported) note(e annals.Episode) {
	if at, found := slices.BinarySearch(out.Groups, e.GroupID); !found {
		out.Groups = slices.Insert(out.Groups, at, e.GroupID)
	}
}

// count reads all episodes and stores none.
func (out *episodesImported) count(next service.NextEpisode) error {
	for {
		e, _, err := next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		out.Episodes++
		out.note(e)
	}
}

// store stores the episodes, with the authority of a document at most: none of the speakers
// confirms them now.
func (out *episodesImported) store(ctx context.Context, client *annals.Client, next service.NextEpisode) error {
	origin := graph.OriginOf(ctx).Capped(graph.AuthorityDocument)
	origin.Door = "import"
	var err error
	out.Refused, out.RefusedLines, err = service.Load(annals.WithOrigin(ctx, origin), client, next, func(episodes []annals.Episode, stored []annals.Stored) {
		for i, s := range stored {
			out.note(episodes[i])
			out.Episodes++
			if s.New {
				out.Added++
			} else {
				out.Existing++
			}
		}
	})
	return err
}
