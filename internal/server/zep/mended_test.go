package zep_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/zep"
	"github.com/annalsdb/annals/internal/service"
)

// answer is a response.
type answer struct {
	*httptest.ResponseRecorder
	t testing.TB
}

// send makes a request with headers, given as NAME: VALUE, without checking the status.
func (t talk) send(method, url, body string, headers ...string) answer {
	t.t.Helper()
	request := httptest.NewRequestWithContext(t.t.Context(), method, url, strings.NewReader(body))
	request.Header.Set("Authorization", "Api-Key "+t.secret)
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		request.Header.Set(name, value)
	}
	a := answer{httptest.NewRecorder(), t.t}
	t.handler.ServeHTTP(a, request)
	return a
}

func (a answer) is(status int, words ...string) {
	a.t.Helper()
	for _, w := range words {
		if !strings.Contains(a.Body.String(), w) {
			a.t.Errorf("%q is not in %s", w, a.Body)
		}
	}
	if a.Code != status {
		a.t.Errorf("%d, not %d: %s", a.Code, status, a.Body)
	}
}

func TestEmptyListsOfConditionsAreRefused(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	for _, field := range []string{"created_at", "valid_at", "invalid_at", "expired_at"} {
		talk.send("POST", "/api/v2/graph/search", `{"user_id":"alice","query":"x","search_filters":{"`+field+`":[[]]}}`).is(400, field, "empty list")
		talk.send("POST", "/api/v2/graph/edge/user/alice", `{"filters":{"`+field+`":[[{"comparison_operator":"IS NULL"}],[]]}}`).is(400, field)
	}
	talk.send("POST", "/api/v2/threads/chat/messages", `{"messages":null,"return_context":true}`).is(400, "messages")
}

func TestTypesOfData(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	talk.send("POST", "/api/v2/graph", `{"user_id":"alice","type":"fact_triple","data":"Bob likes tea."}`).is(200, `"source":"fact_triple"`)
	talk.send("POST", "/api/v2/graph", `{"user_id":"alice","type":"song","data":"x"}`).is(400, "fact_triple")
}

// A page after the last row has the same total as all pages.
func TestTotalsBehindTheLastPage(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	talk.ask("POST", "/graph/create", `{"graph_id":"docs"}`)
	for _, path := range []string{"/users-ordered?pageNumber=9", "/graph/list-all?pageNumber=9", "/threads?page_number=9"} {
		if got := talk.get(path); !strings.Contains(got, `"total_count":1`) {
			t.Errorf("%s: %s", path, got)
		}
	}
}

func TestBatchItemsTellTheirDocuments(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	var batch struct {
		ID string `json:"batch_id"`
	}
	if err := json.Unmarshal([]byte(talk.ask("POST", "/batches", `{}`)), &batch); err != nil {
		t.Fatal(err)
	}
	items := `{"items":[{"type":"graph_episode","user_id":"alice","data":"x","data_type":"text","document_id":"letters"}]}`
	talk.ask("POST", "/batches/"+batch.ID+"/items", items)
	if got := talk.get("/batches/" + batch.ID + "/items"); !strings.Contains(got, `"document_id":"letters"`) || strings.Contains(got, "thread_id") {
		t.Errorf("the items are %s", got)
	}
}

// A UUID names the node with that UUID, whatever other nodes are called. An unknown UUID is
// refused.
func TestNodesNamedByUUID(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	var ids []uuid.UUID
	for _, name := range []string{"Alex", "Alexandra"} {
		added, err := talk.memory.AddEntities(t.Context(), "acme:alice", []annals.Entity{{Name: name}})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, added...)
	}
	if _, err := talk.memory.RenameEntity(t.Context(), "acme:alice", ids[1], "Alex"); err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		talk.send("POST", "/api/v2/graph/add-fact-triple",
			`{"user_id":"alice","fact":"Alex lives in Rome.","fact_name":"LIVES_IN","source_node_uuid":"`+id.String()+`","target_node_name":"Rome","valid_at":"2024-01-01T00:00:00Z"}`).
			is(200, `"source_node_uuid":"`+id.String()+`"`)
		talk.send("POST", "/api/v2/graph/nodes", `{"user_id":"alice","nodes":[{"name":"Alex","uuid":"`+id.String()+`"}]}`).is(200, id.String())
	}
	none := uuid.NewString()
	talk.send("POST", "/api/v2/graph/add-fact-triple",
		`{"user_id":"alice","fact":"x","fact_name":"X","source_node_uuid":"`+none+`","source_node_name":"Zed","target_node_name":"Rome"}`).is(404, none)
	talk.send("POST", "/api/v2/graph/nodes", `{"user_id":"alice","nodes":[{"name":"Zed","uuid":"`+none+`"}]}`).is(404, none)
}

// Without a reranking model results are fused, and the answer says so.
func TestWithoutAModelThatRanks(t *testing.T) {
	t.Parallel()
	talk := talked(t, 7, nil)
	a := talk.send("POST", "/api/v2/graph/search", `{"user_id":"alice","query":"Marta","reranker":"cross_encoder"}`)
	a.is(200, `"edges":[{`)
	if got := a.Header().Get("Annals-Ignored"); got != "reranker=cross_encoder" || strings.Contains(a.Body.String(), "relevance") {
		t.Errorf("ignored is %q: %s", got, a.Body)
	}
}

// Missing access and too many requests are reported in the form of the interface.
func TestRefusalsHaveZepsForm(t *testing.T) {
	t.Parallel()
	memory, err := annals.Open(t.Context(), annals.Config{DatabaseURL: pgtest.New(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(memory.Close)
	secret, _, err := service.New(memory).CreateAPIKey(t.Context(), service.KeySpec{Groups: []string{"acme:*"}})
	if err != nil {
		t.Fatal(err)
	}
	s := server.New(server.Options{Client: memory, RateLimit: 0.5, CORSOrigins: []string{"https://app.example"}})
	zep.Mount(s)
	for root, form := range map[string][2]string{
		"/api/v2": {`{"message":"there is no such key`, `{"message":"this key makes more`},
		"/api/v4": {`{"error":{"code":"unauthenticated","message":"there is no such key`, `{"error":{"code":"too_many_requests","message":"this key makes more`},
	} {
		talk := talk{t: t, handler: s.Handler(), secret: "annals_AAAAAAAA_none"}
		talk.send("GET", root+"/projects/info", "").is(401, form[0])
		talk.secret = secret
		for range 200 {
			if a := talk.send("GET", root+"/tasks/none", ""); a.Code == http.StatusTooManyRequests {
				a.is(429, form[1])
				if a.Header().Get("Retry-After") == "" {
					t.Error("it does not say how long to wait")
				}
				break
			} else if a.Code != http.StatusNotFound {
				t.Fatalf("%d: %s", a.Code, a.Body)
			}
		}
	}
	preflight := httptest.NewRequestWithContext(t.Context(), http.MethodOptions, "/api/v4/users/list", http.NoBody)
	for name, value := range map[string]string{
		"Origin": "https://app.example", "Access-Control-Request-Method": "POST",
		"Access-Control-Request-Headers": "authorization,content-type,idempotency-key,x-fern-language,x-fern-platform,x-fern-runtime,x-fern-sdk-name,x-fern-sdk-version",
	} {
		preflight.Header.Set(name, value)
	}
	let := httptest.NewRecorder()
	s.Handler().ServeHTTP(let, preflight)
	if let.Header().Get("Access-Control-Allow-Origin") == "" {
		t.Errorf("a page may not use the client: %d %v", let.Code, let.Header())
	}
}

// A client of another generation is told which version to use, in its own form. Unknown routes are
// 501, or 405 for clients that would retry for seconds.
func TestClientsOfAnotherGeneration(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	third := []string{"X-Fern-SDK-Name: zep-cloud", "X-Fern-SDK-Version: 3.30.0", "X-Fern-Language: JavaScript"}
	newest := []string{"X-Fern-SDK-Version: 4.0.1", "X-Fern-Language: Python"}
	talk.send("POST", "/api/v4/users/list", `{}`, third...).is(400, `{"message":"this is zep-cloud 3.30.0, which speaks /api/v2`)
	talk.send("GET", "/api/v2/threads", "", newest...).is(400, `{"error":{"code":"invalid_request","message":"this is zep-cloud 4.0.1, which speaks /api/v4`)
	talk.send("GET", "/api/v2/threads", "", "User-Agent: zep-cloud/v4.1.0").is(400, "/api/v4")
	talk.send("GET", "/api/v2/threads", "", third...).is(200)
	talk.send("POST", "/api/v4/users/list", `{}`, newest...).is(200)
	for root, headers := range map[string][]string{"/api/v2": third, "/api/v4": newest} {
		path := map[string]string{"/api/v2": "/user-groups", "/api/v4": "/user-groups/list"}[root]
		method := map[string]string{"/api/v2": "GET", "/api/v4": "POST"}[root]
		talk.send(method, root+path, `{}`).is(501, path)
		talk.send(method, root+path, `{}`, headers...).is(405, path)
	}
	talk.send("POST", "/api/v4/users/list", `{"serach":"x"}`, newest...).is(400, "serach")
	talk.send("GET", "/api/v4/nothing", "", newest...).is(404, `"code":"not_found"`)
}

// A request that the client repeats because the answer was lost adds its content once.
func TestAddingAgainAddsOnce(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	uuid := service.ThreadUUID("acme:alice", "chat").String()
	body := `{"messages":[{"role":"user","content":"I like tea."}]}`
	first := talk.send("POST", "/api/v4/threads/"+uuid+"/messages", body, "Idempotency-Key: one")
	again := talk.send("POST", "/api/v4/threads/"+uuid+"/messages", body, "Idempotency-Key: one")
	if first.is(202); first.Body.String() != again.Body.String() || again.Header().Get("Idempotent-Replayed") != "true" {
		t.Errorf("again: %d %s", again.Code, again.Body)
	}
	talk.send("POST", "/api/v4/threads/"+uuid+"/messages", body, "Idempotency-Key: two").is(202)
	talk.send("POST", "/api/v4/threads/"+uuid+"/messages", `{"messages":[]}`, "Idempotency-Key: one").is(422, `"error"`)
	if got := talk.get("/threads/chat/messages"); !strings.Contains(got, `"total_count":2`) {
		t.Errorf("the conversation is %s", got)
	}
}

// A run of an agent in a thread is not a message of it.
func TestARunIsNoMessage(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	uuid := service.ThreadUUID("acme:alice", "chat").String()
	talk.ask("POST", "/threads/chat/messages", `{"messages":[{"role":"user","content":"I like tea."}]}`)
	run, err := annals.Run{Task: "Brew something", Steps: []annals.RunStep{{Tool: "kettle"}}}.Episode("acme:alice", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	run.ThreadID = "chat"
	if _, err := talk.memory.Add(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	if got := talk.get("/threads/chat/messages"); !strings.Contains(got, `"total_count":1`) || strings.Contains(got, "kettle") {
		t.Errorf("the conversation is %s", got)
	}
	if got := talk.send("GET", "/api/v4/threads/"+uuid+"/messages", "", "User-Agent: zep-cloud/v4.1.0"); !strings.Contains(got.Body.String(), "tea") || strings.Contains(got.Body.String(), "kettle") {
		t.Errorf("in the fourth version it is %s", got.Body)
	}
}

// The same holds for batches, their items and processing them.
func TestABatchSentAgainIsOne(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	graphUUID := service.GroupUUID("acme:alice").String()
	twice := func(path, body, key string, status int) string {
		t.Helper()
		first := talk.send("POST", path, body, "Idempotency-Key: "+key)
		again := talk.send("POST", path, body, "Idempotency-Key: "+key)
		if first.is(status); first.Body.String() != again.Body.String() || again.Code != status || again.Header().Get("Idempotent-Replayed") != "true" {
			t.Errorf("%s again: %d %s", path, again.Code, again.Body)
		}
		return first.Body.String()
	}
	var batch struct {
		UUID string `json:"uuid"`
	}
	if err := json.Unmarshal([]byte(twice("/api/v4/batches", `{"metadata":{"kind":"first"}}`, "make", 201)), &batch); err != nil {
		t.Fatal(err)
	}
	item := `{"items":[{"type":"graph_episode","graph_uuid":"` + graphUUID + `","data":"Erik lives in Turku.","data_type":"text"}]}`
	twice("/api/v4/batches/"+batch.UUID+"/items", item, "add", 200)
	twice("/api/v4/batches/"+batch.UUID+"/process", `{}`, "process", 202)
	talk.send("POST", "/api/v4/batches/"+batch.UUID+"/items", `{"items":[]}`, "Idempotency-Key: add").is(422, `"error"`)
	if got := talk.send("GET", "/api/v4/batches", "").Body.String(); strings.Count(got, `"uuid"`) != 1 || !strings.Contains(got, `"total_items":1`) {
		t.Errorf("the batches are %s", got)
	}
	if got := talk.send("POST", "/api/v4/graphs/"+graphUUID+"/episodes/list", `{}`).Body.String(); strings.Count(got, "Erik lives in Turku.") != 1 {
		t.Errorf("the episodes are %s", got)
	}
	// another project may use the same keys
	stranger := talk
	var err error
	if stranger.secret, _, err = service.New(talk.memory).CreateAPIKey(t.Context(), service.KeySpec{Groups: []string{"other:*"}}); err != nil {
		t.Fatal(err)
	}
	if other := stranger.send("POST", "/api/v4/batches", `{"metadata":{"kind":"first"}}`, "Idempotency-Key: make"); strings.Contains(other.Body.String(), batch.UUID) {
		t.Errorf("another project is answered %s", other.Body)
	}
}

// An update of an edge is done completely, or not at all.
func TestAnEdgeIsUpdatedAsAWhole(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	root := "/api/v4/graphs/" + service.GroupUUID("acme:alice").String()
	var added struct {
		Hyperedge struct {
			UUID  string `json:"uuid"`
			Edges []struct {
				UUID string `json:"uuid"`
			} `json:"edges"`
		} `json:"hyperedge"`
	}
	made := talk.send("POST", root+"/hyperedges", `{"fact":"Ann, Bob and Cid met.","edges":[
		{"name":"MET","source_node":{"name":"Ann"},"target_node":{"name":"Bob"}},{"name":"MET","source_node":{"name":"Ann"},"target_node":{"name":"Cid"}}]}`)
	if err := json.Unmarshal(made.Body.Bytes(), &added); err != nil || len(added.Hyperedge.Edges) != 2 {
		t.Fatal(made.Body, err)
	}
	one, other := root+"/edges/"+added.Hyperedge.Edges[0].UUID, root+"/edges/"+added.Hyperedge.Edges[1].UUID
	for _, wrong := range []string{`[1]`, `"x"`, `{"note":"` + strings.Repeat("x", 100_000) + `"}`} {
		talk.send("PATCH", one, `{"fact":"They quarrelled.","attributes":`+wrong+`}`).is(400, "attributes")
	}
	talk.send("PATCH", one, `{"fact":" ","attributes":{"place":"Oslo"}}`).is(400, "fact")
	talk.send("GET", one, "").is(200, "Ann, Bob and Cid met.", `"attributes":{}`)
	talk.send("PATCH", one, `{"fact":null,"attributes":null}`).is(200, "Ann, Bob and Cid met.")
	talk.send("PATCH", one, `{"fact":"They met in Oslo.","attributes":{"place":"Oslo"}}`).is(200, "They met in Oslo.", `"place":"Oslo"`)
	if got := talk.send("GET", other, "").Body.String(); !strings.Contains(got, "They met in Oslo.") || strings.Contains(got, "place") {
		t.Errorf("the other edge is %s", got)
	}
	talk.send("DELETE", root+"/hyperedges/"+added.Hyperedge.UUID, "").is(202)
	talk.send("GET", other, "").is(404)
	talk.send("DELETE", root+"/hyperedges/"+added.Hyperedge.UUID, "").is(404)
}

// The graph of a user is deleted with the user, and not alone.
func TestTheGraphOfAUserIsNotDeletedAlone(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	id := service.GroupUUID("acme:alice").String()
	talk.send("DELETE", "/api/v4/graphs/"+id, "").is(400, "graph_uuid", "user")
	talk.send("GET", "/api/v4/users/"+id, "").is(200, "Smith")
	talk.send("DELETE", "/api/v4/users/"+id, "").is(202)
	talk.send("GET", "/api/v4/users/"+id, "").is(404)
}

// Errors contain no names that exist only inside the service.
func TestKeysOfGroupsMakeNothingNameless(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	var err error
	if talk.secret, _, err = service.New(talk.memory).CreateAPIKey(t.Context(), service.KeySpec{Groups: []string{"bob"}}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/users", "/graphs"} {
		a := talk.send("POST", "/api/v4"+path, "{}")
		if a.is(403, "namespace"); regexp.MustCompile(`-8[0-9a-f]{3}-[0-9a-f]{4}-`).MatchString(a.Body.String()[:strings.Index(a.Body.String(), "request_id")]) {
			t.Errorf("%s names what nobody gave: %s", path, a.Body)
		}
	}
	talk.send("POST", "/api/v2/graph/create", `{"graph_id":"docs"}`).is(403, "docs")
}

// A node that a person made cannot be renamed or removed with a key of less authority.
func TestNodesOfAPersonAreKept(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	ids, err := talk.memory.AddEntities(t.Context(), "acme:alice", []annals.Entity{{Name: "Dr. Weber"}})
	if err != nil {
		t.Fatal(err)
	}
	const refused = "it is the word of a person"
	talk.send("PATCH", "/api/v2/graph/node/"+ids[0].String(), `{"name":"Mallory"}`).is(403, refused)
	talk.send("DELETE", "/api/v2/graph/node/"+ids[0].String(), "").is(403, refused)
	talk.send("DELETE", "/api/v2/users/alice", "").is(403, refused)
}

// The node of a user is theirs, whoever else has their name.
func TestTheNodeOfAUserIsTheirOwn(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	talk.send("POST", "/api/v2/users", `{"user_id":"ren","first_name":"Alice"}`).is(200)
	talk.send("POST", "/api/v2/graph/nodes", `{"user_id":"ren","nodes":[{"name":"Bob","label":"Person","summary":"Bob is the boss, who was fired."}]}`).is(200)
	talk.send("PATCH", "/api/v2/users/ren", `{"first_name":"Bob"}`).is(200)
	talk.send("GET", "/api/v2/users/ren/node", "").is(200, `"user_id":"ren"`)
	talk.send("POST", "/api/v2/threads", `{"thread_id":"ren-1","user_id":"ren"}`).is(200)
	talk.send("POST", "/api/v2/threads/ren-1/messages", `{"messages":[{"role":"user","content":"The boss was fired."}]}`).is(200)
	text := talk.send("GET", "/api/v2/threads/ren-1/context", "").Body.String()
	if summary, _, _ := strings.Cut(text, "/USER_SUMMARY"); strings.Contains(summary, "fired") {
		t.Errorf("the user is said to be their boss: %s", summary)
	}
}
