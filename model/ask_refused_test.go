package model_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
)

func TestFallingBackToWhatTheServerCanDo(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		refuses []string
		first   int // calls of the first question
	}{
		"schemas":  {[]string{"json_schema"}, 2},
		"any JSON": {[]string{"json_schema", "json_object"}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := modeltest.NewServer(t, func(r modeltest.Request) modeltest.Reply {
				for _, format := range tt.refuses {
					if strings.Contains(string(r.Body), `"type":"`+format+`"`) {
						return modeltest.Reply{Status: http.StatusBadRequest, Text: "response_format is not supported"}
					}
				}
				if !strings.Contains(r.System, `"people"`) || !strings.HasPrefix(r.System, question.System) {
					t.Errorf("the prompt does not say the schema: %q", r.System)
				}
				return modeltest.Reply{Text: "Here you are:\n```json\n{\"people\":[{\"reason\":\"named\",\"name\":\"Ada\",\"age\":36}]}\n```"}
			})
			l := open(t, model.Config{BaseURL: s.URL})
			wantAda(t, l)
			if s.Chats() != tt.first {
				t.Errorf("%d calls, want %d", s.Chats(), tt.first)
			}
			wantAda(t, l.With(&modeltest.Ledger{}))
			if s.Chats() != tt.first+1 {
				t.Errorf("what the server refuses is not remembered: %d calls more", s.Chats()-tt.first)
			}
			for _, r := range s.Calls() {
				if r.Prompt != question.Name {
					t.Errorf("the server sees the prompt %q", r.Prompt)
				}
			}
		})
	}
}

func TestAnswersThatTheServerFindsInvalid(t *testing.T) {
	t.Parallel()
	groq := modeltest.Reply{Status: http.StatusBadRequest, Text: "Failed to validate JSON (json_validate_failed)"}
	s := modeltest.NewServer(t, script(groq, modeltest.Reply{JSON: ada}))
	l := open(t, model.Config{BaseURL: s.URL})
	wantAda(t, l)
	wantAda(t, l)
	if calls := s.Calls(); len(calls) != 3 || calls[1].Schema == nil || calls[2].Schema == nil {
		t.Errorf("%d calls, and the schema is no longer enforced", len(calls))
	}
}

func TestRefusalsThatAreNotOfTheFormat(t *testing.T) {
	t.Parallel()
	s := modeltest.NewServer(t, says(modeltest.Reply{Status: http.StatusBadRequest, Text: "maximum context length is 4096 tokens"}))
	l := open(t, model.Config{BaseURL: s.URL})
	_, err := ask(t.Context(), l)
	if call, ok := errors.AsType[*model.CallError](err); !ok || call.Status != 400 || s.Chats() != 1 {
		t.Errorf("%d calls, error %v", s.Chats(), err)
	}
	forced := modeltest.NewServer(t, says(modeltest.Reply{Status: http.StatusBadRequest, Text: "no"}))
	if _, err := ask(t.Context(), open(t, model.Config{BaseURL: forced.URL, Structured: model.StructuredSchema})); err == nil || forced.Chats() != 1 {
		t.Errorf("a way that was set is given up: %d calls, error %v", forced.Chats(), err)
	}
}

func TestParametersThatModelsRefuse(t *testing.T) {
	t.Parallel()
	s := modeltest.NewServer(t, func(r modeltest.Request) modeltest.Reply {
		switch body := string(r.Body); {
		case strings.Contains(body, `"temperature"`):
			return modeltest.Reply{Status: 400, Text: "Unsupported value: 'temperature' does not support 0"}
		case strings.Contains(body, `"max_completion_tokens"`):
			return modeltest.Reply{Status: 422, Text: "extra field max_completion_tokens"}
		}
		return modeltest.Reply{JSON: ada}
	})
	l := open(t, model.Config{BaseURL: s.URL})
	wantAda(t, l)
	wantAda(t, l)
	if s.Chats() != 4 || s.Calls()[3].Schema == nil {
		t.Errorf("%d calls, want 3 for the first question and 1 for the second, with its schema", s.Chats())
	}
	thinking := modeltest.NewServer(t, says(modeltest.Reply{JSON: ada}))
	for _, name := range []string{"openai:o1", "openai:o4-mini", "openai:gpt-5.4", "openrouter:openai/o3"} {
		wantAda(t, open(t, model.Config{Model: name, BaseURL: thinking.URL}))
	}
	for _, r := range thinking.Calls() {
		if strings.Contains(string(r.Body), `"temperature"`) {
			t.Errorf("%s is sent a temperature", r.Model)
		}
	}
}
