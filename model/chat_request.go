package model

import (
	"encoding/json"
	"regexp"
	"strings"
)

// fixedTemperature are models that think first and refuse to be told how boldly.
var fixedTemperature = regexp.MustCompile(`^(openai/)?(o\d|gpt-5)|claude-(opus-4-[7-9]|fable|mythos|[a-z]+-[5-9])`)

// wishes are how a model is asked.
type wishes struct {
	shape   *shape // of the answer; nil: functions are offered
	mode    Structured
	refused refused
}

// refused are parameters a model turned out not to take.
type refused struct {
	temperature bool
	tokensField bool // the name under which the length of the answer was sent
}

// object is one of JSON.
type object = map[string]any

// chatPath is where a provider is asked to continue a conversation.
func (p provider) chatPath() string {
	return [...]string{openAI: "/chat/completions", anthropicMessages: "/messages", ollamaChat: "/api/chat"}[p.dialect]
}

// chatBody is the request to continue a conversation.
func (p provider) chatBody(model string, c Conversation, w wishes) object {
	body := object{"model": model}
	settings := body
	switch p.dialect {
	case anthropicMessages:
		askAnthropic(body, c, w)
	case ollamaChat:
		settings = object{}
		body["options"] = settings
		askOllama(body, settings, c, w)
	default:
		p.askOpenAI(body, c, w)
	}
	if !w.refused.temperature && !fixedTemperature.MatchString(model) {
		settings["temperature"] = 0
	}
	return body
}

func (p provider) askOpenAI(body object, c Conversation, w wishes) {
	// OpenAI renamed the field; nearly all who speak its protocol kept it.
	tokens := "max_tokens"
	if (p.name == "openai") != w.refused.tokensField {
		tokens = "max_completion_tokens"
	}
	body["messages"], body[tokens] = messagesForOpenAI(c), c.MaxTokens
	var tools []object
	for _, t := range c.Tools {
		tools = append(tools, object{"type": "function", "function": object{"name": t.Name, "description": t.Description, "parameters": t.Parameters}})
	}
	switch {
	case tools != nil:
		body["tools"] = tools
	case w.mode == StructuredSchema:
		body["response_format"] = object{
			"type":        "json_schema",
			"json_schema": object{"name": nameOnWire(c.Name), "strict": w.shape.strict, "schema": w.shape.wire},
		}
	case w.mode == StructuredJSON:
		body["response_format"] = object{"type": "json_object"}
	}
}

// messagesForOpenAI has what a model says beside a call as a message of its own: not all
// servers keep both.
func messagesForOpenAI(c Conversation) []object {
	var all []object
	if c.System != "" {
		all = append(all, object{"role": "system", "content": c.System})
	}
	for _, m := range c.Messages {
		switch {
		case m.Role == RoleTool:
			all = append(all, object{"role": m.Role, "tool_call_id": m.CallID, "content": m.Text})
			continue
		case m.Text != "" || m.Call == nil:
			all = append(all, object{"role": m.Role, "content": m.Text})
		}
		if m.Call != nil {
			all = append(all, object{"role": m.Role, "tool_calls": []object{{
				"id": m.Call.ID, "type": "function", "function": object{"name": m.Call.Name, "arguments": m.Call.Arguments},
			}}})
		}
	}
	return all
}

func askAnthropic(body object, c Conversation, w wishes) {
	body["messages"], body["max_tokens"] = messagesForAnthropic(c), c.MaxTokens
	if c.System != "" {
		body["system"] = c.System
	}
	var tools []object
	for _, t := range c.Tools {
		tools = append(tools, object{"name": t.Name, "description": t.Description, "input_schema": t.Parameters})
	}
	name := nameOnWire(c.Name)
	switch {
	case tools != nil:
		body["tools"] = tools
	case w.mode == StructuredSchema:
		body["output_config"] = object{"format": object{"type": "json_schema", "schema": w.shape.wire}}
	case w.mode == StructuredJSON:
		body["tools"] = []object{{"name": name, "description": "Takes the answer.", "input_schema": w.shape.wire}}
		body["tool_choice"] = object{"type": "tool", "name": name, "disable_parallel_tool_use": true}
	}
}

func messagesForAnthropic(c Conversation) []object {
	var all []object
	for _, m := range c.Messages {
		if m.Role == RoleTool {
			all = append(all, object{"role": RoleUser, "content": []object{{"type": "tool_result", "tool_use_id": m.CallID, "content": m.Text}}})
			continue
		}
		var blocks []object
		if m.Text != "" || m.Call == nil {
			blocks = append(blocks, object{"type": "text", "text": m.Text})
		}
		if m.Call != nil {
			input := json.RawMessage(m.Call.Arguments)
			if !json.Valid(input) {
				input = json.RawMessage("{}")
			}
			blocks = append(blocks, object{"type": "tool_use", "id": m.Call.ID, "name": m.Call.Name, "input": input})
		}
		all = append(all, object{"role": m.Role, "content": blocks})
	}
	return all
}

func askOllama(body, settings object, c Conversation, w wishes) {
	body["messages"], body["stream"] = messagesForOpenAI(c), false
	size := len(c.System)
	for _, m := range c.Messages {
		size += len(m.Text)
	}
	switch w.mode {
	case StructuredSchema:
		body["format"] = w.shape.wire
	case StructuredJSON:
		body["format"] = "json"
	}
	settings["num_predict"], settings["num_ctx"] = c.MaxTokens, contextFor(size/bytesOfWindow+c.MaxTokens)
}

// bytesOfWindow is how many bytes of a prompt are taken for a token, to be sure.
const bytesOfWindow = 3

// contextFor is the context window to ask Ollama for: left alone, it drops what
// does not fit into its default without a word. A model is loaded again when
// the window changes, so there are few sizes.
func contextFor(tokens int) int {
	window := 8192
	for window < tokens && window < 1<<17 {
		window *= 2
	}
	return window
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// nameOnWire is a prompt's name as providers want names to be.
func nameOnWire(prompt string) string {
	name := notInNames.ReplaceAllString(prompt, "_")
	if name == "" {
		return "answer"
	}
	return name[:min(len(name), 64)]
}

// inPrompt reports whether the schema must be in the prompt.
func (p provider) inPrompt(mode Structured) bool {
	return mode == StructuredPrompt || mode == StructuredJSON && p.dialect != anthropicMessages
}

// withSchema adds to a system prompt what the provider does not enforce.
func withSchema(system, prompt string, s *shape) string {
	return strings.TrimSpace(system + "\n\nThe answer to " + nameOnWire(prompt) +
		" is one JSON object and nothing else, without any text around it. It matches this JSON schema:\n" + string(s.wire))
}
