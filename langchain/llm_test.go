package langchain_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/tmc/langchaingo/llms"

	"github.com/annalsdb/annals/langchain"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
)

// fixed is a model of langchaingo that always gives the same response.
type fixed struct {
	response *llms.ContentResponse
	err      error
	seen     []llms.MessageContent
}

func (f *fixed) GenerateContent(_ context.Context, messages []llms.MessageContent, _ ...llms.CallOption) (*llms.ContentResponse, error) {
	f.seen = messages
	return f.response, f.err
}

func (f *fixed) Call(context.Context, string, ...llms.CallOption) (string, error) { return "", f.err }

// people is an answer as the test asks for it.
type people struct {
	People []struct {
		Reason string `json:"reason"`
		Name   string `json:"name"`
		Age    int    `json:"age"`
	} `json:"people"`
}

var question = model.Question{Name: "find_people", Version: 1, System: "You read texts.", User: "Ada is 36."}

func TestNewLLM(t *testing.T) {
	t.Parallel()
	info := map[string]any{"InputTokens": 50, "OutputTokens": 7, "CacheReadInputTokens": 3}
	m := &fixed{response: &llms.ContentResponse{Choices: []*llms.ContentChoice{
		{Content: `{"people":[{"reason":"named",`, GenerationInfo: info},
		{Content: `"name":"Ada","age":36}]}`, GenerationInfo: info},
	}}}
	ledger := &modeltest.Ledger{}
	got, err := model.Ask[people](t.Context(), langchain.NewLLM("mine:m", m, model.Config{}).With(ledger), question, nil)
	if said, _ := json.Marshal(got); err != nil || string(said) != `{"people":[{"reason":"named","name":"Ada","age":36}]}` {
		t.Errorf("got %s, %v", said, err)
	}
	if system := m.seen[0].Parts[0].(llms.TextContent).Text; !strings.Contains(system, `"people"`) {
		t.Errorf("the model does not know the schema: %q", system)
	}
	if c := ledger.Calls()[0]; c.Model != "mine:m" || c.InputTokens != 50 || c.OutputTokens != 7 || c.CachedTokens != 3 || c.Cost != nil {
		t.Errorf("the ledger has %+v", c)
	}
}

func TestNewLLMErrors(t *testing.T) {
	t.Parallel()
	for want, m := range map[string]*fixed{
		"out of order": {err: errors.New("out of order")},
		"empty answer": {response: &llms.ContentResponse{}},
	} {
		_, err := model.Ask[people](t.Context(), langchain.NewLLM("mine:m", m, model.Config{}), question, nil)
		if _, ok := errors.AsType[*model.CallError](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
