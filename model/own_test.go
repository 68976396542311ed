package model_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
)

// fixed is a model of one's own that always gives the same reply; of none it never does.
func fixed(said string, err error) model.Continue {
	return func(ctx context.Context, _ model.Conversation) (model.Reply, error) {
		if said == "" && err == nil {
			<-ctx.Done()
			return model.Reply{}, errors.New("request timeout") // it loses the cause
		}
		return model.Reply{Said: model.Said{Text: said}, InputTokens: 50, OutputTokens: 7, CachedTokens: 3}, err
	}
}

func TestNewLLM(t *testing.T) {
	t.Parallel()
	ledger := &modeltest.Ledger{}
	var seen model.Conversation
	own := fixed(`{"people":[{"reason":"named","name":"Ada","age":36}]}`, nil)
	l := model.NewLLM("mine:m", func(ctx context.Context, c model.Conversation) (model.Reply, error) {
		seen = c
		return own(ctx, c)
	}, model.Config{}).With(ledger)
	wantAda(t, l)
	if !strings.Contains(seen.System, `"people"`) || seen.MaxTokens != 4096 {
		t.Errorf("the model does not know the schema, or how much to say: %+v", seen)
	}
	if c := ledger.Calls()[0]; c.Model != "mine:m" || c.InputTokens != 50 || c.OutputTokens != 7 || c.CachedTokens != 3 || c.Cost != nil {
		t.Errorf("the ledger has %+v", c)
	}
}

func TestNewLLMErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("out of order")
	_, err := ask(t.Context(), model.NewLLM("mine:m", fixed("", broken), model.Config{}))
	if _, ok := errors.AsType[*model.CallError](err); !ok || !strings.Contains(err.Error(), "out of order") {
		t.Errorf("error %v", err)
	}
	_, err = ask(t.Context(), model.NewLLM("mine:m", fixed(" ", nil), model.Config{}))
	if _, ok := errors.AsType[*model.CallError](err); !ok || !strings.Contains(err.Error(), "empty answer") {
		t.Errorf("error %v", err)
	}
	synctest.Test(t, func(t *testing.T) {
		_, err := ask(t.Context(), model.NewLLM("mine:m", fixed("", nil), model.Config{}))
		if _, ok := errors.AsType[*model.CallError](err); !ok || !strings.Contains(err.Error(), "no answer within 2m0s") {
			t.Errorf("error %v", err)
		}
	})
}
