package main

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

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
	"as-of": "string", "known-at": "string", "expires-at": "string",
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
