package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
)

func tripleCommand(a *app) *cobra.Command {
	var t annals.Triple
	var validAt, invalidAt, occurredAt, attributes string
	cmd := &cobra.Command{
		Use:   "triple SOURCE PREDICATE TARGET",
		Short: "Add one fact that is known as such",
		Long: `Adds one fact without a text to read it from. Both its ends are recognised among
the known entities and the fact among the known facts, and what it contradicts
is closed, as with the facts of an episode.`,
		Example: `  annals triple Alice WORKS_AT "Acme Corp" --fact "Alice works at Acme Corp as a designer." --valid-at 2024-02-01`,
		Args:    cobra.ExactArgs(3),
		RunE: func(cmd *cobra.Command, args []string) error {
			t.GroupID, t.Source.Name, t.Predicate, t.Target.Name = a.group, args[0], args[1], args[2]
			t.Attributes = []byte(attributes)
			var err error
			if t.ValidAt, err = parseTime("valid-at", validAt); err != nil {
				return err
			}
			if t.InvalidAt, err = parseTime("invalid-at", invalidAt); err != nil {
				return err
			}
			if t.OccurredAt, err = parseTime("occurred-at", occurredAt); err != nil {
				return err
			}
			return a.withClient(func(ctx context.Context, s *session, _ []string) error {
				return s.addTriple(ctx, t)
			})(cmd, args)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&t.Fact, "fact", "", "the fact as a sentence; otherwise made of the three words")
	flags.BoolVar(&t.Force, "force", false, "take in again what was erased")
	flags.StringVar(&t.Source.Label, "source-label", "", "the source's type, such as Person")
	flags.StringVar(&t.Target.Label, "target-label", "", "the target's type")
	flags.StringVar(&attributes, "attributes", "", "of the fact, a JSON object")
	flags.StringVar(&validAt, "valid-at", "", "since when it holds; otherwise read from the sentence")
	flags.StringVar(&invalidAt, "invalid-at", "", "until when it held")
	flags.StringVar(&occurredAt, "occurred-at", "", "when it became known; otherwise now")
	flags.StringVar(&t.ExternalID, "external-id", "", "your own name for it, unique in the group")
	return cmd
}

func (s *session) addTriple(ctx context.Context, t annals.Triple) error {
	added, err := s.AddTriple(ctx, t)
	if err != nil {
		return err
	}
	if s.json {
		return s.printJSON(added)
	}
	words := "Added"
	if added.Repeated {
		words = "Known already"
	}
	_, err = fmt.Fprintf(s.stdout, "%s: fact %s\n", words, added.FactID)
	return err
}
