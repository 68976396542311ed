package rest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/internal/service"
)

// operationsThat lists every operation by the rights that it needs. Add new ones here.
var operationsThat = map[service.Rights]string{
	service.RightsRead: `ask explain-search export-agent export-group get-agent get-agent-fill get-answer get-answer-history get-audit-head get-block-history get-context get-context-simply get-diff get-entity
		get-entity-history get-entity-trace get-episode get-fact get-fact-history get-fact-trace get-graph get-group get-lanes get-observation-history get-ontology get-overview
		get-queue get-retention get-thread get-timeline get-times get-trace get-trust get-usage get-user get-webhook get-whoami list-agent-messages
		list-agents list-answers list-audit list-blocks list-communities list-deliveries list-documents list-entities list-episodes list-facts list-groups
		list-added list-learned list-messages list-observations list-queues list-rejections list-review list-marks list-threads list-user-threads list-users list-webhooks
		list-skills get-skill-history list-bringers search search-agent-archive search-agent-recall search-simply verify-audit`,
	service.RightsWrite: `add-episodes add-messages add-run decide-skill add-triple apply-retention attach-document build-communities build-observations configure-agent confirm-fact
		create-agent create-group create-user create-webhook decide-review delete-webhook drop-answer edit-block edit-fact import-agent import-group
		keep-answer keep-passage merge-entity redo-block release-episodes rename-entity restore-fact mark resume-agent retry-episodes set-ontology split-entity
		stream-agent summarise-thread take-back tell-agent unconfirm-fact undo-block undo-episode update-group update-user update-webhook withdraw-fact`,
	service.RightsErase: `delete-agent detach-document set-retention set-trust erase-entity erase-group erase-user`,
}

// keyWith makes a key for all groups with some rights.
func (s *running) keyWith(rights service.Rights) string {
	s.t.Helper()
	secret, _, err := service.New(s.client).CreateAPIKey(s.t.Context(), service.KeySpec{Admin: true, Rights: rights})
	if err != nil {
		s.t.Fatal(err)
	}
	return secret
}

// A key without the right is refused by every described route.
func TestKeysMayDoWhatTheirRightsSay(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	var document struct {
		Paths map[string]map[string]struct{ OperationID string }
	}
	s.must(http.StatusOK, &document, "GET", "/openapi.json", "")
	needs := map[string]service.Rights{}
	for rights, ids := range operationsThat {
		for _, id := range strings.Fields(ids) {
			needs[id] = rights
		}
	}
	order := []service.Rights{service.RightsRead, service.RightsWrite, service.RightsErase}
	seen := map[string]bool{}
	for _, has := range order {
		caller := s.as(s.keyWith(has))
		for path, methods := range document.Paths {
			for method, op := range methods {
				id := strings.TrimPrefix(op.OperationID, "key-")
				needed, known := needs[id]
				if !known {
					t.Errorf("%s %s (%s): nobody says what rights it needs", method, path, id)
					continue
				}
				seen[id] = true
				query := ""
				if id != op.OperationID {
					query = "?group=nobody" // otherwise the key would need exactly one group
				}
				a := caller.send(strings.ToUpper(method), strings.NewReplacer("{group}", "nobody", "{user}", "nobody").Replace(path)+query, "{")
				if refused := a.status == http.StatusForbidden; refused == has.Allow(needed) && query == "" {
					t.Errorf("%s, which needs %s, with a key that may %s: %d %s", id, needed, has, a.status, a.body)
				}
			}
		}
	}
	for id := range needs {
		if !seen[id] {
			t.Errorf("there is no operation %s", id)
		}
	}
}

// Undoing an episode is writing; erasing it is not. A rotated key keeps its rights.
func TestErasingTakesTheRight(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	var made struct{ ID string }
	s.must(http.StatusAccepted, &made, "POST", "/v1/groups/g/episodes", `{"content": "I live in Paris."}`)
	one := "/v1/groups/g/episodes/" + made.ID
	read, write := s.keyWith(service.RightsRead), s.keyWith(service.RightsWrite)
	var p problem
	s.as(read).must(http.StatusForbidden, &p, "DELETE", one, "")
	if !strings.Contains(p.Detail, "this key may only read, and this takes one that may write") {
		t.Errorf("the refusal says %q", p.Detail)
	}
	s.as(write).must(http.StatusForbidden, nil, "DELETE", one+"?erase=true", "")
	again, key, err := service.New(s.client).RotateAPIKey(t.Context(), write[:15], 0, time.Time{})
	if err != nil || key.Rights != service.RightsWrite {
		t.Errorf("the successor may %q (%v)", key.Rights, err)
	}
	s.as(again).must(http.StatusForbidden, nil, "DELETE", "/v1/groups/g", "")
	s.as(again).must(http.StatusOK, nil, "DELETE", one, "")
	for _, wrong := range []service.KeySpec{{Admin: true, Rights: "own"}, {Admin: true, Authority: "god"}} {
		if _, _, err := service.New(s.client).CreateAPIKey(t.Context(), wrong); annals.CodeOf(err) != annals.CodeInvalid {
			t.Errorf("a key with %+v: %v", wrong, err)
		}
	}
}

// A key with little authority writes content of little authority.
func TestTheWordOfAKeyIsCapped(t *testing.T) {
	t.Parallel()
	static, err := server.ParseKeys("g=a-key-of-a-tool-that-writes;write;document")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, server.Options{Keys: static}, rest.Options{})
	secret, _, err := service.New(s.client).CreateAPIKey(t.Context(), service.KeySpec{Groups: []string{"g"}, Authority: graph.AuthorityAssistant})
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]graph.Authority{
		"a-key-of-a-tool-that-writes": graph.AuthorityDocument, secret: graph.AuthorityAssistant, s.key: graph.AuthorityUser,
	} {
		var made, got struct{ ID, Authority string }
		s.as(key).must(http.StatusAccepted, &made, "POST", "/v1/groups/g/episodes", `{"content": "I live in Paris.", "actor": "Alice", "role": "user"}`)
		s.must(http.StatusOK, &got, "GET", "/v1/groups/g/episodes/"+made.ID, "")
		if graph.Authority(got.Authority) != want {
			t.Errorf("an episode of the key %.8s… has the word of %q, want %q", key, got.Authority, want)
		}
	}
	s.as("a-key-of-a-tool-that-writes").must(http.StatusForbidden, nil, "DELETE", "/v1/groups/g", "")
}
