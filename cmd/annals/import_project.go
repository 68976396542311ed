package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/archive"
	"github.com/annalsdb/annals/internal/archive/zepcloud"
)

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
