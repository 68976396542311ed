package doors_test

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/slow"
)

// The routes and tools that only read, and those that show withheld content by design: review lists
// what waits, and a search may ask for it.
var (
	onlyReads  = regexp.MustCompile(`(search|list|lookup|context|get-memory|ask|history|preview|timeline|detect-patterns|observations|neighbors|subgraph|summary|compare)$`)
	readsTool  = regexp.MustCompile(`^(get|search|memory|ask|list|explain|recall)`)
	showsWhole = regexp.MustCompile(`/review(/|\?|$)|/export|/audit`)
)

// readings returns requests to all routes and tools that only read.
func (s *service) readings(t *testing.T) []attempt {
	t.Helper()
	fields := func(names ...string) func(string) bool {
		return func(name string) bool { return slices.Contains(names, name) }
	}
	some := []func(string) bool{none, fields("query", "user_id"), fields("query", "objective"), fields("query", "graph_id"), fields("query", "scope", "user_id"), fields("query", "group_ids"), fields("limit"), fields("group_id", "messages")}
	var out []attempt
	for _, route := range s.plans(t) {
		if showsWhole.MatchString(route.path) || route.method != http.MethodGet && (route.method != http.MethodPost || !onlyReads.MatchString(route.path)) {
			continue
		}
		right := attempt{door: route.door, method: route.method, path: route.at(nil, map[string]string{"last_n": "20", "lastn": "20"})}
		if route.method == http.MethodGet {
			out = append(out, right)
			continue
		}
		bodies := map[string]bool{"{}": true}
		if route.door == "zep" { // its fields come from code, which does not show all
			bodies[`{"query": "What does Alice like, and where does Mallory work?", "user_id": "alice"}`] = true
		}
		for _, with := range some {
			if route.takes != nil {
				body, err := written(route.takes.sample(route.known, "", with))
				if err != nil {
					t.Fatal(err)
				}
				bodies[body] = true
			}
		}
		for _, body := range slices.Sorted(maps.Keys(bodies)) {
			right.body = body
			out = append(out, right)
		}
	}
	for _, tool := range s.tools(t) {
		if !readsTool.MatchString(tool.Name) {
			continue
		}
		for _, with := range some {
			body, err := written(call(tool.Name, shapeOf(tool.InputSchema, nil, 0).sample(s.known, "", with)))
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, attempt{door: "mcp", method: "POST", path: "/mcp", body: body})
		}
	}
	return out
}

// Withheld content is shown by no route or tool that is not asked for it. Once released, it is
// shown by all that list messages.
func TestWhatIsWithheldIsShownByNoRoute(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	s := serve(t)
	const rare, likewise = "Zorbaquil", "zorbaquil"
	threads := map[string]string{group: "chat-" + group, project + group: "chat-alice", project + "alice": "chat-alice"}
	for to, thread := range threads {
		s.answered(t, "PUT", "/v1/groups/"+to+"/trust", object{"sources": []string{"mails.jsonl"}}, nil)
		for i, e := range []annals.Episode{
			{Actor: "Alice", Content: "I like tea."},
			{Actor: "Mallory", Content: "Alice lives in Paris. Alice likes Zorbaquil. Mallory works at Zorbaquil. Do you like Zorbaquil?", SourceDescription: "mails.jsonl"},
			{Actor: "Alice", Content: "Yes, Alice does."},
		} {
			e.GroupID, e.ThreadID, e.Source, e.Role = to, thread, graph.SourceMessage, "user"
			e.OccurredAt = time.Date(2024, 5, 1+i, 0, 0, 0, 0, time.UTC)
			if _, err := s.client.Add(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.client.Process(t.Context(), to, nil); err != nil {
			t.Fatal(err)
		}
	}
	s.at["/api/v4"]["trace"] = s.ran(t, project+group, "Deliver Zorbaquil to Alice", "mails.jsonl")
	s.at["/api/v4"]["objective"] = "Deliver something to Alice" // answers repeat it
	for _, known := range s.at {
		known["fact"] = known["edge"]
		known["query"], known["content"] = "What does Alice like, and where does Mallory work?", "What does Alice like?"
	}
	requests := s.readings(t)
	shown := func() map[string]bool {
		out, answered := map[string]bool{}, map[string]int{}
		for _, a := range requests {
			answer := s.send(t, a)
			if answer.status < http.StatusMultipleChoices && !jsonError(answer.body) {
				answered[a.door]++
			}
			if body := string(answer.body); strings.Contains(body, rare) || strings.Contains(body, likewise) {
				out[fmt.Sprintf("%s %s %s", a.method, a.path, a.body)] = true
			}
		}
		t.Logf("%d requests, answered: %v", len(requests), answered)
		return out
	}
	for request := range shown() {
		t.Errorf("%s shows what is withheld", request)
	}
	for to := range threads {
		s.answered(t, "POST", "/v1/groups/"+to+"/trust/release", object{"all": true}, nil)
	}
	released := shown()
	for _, want := range []string{
		"/api/v2/threads/chat-alice/messages", "/api/v2/threads/chat-alice/episodes", "/api/v2/graph/episodes/user/alice", "/api/v2/graph/search", "/api/v4/graphs/.*/episodes/list",
		"/api/v4/graphs/.*/nodes/list", "/api/v4/agents/.*/traces/list", "GET /api/v4/agents/.*/traces/[0-9a-f-]*(\\?.*)? ", "/api/v4/agents/.*/traces/.*/events", "/api/v4/agents/.*/context", "/api/v4/agents/.*/skills/list", "/api/v4/threads/.*/messages", "/v1/groups/fuzz/episodes", "/v1/groups/fuzz/search", "/v1/groups/fuzz/context", "/v1/groups/fuzz/ask",
		"/v1/groups/fuzz/diff", "/v1/groups/fuzz/entities", "/v1/groups/fuzz/graph", "/v1/groups/fuzz/facts/.*/trace", "/v1/groups/fuzz/threads/chat-fuzz/messages",
		"/mcp .*get_episodes", "/mcp .*get_context", "/mcp .*search_memory_facts", "/mcp .*search_nodes", "/mcp .*ask", " /search ", " /get-memory ", " /episodes/fuzz",
	} {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(released)), regexp.MustCompile(want).MatchString) {
			t.Errorf("%s does not show what was released", want)
		}
	}
}
