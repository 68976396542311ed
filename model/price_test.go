package model

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestCosts(t *testing.T) {
	t.Parallel()
	mine := Prices{"openai:gpt-5-mini": {Input: 9, Cached: 8, Output: 7}, "openrouter:x/y": {Input: 1}, "ollama:gpu": {Output: 100}}
	million := usage{input: 1e6, cached: 4e5, output: 2e6}
	dollars := func(amount float64) *float64 { return &amount }
	for name, want := range map[string]*float64{
		"openai:gpt-4.1":                     dollars(0.6*2 + 0.4*0.5 + 2*8),
		"openai:gpt-4.1-2025-04-14":          dollars(0.6*2 + 0.4*0.5 + 2*8),
		"anthropic:claude-haiku-4-5":         dollars(0.6*1 + 0.4*0.1 + 2*5),
		"anthropic:claude-sonnet-5-5-latest": dollars(0.6*2 + 0.4*0.1 + 2*10),
		"openai:gpt-5-mini":                  dollars(0.6*9 + 0.4*8 + 2*7),
		"openai:gpt-5-mini-2025-08-07":       dollars(0.6*9 + 0.4*8 + 2*7),
		"openrouter:x/y":                     dollars(0.6),
		"ollama:qwen3:8b":                    dollars(0),
		"ollama:gpu":                         dollars(200),
		"llamacpp:any":                       dollars(0),
		"openai:gpt-99":                      nil,
		"openrouter:openai/gpt-4.1":          nil,
		"scripted":                           nil,
	} {
		got := mine.costOf(name, million)
		if (got == nil) != (want == nil) || got != nil && (*got-*want > 1e-9 || *want-*got > 1e-9) {
			t.Errorf("%s costs %v, want %v", name, cmp.Diff(want, got), want)
		}
	}
}

func TestListPrices(t *testing.T) {
	t.Parallel()
	for name, price := range ListPrices() {
		if _, err := time.Parse("2006-01", price.AsOf); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, _, err := parseSpec("llm", name, ""); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if price.Input <= 0 || price.Cached <= 0 || price.Cached > price.Input || price.Output != 0 && price.Output < price.Input {
			t.Errorf("%s: %+v is not a price", name, price)
		}
	}
	clear(ListPrices())
	if len(ListPrices()) == 0 {
		t.Error("the list can be changed by those who read it")
	}
}
