package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// process reads the group's waiting episodes into the graph, and shows the progress on a terminal.
func (a *app) process(ctx context.Context, client *annals.Client, report *addReport) error {
	counts, err := client.EpisodeCounts(ctx, a.group)
	if err != nil {
		return err
	}
	if len(counts) == 0 {
		return nil // a group without episodes: nothing was stored
	}
	waiting := counts[graph.StatePending] + counts[graph.StateProcessing]
	report.reader = readBy(client)
	shown := a.progress("reading", int64(waiting), plain)
	began := time.Now()
	err = client.Process(ctx, a.group, func(p annals.Processed) {
		report.count(p)
		shown.add(1)
	})
	shown.finish()
	report.Seconds = time.Since(began).Seconds()
	missing := max(waiting, report.Added) - report.Done - report.Failed
	if err != nil || missing <= 0 {
		return err
	}
	left, err := client.EpisodeCounts(ctx, a.group)
	report.ByWorker = max(0, missing-left[graph.StatePending]-left[graph.StateProcessing])
	return err
}

func (r *addReport) count(p annals.Processed) {
	if p.Err != nil {
		r.Failed++
		if r.firstError == nil {
			r.firstError = p.Err
		}
		return
	}
	r.Done++
	r.Entities += p.Entities
	r.Facts += p.Facts
	r.Closed += p.Closed
	r.Withdrawn += p.Refused
}

// watched returns standard error if it is a terminal, else io.Discard. Progress goes there.
func (p *printer) watched() io.Writer {
	if p.stderr.terminal() {
		return p.stderr.to // the progress line needs control characters, and shows no stored text
	}
	return io.Discard
}

// printAdded prints the report of add. It returns an error if episodes failed.
func (a *app) printAdded(r *addReport) error {
	if a.json {
		if r.Added+r.Existing > maxNamed {
			r.Episodes = []addedJSON{}
		}
		if err := a.printJSON(r); err != nil {
			return err
		}
	} else {
		if r.retried {
			fmt.Fprintf(a.stdout, "%d done, %d failed", r.Done, r.Failed)
		} else {
			fmt.Fprintf(a.stdout, "%d added, %d already there; %d done, %d failed", r.Added, r.Existing, r.Done, r.Failed)
		}
		if r.Done > 0 {
			fmt.Fprintf(a.stdout, " (%s, %s, %d closed) in %.1f s, %.0f episodes/s",
				each.Count(r.Entities, "mention"), each.Count(r.Facts, "fact"), r.Closed, r.Seconds, float64(r.Done)/r.Seconds)
		}
		if r.ByWorker > 0 {
			fmt.Fprintf(a.stdout, "; %d read by a worker", r.ByWorker)
		}
		fmt.Fprintln(a.stdout)
		for _, e := range r.Episodes {
			if e.Note != "" {
				fmt.Fprintln(a.stdout, e.Note)
			}
		}
		if r.Withdrawn > 0 {
			fmt.Fprintf(a.stdout, "%s refused, as withdrawn before; 'annals facts rejected --group %s' lists them, 'annals facts restore ID' readmits one\n",
				each.Count(r.Withdrawn, "fact"), a.group)
		}
		if r.Done > 0 {
			fmt.Fprintln(a.stdout, r.reader)
		}
	}
	switch r.Failed {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("one episode could not be read and is kept; 'annals retry --group %s' tries again: %w", a.group, r.firstError)
	default:
		return fmt.Errorf("%d episodes could not be read and are kept; 'annals retry --group %s' tries again; the first: %w",
			r.Failed, a.group, r.firstError)
	}
}

func retryCommand(a *app) *cobra.Command {
	return taking(a.withMemory, &cobra.Command{
		Use:     "retry",
		Short:   "Read episodes again that failed, and those that wait or were kept from the model",
		Example: `  annals retry --group chat`,
	}, func(ctx context.Context, s *session, _ *none) error {
		if _, err := s.Retry(ctx, s.group); err != nil {
			return err
		}
		report := &addReport{Episodes: []addedJSON{}, retried: true}
		if err := s.process(ctx, s.Client, report); err != nil {
			return err
		}
		return s.printAdded(report)
	})
}
