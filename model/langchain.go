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

// NewLLM wraps any langchaingo model. It uses only MaxTokens, Timeout and Prices
// of c. Limits, retries and enforced schemas need the transport of [OpenLLM]; here
// the schema goes into the prompt.
func NewLLM(name string, m llms.Model, c Config) *LLM {
	return &LLM{
		name: name, chat: chatOf(m, llms.WithJSONMode()), provider: provider{name: name},
		config: c.withDefaults(), known: &knowledge{},
	}
}

// openChat returns a provider's model. It sets everything that langchaingo would
// otherwise read from the environment.
func openChat(p provider, name string, c Config) (chat, error) {
	key, client := c.APIKey, p.client(c)
	if key == "" {
		key = "none" // servers without keys ignore it; langchaingo requires one
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
	return func(ctx context.Context, messages []message, maxTokens int, tools []Tool) (reply, error) {
		all := []llms.CallOption{llms.WithTemperature(0), llms.WithMaxTokens(maxTokens)}
		if tools == nil {
			all = append(all, options...)
		} else {
			all = append(all, llms.WithTools(offered(tools)))
		}
		response, err := m.GenerateContent(ctx, contents(messages), all...)
		if isEmpty(err) {
			err = errNoAnswer
		}
		if err != nil {
			return reply{}, err
		}
		if tools != nil {
			return spokenIn(response), nil
		}
		return replyOf(response)
	}
}

func contents(messages []message) []llms.MessageContent {
	roles := map[role]llms.ChatMessageType{
		system: llms.ChatMessageTypeSystem, user: llms.ChatMessageTypeHuman, assistant: llms.ChatMessageTypeAI,
	}
	var all []llms.MessageContent
	for _, m := range messages {
		switch {
		case m.role == tool:
			all = append(all, llms.MessageContent{Role: llms.ChatMessageTypeTool, Parts: []llms.ContentPart{
				llms.ToolCallResponse{ToolCallID: m.callID, Name: m.function, Content: m.text},
			}})
			continue
		case m.text != "" || len(m.calls) == 0:
			all = append(all, llms.TextParts(roles[m.role], m.text))
		}
		// The client for Anthropic would drop text beside a call, and all but one
		// of several calls.
		for _, call := range m.calls {
			all = append(all, llms.MessageContent{Role: llms.ChatMessageTypeAI, Parts: []llms.ContentPart{llms.ToolCall{
				ID: call.ID, Type: "function", FunctionCall: &llms.FunctionCall{Name: call.Name, Arguments: call.Arguments},
			}}})
		}
	}
	return all
}

// offered converts functions to langchaingo's type.
func offered(tools []Tool) []llms.Tool {
	all := make([]llms.Tool, len(tools))
	for i, t := range tools {
		all[i] = llms.Tool{Type: "function", Function: &llms.FunctionDefinition{
			Name: t.Name, Description: t.Description, Parameters: t.Parameters,
		}}
	}
	return all
}

// spokenIn returns the text and the function calls of a response; both may be
// missing.
func spokenIn(response *llms.ContentResponse) reply {
	r := reply{usage: usageIn(response)}
	var text strings.Builder
	for _, choice := range response.Choices {
		r.cut = r.cut || choice.StopReason == "length" || choice.StopReason == "max_tokens"
		text.WriteString(choice.Content)
		for _, call := range choice.ToolCalls {
			if call.FunctionCall != nil {
				r.calls = append(r.calls, ToolCall{ID: call.ID, Name: call.FunctionCall.Name, Arguments: call.FunctionCall.Arguments})
			}
		}
	}
	r.text = text.String()
	return r
}

// isEmpty reports whether a langchaingo error means a response without choices.
func isEmpty(err error) bool {
	return errors.Is(err, openai.ErrEmptyResponse) || errors.Is(err, anthropic.ErrEmptyResponse) || errors.Is(err, ollama.ErrEmptyResponse) ||
		err != nil && strings.HasSuffix(err.Error(), "empty response") // of its internal packages
}

// replyOf joins the text of a response. Anthropic returns one choice for each
// block of an answer. If a tool had to be called, its arguments are the answer.
func replyOf(response *llms.ContentResponse) (reply, error) {
	r := spokenIn(response)
	r.calls = nil
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

// usageIn reads the token counts, which langchaingo's providers report under
// different names and repeat in every choice.
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
	return u.countable()
}
