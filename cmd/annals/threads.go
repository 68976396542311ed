package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/input"
)

// threadJSON is a thread as it is printed.
type threadJSON struct {
	ID           string    `json:"id"`
	Summary      string    `json:"summary"`
	Messages     int       `json:"messages"`
	Unsummarised int       `json:"unsummarised"`
	LastAt       time.Time `json:"last_at"`
}

func threadView(t annals.Thread) threadJSON {
	return threadJSON{ID: t.ID, Summary: t.Summary, Messages: t.Messages, Unsummarised: t.Unsummarised, LastAt: t.LastAt}
}

func threadsCommand(a *app) *cobra.Command {
	cmd := showing(a.withMemory, &cobra.Command{
		Use:     "threads",
		Short:   "List conversations with their summaries",
		Example: "  annals threads --group chat\n  annals threads summarise chat-1 --group chat",
	}, func(ctx context.Context, s *session, in *input.Page) ([]annals.Thread, error) {
		return s.Threads(ctx, annals.ThreadFilter{GroupID: s.group, Limit: in.Limit})
	}, listing[annals.Thread]{
		key: "threads", view: as(threadView), header: "THREAD\tMESSAGES\tLAST\tSUMMARY",
		cells: func(t annals.Thread, _ string) []string {
			return []string{t.ID, fmt.Sprint(t.Messages), day(t.LastAt), brief(t.Summary, 100)}
		},
	}.show)
	cmd.AddCommand(threadsSummariseCommand(a))
	return cmd
}

func threadsSummariseCommand(a *app) *cobra.Command {
	return taking(a.withMemory, &cobra.Command{
		Use:   "summarise THREAD",
		Short: "Extend a conversation's summary by what was said since",
		Long: `Extends a conversation's summary by what was said since, and prints it. Reading
episodes does so by itself every twenty messages.`,
		Example: `  annals threads summarise chat-1 --group chat`,
		Args:    cobra.ExactArgs(1),
	}, func(ctx context.Context, s *session, _ *none) error {
		summary, err := s.SummariseThread(ctx, s.group, s.args[0])
		if err != nil {
			return err
		}
		if s.json {
			return s.printJSON(map[string]string{"id": s.args[0], "summary": summary})
		}
		if summary == "" {
			s.say("There is nothing to summarise in the thread %s; 'annals threads --group %s' lists those there are.", s.args[0], s.group)
			return nil
		}
		_, err = fmt.Fprintln(s.stdout, summary)
		return err
	})
}
