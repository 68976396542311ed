package zep_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
)

// Traces and skills of other projects and agents are not found.
func TestTracesAndSkillsOfOthers(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	agent, second := talk.agent("ops"), talk.agent("second")
	open := talk.made(agent+"/traces", `{"objective":"Paint the fence"}`, "")
	closed := strings.TrimPrefix(talk.work(agent, "Paint the fence", "succeeded", "brush"), agent+"/traces/")
	talk.read("acme:ops")
	skills, err := talk.memory.Skills(t.Context(), annals.SkillFilter{GroupID: "acme:ops"})
	if err != nil || len(skills) != 1 {
		t.Fatalf("the skills are %v (%v)", skills, err)
	}
	skill := skills[0].ID.String()
	stranger := talk.as(service.KeySpec{Groups: []string{"other:*"}})
	theirs := stranger.agent("ops")
	look := func(who interface {
		v4(method, path, body string) answer
	}, agent string,
	) {
		for _, id := range []string{open, closed, uuid.NewString()} {
			for _, r := range []string{"GET ", "GET /events", "POST /events", "POST /close", "DELETE "} {
				method, rest, _ := strings.Cut(r, " ")
				body := map[string]string{"POST /events": `{"event_type":"decision","content":"x"}`, "DELETE ": `{"expected_revision":1}`}[r]
				who.v4(method, agent+"/traces/"+id+rest, body).is(404, "not found")
			}
		}
		for _, r := range []string{"GET ", "GET /evidence", "GET /versions", "GET /versions/1", "POST /versions/compare", "POST /approve", "POST /retire"} {
			method, rest, _ := strings.Cut(r, " ")
			who.v4(method, agent+"/skills/"+skill+rest, "").is(404, "not found")
		}
		who.v4("POST", agent+"/context", `{"trace_uuid":"`+open+`"}`).is(404)
	}
	look(talk, second)
	look(stranger, theirs)
	look(stranger, agent)
	look(talk, "/agents/"+uuid.NewString())
	talk.v4("GET", agent+"/traces/"+open, "").is(200, `"status":"open"`)
	talk.v4("GET", agent+"/traces/"+closed, "").is(200, `"status":"closed"`)
	talk.v4("GET", "/batches", "").is(200, `"items":[]`)
	talk.v4("GET", "/batches/"+open, "").is(404)
}

// Concurrent requests close a trace once, begin it once under a name, and number its events.
func TestTracesAtTheSameTime(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	agent := talk.agent("ops")
	const many = 8
	all := func(method, path string, body func(int) string) []answer {
		answers := make([]answer, many)
		var wait sync.WaitGroup
		for i := range many {
			wait.Go(func() { answers[i] = talk.v4(method, path, body(i)) })
		}
		wait.Wait()
		return answers
	}
	same := func(text string) func(int) string { return func(int) string { return text } }
	var ids []string
	for _, a := range all("POST", agent+"/traces", same(`{"objective":"Paint","trace_id":"one"}`)) {
		var made struct{ UUID string }
		if a.Code == 409 { // the client asks again
			a.is(409, "ask again")
			continue
		}
		if err := json.Unmarshal(a.Body.Bytes(), &made); err != nil || a.Code != 200 || len(ids) > 0 && ids[0] != made.UUID {
			t.Errorf("%d %s, after %v", a.Code, a.Body, ids)
		}
		ids = append(ids, made.UUID)
	}
	trace := agent + "/traces/" + ids[0]
	seen := map[int]bool{}
	for _, a := range all("POST", trace+"/events", func(i int) string { return fmt.Sprintf(`{"event_type":"decision","content":"%d"}`, i) }) {
		var made struct{ Sequence int }
		if err := json.Unmarshal(a.Body.Bytes(), &made); err != nil || seen[made.Sequence] || made.Sequence < 1 || made.Sequence > many {
			t.Errorf("%d %s, after %v", a.Code, a.Body, seen)
		}
		seen[made.Sequence] = true
	}
	codes := map[int]int{}
	for _, a := range all("POST", trace+"/close", same(`{"outcome":"succeeded"}`)) {
		codes[a.Code]++
	}
	if codes[202] != 1 || codes[409] != many-1 {
		t.Errorf("it was closed with %v", codes)
	}
	if n := clienttest.Count(t, talk.url, "SELECT count(*) FROM annals.episodes WHERE source = 'run'"); n != 1 {
		t.Errorf("there are %d runs", n)
	}
	for range 2 { // its answer was lost
		talk.send("POST", "/api/v4"+agent+"/traces", `{"objective":"Paint"}`, "Idempotency-Key: again").is(200)
	}
	talk.v4("POST", agent+"/traces/list", `{"status":"open"}`).is(200)
	if n := clienttest.Count(t, talk.url, "SELECT count(*) FROM annals_internal.batches"); n != 1 {
		t.Errorf("%d traces are open", n)
	}
}

// Erased content disappears from traces, open and closed.
func TestTracesAreErased(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	agent := talk.agent("ops")
	ids, err := talk.memory.AddEntities(t.Context(), "acme:ops", []annals.Entity{{Name: "Mallory Zorbaquil"}})
	if err != nil {
		t.Fatal(err)
	}
	named := agent + "/traces/" + talk.made(agent+"/traces", `{"objective":"Write to Mallory Zorbaquil"}`, "")
	talk.v4("POST", named+"/events", `{"event_type":"decision","content":"She owes 300 euro."}`).is(200)
	told := agent + "/traces/" + talk.made(agent+"/traces", `{"objective":"Write a letter"}`, "")
	for _, content := range []string{"It is for Mallory Zorbaquil.", "Begin."} {
		talk.v4("POST", told+"/events", `{"event_type":"decision","content":"`+content+`"}`).is(200)
	}
	closed := talk.work(agent, "Call Mallory Zorbaquil", "succeeded", "phone")
	talk.read("acme:ops")
	if _, err := talk.memory.Erase(t.Context(), annals.Erasure{GroupID: "acme:ops", EntityID: ids[0]}); err != nil {
		t.Fatal(err)
	}
	talk.v4("GET", named, "").is(404)
	talk.v4("POST", named+"/close", `{}`).is(404)
	talk.v4("GET", closed, "").is(404)
	if a := talk.v4("GET", told+"/events", ""); strings.Contains(a.Body.String(), "Zorbaquil") {
		t.Errorf("an event tells of what was erased: %s", a.Body)
	}
	talk.v4("POST", told+"/events", `{"event_type":"decision","content":"End."}`).is(200, `"sequence":3`)
	talk.v4("POST", told+"/close", `{"outcome":"succeeded","closing_sequence":3}`).is(202)
	talk.v4("GET", told+"/events", "").is(200, `"sequence":1`, `"sequence":2`, "Begin.", "End.")
	left := clienttest.Count(t, talk.url, "SELECT count(*) FROM annals_internal.batches WHERE metadata::text LIKE '%Zorbaquil%'") +
		clienttest.Count(t, talk.url, "SELECT count(*) FROM annals_internal.batch_items WHERE item::text LIKE '%Zorbaquil%' OR item::text LIKE '%300 euro%'")
	if left > 0 {
		t.Errorf("%d rows tell of what was erased", left)
	}
	id := uuid.MustParse(told[strings.LastIndex(told, "/")+1:])
	if _, err := talk.memory.Erase(t.Context(), annals.Erasure{GroupID: "acme:ops", EpisodeIDs: []uuid.UUID{id}}); err != nil {
		t.Fatal(err)
	}
	talk.v4("GET", told, "").is(404)
	talk.v4("GET", agent, "").is(200)
	talk.v4("POST", agent+"/traces", `{"objective":"Rest"}`).is(200)
	if _, err := talk.memory.Erase(t.Context(), annals.Erasure{GroupID: "acme:ops"}); err != nil {
		t.Fatal(err)
	}
	if n := clienttest.Count(t, talk.url, "SELECT count(*) FROM annals_internal.batches"); n > 0 {
		t.Errorf("%d open traces are left of a group that was erased", n)
	}
}

// Runs recorded through other interfaces are traces, and a long trace can be closed.
func TestTracesOfOtherDoorsAndLongOnes(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	agent := talk.agent("ops")
	run := annals.Run{Task: "Cut a release", Outcome: "failure", Steps: []annals.RunStep{
		{Tool: "shell", Arguments: []byte(`"git tag"`), Result: "ok"}, {Action: "Ask Bob"}, {Tool: "shell", Arguments: []byte(`{"command":"git push"}`), Error: "rejected"},
	}}
	e, err := run.Episode("acme:ops", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	e.Metadata = []byte(`{"zep_trace":"of the application"}`)
	stored, err := talk.memory.Add(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	trace := agent + "/traces/" + stored.ID.String()
	talk.v4("GET", trace, "").is(200, `"outcome":"failed"`, `"status":"closed"`, "Cut a release")
	talk.v4("GET", trace+"/events", "").is(200, `"sequence":5`, "git tag", "Ask Bob", `git push`, "rejected")
	long := agent + "/traces/" + talk.made(agent+"/traces", `{"objective":"Count"}`, "")
	big := strings.Repeat(`\"<é`, 900)
	for i := range graph.MaxRunSteps {
		talk.v4("POST", long+"/events", fmt.Sprintf(`{"event_type":"tool_call","tool_call_id":"%d","content":"%s","context":{"tools":[{"name":"count"}]}}`, i, big)).is(200)
	}
	talk.v4("POST", long+"/events", `{"event_type":"observation"}`).is(400, "has 500 events")
	talk.v4("POST", long+"/close", `{"outcome":"succeeded"}`).is(202)
	talk.v4("POST", agent+"/traces", `{"objective":" Deploy ","trace_id":"deploy"}`).is(200)
	talk.v4("POST", agent+"/traces", `{"objective":"Deploy","trace_id":"deploy"}`).is(200)
	trace = agent + "/traces/" + talk.made(agent+"/traces", `{"objective":"Rest"}`, "")
	for field, body := range map[string]string{"content": `"` + strings.Repeat("x", 64<<10+1) + `"`, "metadata": `{"a":"` + strings.Repeat("x", 64<<10) + `"}`} {
		talk.v4("POST", trace+"/events", `{"event_type":"observation","`+field+`":`+body+`}`).is(400, field)
	}
	a := talk.v4("POST", trace+"/close", `{"outcome":"partial","reason":"no time"}`)
	if got := a.Header().Get("Annals-Ignored"); a.Code != 202 || got != "reason" {
		t.Errorf("%d, and ignored is %q", a.Code, got)
	}
}

// A result without an id belongs to the first call of its tool that has no result yet; a result
// without a tool belongs to the last call.
func TestResultsFindTheirCalls(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	agent := talk.agent("calls")
	trace := agent + "/traces/" + talk.made(agent+"/traces", `{"objective":"Weigh"}`, "")
	tool := func(name string) string { return `,"context":{"tools":[{"name":"` + name + `"}]}` }
	for _, event := range []string{
		`"tool_call","content":"1"` + tool("scale"), `"tool_call","content":"2"` + tool("ruler"),
		`"tool_result","content":"3 kg"` + tool("scale"), `"tool_result","content":"4 cm"` + tool("ruler"),
		`"tool_call","content":"5"` + tool("clock"), `"tool_result","content":"noon"`, `"tool_result","content":"of nothing"`,
	} {
		talk.v4("POST", trace+"/events", `{"event_type":`+event+`}`).is(200)
	}
	closed := talk.v4("POST", trace+"/close", `{"outcome":"succeeded"}`)
	if got := closed.Header().Get("Annals-Ignored"); closed.Code != 202 || got != "tool_result" {
		t.Errorf("%d, and ignored is %q", closed.Code, got)
	}
	var got []string
	for _, found := range regexp.MustCompile(`"content":"([^"]*)"`).FindAllStringSubmatch(talk.v4("GET", trace+"/events", "").Body.String(), -1) {
		got = append(got, found[1])
	}
	if want := []string{"1", "3 kg", "2", "4 cm", "5", "noon"}; !slices.Equal(got, want) {
		t.Errorf("the events are %q, want %q", got, want)
	}
}

// Runs that SQL stored with wrong types are refused or left out, and do not prevent others from
// being listed.
func TestTracesOfOddRuns(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	agent := talk.agent("ops")
	conn := clienttest.Dial(t, talk.url)
	const add = `SELECT annals.add_episode('acme:ops', $1, source => 'run')`
	for _, run := range []string{
		`"environment":{"node":20}`, `"environment":{"node":["20"]}`, `"steps":["x"]`, `"steps":[["x"]]`, `"steps":[{"action":"x"},{"action":"y","duration_ms":1.5}]`, `"duration_ms":1.5`,
		`"input_tokens":"7"`, `"output_tokens":0.1`,
	} {
		if _, err := conn.Exec(t.Context(), add, `{"task":"Deploy",`+run+`}`); err == nil {
			t.Errorf("a run with %s was stored", run)
		}
	}
	for _, run := range []string{
		`{"task":"Deploy the shop","steps":[{"action":7},{"action":"push"}],"agent":{}}`, `{"task":"Rest","steps":null,"environment":{"node":null},"duration_ms":null}`,
		`{"task":"Paint","steps":[{"tool":"x","duration_ms":2}],"environment":{"node":"20"},"duration_ms":1,"input_tokens":1,"output_tokens":1}`,
	} {
		if _, err := conn.Exec(t.Context(), add, run); err != nil {
			t.Fatalf("%s: %v", run, err)
		}
	}
	talk.v4("POST", agent+"/traces/list", `{}`).is(200, "Deploy the shop", "Rest", "Paint")
}
