package doors_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/agent"
)

// told is a memory that all interfaces read: that of a user of Zep's clients, whose messages are
// also an agent's.
type told struct {
	*service
	group string
	agent *agent.Agent
}

// said is a message of a story.
type said struct{ day, actor, role, text string }

// tells fills a memory with a story. Its name is the user's.
func (s *service) tells(t *testing.T, name string, story []said) told {
	t.Helper()
	m := told{s, project + name, nil}
	s.must(t, nil, attempt{method: "POST", path: "/api/v2/users", body: fmt.Sprintf(`{"user_id": %q, "first_name": %q}`, name, name)})
	s.must(t, nil, attempt{method: "POST", path: "/api/v2/threads", body: fmt.Sprintf(`{"thread_id": "chat-%[1]s", "user_id": %[1]q}`, name)})
	var err error
	if m.agent, err = agent.New(s.client, agent.Options{}).Create(t.Context(), agent.Spec{GroupID: m.group, Name: "Helper"}); err != nil {
		t.Fatal(err)
	}
	for _, one := range story {
		at, err := time.Parse(time.DateOnly, one.day)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.client.Add(t.Context(), annals.Episode{
			GroupID: m.group, Source: "message", Content: one.text, Actor: one.actor, Role: one.role, OccurredAt: at, ThreadID: "agent/" + m.agent.ID.String(),
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.client.Process(t.Context(), m.group, nil); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// ways are the ways to query a memory. Each returns parts that readers see separately: lines with
// the lines indented below them, or the objects of a list.
var ways = map[string]func(t *testing.T, m told, question string) []string{
	"library": func(t *testing.T, m told, question string) []string { return lines(m.context(t, question, 0)) },
	"library in 90 tokens": func(t *testing.T, m told, question string) []string {
		return lines(m.context(t, question, 90))
	},
	"rest context": func(t *testing.T, m told, question string) []string {
		return lines(m.text(t, "POST", "/v1/groups/"+m.group+"/context", object{"query": question}, "context"))
	},
	"rest thread": func(t *testing.T, m told, question string) []string {
		return lines(m.text(t, "POST", "/v1/groups/"+m.group+"/threads/asking/messages", object{
			"messages": []object{{"content": question, "role": "user", "actor": "Asker"}}, "return_context": true,
		}, "context"))
	},
	"rest search": func(t *testing.T, m told, question string) []string {
		return m.objects(t, "POST", "/v1/groups/"+m.group+"/search", object{"query": question, "include_ended": true}, "facts", "entities", "episodes")
	},
	"rest episodes": func(t *testing.T, m told, _ string) []string {
		return m.objects(t, "GET", "/v1/groups/"+m.group+"/episodes", nil, "episodes")
	},
	"rest facts": func(t *testing.T, m told, _ string) []string {
		return m.objects(t, "GET", "/v1/groups/"+m.group+"/facts", nil, "facts")
	},
	"mcp get_context": func(t *testing.T, m told, question string) []string {
		return lines(m.tool(t, "get_context", object{"query": question}))
	},
	"mcp search_memory_facts": func(t *testing.T, m told, question string) []string {
		return lines(m.tool(t, "search_memory_facts", object{"query": question, "include_ended": true}))
	},
	"mcp search_nodes": func(t *testing.T, m told, question string) []string {
		return lines(m.tool(t, "search_nodes", object{"query": question}))
	},
	"mcp get_episodes": func(t *testing.T, m told, _ string) []string {
		return lines(m.tool(t, "get_episodes", object{"max_episodes": 20}))
	},
	"mcp memory_as_of": func(t *testing.T, m told, _ string) []string {
		return lines(m.tool(t, "memory_as_of", object{"known_at": "2100-01-01"}))
	},
	"mcp memory_timeline": func(t *testing.T, m told, _ string) []string {
		return lines(m.tool(t, "memory_timeline", object{}))
	},
	"mcp recall": func(t *testing.T, m told, question string) []string {
		return lines(m.prompt(t, "recall", object{"question": question}))
	},
	"mcp what_changed": func(t *testing.T, m told, _ string) []string {
		return lines(m.prompt(t, "what_changed", object{"since": "2020-01-01"}))
	},
	"mcp resource": func(t *testing.T, m told, _ string) []string {
		return lines(m.resource(t, "annals://groups/"+url.QueryEscape(m.group)+"/entities/"+m.user()))
	},
	"zep context": func(t *testing.T, m told, question string) []string {
		thread := "/api/v2/threads/chat-" + m.name() + "/"
		m.must(t, nil, attempt{method: "POST", path: thread + "messages", body: bodyOf(object{"messages": []object{{"content": question, "role": "system"}}})})
		return lines(m.text(t, "GET", thread+"context", nil, "context"))
	},
	"zep edges": func(t *testing.T, m told, question string) []string {
		return m.objects(t, "POST", "/api/v2/graph/search", object{"user_id": m.name(), "query": question, "scope": "edges"}, "edges")
	},
	"zep nodes": func(t *testing.T, m told, question string) []string {
		return m.objects(t, "POST", "/api/v2/graph/search", object{"user_id": m.name(), "query": question, "scope": "nodes"}, "nodes")
	},
	"zep episodes": func(t *testing.T, m told, question string) []string {
		return m.objects(t, "POST", "/api/v2/graph/search", object{"user_id": m.name(), "query": question, "scope": "episodes"}, "episodes")
	},
	"zep all": func(t *testing.T, m told, question string) []string {
		return lines(m.text(t, "POST", "/api/v2/graph/search", object{"user_id": m.name(), "query": question, "scope": "auto"}, "context"))
	},
	"zep lists": func(t *testing.T, m told, _ string) []string {
		return append(m.objects(t, "GET", "/api/v2/graph/episodes/user/"+m.name()+"?lastn=20", nil, "episodes"),
			m.objects(t, "POST", "/api/v2/graph/edge/user/"+m.name(), object{}, "")...)
	},
	"graphiti search": func(t *testing.T, m told, question string) []string {
		return m.objects(t, "POST", "/search", object{"group_ids": []string{m.group}, "query": question}, "facts")
	},
	"graphiti memory": func(t *testing.T, m told, question string) []string {
		return m.objects(t, "POST", "/get-memory", object{"group_id": m.group, "messages": []object{{"content": question, "role_type": "user", "role": "Asker"}}}, "facts")
	},
	"graphiti episodes": func(t *testing.T, m told, _ string) []string {
		return m.objects(t, "GET", "/episodes/"+m.group+"?last_n=20", nil, "")
	},
	"sql": func(t *testing.T, m told, question string) []string {
		var text string
		err := m.client.InSnapshot(t.Context(), m.group, func(tx pgx.Tx) error {
			return tx.QueryRow(t.Context(), `SELECT annals.context($1, $2)`, m.group, question).Scan(&text)
		})
		if err != nil {
			t.Fatal(err)
		}
		return lines(text)
	},
	"agent recall": func(t *testing.T, m told, question string) []string {
		found, _, err := m.agent.Recall(t.Context(), agent.RecallQuery{Text: question, Limit: 20})
		if err != nil {
			t.Fatal(err)
		}
		return parts(t, found)
	},
}

// object is a JSON object.
type object map[string]any

func bodyOf(o object) string {
	text, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// lines splits a text into lines, each with the indented ones below it. It omits tags, blank lines
// and headings.
func lines(text string) []string {
	var parts []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "  - ") && len(parts) > 0:
			parts[len(parts)-1] += "\n" + line
		case strings.HasPrefix(strings.TrimLeft(line, " "), "- "):
			parts = append(parts, strings.TrimLeft(line, " "))
		case line != "" && !strings.HasPrefix(line, "<") && !strings.HasPrefix(line, "#"):
			parts = append(parts, line)
		}
	}
	return parts
}

// parts returns the objects of a list as JSON.
func parts[Row any](t *testing.T, list []Row) []string {
	t.Helper()
	var parts []string
	for _, row := range list {
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(row); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, strings.TrimSpace(text.String()))
	}
	return parts
}

func (m told) name() string { return strings.TrimPrefix(m.group, project) }

// user returns the name of the user's entity.
func (m told) user() string { return m.name() }

func (m told) context(t *testing.T, question string, tokens int) string {
	t.Helper()
	text, err := m.client.ContextAs(t.Context(), annals.Query{GroupID: m.group, Text: question}, annals.Construction{Tokens: tokens})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// answered sends a request and decodes the answer.
func (s *service) answered(t *testing.T, method, path string, body object, into any) {
	t.Helper()
	a := attempt{method: method, path: path}
	if body != nil {
		a.body = bodyOf(body)
	}
	s.must(t, into, a)
}

func (m told) text(t *testing.T, method, path string, body object, field string) string {
	t.Helper()
	var answer map[string]any
	m.answered(t, method, path, body, &answer)
	text, _ := answer[field].(string)
	return text
}

// objects returns the objects of lists in an answer; the field "" stands for the answer itself.
func (m told) objects(t *testing.T, method, path string, body object, fields ...string) []string {
	t.Helper()
	if fields[0] == "" {
		var list []json.RawMessage
		m.answered(t, method, path, body, &list)
		return parts(t, list)
	}
	var answer map[string]json.RawMessage
	m.answered(t, method, path, body, &answer)
	var all []string
	for _, field := range fields {
		var list []json.RawMessage
		if text := answer[field]; text != nil {
			if err := json.Unmarshal(text, &list); err != nil {
				t.Fatalf("%s of %s: %v", field, path, err)
			}
		}
		all = append(all, parts(t, list)...)
	}
	return all
}

// rpc calls a method of MCP and returns the text in its result.
func (m told) rpc(t *testing.T, method string, params object) string {
	t.Helper()
	var answer struct {
		Result struct {
			IsError  bool
			Content  []struct{ Text string }
			Contents []struct{ Text string }
			Messages []struct{ Content struct{ Text string } }
		}
		Error any
	}
	m.answered(t, "POST", "/mcp", object{"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, &answer)
	r := answer.Result
	switch {
	case answer.Error != nil || r.IsError:
		t.Fatalf("%s %v: %+v", method, params, answer)
	case len(r.Content) > 0:
		return r.Content[0].Text
	case len(r.Contents) > 0:
		return r.Contents[0].Text
	case len(r.Messages) > 0:
		return r.Messages[0].Content.Text
	}
	return ""
}

func (m told) tool(t *testing.T, name string, arguments object) string {
	t.Helper()
	arguments["group_ids"], arguments["group_id"] = []string{m.group}, m.group
	if name == "memory_timeline" {
		delete(arguments, "group_ids")
	} else {
		delete(arguments, "group_id")
	}
	return m.rpc(t, "tools/call", object{"name": name, "arguments": arguments})
}

func (m told) prompt(t *testing.T, name string, arguments object) string {
	t.Helper()
	arguments["group_id"] = m.group
	return m.rpc(t, "prompts/get", object{"name": name, "arguments": arguments})
}

func (m told) resource(t *testing.T, uri string) string {
	t.Helper()
	return m.rpc(t, "resources/read", object{"uri": uri})
}
