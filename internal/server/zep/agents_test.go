package zep_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
)

// made sends a request and returns the UUID of what it created, at the top of the answer or in a
// field.
func (t talk) made(path, body, in string) string {
	t.t.Helper()
	a := t.send("POST", "/api/v4"+path, body)
	var out map[string]json.RawMessage
	var id string
	if err := json.Unmarshal(a.Body.Bytes(), &out); err == nil && in != "" {
		err = json.Unmarshal(out[in], &out)
		_ = err // the id is then missing
	}
	if err := json.Unmarshal(out["uuid"], &id); err != nil || a.Code >= 300 {
		t.t.Fatalf("%s: %d %s", path, a.Code, a.Body)
	}
	return id
}

// as returns the same service with another key.
func (t talk) as(spec service.KeySpec) talk {
	t.t.Helper()
	secret, _, err := service.New(t.memory).CreateAPIKey(t.t.Context(), spec)
	if err != nil {
		t.t.Fatal(err)
	}
	t.secret = secret
	return t
}

// agent creates an agent, and returns its path.
func (t talk) agent(id string) string {
	t.t.Helper()
	return "/agents/" + t.made("/agents", `{"agent_id":"`+id+`","name":"Agent","security_domain":"d"}`, "")
}

func (t talk) v4(method, path, body string) answer {
	t.t.Helper()
	return t.send(method, "/api/v4"+path, body)
}

// work makes a trace of an agent that does a task with tools.
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

// Users, graphs and agents share one name space, and an agent must have a name.
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

// Empty and null fields count as omitted, or are refused; nothing is stored of them.
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

// An open trace is shown nowhere, and nothing is learned from an unknown outcome.
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

// Keys have the same rights as in REST: a key that may only read can begin and decide nothing, and
// an assistant's can decide nothing.
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

// A skill with more versions than a list has is found, and can be decided on.
func TestSkillsOfManyVersions(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	talk := talked(t, 0, nil)
	agent := talk.agent("ops")
	talk.work(agent, "Paint the fence", "succeeded", "brush")
	talk.read("acme:ops")
	_, err := clienttest.Dial(t, talk.url).Exec(t.Context(), `INSERT INTO annals_internal.skills_history
		SELECT (jsonb_populate_record(NULL::annals_internal.skills_history, to_jsonb(k) ||
			jsonb_build_object('recorded', tstzrange('2000-01-01Z'::timestamptz + n * interval '1 hour', '2000-01-01Z'::timestamptz + (n + 1) * interval '1 hour')))).*
		FROM annals.skills k, generate_series(1, $1) n`, graph.MaxRows)
	if err != nil {
		t.Fatal(err)
	}
	skills, err := talk.memory.Skills(t.Context(), annals.SkillFilter{GroupID: "acme:ops"})
	if err != nil || len(skills) != 1 {
		t.Fatalf("the skills are %v (%v)", skills, err)
	}
	skill := agent + "/skills/" + skills[0].ID.String()
	talk.v4("GET", skill, "").is(200, fmt.Sprintf(`"current_version":%d`, graph.MaxRows+1), "candidate")
	talk.v4("POST", skill+"/approve", fmt.Sprintf(`{"expected_version":%d}`, graph.MaxRows+1)).is(200, "confirmed")
	talk.v4("GET", skill, "").is(200, "confirmed")
}

// A trace whose run the group withholds is closed, and no longer shown.
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

// What the runs of a door taught is withheld with them, also in former versions of a skill.
func TestFormerVersionsOfSkillsAreWithheld(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	agent := talk.agent("ops")
	run, err := annals.Run{Task: "Paint the fence", Outcome: "success", Steps: []annals.RunStep{{Tool: "brush", Arguments: []byte(`"go"`)}}}.Episode("acme:ops", time.Time{})
	if err == nil {
		_, err = talk.memory.Add(t.Context(), run)
	}
	if err != nil {
		t.Fatal(err)
	}
	talk.read("acme:ops")
	talk.work(agent, "Paint the secret fence", "succeeded", "brush")
	talk.read("acme:ops")
	skills, err := talk.memory.Skills(t.Context(), annals.SkillFilter{GroupID: "acme:ops"})
	if err != nil || len(skills) != 1 {
		t.Fatalf("the skills are %v (%v)", skills, err)
	}
	versions := agent + "/skills/" + skills[0].ID.String() + "/versions"
	talk.v4("GET", versions+"/2", "").is(200, "secret")
	if err := service.New(talk.memory).SetTrustPolicy(t.Context(), "acme:ops", graph.TrustPolicy{Doors: []string{"zep"}}); err != nil {
		t.Fatal(err)
	}
	shown, err := service.New(talk.memory).SkillHistory(t.Context(), "acme:ops", skills[0].ID)
	if err != nil || len(shown) != 2 || strings.Contains(fmt.Sprint(shown), "secret") {
		t.Errorf("the versions are %+v (%v)", shown, err)
	}
	if a := talk.v4("GET", versions, ""); strings.Contains(a.Body.String(), "secret") {
		t.Errorf("the versions are %s", a.Body)
	}
}
