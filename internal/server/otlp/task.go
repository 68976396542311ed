package otlp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
)

// task is what was to be done: annals.task, or what the user said last.
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

// asked is what the user said last by the events of a span, as earlier conventions had
// them.
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

// prompted is what the user said last by attributes like gen_ai.prompt.0.content.
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

// lastUser is what the user said last in a list of messages, as values or as JSON in a
// text. With plain a text that is no such list is what was said.
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

// contentOf is the text of a message: a text, or parts some of which are.
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
			return "" // an image, a call of a tool
		}
		return cmp.Or(contentOf(v["content"]), contentOf(v["text"]))
	}
	return ""
}

// parsed is a value, or what the JSON in a text is.
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
