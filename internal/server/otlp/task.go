package otlp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
)

// task returns what the run had to do: annals.task, or the last message of the user.
func (s *span) task() string {
	for _, found := range []func() string{
		func() string { return s.text("annals.task") },
		func() string { return lastUser(s.attributes["gen_ai.input.messages"], false) },
		s.asked,
		s.prompted,
		func() string { return lastUser(s.attributes["gen_ai.prompt"], true) },
	} {
		if task := strings.TrimSpace(cut(found(), maxTask)); task != "" {
			return task
		}
	}
	return ""
}

// asked returns the last message of the user in the events of a span, where earlier conventions put
// it.
func (s *span) asked() (said string) {
	for _, e := range s.events {
		switch e.name {
		case "gen_ai.user.message":
			said = cmp.Or(contentOf(parsed(e.attributes["content"])), cmp.Or(contentOf(parsed(e.attributes["gen_ai.event.content"])), said))
		case "gen_ai.content.prompt":
			said = cmp.Or(lastUser(e.attributes["gen_ai.prompt"], true), said)
		case "gen_ai.client.inference.operation.details":
			said = cmp.Or(lastUser(e.attributes["gen_ai.input.messages"], false), said)
		}
	}
	return said
}

// prompted returns the last message of the user in attributes such as gen_ai.prompt.0.content.
func (s *span) prompted() (said string) {
	for i := 0; ; i++ {
		role, known := s.attributes[fmt.Sprintf("gen_ai.prompt.%d.role", i)]
		if !known {
			return said
		}
		if isUser(role) {
			said = cmp.Or(contentOf(parsed(s.attributes[fmt.Sprintf("gen_ai.prompt.%d.content", i)])), said)
		}
	}
}

// lastUser returns the last message of the user in a list of messages, which may be JSON in a text.
// With plain, any other text counts as the message.
func lastUser(value any, plain bool) (said string) {
	switch v := parsed(value).(type) {
	case string:
		if plain {
			return v
		}
	case []any:
		for _, one := range v {
			said = cmp.Or(lastUser(one, false), said)
		}
	case map[string]any:
		if v["messages"] != nil {
			return lastUser(v["messages"], plain)
		}
		if isUser(v["role"]) {
			return cmp.Or(contentOf(v["parts"]), contentOf(v["content"]))
		}
	}
	return said
}

func isUser(role any) bool { return role == "user" || role == "human" }

// contentOf returns the text of a message, which is a text or a list of parts.
func contentOf(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case []any:
		var texts []string
		for _, part := range v {
			if text := contentOf(part); text != "" {
				texts = append(texts, text)
			}
		}
		return strings.Join(texts, "\n")
	case map[string]any:
		if kind, typed := v["type"]; typed && kind != "text" && kind != "input_text" {
			return "" // an image or a call of a tool
		}
		return cmp.Or(contentOf(v["content"]), contentOf(v["text"]))
	}
	return ""
}

// parsed returns a value; a text that holds JSON is decoded.
func parsed(value any) any {
	text, ok := value.(string)
	if trimmed := strings.TrimSpace(text); ok && trimmed != "" && strings.ContainsRune("[{", rune(trimmed[0])) {
		var found any
		if json.Unmarshal([]byte(trimmed), &found) == nil {
			return found
		}
	}
	return value
}
