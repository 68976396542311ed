package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/testdata"
)

const (
	demoGroup   = "demo"
	demoHits    = 2 // that the context of a question shows
	demoChanges = 6 // that the timeline shows
)

func (a *app) demoCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "demo",
		Short:   "Read a sample conversation into the group demo and ask it",
		Example: "  annals demo    # a second time it adds nothing",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			a.group, a.json = demoGroup, false // it tells a story, to people
			return a.withClient(func(ctx context.Context, client *annals.Client, _ []string) error {
				return a.demo(ctx, client)
			})(cmd, args)
		},
	}
}

func (a *app) demo(ctx context.Context, client *annals.Client) error {
	report := &addReport{}
	source := newLines(demoGroup, "conversation.jsonl", bytes.NewReader(testdata.Conversation))
	if bad, err := source.store(ctx, client, report); bad != nil || err != nil {
		return cmp.Or(bad, err)
	}
	if err := a.process(ctx, client, report); err != nil {
		return err
	}
	a.heading("A conversation over several months, read into the memory graph")
	if err := a.printAdded(report); err != nil {
		return err
	}
	if report.Done == 0 { // otherwise printAdded has just said it
		fmt.Fprintln(a.stdout, readBy(client))
	}
	changes, err := client.Timeline(ctx, annals.TimelineFilter{GroupID: demoGroup})
	if err != nil {
		return err
	}
	a.heading("What changed when, lately")
	if err := a.printTimeline(changes[max(0, len(changes)-demoChanges):]); err != nil {
		return err
	}
	if err := a.demoQuestions(ctx, client); err != nil {
		return err
	}
	if err := a.demoHistory(ctx, client); err != nil {
		return err
	}
	if err := a.demoCorrection(ctx, client); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "\nLook at it in the browser: annals explore --group %s\n", demoGroup)
	return nil
}

func (a *app) heading(s string) {
	fmt.Fprintln(a.stdout)
	_ = a.stdout.paint(dim, s) // what cannot be written shows in what follows
	fmt.Fprint(a.stdout, "\n\n")
}

func (a *app) demoQuestions(ctx context.Context, client *annals.Client) error {
	var questions []struct {
		Question string `json:"question"`
	}
	if err := json.Unmarshal(testdata.Questions, &questions); err != nil {
		return fmt.Errorf("read the questions: %w", err)
	}
	for _, q := range questions {
		found, err := client.ContextAs(ctx, annals.Query{GroupID: demoGroup, Text: q.Question}, annals.Construction{Hits: demoHits})
		if err != nil {
			return err
		}
		a.heading("Asked: " + q.Question)
		fmt.Fprint(a.stdout, found)
	}
	return nil
}

// demoHistory shows how the fact that held longest before it was superseded
// came to its end. One whose beginning nobody told held for an unknown time.
func (a *app) demoHistory(ctx context.Context, client *annals.Client) error {
	facts, err := client.Facts(ctx, annals.FactFilter{GroupID: demoGroup})
	if err != nil {
		return err
	}
	var longest annals.Fact
	for _, fact := range facts {
		if fact.Kind == annals.FactEvent || fact.Valid.Start.IsZero() || fact.Valid.Ongoing() {
			continue
		}
		if fact.Valid.End.Sub(fact.Valid.Start) > longest.Valid.End.Sub(longest.Valid.Start) {
			longest = fact
		}
	}
	return a.demoVersions(ctx, client, "One fact, before and after it was superseded", longest.ID)
}

// demoCorrection shows the first fact that was taken back, and by what.
func (a *app) demoCorrection(ctx context.Context, client *annals.Client) error {
	episodes, err := client.Episodes(ctx, annals.EpisodeFilter{GroupID: demoGroup})
	if err != nil {
		return err
	}
	for _, episode := range slices.Backward(episodes) { // the latest is listed first
		trace, err := client.Trace(ctx, demoGroup, episode.ID)
		if err != nil {
			return err
		}
		for _, entry := range trace {
			if entry.Decision == "retracted" && entry.FactID != uuid.Nil {
				return a.demoVersions(ctx, client, fmt.Sprintf("One fact, taken back: %q", episode.Content), entry.FactID)
			}
		}
	}
	return nil
}

func (a *app) demoVersions(ctx context.Context, client *annals.Client, heading string, fact uuid.UUID) error {
	versions, err := client.History(ctx, demoGroup, fact)
	if err != nil {
		return err
	}
	a.heading(heading)
	return a.printVersions(versions)
}
