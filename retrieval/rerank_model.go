package retrieval

import (
	"context"
	"fmt"

	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/prompts"
)

// llmReranker has a language model score passages.
type llmReranker struct{ llm *model.LLM }

// NewLLMReranker scores texts with a language model: one call with all of them, the first 600 bytes
// of each. It answers in seconds and is billed for what it reads; a cross-encoder takes a fraction
// of both. It understands times, identities and the aim of a query better.
//
// The model gives whole numbers from 0 to 10, which become 0 to 1. A text without a score has 0, as
// have those after the fiftieth, which the model is not shown: put the best ones first. Errors are
// those of [model.Ask].
func NewLLMReranker(llm *model.LLM) model.Reranker { return &llmReranker{llm} }

// Name is that of the language model, as provider:model.
func (r *llmReranker) Name() string { return r.llm.Name() }

// With returns a reranker that answers repeated questions from the ledger, and records every call
// in it.
func (r *llmReranker) With(ledger model.Ledger) model.Reranker {
	return &llmReranker{r.llm.With(ledger)}
}

// Rerank scores the texts.
func (r *llmReranker) Rerank(ctx context.Context, query string, texts []string) ([]float64, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	question := prompts.Rerank{Query: cleanQuery(query), Passages: texts}
	answer, err := model.Ask[prompts.RerankedPassages](ctx, r.llm, model.Question(question.Prompt()), nil)
	if err != nil {
		return nil, fmt.Errorf("have %s score %s: %w", r.llm.Name(), each.Count(len(texts), "text"), err)
	}
	return scoresOf(answer, len(texts)), nil
}

// scoresOf reads the scores of n texts. It skips unknown ids, and the first of two scores of a text
// counts.
func scoresOf(answer prompts.RerankedPassages, n int) []float64 {
	scores, seen := make([]float64, n), make([]bool, n)
	for _, s := range answer.Scores {
		i := s.ID - 1
		if i < 0 || i >= min(n, prompts.MaxPassages) || seen[i] {
			continue
		}
		scores[i], seen[i] = float64(min(max(s.Score, 0), prompts.MaxPassageScore))/prompts.MaxPassageScore, true
	}
	return scores
}
