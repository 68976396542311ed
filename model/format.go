package model

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// object is a JSON object with undecoded values.
type object map[string]json.RawMessage

// set assigns a value that can always be marshalled.
func (o object) set(key string, value any) {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("model: marshal %s: %v", key, err)) // only literals of this package come here
	}
	o[key] = raw
}

// fixedTemperature matches reasoning models, which refuse a temperature.
var fixedTemperature = regexp.MustCompile(`^(openai/)?(o\d|gpt-5)|claude-(opus-4-[7-9]|fable|mythos|[a-z]+-[5-9])`)

// rewrite adds to a request body what langchaingo cannot.
func (p provider) rewrite(body []byte, x *exchange) ([]byte, error) {
	if x.shape == nil && !x.tools {
		return body, nil
	}
	var o object
	if err := json.Unmarshal(body, &o); err != nil {
		return nil, fmt.Errorf("read the request: %w", err)
	}
	var model string
	_ = json.Unmarshal(o["model"], &model)
	if x.refused.temperature || fixedTemperature.MatchString(model) {
		delete(o, "temperature")
	}
	switch p.dialect {
	case openAI:
		p.rewriteOpenAI(o, x)
	case anthropicMessages:
		rewriteAnthropic(o, x)
	case ollamaChat:
		rewriteOllama(o, x, len(body))
	}
	return json.Marshal(o)
}

func (p provider) rewriteOpenAI(o object, x *exchange) {
	delete(o, "response_format")
	switch x.mode {
	case StructuredSchema:
		o.set("response_format", map[string]any{
			"type":        "json_schema",
			"json_schema": map[string]any{"name": nameOnWire(x.prompt), "strict": x.shape.strict, "schema": x.shape.wire},
		})
	case StructuredJSON:
		o.set("response_format", map[string]string{"type": "json_object"})
	}
	// OpenAI renamed the field; nearly all other servers kept the old name.
	from, to := "max_completion_tokens", "max_tokens"
	if (p.name == "openai") != x.refused.tokensField {
		from, to = to, from
	}
	if n, ok := o[from]; ok {
		delete(o, from)
		o[to] = n
	}
}

func rewriteAnthropic(o object, x *exchange) {
	name := nameOnWire(x.prompt)
	switch x.mode {
	case StructuredSchema:
		o.set("output_config", map[string]any{
			"format": map[string]any{"type": "json_schema", "schema": x.shape.wire},
		})
	case StructuredJSON:
		o.set("tools", []any{map[string]any{
			"name": name, "description": "Takes the answer.", "input_schema": x.shape.wire,
		}})
		o.set("tool_choice", map[string]any{"type": "tool", "name": name, "disable_parallel_tool_use": true})
	}
}

func rewriteOllama(o object, x *exchange, size int) {
	delete(o, "format")
	switch x.mode {
	case StructuredSchema:
		o["format"] = x.shape.wire
	case StructuredJSON:
		o.set("format", "json")
	}
	options := object{}
	_ = json.Unmarshal(o["options"], &options)
	var answer int
	_ = json.Unmarshal(options["num_predict"], &answer)
	if x.refused.temperature {
		delete(options, "temperature")
	}
	options.set("num_ctx", contextFor(size/3+answer))
	o.set("options", options)
}

// contextFor returns the context window to request from Ollama, whose default
// would silently drop the excess. There are few sizes, since a change of window
// reloads the model.
func contextFor(tokens int) int {
	window := 8192
	for window < tokens && window < 1<<17 {
		window *= 2
	}
	return window
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// nameOnWire returns a prompt's name in the characters that providers allow.
func nameOnWire(prompt string) string {
	name := notInNames.ReplaceAllString(prompt, "_")
	if name == "" {
		return "answer"
	}
	return name[:min(len(name), 64)]
}

// inPrompt reports whether the schema must go into the prompt.
func (p provider) inPrompt(mode Structured) bool {
	return mode == StructuredPrompt || mode == StructuredJSON && p.dialect != anthropicMessages
}

// withSchema adds the schema to a system prompt.
func withSchema(system, prompt string, s *shape) string {
	return strings.TrimSpace(system + "\n\nThe answer to " + nameOnWire(prompt) +
		" is one JSON object and nothing else, without any text around it. It matches this JSON schema:\n" + string(s.wire))
}

// seen is what a response says beside the answer.
type seen struct {
	usage    usage
	answered bool
	cut      bool
	refusal  string
}

// inspect reads from a response what langchaingo does not pass on.
func (d dialect) inspect(data []byte) seen {
	switch d {
	case anthropicMessages:
		return inspectAnthropic(data)
	case ollamaChat:
		return inspectOllama(data)
	default:
		return inspectOpenAI(data)
	}
}

func inspectOpenAI(data []byte) seen {
	var r struct {
		Choices []struct {
			FinishReason string `json:"finish_reason"`
			Message      struct {
				Refusal string `json:"refusal"`
			} `json:"message"`
		} `json:"choices"`
		Usage struct {
			Prompt     int `json:"prompt_tokens"`
			Completion int `json:"completion_tokens"`
			Details    struct {
				Cached int `json:"cached_tokens"`
			} `json:"prompt_tokens_details"`
		} `json:"usage"`
	}
	_ = json.Unmarshal(data, &r) // langchaingo says what is wrong with it
	s := seen{usage: usage{r.Usage.Prompt, r.Usage.Completion, r.Usage.Details.Cached}}
	if len(r.Choices) > 0 {
		s.answered = true
		s.cut = r.Choices[0].FinishReason == "length" || r.Choices[0].FinishReason == "model_length" // Mistral
		s.refusal = r.Choices[0].Message.Refusal
		if r.Choices[0].FinishReason == "content_filter" {
			s.refusal = "the provider's content filter stopped it"
		}
	}
	return s
}

func inspectAnthropic(data []byte) seen {
	var r struct {
		StopReason string `json:"stop_reason"`
		Usage      struct {
			Input    int `json:"input_tokens"`
			Output   int `json:"output_tokens"`
			Read     int `json:"cache_read_input_tokens"`
			Creation int `json:"cache_creation_input_tokens"`
		} `json:"usage"`
	}
	_ = json.Unmarshal(data, &r)
	s := seen{
		usage:    usage{r.Usage.Input + r.Usage.Read + r.Usage.Creation, r.Usage.Output, r.Usage.Read},
		answered: r.StopReason != "",
		cut:      r.StopReason == "max_tokens" || r.StopReason == "model_context_window_exceeded",
	}
	if r.StopReason == "refusal" {
		s.refusal = "the model refuses to answer"
	}
	return s
}

// inspectOllama reads the last line of a stream; an answer with embeddings is
// one line.
func inspectOllama(data []byte) seen {
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	var r struct {
		DoneReason string `json:"done_reason"`
		Input      int    `json:"prompt_eval_count"`
		Output     int    `json:"eval_count"`
	}
	_ = json.Unmarshal([]byte(lines[len(lines)-1]), &r)
	return seen{usage: usage{input: r.Input, output: r.Output}, answered: r.DoneReason != "", cut: r.DoneReason == "length"}
}

// readable changes in a response what langchaingo cannot read.
func (d dialect) readable(data []byte) []byte {
	var o object
	if json.Unmarshal(data, &o) != nil || !(d == openAI && o.joinParts() || d == anthropicMessages && o.dropUnknown()) {
		return data
	}
	cleaned, err := json.Marshal(o)
	if err != nil {
		return data
	}
	return cleaned
}

// joinParts makes one text of messages whose content is a list of parts, as models that think and
// gateways send them, and reports whether there are messages. Thoughts are no part of the text.
func (o object) joinParts() bool {
	var choices []object
	if json.Unmarshal(o["choices"], &choices) != nil {
		return false
	}
	for _, choice := range choices {
		var message object
		var parts []struct{ Type, Text string }
		if json.Unmarshal(choice["message"], &message) != nil || json.Unmarshal(message["content"], &parts) != nil || parts == nil {
			continue
		}
		text := ""
		for _, part := range parts {
			if part.Type == "text" || part.Type == "output_text" {
				text += part.Text
			}
		}
		message.set("content", text)
		choice.set("message", message)
	}
	o.set("choices", choices)
	return true
}

// dropUnknown drops all blocks of a message but texts and calls, and reports whether there are
// blocks.
func (o object) dropUnknown() bool {
	var blocks []json.RawMessage
	if json.Unmarshal(o["content"], &blocks) != nil {
		return false
	}
	known := []json.RawMessage{}
	for _, block := range blocks {
		var kind struct {
			Type string `json:"type"`
		}
		if json.Unmarshal(block, &kind) == nil && (kind.Type == "text" || kind.Type == "tool_use") {
			known = append(known, block)
		}
	}
	o.set("content", known)
	return true
}

// messageIn returns the message of an error body, in any of the providers'
// forms.
func messageIn(data []byte) string {
	var list []json.RawMessage
	if json.Unmarshal(data, &list) == nil && len(list) > 0 {
		data = list[0]
	}
	var o struct {
		Error   json.RawMessage `json:"error"`
		Message json.RawMessage `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(data, &o) != nil {
		return cutTo(strings.Join(strings.Fields(string(data)), " "), 300)
	}
	var inner struct {
		Message string          `json:"message"`
		Code    json.RawMessage `json:"code"`
		Type    string          `json:"type"`
	}
	for _, raw := range []json.RawMessage{o.Error, o.Message, o.Detail} {
		if len(raw) == 0 {
			continue
		}
		var text string
		if json.Unmarshal(raw, &text) == nil && text != "" {
			return cutTo(text, 500)
		}
		if json.Unmarshal(raw, &inner) == nil && inner.Message != "" {
			var code string
			if json.Unmarshal(inner.Code, &code) == nil && code != "" {
				return cutTo(inner.Message, 500) + " (" + cutTo(code, 60) + ")"
			}
			return cutTo(inner.Message, 500)
		}
		if text == "" && inner.Type == "" && raw[0] != '[' {
			return ""
		}
	}
	return cutTo(strings.Join(strings.Fields(string(data)), " "), 300)
}

// failure is the part of a response that tells an error.
type failure struct {
	Error object `json:"error"`
}

// failedWithin returns the status and the body of an error that came with status 200, as OpenRouter
// sends one once it has begun to answer, with what it has so far or nothing. 0: there is none.
func (d dialect) failedWithin(data []byte) (status int, said []byte) {
	var r struct {
		failure
		Choices []failure         `json:"choices"`
		Data    []json.RawMessage `json:"data"`
	}
	if d != openAI || json.Unmarshal(data, &r) != nil || len(r.Data) > 0 {
		return 0, nil
	}
	found := r.failure
	if len(r.Choices) > 0 {
		found = r.Choices[0]
	}
	if found.Error == nil {
		return 0, nil
	}
	said, _ = json.Marshal(found) // it was read from JSON
	if code, err := strconv.Atoi(strings.Trim(string(found.Error["code"]), `"`)); err == nil && code >= 400 && code < 600 {
		return code, said
	}
	return http.StatusBadGateway, said
}
