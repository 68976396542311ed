package model_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/tmc/langchaingo/llms"

	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
)

// fixed is a langchaingo model with a constant response.
type fixed struct {
	response *llms.ContentResponse
	err      error
	seen     []llms.MessageContent
}

func (f *fixed) GenerateContent(ctx context.Context, messages []llms.MessageContent, _ ...llms.CallOption) (*llms.ContentResponse, error) {
	f.seen = messages
	if f.response == nil && f.err == nil {
		<-ctx.Done()
		return nil, errors.New("request timeout") // they lose the cause
	}
	return f.response, f.err
}

func (f *fixed) Call(context.Context, string, ...llms.CallOption) (string, error) { return "", f.err }

func TestNewLLM(t *testing.T) {
	t.Parallel()
	info := map[string]any{"InputTokens": 50, "OutputTokens": 7, "CacheReadInputTokens": 3}
	m := &fixed{response: &llms.ContentResponse{Choices: []*llms.ContentChoice{
		{Content: `{"people":[{"reason":"named",`, GenerationInfo: info},
		{Content: `"name":"Ada","age":36}]}`, GenerationInfo: info},
	}}}
	ledger := &modeltest.Ledger{}
	l := model.NewLLM("mine:m", m, model.Config{}).With(ledger)
	wantAda(t, l)
	if system := m.seen[0].Parts[0].(llms.TextContent).Text; !strings.Contains(system, `"people"`) {
		t.Errorf("the model does not know the schema: %q", system)
	}
	if c := ledger.Calls()[0]; c.Model != "mine:m" || c.InputTokens != 50 || c.OutputTokens != 7 || c.CachedTokens != 3 || c.Cost != nil {
		t.Errorf("the ledger has %+v", c)
	}
}

func TestNewLLMErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("out of order")
	_, err := ask(t.Context(), model.NewLLM("mine:m", &fixed{err: broken}, model.Config{}))
	if _, ok := errors.AsType[*model.CallError](err); !ok || !strings.Contains(err.Error(), "out of order") {
		t.Errorf("error %v", err)
	}
	_, err = ask(t.Context(), model.NewLLM("mine:m", &fixed{response: &llms.ContentResponse{}}, model.Config{}))
	if _, ok := errors.AsType[*model.CallError](err); !ok || !strings.Contains(err.Error(), "empty answer") {
		t.Errorf("error %v", err)
	}
	synctest.Test(t, func(t *testing.T) {
		_, err := ask(t.Context(), model.NewLLM("mine:m", &fixed{}, model.Config{}))
		if _, ok := errors.AsType[*model.CallError](err); !ok || !strings.Contains(err.Error(), "no answer within 2m0s") {
			t.Errorf("error %v", err)
		}
	})
}
