package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/archive"
	"github.com/annalsdb/annals/internal/archive/chats"
	"github.com/annalsdb/annals/internal/archive/mem0"
	"github.com/annalsdb/annals/internal/archive/zepcloud"
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

// importProject imports the users and graphs of a Zep project, each as soon as it is fetched.
func (s *session) importProject(ctx context.Context, in importing) error {
	if len(s.args) > 0 {
		return graph.Invalid("import", "takes no file with --from zep-cloud: it asks %s", in.URL)
	}
	namespace, several := strings.CutSuffix(in.As, ":*")
	if in.As != "" && !several && in.User == "" && in.Graph == "" {
		return graph.Invalid("as", "names one group, and the project may have many; give a namespace such as acme:*, or one --user or --graph")
	}
	options := zepcloud.Options{URL: in.URL, Key: cmp.Or(s.config.ZepKey, s.config.environ["ZEP_API_KEY"]), Dir: in.State}
	switch {
	case in.User != "":
		options.Kind, options.ID = zepcloud.KindUser, in.User
	case in.Graph != "":
		options.Kind, options.ID = zepcloud.KindGraph, in.Graph
	}
	if in.DryRun { // a later import does not use what a dry run fetches
		dir, err := os.MkdirTemp("", "annals-import-")
		if err != nil {
			return fmt.Errorf("make a folder for what is fetched: %w", err)
		}
		defer func() { _ = os.RemoveAll(dir) }()
		options.Dir = dir
	}
	shown := s.progress("fetching", 0, plain)
	defer shown.finish()
	options.Report = shown.add
	export, err := zepcloud.Open(options)
	if err != nil {
		return err
	}
	subjects, err := export.Subjects(ctx)
	if err != nil {
		return err
	}
	all, left := []annals.Moved{}, archive.Unmapped{}
	for _, subject := range subjects {
		own := graph.EscapeGroupID(subject.ID) // Zep's clients then find it
		group := cmp.Or(in.As, own)
		if several {
			group = namespace + ":" + own
		}
		moved, err := s.importSubject(ctx, export, subject, group, in.DryRun)
		if code := annals.CodeOf(err); len(subjects) > 1 && (code == annals.CodeConflict || code == annals.CodeInvalid) {
			left.Add(subject.Kind+" that no group here can take; give --"+subject.Kind+" and --as", fmt.Sprintf("%s: %v", subject.ID, err))
			continue
		}
		if err != nil {
			return fmt.Errorf("%w (of the users and graphs %d of %d are imported; the same command goes on)", err, len(all), len(subjects))
		}
		all = append(all, moved)
		switch {
		case s.json:
		case moved.There:
			fmt.Fprintf(s.stdout, "%s was imported before; nothing was stored. To fetch what came since, name another --state\n", moved.GroupID)
		default:
			s.printMoved(moved, in.DryRun)
		}
	}
	if s.json {
		return s.printJSON(map[string]any{in.done(): all, "unmapped": left})
	}
	s.unmapped(left)
	fmt.Fprintf(s.stdout, "Users and graphs of %s: %d\n", in.URL, len(all))
	return nil
}

// importSubject fetches and imports one user or graph.
func (s *session) importSubject(ctx context.Context, export *zepcloud.Export, subject *zepcloud.Subject, group string, dry bool) (annals.Moved, error) {
	if err := graph.ValidateGroupID(group); err != nil {
		return annals.Moved{}, err
	}
	if err := export.Fetch(ctx, subject); err != nil {
		return annals.Moved{}, err
	}
	if subject.Imported == group {
		_, err := s.Group(ctx, group)
		if err == nil {
			return annals.Moved{GroupID: group, There: true}, nil
		}
		if annals.CodeOf(err) != annals.CodeNotFound {
			return annals.Moved{}, err
		}
		if err := errors.Join(subject.Forget(), export.Fetch(ctx, subject)); err != nil { // it was removed here since
			return annals.Moved{}, err
		}
	}
	if subject.Imported != "" {
		return annals.Moved{}, graph.Invalid("as", "is %s, but %s was imported as %s; name another folder with --state to fetch it again", group, subject.ID, subject.Imported)
	}
	source, err := subject.Open()
	if err != nil {
		return annals.Moved{}, err
	}
	defer source.Close()
	moved, err := s.importFrom(ctx, source, annals.ImportOptions{From: archive.FromZep, GroupID: group, DryRun: dry})
	if err != nil || dry {
		return moved, err
	}
	return moved, subject.Done(group)
}
