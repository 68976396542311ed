package model

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/annalsdb/annals/internal/each"
)

// errNoScores is the error of an answer without usable scores.
var errNoScores = errors.New("its answer holds no usable scores")

// body returns the request for the scores of texts. It omits the number of
// scores, which has several field names; all servers default to all texts.
func (r *ServedReranker) body(query string, texts []string) map[string]any {
	body := map[string]any{"model": r.model, "query": query, "documents": texts}
	switch r.provider.name {
	case "tei":
		body = map[string]any{"query": query, "texts": texts, "raw_scores": false, "truncate": true}
	case "jina", "voyage":
		body["return_documents"] = false
	case "vllm":
		body["truncate_prompt_tokens"] = -1 // else it refuses texts too long for the model
	}
	return body
}

// ranked is the score of a text. Servers use one of two names for it, and may
// omit a zero index.
type ranked struct {
	Index     int      `json:"index"`
	Relevance *float64 `json:"relevance_score"`
	Score     *float64 `json:"score"`
}

// rankedAnswer is the answer of most servers. text-embeddings-inference returns
// the bare list.
type rankedAnswer struct {
	Results []ranked `json:"results"`
	Data    []ranked `json:"data"` // Voyage's name of the list
	Usage   struct {
		Prompt int `json:"prompt_tokens"`
		Total  int `json:"total_tokens"`
	} `json:"usage"`
}

// readScores reads the scores of n texts, which come in any order, usually best
// first, and places each by its index. tokens is 0 if the answer has no count.
func readScores(data []byte, n int) (scores []float64, tokens int, err error) {
	var answer rankedAnswer
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		err = json.Unmarshal(data, &answer.Results)
	} else {
		err = json.Unmarshal(data, &answer)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("%w: %w", errNoScores, err)
	}
	tokens = max(cmp.Or(answer.Usage.Prompt, answer.Usage.Total), 0)
	all := answer.Results
	if all == nil {
		all = answer.Data
	}
	scores, err = inPlace(all, n)
	return scores, tokens, err
}

// inPlace orders the scores like the texts.
func inPlace(all []ranked, n int) ([]float64, error) {
	if len(all) != n {
		return nil, fmt.Errorf("%w: %s for %s", errNoScores, each.Count(len(all), "score"), each.Count(n, "text"))
	}
	scores, seen := make([]float64, n), make([]bool, n)
	for _, one := range all {
		if one.Index < 0 || one.Index >= n || seen[one.Index] {
			return nil, fmt.Errorf("%w: the index %d comes twice or belongs to no text", errNoScores, one.Index)
		}
		score := cmp.Or(one.Relevance, one.Score)
		if score == nil { // Some servers write null for NaN.
			return nil, fmt.Errorf("%w: the text %d has none", errNoScores, one.Index)
		}
		scores[one.Index], seen[one.Index] = *score, true
	}
	return scores, nil
}
