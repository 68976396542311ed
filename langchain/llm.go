package langchain

import (
	"context"

	"github.com/tmc/langchaingo/llms"

	"github.com/annalsdb/annals/model"
)

// NewLLM lets a memory read with any model of langchaingo, as [model.NewLLM] does with
// one's own.
func NewLLM(name string, m llms.Model, c model.Config) *model.LLM {
	return model.NewLLM(name, func(ctx context.Context, asked model.Conversation) (model.Reply, error) {
		answer, err := m.GenerateContent(ctx, contents(asked), llms.WithTemperature(0), llms.WithMaxTokens(asked.MaxTokens), llms.WithJSONMode())
		if err != nil {
			return model.Reply{}, err
		}
		return replyOf(answer), nil
	}, c)
}

func contents(c model.Conversation) []llms.MessageContent {
	var all []llms.MessageContent
	if c.System != "" {
		all = append(all, llms.TextParts(llms.ChatMessageTypeSystem, c.System))
	}
	for _, m := range c.Messages {
		role := llms.ChatMessageTypeHuman
		if m.Role == model.RoleAssistant {
			role = llms.ChatMessageTypeAI
		}
		all = append(all, llms.TextParts(role, m.Text))
	}
	return all
}

// replyOf joins what a model said, which may come in several blocks, each with the usage
// of all in its provider's words.
func replyOf(answer *llms.ContentResponse) model.Reply {
	var r model.Reply
	for _, choice := range answer.Choices {
		r.Text += choice.Content
		r.Cut = r.Cut || choice.StopReason == "length" || choice.StopReason == "max_tokens"
		r.InputTokens = most(r.InputTokens, choice, "PromptTokens", "InputTokens", "input_tokens")
		r.OutputTokens = most(r.OutputTokens, choice, "CompletionTokens", "OutputTokens", "output_tokens")
		r.CachedTokens = most(r.CachedTokens, choice, "PromptCachedTokens", "CacheReadInputTokens")
	}
	return r
}

func most(known int, choice *llms.ContentChoice, names ...string) int {
	for _, name := range names {
		if n, ok := choice.GenerationInfo[name].(int); ok {
			known = max(known, n)
		}
	}
	return known
}
