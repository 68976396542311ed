package doors_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/slow"
)

// A fact is deleted, then the only episode, thread or group that stated it. No interface then has
// an entity whose name nothing supports.
func TestNoNamesAreLeftBehind(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	s := serve(t)
	tool := func(name string, arguments map[string]any) attempt {
		body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": name, "arguments": arguments}})
		if err != nil {
			t.Fatal(err)
		}
		return attempt{method: "POST", path: "/mcp", body: string(body)}
	}
	type doomed struct{ user, group, fact, episode string }
	send := func(method, path string) attempt { return attempt{method: method, path: path} }
	facts := map[string]func(doomed) attempt{
		"rest":     func(d doomed) attempt { return send("DELETE", "/v1/groups/"+d.group+"/facts/"+d.fact) },
		"zep":      func(d doomed) attempt { return send("DELETE", "/api/v2/graph/edge/"+d.fact) },
		"graphiti": func(d doomed) attempt { return send("DELETE", "/entity-edge/"+d.fact) },
		"mcp": func(d doomed) attempt {
			return tool("delete_entity_edge", map[string]any{"uuid": d.fact, "group_id": d.group})
		},
	}
	rest := map[string]func(doomed) attempt{
		"rest episode": func(d doomed) attempt { return send("DELETE", "/v1/groups/"+d.group+"/episodes/"+d.episode) },
		"rest erased": func(d doomed) attempt {
			return send("DELETE", "/v1/groups/"+d.group+"/episodes/"+d.episode+"?erase=true")
		},
		"rest group":       func(d doomed) attempt { return send("DELETE", "/v1/groups/"+d.group) },
		"zep episode":      func(d doomed) attempt { return send("DELETE", "/api/v2/graph/episodes/"+d.episode) },
		"zep thread":       func(d doomed) attempt { return send("DELETE", "/api/v2/threads/visit-"+d.user) },
		"zep group":        func(d doomed) attempt { return send("DELETE", "/api/v2/users/"+d.user) },
		"graphiti episode": func(d doomed) attempt { return send("DELETE", "/episode/"+d.episode) },
		"graphiti group":   func(d doomed) attempt { return send("DELETE", "/group/"+d.group) },
		"graphiti clear": func(d doomed) attempt {
			return attempt{method: "POST", path: "/clear", body: `{"group_ids": ["` + d.group + `"]}`}
		},
		"mcp episode": func(d doomed) attempt {
			return tool("delete_episode", map[string]any{"uuid": d.episode, "group_id": d.group})
		},
		"mcp group": func(d doomed) attempt { return tool("clear_graph", map[string]any{"group_ids": d.group}) },
	}
	n := 0
	for by, fact := range facts {
		for how, what := range rest {
			n++
			d := doomed{user: fmt.Sprintf("patient%d", n), group: fmt.Sprintf("%spatient%d", project, n)}
			s.must(t, nil, attempt{method: "POST", path: "/api/v2/users", body: `{"user_id": "` + d.user + `"}`})
			s.must(t, nil, attempt{method: "POST", path: "/api/v2/threads", body: `{"thread_id": "visit-` + d.user + `", "user_id": "` + d.user + `"}`})
			stored, err := s.client.Add(t.Context(), annals.Episode{
				GroupID: d.group, Content: "My doctor is Dr. Weber. I was diagnosed with HIV.", Actor: "Alice", Role: "assistant", Source: "message", ThreadID: "visit-" + d.user,
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.client.Process(t.Context(), d.group, nil); err != nil {
				t.Fatal(err)
			}
			told, err := s.client.Facts(t.Context(), annals.FactFilter{GroupID: d.group})
			if err != nil || len(told) != 1 {
				t.Fatalf("told is %+v (%v)", told, err)
			}
			d.fact, d.episode = told[0].ID.String(), stored.ID.String()
			attempts := []attempt{fact(d), what(d)}
			if outranked(by, how) { // only the author's own way removes it
				if answer := s.send(t, fact(d)); answer.status >= http.StatusMultipleChoices {
					t.Errorf("the fact by %s: %d %s", by, answer.status, answer.body)
				}
				if answer := s.send(t, what(d)); !strings.Contains(string(answer.body), "is the word of") {
					t.Errorf("the fact by %s, then %s: %d %s, want a refusal", by, how, answer.status, answer.body)
				}
				attempts = []attempt{rest["rest group"](d)}
			}
			for _, a := range attempts {
				if answer := s.send(t, a); answer.status >= http.StatusMultipleChoices || jsonError(answer.body) {
					t.Errorf("the fact by %s, then %s: %s %s: %d %s", by, how, a.method, a.path, answer.status, answer.body)
				}
			}
			left, err := s.client.Entities(t.Context(), annals.EntityFilter{GroupID: d.group})
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range left {
				if e.Name == d.user { // the user's own node
					continue
				}
				t.Errorf("the fact by %s, then %s: %q is left", by, how, e.Name)
			}
		}
	}
}

// jsonError reports whether a tool's answer is an error.
func jsonError(body []byte) bool {
	var said struct{ Result struct{ IsError bool } }
	return json.Unmarshal(body, &said) == nil && said.Result.IsError
}

// Every interface refuses content that the database cannot store; the service does not fail.
func TestWhatCannotBeStored(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	s := serve(t)
	node := s.at["/api/v2"]["node"].(string)
	for _, a := range []attempt{
		{door: "rest", method: "PATCH", path: "/v1/users/alice", body: `{"metadata": {"plan": "\ud800"}}`},
		{door: "rest", method: "POST", path: "/v1/groups/fuzz/facts", body: `{"source": "A", "predicate": "KNOWS", "target": "B", "attributes": {"plan": "\ud800"}}`},
		{door: "zep", method: "PATCH", path: "/api/v2/users/alice", body: `{"metadata": {"plan": "\u0000"}}`},
		{door: "zep", method: "PATCH", path: "/api/v2/graph/node/" + node, body: `{"attributes": {"plan": "\ud800"}}`},
		{door: "zep", method: "PATCH", path: "/api/v2/graph/node/" + node, body: `{"attributes": {"plan": "\u0000"}}`},
	} {
		if answer := s.send(t, a); answer.status != http.StatusUnprocessableEntity && answer.status != http.StatusBadRequest || answer.wrong(a) != "" {
			t.Errorf("%s %s %s: %d %s", a.method, a.path, a.body, answer.status, answer.body)
		}
	}
	for door, search := range map[string]attempt{
		"rest":     {door: "rest", path: "/v1/groups/fuzz/search", body: `{"query": "%s"}`},
		"zep":      {door: "zep", path: "/api/v2/graph/search", body: `{"user_id": "alice", "query": "%s"}`},
		"graphiti": {door: "graphiti", path: "/search", body: `{"group_ids": ["fuzz"], "query": "%s"}`},
		"mcp":      {door: "mcp", path: "/mcp", body: `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search_facts", "arguments": {"query": "%s"}}}`},
	} {
		search.method = "POST"
		said := map[string]string{}
		for _, unfit := range []string{`\u0000`, `\ud800`} {
			a := search
			a.body = fmt.Sprintf(search.body, unfit)
			answer := s.send(t, a)
			if answer.status != http.StatusBadRequest && !(door == "graphiti" && answer.status == http.StatusUnprocessableEntity) && !(door == "mcp" && jsonError(answer.body)) || !strings.Contains(string(answer.body), "remove it") {
				t.Errorf("%s of %s: %d %s", door, unfit, answer.status, answer.body)
			}
			said[unfit] = fmt.Sprint(answer.status)
		}
		if said[`\u0000`] != said[`\ud800`] {
			t.Errorf("%s answers %v", door, said)
		}
	}
	for _, a := range []attempt{
		{door: "mcp", method: "POST", path: "/mcp", body: `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "summarize_saga", "arguments": {"saga_name": "\u0000"}}}`},
		{door: "mcp", method: "POST", path: "/mcp", body: `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "add_triplet", "arguments": {
			"source_node_name": "A", "edge_name": "KNOWS", "fact": "A knows B.", "target_node_name": "B", "target_node_uuid": "\u0000"}}}`},
	} {
		if answer := s.send(t, a); answer.status != http.StatusOK || answer.wrong(a) != "" || !jsonError(answer.body) {
			t.Errorf("%s: %d %s", a.body, answer.status, answer.body)
		}
	}
	if failed := s.failures.take(); failed != "" {
		t.Errorf("the log says %s", failed)
	}
}

// outranked reports whether a way of removing a group has less authority than the one that took a
// fact back, or than a speaker in the group.
func outranked(by, how string) bool {
	return how == "mcp group" || by == "rest" && (how == "zep group" || how == "graphiti group")
}
