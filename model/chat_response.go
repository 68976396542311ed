package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// seen is what the body of a response says beside the answer.
type seen struct {
	usage   usage
	cut     bool
	refusal string
}

// inspect reads from a response of any kind what it says beside the answer.
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
	_ = json.Unmarshal(data, &r) // who reads the answer says what is wrong with it
	s := seen{usage: usage{r.Usage.Prompt, r.Usage.Completion, r.Usage.Details.Cached}}
	if len(r.Choices) > 0 {
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
		usage: usage{r.Usage.Input + r.Usage.Read + r.Usage.Creation, r.Usage.Output, r.Usage.Read},
		cut:   r.StopReason == "max_tokens" || r.StopReason == "model_context_window_exceeded",
	}
	if r.StopReason == "refusal" {
		s.refusal = "the model refuses to answer"
	}
	return s
}

// inspectOllama reads the last line of a stream; embeddings come as one line.
func inspectOllama(data []byte) seen {
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	var r struct {
		DoneReason string `json:"done_reason"`
		Input      int    `json:"prompt_eval_count"`
		Output     int    `json:"eval_count"`
	}
	_ = json.Unmarshal([]byte(lines[len(lines)-1]), &r)
	return seen{usage: usage{input: r.Input, output: r.Output}, cut: r.DoneReason == "length"}
}

// readChat reads what a model said. Ways to put an answer that are not known, such as
// thoughts, are left out.
func (d dialect) readChat(data []byte) (Said, error) {
	switch d {
	case anthropicMessages:
		return readAnthropic(data)
	case ollamaChat:
		return readOllamaChat(data)
	default:
		return readOpenAIChat(data)
	}
}

func readOpenAIChat(data []byte) (Said, error) {
	var r struct {
		Choices []struct {
			Message struct {
				Content string `json:"content"`
				Calls   []struct {
					ID       string   `json:"id"`
					Function ToolCall `json:"function"`
				} `json:"tool_calls"`
			} `json:"message"`
		} `json:"choices"`
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return Said{}, err
	}
	if len(r.Choices) == 0 {
		return Said{}, errNoAnswer
	}
	said := Said{Text: r.Choices[0].Message.Content}
	for _, call := range r.Choices[0].Message.Calls {
		call.Function.ID = call.ID
		said.Calls = append(said.Calls, call.Function)
	}
	return said, nil
}

func readAnthropic(data []byte) (Said, error) {
	var r struct {
		Content []struct {
			Type  string          `json:"type"`
			Text  string          `json:"text"`
			ID    string          `json:"id"`
			Name  string          `json:"name"`
			Input json.RawMessage `json:"input"`
		} `json:"content"`
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return Said{}, err
	}
	var said Said
	known := false
	for _, block := range r.Content {
		switch block.Type {
		case "text":
			known = true
			said.Text += block.Text
		case "tool_use":
			known = true
			said.Calls = append(said.Calls, ToolCall{ID: block.ID, Name: block.Name, Arguments: string(block.Input)})
		}
	}
	if !known {
		return said, errNoAnswer
	}
	return said, nil
}

// readOllamaChat reads one message, or the pieces of one.
func readOllamaChat(data []byte) (Said, error) {
	var said Said
	for line := range bytes.Lines(bytes.TrimSpace(data)) {
		var piece struct {
			Error   string `json:"error"`
			Message struct {
				Content string `json:"content"`
			} `json:"message"`
		}
		if err := json.Unmarshal(line, &piece); err != nil {
			return Said{}, err
		}
		if piece.Error != "" {
			return Said{}, errors.New(piece.Error)
		}
		said.Text += piece.Message.Content
	}
	return said, nil
}

// messageIn finds what an error says, in any of the forms providers have for it.
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
