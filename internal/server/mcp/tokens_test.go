package mcp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/annalsdb/annals/model/tokens"
)

var identifier = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// count returns the number of tokens of a text. All ids are counted as the same one: their digits
// encode the time, and some take more tokens than others.
func count(text string) int {
	return tokens.O200k().Count(identifier.ReplaceAllLiteralString(text, "01a22184-ab7d-7b46-b252-6e61c89e1eac"))
}

func asJSON(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// listedTokens returns the number of tokens of the list of tools.
func listedTokens(t *testing.T, s *session) int {
	t.Helper()
	listed, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return count(asJSON(t, listed))
}

// story is the messages whose facts are counted.
var story = [][2]string{
	{"2023-01-10", "I live in Paris."},
	{"2023-02-14", "I work at Acme as a nurse."},
	{"2023-05-02", "I married Bob in May 2021."},
	{"2023-06-20", "I own a dog called Rex."},
	{"2023-09-01", "I like hiking and I play the cello."},
	{"2024-03-15", "I moved to Lisbon last week."},
	{"2024-05-01", "My sister Carol lives in Porto."},
	{"2024-06-11", "Bob works for Initech since 2019."},
}

// The text that an agent must read is limited, and docs/mcp.md says how long it is.
func TestAnswersTakeFewTokens(t *testing.T) {
	t.Parallel()
	s := serve(t)
	host, program := s.talk(aliceKey), s.session(aliceKey)
	for _, said := range story {
		host.said("add_memory", map[string]any{"name": "chat", "episode_body": "Alice: " + said[1], "source": "message", "reference_time": said[0]})
	}
	s.process("alice")

	list, whole := listedTokens(t, host), listedTokens(t, program)
	if list > 4000 {
		t.Errorf("the list of tools takes %d tokens, want at most 4,000", list)
	}
	about := map[string]any{"query": "Alice", "include_ended": true, "max_facts": 50}
	short := host.said("search_memory_facts", about)
	var found facts
	result, long := program.call("search_memory_facts", about)
	if err := json.Unmarshal([]byte(asJSON(t, result.StructuredContent)), &found); err != nil || len(found.Facts) < 5 {
		t.Fatalf("%v: %s", err, long)
	}
	each, eachWhole := count(short)/len(found.Facts), count(long)/len(found.Facts)
	if each > 60 {
		t.Errorf("a fact takes %d tokens, want at most 60: %s", each, short)
	}
	for _, fact := range found.Facts {
		if !strings.Contains(short, fact.UUID) || !strings.Contains(short, fact.When) {
			t.Errorf("%+v is not in %s", fact, short)
		}
	}
	question := map[string]any{"query": "Where does Alice live?"}
	told, _ := host.call("get_context", question)
	toldTwice, _ := program.call("get_context", question)
	context, contextTwice := count(asJSON(t, told)), count(asJSON(t, toldTwice))
	if context > contextTwice*2/3 {
		t.Errorf("a context takes %d tokens, and %d with an object: it is told twice", context, contextTwice)
	}
	t.Logf("list of tools %d (structured %d), a fact %d (structured %d), the context %d (structured %d)\n%s", list, whole, each, eachWhole, context, contextTwice, short)

	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "mcp.md"))
	if err != nil {
		t.Fatal(err)
	}
	for what, measured := range map[string][2]int{"the list of tools": {list, whole}, "a fact": {each, eachWhole}} {
		row := regexp.MustCompile(regexp.QuoteMeta("| "+what+" |") + ` ([\d,]+) \| ([\d,]+) \|`).FindStringSubmatch(string(page))
		if row == nil {
			t.Errorf("docs/mcp.md has no tokens of %s", what)
			continue
		}
		for i, want := range measured {
			var written int
			if _, err := fmt.Sscan(strings.ReplaceAll(row[i+1], ",", ""), &written); err != nil || written < want*9/10 || written > want*11/10 {
				t.Errorf("docs/mcp.md says of %s %s tokens, and they are %d", what, row[i+1], want)
			}
		}
	}
}

// said calls a tool as a host does. It must succeed with a text and without an object.
func (s *session) said(name string, arguments map[string]any) string {
	s.t.Helper()
	result, text := s.call(name, arguments)
	if result.IsError || result.StructuredContent != nil || text == "" {
		s.t.Fatalf("%s %v: error %v, %q, structured %v", name, arguments, result.IsError, text, result.StructuredContent)
	}
	return text
}
