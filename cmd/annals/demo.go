package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/demo"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/testdata"
)

const (
	demoGroup   = "demo"
	demoHits    = 2 // shown in the context of a question
	demoChanges = 4 // shown in the timeline
)

func demoCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Read a sample conversation into the group demo and ask it",
		Long: `Reads a sample conversation into the group demo and asks it. Each message counts
as learned when it was said: in April one puts right what was believed since
March, and one arrives weeks late. Then it shows how an agent does a task, as its
runs have shown.`,
		Example: "  annals demo    # a second time it adds nothing",
		PreRun:  func(*cobra.Command, []string) { a.group, a.json = demoGroup, false }, // the output is a story for people
		RunE:    a.withClient(func(ctx context.Context, s *session) error { return s.demo(ctx) }),
	}
}

func (s *session) demo(ctx context.Context) error {
	report := &addReport{reader: readBy(s.Client)}
	began := time.Now()
	shown := s.progress("reading", 0, plain)
	added, existing, err := demo.Tell(ctx, s.Client, demoGroup, func(p annals.Processed) {
		report.count(p)
		shown.add(1)
	})
	shown.finish()
	if err != nil {
		return err
	}
	report.Added, report.Existing, report.Seconds = added, existing, time.Since(began).Seconds()
	s.heading("A conversation over several months, read into the memory graph")
	if err := s.printAdded(report); err != nil {
		return err
	}
	if report.Done == 0 { // otherwise printAdded has printed it
		fmt.Fprintln(s.stdout, readBy(s.Client))
	}
	changes, err := s.Timeline(ctx, annals.TimelineFilter{GroupID: demoGroup})
	if err != nil {
		return err
	}
	s.heading("What changed when, lately")
	if err := changeList.show(s, changes[max(0, len(changes)-demoChanges):]); err != nil {
		return err
	}
	for _, show := range []func(context.Context) error{s.demoQuestions, s.demoHistory, s.demoCorrection, s.demoSkill} {
		if err := show(ctx); err != nil {
			return err
		}
	}
	fmt.Fprintf(s.stdout, "\nLook at it in the browser: annals explore --group %s\n", demoGroup)
	return nil
}

func (p *printer) heading(s string) {
	fmt.Fprintln(p.stdout)
	_ = p.stdout.paint(dim, s) // a write error shows in the next write
	fmt.Fprint(p.stdout, "\n\n")
}

func (s *session) demoQuestions(ctx context.Context) error {
	var questions []struct {
		Question string `json:"question"`
	}
	if err := json.Unmarshal(testdata.Questions, &questions); err != nil {
		return fmt.Errorf("read the questions: %w", err)
	}
	for _, q := range questions {
		found, err := s.ContextAs(ctx, annals.Query{GroupID: demoGroup, Text: q.Question}, annals.Construction{Hits: demoHits})
		if err != nil {
			return err
		}
		s.heading("Asked: " + q.Question)
		fmt.Fprint(s.stdout, found)
	}
	return nil
}

// demoHistory shows how the fact that held longest came to its end. Facts without a known start are
// left out.
func (s *session) demoHistory(ctx context.Context) error {
	facts, err := s.Facts(ctx, annals.FactFilter{GroupID: demoGroup})
	if err != nil {
		return err
	}
	var longest annals.Fact
	for _, fact := range facts {
		if fact.Kind == graph.FactEvent || fact.Valid.Start.IsZero() || fact.Valid.Ongoing() {
			continue
		}
		if fact.Valid.End.Sub(fact.Valid.Start) > longest.Valid.End.Sub(longest.Valid.Start) {
			longest = fact
		}
	}
	return s.demoVersions(ctx, "One fact, before and after it was superseded", longest.ID)
}

// demoCorrection shows the first fact that was taken back, and the episode that did so.
func (s *session) demoCorrection(ctx context.Context) error {
	episodes, err := s.Episodes(ctx, annals.EpisodeFilter{GroupID: demoGroup})
	if err != nil {
		return err
	}
	for _, episode := range slices.Backward(episodes) { // the latest comes first
		trace, err := s.Trace(ctx, demoGroup, episode.ID)
		if err != nil {
			return err
		}
		for _, entry := range trace {
			if entry.Decision == "retracted" && entry.FactID != uuid.Nil {
				return s.demoVersions(ctx, fmt.Sprintf("One fact, taken back: %q", episode.Content), entry.FactID)
			}
		}
	}
	return nil
}

// demoSkill shows how a task is done, as runs of an agent show, and what that replaced.
func (s *session) demoSkill(ctx context.Context) error {
	stored, err := s.recordRuns(ctx, bytes.NewReader(testdata.Runs))
	if err != nil {
		return err
	}
	learned, err := s.Skills(ctx, annals.SkillFilter{GroupID: demoGroup, Ended: true})
	if err != nil || len(learned) == 0 {
		return err
	}
	s.heading(fmt.Sprintf("How a task is done, as %s of an agent have shown", each.Count(len(stored), "run")))
	if err := skillList.show(s, learned); err != nil {
		return err
	}
	return s.printReplaced(learned[0], replacedBy(learned[0], learned))
}

func (s *session) demoVersions(ctx context.Context, heading string, fact uuid.UUID) error {
	versions, err := s.History(ctx, demoGroup, fact)
	if err != nil {
		return err
	}
	s.heading(heading)
	return factHistory.show(s, versions)
}
