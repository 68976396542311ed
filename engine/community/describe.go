// Package community finds the communities of a group's entities, summarises and names them, and
// keeps them up to date as entities arrive. Package clustering computes which entities belong
// together.
package community

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/guard"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/prompts"
)

const (
	membersPerQuestion = 20                                      // or summaries
	membersRead        = membersPerQuestion * membersPerQuestion // the best connected; one question combines their summaries
	summaryLimit       = 1000                                    // bytes
	nameLimit          = 200                                     // bytes
	questionsAtOnce    = 4
)

// describe summarises communities by map and reduce, and names them.
func (b *Builder) describe(ctx context.Context, communities []*community) error {
	if err := b.summariseMembers(ctx, communities); err != nil {
		return err
	}
	if err := b.combineSummaries(ctx, communities); err != nil {
		return err
	}
	return b.nameCommunities(ctx, communities)
}

type question func(context.Context) error

// ask asks questions, a few at a time, until one fails.
func ask(ctx context.Context, questions []question) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(questionsAtOnce)
	for _, q := range questions {
		group.Go(guard.Runs(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return q(ctx)
		}))
	}
	return group.Wait()
}

func (b *Builder) summariseMembers(ctx context.Context, communities []*community) error {
	var questions []question
	for _, c := range communities {
		read := c.known[:min(len(c.known), membersRead)]
		chunks := slices.Collect(slices.Chunk(read, membersPerQuestion))
		c.parts = make([]string, len(chunks))
		for i, members := range chunks {
			questions = append(questions, func(ctx context.Context) error {
				answer, err := b.analyst.SummariseMembers(ctx, prompts.SummariseMembers{Members: members, Limit: summaryLimit})
				c.parts[i] = shortened(answer.Summary, 2*summaryLimit)
				return analyst.Failed(ctx, "summarise members of a community", err)
			})
		}
	}
	return ask(ctx, questions)
}

// combineSummaries repeats until each community has one summary. If an answer is empty, the summary
// of the best connected members stays.
func (b *Builder) combineSummaries(ctx context.Context, communities []*community) error {
	for {
		var questions []question
		for _, c := range communities {
			c.parts = slices.DeleteFunc(c.parts, func(s string) bool { return s == "" })
			if len(c.parts) > 1 {
				questions = append(questions, b.combine(c)...)
			}
		}
		if len(questions) == 0 {
			break
		}
		if err := ask(ctx, questions); err != nil {
			return err
		}
	}
	for _, c := range communities {
		c.summary = strings.Join(c.parts, " ") // one, or none
	}
	return nil
}

func (b *Builder) combine(c *community) []question {
	chunks := slices.Collect(slices.Chunk(c.parts, membersPerQuestion))
	combined := make([]string, len(chunks))
	c.parts = combined
	var questions []question
	for i, summaries := range chunks {
		combined[i] = summaries[0]
		if len(summaries) == 1 {
			continue
		}
		questions = append(questions, func(ctx context.Context) error {
			answer, err := b.analyst.CombineSummaries(ctx, prompts.CombineSummaries{Summaries: summaries, Limit: summaryLimit})
			combined[i] = cmp.Or(shortened(answer.Summary, 2*summaryLimit), summaries[0])
			return analyst.Failed(ctx, "combine summaries of a community", err)
		})
	}
	return questions
}

// nameCommunities names each community. If the model gives no name, it uses the names of the best
// connected members.
func (b *Builder) nameCommunities(ctx context.Context, communities []*community) error {
	var questions []question
	for _, c := range communities {
		names := each.Of(c.known[:min(len(c.known), membersPerQuestion)], func(m prompts.Member) string { return m.Name })
		questions = append(questions, func(ctx context.Context) error {
			answer, err := b.analyst.NameCommunity(ctx, prompts.NameCommunity{Members: names, Summary: c.summary})
			byMembers := strings.Join(names[:min(len(names), 3)], ", ")
			c.name = cmp.Or(shortened(answer.Name, nameLimit), shortened(byMembers, nameLimit))
			return analyst.Failed(ctx, "name a community", err)
		})
	}
	return ask(ctx, questions)
}

// shortened returns a text on one line of at most limit bytes, cut between words. It is empty if
// the text cannot be stored.
func shortened(s string, limit int) string {
	s = strings.Join(strings.Fields(s), " ")
	if !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
		return ""
	}
	if len(s) <= limit {
		return s
	}
	const ellipsis = "…"
	end := limit - len(ellipsis)
	for !utf8.RuneStart(s[end]) {
		end--
	}
	if space := strings.LastIndexByte(s[:end], ' '); space > 0 {
		end = space
	}
	return s[:end] + ellipsis
}

// Builder builds communities. It is safe for concurrent use.
type Builder struct {
	pool     db.Pool
	analyst  analyst.Communities
	embedder model.Embedder
	log      *slog.Logger
}

// New returns a builder on a migrated database.
func New(pool db.Pool, analyst analyst.Communities, embedder model.Embedder, log *slog.Logger) *Builder {
	return &Builder{pool: pool, analyst: analyst, embedder: embedder, log: log}
}

func (b *Builder) embed(ctx context.Context, names []string) ([][]float32, error) {
	vectors, err := model.Vectors(ctx, b.embedder, names)
	return vectors, analyst.Failed(ctx, "embed", err)
}
