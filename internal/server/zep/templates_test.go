package zep_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/server/zep/project"
)

// A template tells the summaries of the latest threads that have one, whatever threads came since.
func TestATemplateTellsOlderSummaries(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	talk.send("POST", "/api/v2/context-templates", `{"template_id":"sums","template":"S: %{thread_summaries limit=2}"}`).is(200)
	for i, said := range []string{"I moved to Lisbon last year and work at Quillby as a baker.", "Hello.", "Hello again."} {
		talk.send("POST", "/api/v2/threads", fmt.Sprintf(`{"thread_id":"t%d","user_id":"alice"}`, i)).is(200)
		talk.send("POST", fmt.Sprintf("/api/v2/threads/t%d/messages", i), `{"messages":[{"role":"user","content":"`+said+`"}]}`).is(200)
	}
	talk.send("GET", "/api/v2/threads/t0/summary", "").is(200, "Quillby")
	talk.send("GET", "/api/v2/threads/t0/context?template_id=sums", "").is(200, "Quillby")
}

// All nodes are entities, also for a template.
func TestATemplateTellsAllEntities(t *testing.T) {
	t.Parallel()
	talk := talked(t, 6, nil)
	talk.send("POST", "/api/v2/context-templates", `{"template_id":"nodes","template":"%{entities types=[Entity]}"}`).is(200)
	talk.send("GET", "/api/v2/threads/chat/context?template_id=nodes", "").is(200, "Alice")
}

// What a request filters, it filters in a template too; what it asks in vain is named.
func TestATemplateHeedsTheFilters(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	talk.send("POST", "/api/v2/graph/add-fact-triple", `{"user_id":"alice","fact":"Bob likes tea.","fact_name":"LIKES","source_node_name":"Bob","target_node_name":"tea"}`).is(200)
	talk.send("POST", "/api/v2/graph/add-fact-triple", `{"user_id":"alice","fact":"Bob lives in Oslo.","fact_name":"LIVES_IN","source_node_name":"Bob","target_node_name":"Oslo"}`).is(200)
	user, form := project.GroupUUID("acme:alice"), talk.made("/context-templates", `{"name":"edges","template":"F: %{edges}"}`, "")
	for filters, hidden := range map[string]string{`{}`: "", `{"edge_types":["LIVES_IN"]}`: "tea", `{"exclude_edge_types":["LIVES_IN"]}`: "Oslo", `{"edge_uuids":["` + user + `"]}`: "Bob"} {
		a := talk.send("POST", "/api/v4/graphs/"+user+"/context", `{"query":"Bob","template_uuid":"`+form+`","max_characters":2000,"filters":`+filters+`}`)
		a.is(200, "F: ")
		if text := a.Body.String(); hidden != "" && strings.Contains(text, hidden) || hidden != "Bob" && !strings.Contains(text, "Bob") || a.Header().Get("Annals-Ignored") != "max_characters" {
			t.Errorf("%s: %s, ignored: %v", filters, text, a.Header())
		}
	}
}
