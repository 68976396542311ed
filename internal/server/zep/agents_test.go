package zep_test

import (
	"encoding/json"
	"fmt"
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

// made sends a request and returns the UUID of what it made, or what it is in.
func (t talk) made(path, body, in string) string {
	t.t.Helper()
	a := t.send("POST", "/api/v4"+path, body)
	var out map[string]json.RawMessage
	var id string
	if err := json.Unmarshal(a.Body.Bytes(), &out); err == nil && in != "" {
		err = json.Unmarshal(out[in], &out)
		_ = err // then there is no id
	}
	if err := json.Unmarshal(out["uuid"], &id); err != nil || a.Code >= 300 {
		t.t.Fatalf("%s: %d %s", path, a.Code, a.Body)
	}
	return id
}

// as is the same service, asked with another key.
func (t talk) as(spec service.KeySpec) talk {
	t.t.Helper()
	secret, _, err := service.New(t.memory).CreateAPIKey(t.t.Context(), spec)
	if err != nil {
		t.t.Fatal(err)
	}
	t.secret = secret
	return t
}

// agent makes an agent, and returns the path of it.
func (t talk) agent(id string) string {
	t.t.Helper()
	return "/agents/" + t.made("/agents", `{"agent_id":"`+id+`","name":"Agent","security_domain":"d"}`, "")
}

func (t talk) v4(method, path, body string) answer {
	t.t.Helper()
	return t.send(method, "/api/v4"+path, body)
}

// work has an agent do a task with tools.
func (t talk) work(agent, task, outcome string, tools ...string) (trace string) {
	t.t.Helper()
	trace = agent + "/traces/" + t.made(agent+"/traces", `{"objective":"`+task+`"}`, "")
	for _, tool := range tools {
		t.v4("POST", trace+"/events", `{"event_type":"tool_call","content":"go","context":{"tools":[{"name":"`+tool+`"}]}}`).is(200)
	}
	t.v4("POST", trace+"/close", `{"outcome":"`+outcome+`"}`).is(202)
	return trace
}

func (t talk) read(group string) {
	t.t.Helper()
	if err := t.memory.Process(t.t.Context(), group, nil); err != nil {
		t.t.Fatal(err)
	}
}

// Users, graphs and agents share their names, and an agent has one.
func TestNamesOfAgents(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	talk.v4("POST", "/agents", `{"agent_id":"alice","name":"x","security_domain":"d"}`).is(400, "already")
	talk.agent("ops")
	talk.v4("POST", "/agents", `{"agent_id":"ops","name":"x","security_domain":"d"}`).is(400, "already")
	talk.v4("POST", "/users", `{"user_id":"ops"}`).is(400, "already")
	for _, body := range []string{``, `{}`, `null`, `{"agent_id":null,"name":"x"}`, `{"agent_id":"","name":"x"}`} {
		talk.v4("POST", "/agents", body).is(400)
	}
	talk.v4("POST", "/agents", `{"agent_id":"y","name":null}`).is(400, "name")
	talk.v4("POST", "/agents", `{"agent_id":"y","name":"x","metadata":{"a":1}}`).is(400, "metadata")
	talk.v4("POST", "/agents/list", `{"search":null,"agent_id":null}`).is(200, `"total_size":1`)
	other := talk.as(service.KeySpec{Groups: []string{"other:*"}})
	other.agent("ops")
}

// What is empty or null is what is left out, or refused; nothing is stored of it.
func TestOddFieldsOfTraces(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	agent := talk.agent("ops")
	for _, body := range []string{``, `{}`, `null`, `[]`, `{"objective":null}`, `{"objective":""}`, `{"objective":"  "}`, `{"objective":"` + strings.Repeat("x", 2001) + `"}`, `{"objective":"a\u0000b"}`} {
		talk.v4("POST", agent+"/traces", body).is(400)
	}
	talk.v4("POST", agent+"/traces", `{"objective":"x","metadata":[]}`).is(400, "metadata")
	talk.v4("POST", agent+"/traces", `{"objective":"x","parent_trace_uuid":"`+uuid.NewString()+`"}`).is(400, "parent_trace_uuid")
	trace := agent + "/traces/" + talk.made(agent+"/traces", `{"objective":"Paint","metadata":null,"trace_id":null,"task_family":null,"learn_from":null}`, "")
	for _, body := range []string{
		``, `{}`, `null`, `{"event_type":null}`, `{"event_type":"song"}`, `{"event_type":"tool_call"}`, `{"event_type":"decision","content":null}`, `{"event_type":"decision","content":"x","tool_call_id":"1"}`,
		`{"event_type":"observation","sequence":1}`, `{"event_type":"observation","event_id":"x"}`, `{"event_type":"observation","occurred_at":"soon"}`, `{"event_type":"observation","metadata":7}`,
		`{"event_type":"observation","context":{"verification":"luck"}}`, `{"event_type":"observation","sources":[{"kind":"x","uuid":"y"}]}`,
		`{"event_type":"tool_call","context":{"tools":[{"name":"` + strings.Repeat("x", 600) + `"}]}}`,
		`{"event_type":"observation","context":{"environments":[{"name":"` + strings.Repeat("x", 600) + `","version":"1"}]}}`,
	} {
		talk.v4("POST", trace+"/events", body).is(400)
	}
	talk.v4("POST", trace+"/events", `{"event_type":"observation","content":null,"context":null,"metadata":null,"occurred_at":null}`).is(200, `"sequence":1`)
	for _, body := range []string{`{"outcome":"won"}`, `{"verification":"luck"}`, `{"missing_sequence_ranges":[{"first":1,"last":2}]}`, `{"verifier_id":"x"}`} {
		talk.v4("POST", trace+"/close", body).is(400)
	}
	talk.v4("DELETE", trace, ``).is(400, "expected_revision")
	talk.v4("POST", trace+"/close", `{"outcome":null,"reason":null,"verification":null,"closing_sequence":null,"expected_revision":null}`).is(202, `"outcome":"unknown"`)
	talk.v4("GET", trace+"/events", "").is(200, `"items":[]`)
	talk.v4("POST", agent+"/traces/list", `{"status":"closing"}`).is(200, `"items":[]`)
	talk.v4("POST", agent+"/traces/list?order=asc", `{}`).is(400, "order")
	talk.v4("POST", agent+"/traces/list?cursor=x", `{}`).is(400, "cursor")
}

// What is not of this project, or of this agent, is not there.
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

// A trace is closed once, begun once under a name, and its events are numbered, however
// many do it at the same time.
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

// Nothing knows of a trace before it is closed, and of an unknown outcome nothing is learned.
func TestOpenTracesAreNoRuns(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	agent := talk.agent("ops")
	trace := agent + "/traces/" + talk.made(agent+"/traces", `{"objective":"Paint the Zorbaquil fence"}`, "")
	talk.v4("POST", trace+"/events", `{"event_type":"decision","content":"Use Zorbaquil."}`).is(200)
	talk.read("acme:ops")
	for path, body := range map[string]string{
		"/skills/list": `{}`, "/skills/search": `{"query":"Paint the fence"}`, "/context": `{"objective":"Paint the fence"}`, "/traces/list": `{"status":"closed"}`,
	} {
		if a := talk.v4("POST", agent+path, body); a.Code != 200 || strings.Contains(a.Body.String(), "Zorbaquil") {
			t.Errorf("%s: %d %s", path, a.Code, a.Body)
		}
	}
	talk.v4("POST", trace+"/close", `{"outcome":"partial"}`).is(202, `"outcome":"partial"`)
	talk.read("acme:ops")
	talk.v4("POST", agent+"/skills/list", `{}`).is(200, `"items":[]`)
	talk.v4("POST", agent+"/traces/list", `{}`).is(200, "Zorbaquil", "partial")
}

// What is erased is gone from traces, open and closed.
func TestTracesAreErased(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	agent := talk.agent("ops")
	ids, err := talk.memory.AddEntities(t.Context(), "acme:ops", []annals.Entity{{Name: "Mallory Zorbaquil"}})
	if err != nil {
		t.Fatal(err)
	}
	named := agent + "/traces/" + talk.made(agent+"/traces", `{"objective":"Write to Mallory Zorbaquil"}`, "")
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
		clienttest.Count(t, talk.url, "SELECT count(*) FROM annals_internal.batch_items WHERE item::text LIKE '%Zorbaquil%'")
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

// The rights of keys are those of REST: who may only read begins and decides nothing, and an
// assistant decides nothing.
func TestWhoMayDoWhatWithAgents(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	agent := talk.agent("ops")
	talk.work(agent, "Paint the fence", "succeeded", "brush")
	talk.read("acme:ops")
	skills, err := talk.memory.Skills(t.Context(), annals.SkillFilter{GroupID: "acme:ops"})
	if err != nil || len(skills) != 1 {
		t.Fatalf("the skills are %v (%v)", skills, err)
	}
	skill := agent + "/skills/" + skills[0].ID.String()
	reader := talk.as(service.KeySpec{Groups: []string{"acme:*"}, Rights: service.RightsRead})
	reader.v4("POST", agent+"/traces", `{"objective":"x"}`).is(403)
	reader.v4("POST", skill+"/approve", `{"expected_version":1}`).is(403)
	reader.v4("POST", agent+"/skills/search", `{"query":"Paint the fence"}`).is(200, "Paint")
	reader.v4("POST", agent+"/context", `{"objective":"Paint the fence"}`).is(200, "SKILLS")
	reader.v4("POST", skill+"/versions/compare", `{"from_version":1,"to_version":1}`).is(200, `"changed_fields":[]`)
	writer := talk.as(service.KeySpec{Groups: []string{"acme:*"}, Rights: service.RightsWrite})
	writer.v4("DELETE", agent, `{"expected_revision":1}`).is(403)
	bot := talk.as(service.KeySpec{Groups: []string{"acme:*"}, Authority: graph.AuthorityAssistant})
	bot.v4("POST", skill+"/approve", `{"expected_version":1}`).is(403)
	bot.v4("POST", skill+"/retire", `{"expected_version":1}`).is(403)
	for _, body := range []string{``, `{}`, `{"expected_version":null}`} {
		talk.v4("POST", skill+"/approve", body).is(400, "expected_version")
	}
	talk.v4("POST", skill+"/versions/compare", `{}`).is(404, "from_version")
	writer.v4("POST", skill+"/approve", `{"expected_version":1}`).is(200, "confirmed")
	talk.v4("POST", agent+"/skills/list", `{"task_family":"painting"}`).is(400, "task_family")
	talk.v4("POST", agent+"/skills/list", `{"kind":null,"task_family":null}`).is(200, "Paint")
}

// Runs that other doors recorded are traces, and a long trace can be closed.
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
	talk.v4("POST", long+"/events", `{"event_type":"observation"}`).is(400, "at most")
	talk.v4("POST", long+"/close", `{"outcome":"succeeded"}`).is(202)
}

// A skill of which more versions are known than a list has is found, and decided about.
func TestSkillsOfManyVersions(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	agent := talk.agent("ops")
	talk.work(agent, "Paint the fence", "succeeded", "brush")
	talk.read("acme:ops")
	_, err := clienttest.Dial(t, talk.url).Exec(t.Context(), `INSERT INTO annals_internal.skills_history
		SELECT (jsonb_populate_record(NULL::annals_internal.skills_history, to_jsonb(k) ||
			jsonb_build_object('recorded', tstzrange('2000-01-01Z'::timestamptz + n * interval '1 hour', '2000-01-01Z'::timestamptz + (n + 1) * interval '1 hour')))).*
		FROM annals.skills k, generate_series(1, 1001) n`)
	if err != nil {
		t.Fatal(err)
	}
	skills, err := talk.memory.Skills(t.Context(), annals.SkillFilter{GroupID: "acme:ops"})
	if err != nil || len(skills) != 1 {
		t.Fatalf("the skills are %v (%v)", skills, err)
	}
	skill := agent + "/skills/" + skills[0].ID.String()
	talk.v4("GET", skill, "").is(200, `"current_version":1002`, "candidate")
	talk.v4("POST", skill+"/approve", `{"expected_version":1002}`).is(200, "confirmed")
	talk.v4("GET", skill, "").is(200, "confirmed")
}

// A trace whose run the group withholds is closed, and is shown no more from then on.
func TestClosedTracesAreWithheld(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	agent := talk.agent("ops")
	if err := service.New(talk.memory).SetTrustPolicy(t.Context(), "acme:ops", graph.TrustPolicy{Doors: []string{"zep"}}); err != nil {
		t.Fatal(err)
	}
	trace := talk.work(agent, "Paint the fence", "succeeded", "brush")
	talk.read("acme:ops")
	talk.v4("GET", trace, "").is(404)
	talk.v4("GET", trace+"/events", "").is(404)
	talk.v4("POST", agent+"/traces/list", `{}`).is(200, `"items":[]`)
	talk.v4("POST", agent+"/skills/list", `{}`).is(200, `"items":[]`)
}
