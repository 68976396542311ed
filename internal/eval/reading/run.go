package reading

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/eval/truth"
)

// atOnce is how many memories are filled at a time. Each has a group of its own.
const atOnce = 4

// DefaultTokens is the default budget of the second context.
const DefaultTokens = 350

// Options configures a run.
type Options struct {
	Tokens int  // the budget of the second context; zero: DefaultTokens
	Keep   bool // keep the groups in the database for inspection
}

// Run fills a group with each memory and judges two contexts for each question:
// one with default settings, one within a budget of tokens. analyst must be the
// client's analyst; nil: the client has another one, which reads only the texts.
func Run(ctx context.Context, client *annals.Client, analyst *truth.Analyst, memories []Memory, options Options) (Report, error) {
	if options.Tokens == 0 {
		options.Tokens = DefaultTokens
	}
	run := uuid.Must(uuid.NewV7())
	results := make([][]Result, len(memories))
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(atOnce)
	for i, m := range memories {
		work.Go(func() error {
			group := fmt.Sprintf("eval-reading-%s-%d", run, i+1)
			err := truth.Fill(ctx, client, analyst, m.Case, group, options.Keep, func() (err error) {
				results[i], err = ask(ctx, client, m, group, options)
				return err
			})
			if err != nil {
				return fmt.Errorf("%s: %w", m.ID, err)
			}
			return nil
		})
	}
	if err := work.Wait(); err != nil {
		return Report{}, err
	}
	part := Part{ReadBy: client.Analyst()}
	for _, of := range results {
		part.Questions = append(part.Questions, of...)
	}
	return Report{Tokens: options.Tokens, Parts: []Part{part}}, nil
}

// ask asks the questions about a memory.
func ask(ctx context.Context, client *annals.Client, m Memory, group string, options Options) ([]Result, error) {
	results := make([]Result, len(m.Questions))
	for i, q := range m.Questions {
		r := Result{Question: q, messages: m.Messages}
		if options.Keep {
			r.Group = group
		}
		for _, as := range []struct {
			tokens int
			judged *Judgement
		}{{0, &r.Default}, {options.Tokens, &r.Within}} {
			query := annals.Query{GroupID: group, Text: q.Ask, AskedAt: q.At}
			text, err := client.ContextAs(ctx, query, annals.Construction{Tokens: as.tokens})
			if err != nil {
				return nil, fmt.Errorf("ask %q: %w", q.Ask, err)
			}
			*as.judged = q.judge(text)
		}
		results[i] = r
	}
	return results, nil
}
