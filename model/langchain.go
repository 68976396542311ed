package model

import (
	"context"
	"errors"
	"strings"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"
	"github.com/tmc/langchaingo/llms/ollama"
	"github.com/tmc/langchaingo/llms/openai"
)

// NewLLM wraps any model of langchaingo. Of c it heeds MaxTokens, Timeout and
// Prices; limits, retries and enforced schemas need the transport that only
// [OpenLLM] has, so the schema goes into the prompt.
func NewLLM(name string, m llms.Model, c Config) *LLM {
	return &LLM{
		name: name, chat: chatOf(m, llms.WithJSONMode()), provider: provider{name: name},
		config: c.withDefaults(), known: &knowledge{},
	}
}

// openChat returns a model of a provider. Everything langchaingo would read
// from the environment is given to it.
func openChat(p provider, name string, c Config) (chat, error) {
	key, client := c.APIKey, p.client(c)
	if key == "" {
		key = "none" // servers without keys do not look; langchaingo insists on one
	}
	var m llms.Model
	var err error
	switch p.dialect {
	case anthropicMessages:
		m, err = anthropic.New(anthropic.WithModel(name), anthropic.WithToken(key),
			anthropic.WithBaseURL(p.baseURL), anthropic.WithHTTPClient(client))
	case ollamaChat:
		m, err = ollama.New(ollama.WithModel(name), ollama.WithServerURL(p.baseURL), ollama.WithHTTPClient(client))
	default:
		m, err = openai.New(openai.WithModel(name), openai.WithToken(key), openai.WithBaseURL(p.baseURL),
			openai.WithHTTPClient(client), openai.WithOrganization(""))
	}
	if err != nil {
		return nil, err
	}
	return chatOf(m), nil
}

func chatOf(m llms.Model, options ...llms.CallOption) chat {
	return func(ctx context.Context, messages []message, maxTokens int) (reply, error) {
		all := append([]llms.CallOption{llms.WithTemperature(0), llms.WithMaxTokens(maxTokens)}, options...)
		response, err := m.GenerateContent(ctx, contents(messages), all...)
		if isEmpty(err) {
			err = errNoAnswer
		}
		if err != nil {
			return reply{}, err
		}
		return replyOf(response)
	}
}

func contents(messages []message) []llms.MessageContent {
	roles := map[role]llms.ChatMessageType{
		system: llms.ChatMessageTypeSystem, user: llms.ChatMessageTypeHuman, assistant: llms.ChatMessageTypeAI,
	}
	all := make([]llms.MessageContent, len(messages))
	for i, m := range messages {
		all[i] = llms.TextParts(roles[m.role], m.text)
	}
	return all
}

// isEmpty is whether an error of langchaingo says that there were no choices.
func isEmpty(err error) bool {
	return errors.Is(err, openai.ErrEmptyResponse) || errors.Is(err, anthropic.ErrEmptyResponse) || errors.Is(err, ollama.ErrEmptyResponse) ||
		err != nil && strings.HasSuffix(err.Error(), "empty response") // of its internal packages
}

// replyOf joins what a model said. Anthropic has a choice for each block of one
// answer; where a tool was to be called, its arguments are the answer.
func replyOf(response *llms.ContentResponse) (reply, error) {
	r := reply{usage: usageIn(response)}
	var text strings.Builder
	for _, choice := range response.Choices {
		r.cut = r.cut || choice.StopReason == "length" || choice.StopReason == "max_tokens"
		text.WriteString(choice.Content)
	}
	r.text = text.String()
	for _, choice := range response.Choices {
		if len(choice.ToolCalls) > 0 && choice.ToolCalls[0].FunctionCall != nil {
			r.text = choice.ToolCalls[0].FunctionCall.Arguments
		}
	}
	if strings.TrimSpace(r.text) == "" && !r.cut {
		return r, errNoAnswer
	}
	return r, nil
}

// usageIn reads the usage that langchaingo's providers report in their own
// words, the same again in every choice.
func usageIn(response *llms.ContentResponse) usage {
	var u usage
	most := func(into *int, info map[string]any, names ...string) {
		for _, name := range names {
			if n, ok := info[name].(int); ok {
				*into = max(*into, n)
			}
		}
	}
	for _, choice := range response.Choices {
		most(&u.input, choice.GenerationInfo, "PromptTokens", "InputTokens", "input_tokens")
		most(&u.output, choice.GenerationInfo, "CompletionTokens", "OutputTokens", "output_tokens")
		most(&u.cached, choice.GenerationInfo, "PromptCachedTokens", "CacheReadInputTokens")
	}
	return u
}
