package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/answer"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
)

// asking holds the flags of ask besides those of a search.
type asking struct {
	Tokens int    `json:"tokens" doc:"the most tokens of what the answer is made from; 0: 2000"`
	Schema string `json:"schema" doc:"a file with a JSON Schema of values that are filled in as well"`
	Keep   bool   `json:"keep" doc:"keep the question answered; only --tokens and --schema go with it"`
}

func askCommand(a *app) *cobra.Command {
	var q query
	cmd := taking(a.withMemory, &cobra.Command{
		Use:   "ask QUESTION",
		Short: "Answer a question from what the memory has, with citations",
		Long: `Searches, and has the model answer from what was found and from nothing else. Each
sentence cites what it rests on; a sentence whose words do not stand in what it cites
is cut. Without a model (ANNALS_LLM) the facts that answer by their relation are the
answer, each with when it holds and the message it rests on; where none does, the best
passages are shown.

With --keep the group keeps the question answered: it is asked again where something
bears on it that was added or changed, and 'annals answers' shows it.`,
		Example: `  annals ask --group demo "Where does Nora live?"
  annals ask --group demo --as-of 2024-01-01 "Where does Nora live?"
  annals ask --group demo --schema profile.json "Who is Nora?"
  annals ask --group demo --keep "What does Nora like to eat?"`,
		Args: cobra.ExactArgs(1),
	}, func(ctx context.Context, s *session, in *asking) (err error) {
		asked := annals.Question{Query: annals.Query{GroupID: s.group, Text: s.args[0]}, Tokens: in.Tokens}
		if in.Schema != "" {
			if asked.Schema, err = s.readFile(in.Schema); err != nil {
				return fmt.Errorf("read the schema: %w", err)
			}
			if len(bytes.TrimSpace(asked.Schema)) == 0 {
				return graph.Invalid("schema", "is empty: %s holds nothing", in.Schema)
			}
		}
		if in.Keep {
			return s.keepAnswer(ctx, asked)
		}
		if asked.Query, err = q.build(ctx, s, s.args[0]); err != nil {
			return err
		}
		got, err := s.Ask(ctx, asked)
		if err != nil {
			return err
		}
		return s.printAnswer(got)
	})
	q.flags(cmd, "explain")
	q.Limit, cmd.Flags().Lookup("limit").DefValue = 0, "0" // without --limit, the budget decides how much is searched
	return cmd
}

// printAnswer prints the sentences, each with the ids of its evidence.
func (p *printer) printAnswer(got annals.Answer) error {
	if p.json {
		return p.printJSON(got)
	}
	if note := got.Note(); note != "" {
		p.say("%s", note)
	}
	if len(got.Sentences) == 0 {
		fmt.Fprintln(p.stdout, got.Text)
	}
	for _, s := range got.Sentences {
		fmt.Fprintln(p.stdout, s.Text, cites(s.Cites))
	}
	for _, s := range got.Slots {
		fmt.Fprintf(p.stdout, "%s: %s %s\n", s.Name, s.Value, cites(s.Cites))
	}
	if len(got.Missing) > 0 {
		p.say("Nothing fills what the schema requires: %s.", strings.Join(got.Missing, ", "))
	}
	return nil
}

func cites(all []answer.Citation) string {
	return "[" + strings.Join(each.Of(all, func(c answer.Citation) string { return string(c.Kind) + " " + c.ID.String() }), ", ") + "]"
}

// construction is the form of a context: the declared fields, or a template.
type construction struct {
	input.Construction
	Template string `json:"template" to:"-" doc:"A file with a text/template in place of the usual form"`
}

func contextCommand(a *app) *cobra.Command {
	var q query
	cmd := taking(a.withMemory, &cobra.Command{
		Use:   "context QUERY",
		Short: "Print what is relevant, ready for a model's prompt",
		Example: `  annals context --group demo "Where does Nora live?"
  annals context --group demo --tokens 350 --citations "Where does Nora live?"`,
		Args: cobra.ExactArgs(1),
	}, func(ctx context.Context, s *session, in *construction) error {
		query, err := q.build(ctx, s, s.args[0])
		if err != nil {
			return err
		}
		form, err := input.Read(in, annals.Construction{})
		if err != nil {
			return err
		}
		if in.Template != "" {
			read, err := s.readFile(in.Template)
			if err != nil {
				return fmt.Errorf("read the template: %w", err)
			}
			form.Template = string(read)
		}
		text, err := s.ContextAs(ctx, query, form)
		if err != nil {
			return err
		}
		return s.tell(map[string]string{"context": text}, "%s", text)
	})
	q.flags(cmd, "explain")
	q.Limit, cmd.Flags().Lookup("limit").DefValue = 0, "0" // without --limit, the budget decides how much is searched
	return cmd
}

// query holds the flags of a search.
type query struct {
	annals.QueryInput
	filter         string
	threads, roles []string
}

// flags adds a flag for each option of a query, except those in without.
func (q *query) flags(cmd *cobra.Command, without ...string) {
	flags := cmd.Flags()
	q.Limit = 10
	bind(flags, &q.QueryInput, append(without, "filter")...)
	flags.StringVar(&q.filter, "filter", "", "a JSON object that narrows the search")
	flags.StringSliceVar(&q.threads, "thread-id", nil, "only what these conversations say")
	flags.StringSliceVar(&q.roles, "role", nil, "only what speakers of these roles say")
}

// narrowing lists flags that restrict what a command applies to. An empty value, such as an unset
// variable in a script, would make the command apply to everything.
var narrowing = map[string]string{
	"certificate": "string", "entity": "string", "user": "string", "head": "string", "trust": "string",
	"as-of": "string", "known-at": "string", "expires-at": "string", "at": "string",
	"episode": "stringSlice", "role": "stringSlice", "thread-id": "stringSlice", "told-by": "stringSlice",
}

// refuseEmptyNames refuses such a flag if it is set and empty.
func refuseEmptyNames(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if value := f.Value.String(); narrowing[f.Name] == f.Value.Type() && (value == "" || value == "[]") {
			err = graph.Invalid(f.Name, "is empty; name something, or leave it out")
		}
	})
	return err
}

// build returns the query of the flags.
func (q *query) build(ctx context.Context, s *session, text string) (annals.Query, error) {
	if err := checkGroups(ctx, s.Client, q.AlsoIn...); err != nil {
		return annals.Query{}, err
	}
	in := q.QueryInput
	in.Query = text
	var err error
	if in.Filter, err = annals.ParseFilter(q.filter); err != nil {
		return annals.Query{}, err
	}
	built, err := in.In(s.group, func(name string, knownAt time.Time) (uuid.UUID, error) {
		entity, err := s.entity(ctx, name, knownAt)
		return entity.ID, err
	})
	if err != nil {
		return built, asFlag(&in, err)
	}
	if len(q.threads) > 0 && len(built.Filter.Threads) > 0 {
		return built, graph.Invalid("thread-id", "is named twice: by the filter as well")
	}
	if len(q.roles) > 0 && len(built.Filter.Roles) > 0 {
		return built, graph.Invalid("role", "is named twice: by the filter as well")
	}
	built.Filter.Threads = append(built.Filter.Threads, q.threads...)
	built.Filter.Roles = append(built.Filter.Roles, q.roles...)
	return built, nil
}
