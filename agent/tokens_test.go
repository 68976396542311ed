package agent_test

import (
	"encoding/json"
	"sync"
	"testing"

	"github.com/tiktoken-go/tokenizer"

	"github.com/annalsdb/annals/model/modeltest"
)

// counts caches the tokens of texts, since most of a request was also in the one before.
var counts tokenCounts

type tokenCounts struct{ known sync.Map }

func (c *tokenCounts) of(t *testing.T, text string) int {
	t.Helper()
	if n, ok := c.known.Load(text); ok {
		return n.(int)
	}
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	n, err := codec.Count(text)
	if err != nil {
		t.Fatal(err)
	}
	c.known.Store(text, n)
	return n
}

// tokensOf counts the tokens of a request, from the bytes that were sent.
func tokensOf(t *testing.T, r modeltest.Request) int {
	t.Helper()
	count := func(text string) int { return counts.of(t, text) }
	var body struct {
		Messages []struct {
			Content json.RawMessage `json:"content"`
			Calls   []struct {
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		}
		Tools []struct {
			Function struct {
				Name, Description string
				Parameters        json.RawMessage
			}
		}
		Format json.RawMessage `json:"response_format"`
		Answer int             `json:"max_completion_tokens"`
	}
	if err := json.Unmarshal(r.Body, &body); err != nil {
		t.Fatal(err)
	}
	n := body.Answer
	if r.Tools == nil && r.Prompt != "agent_step" {
		n = count(string(body.Format)) // a summary is shorter than it may be
	}
	for _, m := range body.Messages {
		var text string
		if json.Unmarshal(m.Content, &text) != nil {
			var parts []struct{ Text string }
			_ = json.Unmarshal(m.Content, &parts)
			for _, p := range parts {
				text += p.Text
			}
		}
		n += 3 + count(text)
		for _, c := range m.Calls {
			n += count(c.Function.Name) + count(c.Function.Arguments)
		}
	}
	for _, tool := range body.Tools {
		n += count(tool.Function.Name) + count(tool.Function.Description) + count(string(tool.Function.Parameters))
	}
	return n
}
