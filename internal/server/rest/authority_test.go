package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/internal/service"
)

// keyOf makes a key for all groups with an authority and rights.
func (s *running) keyOf(authority graph.Authority, rights service.Rights) *running {
	s.t.Helper()
	secret, _, err := service.New(s.client).CreateAPIKey(s.t.Context(), service.KeySpec{Admin: true, Authority: authority, Rights: rights})
	if err != nil {
		s.t.Fatal(err)
	}
	return s.as(secret)
}

// owned makes a group with content and settings of a person, and returns a replacer for the ids in
// paths.
func (s *running) owned(group string) *strings.Replacer {
	s.t.Helper()
	id := func(method, path, body string) string {
		var made struct{ ID, Fact_ID string } //nolint:revive // as JSON has it
		a := s.send(method, "/v1/groups/"+group+path, body)
		if a.status >= http.StatusBadRequest {
			s.t.Fatalf("%s %s: %d %s", method, path, a.status, a.body)
		}
		into(s.t, a.body, &made)
		return made.ID + made.Fact_ID
	}
	s.must(http.StatusCreated, nil, "POST", "/v1/users", `{"id": "`+group+`", "first_name": "Alice"}`)
	said := id("POST", "/episodes", `{"content": "I live in Paris.", "actor": "Alice", "role": "user"}`)
	s.process(group)
	var facts struct {
		Facts []struct{ ID, SourceID string }
	}
	a := s.must(http.StatusOK, nil, "GET", "/v1/groups/"+group+"/facts", "")
	into(s.t, []byte(strings.ReplaceAll(string(a.body), "source_id", "SourceID")), &facts)
	if len(facts.Facts) != 1 {
		s.t.Fatalf("the facts are %s", a.body)
	}
	fact := facts.Facts[0]
	id("PATCH", "", `{"name": "The group of Alice"}`)
	id("PUT", "/retention", `{"max_episodes": 1000}`)
	id("PUT", "/trust", `{"documents": true}`)
	id("PUT", "/ontology", `{"entity_types": [{"name": "Person", "description": "A human being"}]}`)
	id("POST", "/marks", `{"ids": ["`+said+`"], "mark": "pinned"}`)
	id("POST", "/marks", `{"ids": ["`+fact.ID+`"], "mark": "expires", "expires_at": "2200-01-01"}`)
	question := id("POST", "/answers", `{"query": "Where does Alice live?"}`)
	hook := id("POST", "/webhooks", `{"url": "https://example.com/hook"}`)
	agent := id("POST", "/agents", `{"name": "helper"}`)
	return strings.NewReplacer("SAID", said, "FACT", fact.ID, "ALICE", fact.SourceID, "ANSWER", question, "HOOK", hook, "AGENT", agent, "GROUP", group)
}

// Content, names and settings of a person belong to that person: a key of less authority cannot
// change or remove them, whatever its rights.
func TestWhatAPersonSetIsKept(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	paths := s.owned("g")
	for _, authority := range []graph.Authority{graph.AuthorityAssistant, graph.AuthorityDocument} {
		weak := s.keyOf(authority, service.RightsErase)
		for _, try := range [][3]string{
			{"PATCH", "/v1/groups/g/entities/ALICE", `{"name": "Mallory"}`},
			{"DELETE", "/v1/groups/g/entities/ALICE", ""},
			{"PATCH", "/v1/groups/g/facts/FACT", `{"fact": "Alice lives in Rome."}`},
			{"DELETE", "/v1/groups/g/facts/FACT", ""},
			{"DELETE", "/v1/groups/g/episodes/SAID", ""},
			{"DELETE", "/v1/groups/g/episodes/SAID?erase=true", ""},
			{"POST", "/v1/groups/g/marks", `{"ids": ["SAID"], "mark": "unpinned"}`},
			{"POST", "/v1/groups/g/marks", `{"ids": ["FACT"], "mark": "wrong"}`},
			{"POST", "/v1/groups/g/marks", `{"ids": ["SAID"], "mark": "outdated"}`},
			{"POST", "/v1/groups/g/marks", `{"ids": ["FACT"], "mark": "keeps"}`},
			{"POST", "/v1/groups/g/marks", `{"ids": ["FACT"], "mark": "expires", "expires_at": "2190-01-01"}`},
			{"DELETE", "/v1/groups/g/answers/ANSWER", ""},
			{"POST", "/v1/groups/g/answers", `{"query": "Where does Alice live?", "tokens": 777}`},
			{"PUT", "/v1/groups/g/webhooks/HOOK", `{"url": "https://evil.example/hook"}`},
			{"DELETE", "/v1/groups/g/webhooks/HOOK", ""},
			{"PUT", "/v1/groups/g/agents/AGENT/settings", `{"instructions": "Obey."}`},
			{"DELETE", "/v1/groups/g/agents/AGENT", ""},
			{"PUT", "/v1/groups/g/retention", `{"max_episodes": 1}`},
			{"PUT", "/v1/groups/g/retention", `{}`},
			{"PUT", "/v1/groups/g/trust", `{"records_succeed": true}`},
			{"PUT", "/v1/groups/g/ontology", `{}`},
			{"PATCH", "/v1/groups/g", `{"name": "Mallory's"}`},
			{"PATCH", "/v1/groups/g", `{"time_zone": "Asia/Tokyo"}`},
			{"PATCH", "/v1/users/g", `{"first_name": "Mallory"}`},
			{"DELETE", "/v1/groups/g", ""},
			{"DELETE", "/v1/users/g", ""},
		} {
			if a := weak.send(try[0], paths.Replace(try[1]), paths.Replace(try[2])); a.status != http.StatusForbidden {
				t.Errorf("%s %s %s with the word of %s: %d %s", try[0], try[1], try[2], authority, a.status, a.body)
			}
		}
		weak.must(http.StatusOK, nil, "POST", "/v1/groups/g/marks", paths.Replace(`{"ids": ["FACT"], "mark": "useful"}`))
		weak.must(http.StatusOK, nil, "POST", "/v1/groups/g/answers", `{"query": "Where does Alice live?"}`) // changes nothing
	}
	s.must(http.StatusOK, nil, "DELETE", "/v1/groups/g", "")
}

// The same keys can change and remove their own content and settings.
func TestWhatAnAssistantSetIsItsOwn(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{}).keyOf(graph.AuthorityAssistant, service.RightsErase)
	var made struct{ ID string }
	s.must(http.StatusCreated, nil, "POST", "/v1/groups", `{"id": "g", "name": "Notes"}`)
	s.must(http.StatusOK, nil, "PATCH", "/v1/groups/g", `{"name": "My notes"}`)
	s.must(http.StatusAccepted, &made, "POST", "/v1/groups/g/episodes", `{"content": "Bob lives in Paris.", "actor": "Bot", "role": "assistant"}`)
	s.process("g")
	s.must(http.StatusOK, nil, "POST", "/v1/groups/g/marks", `{"ids": ["`+made.ID+`"], "mark": "pinned"}`)
	s.must(http.StatusOK, nil, "POST", "/v1/groups/g/marks", `{"ids": ["`+made.ID+`"], "mark": "unpinned"}`)
	s.must(http.StatusOK, nil, "POST", "/v1/groups/g/marks", `{"ids": ["`+made.ID+`"], "mark": "wrong"}`)
	s.must(http.StatusOK, nil, "DELETE", "/v1/groups/g", "")
}

// The right to write does not include settings that remove content, nor adding erased content
// again.
func TestWhatRemovesLaterTakesTheRightToErase(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	writes := s.keyOf(graph.AuthorityPerson, service.RightsWrite)
	s.told("g")
	for path, text := range map[string]string{"/v1/groups/g/retention": `{"max_episodes": 1}`, "/v1/groups/g/trust": `{"records_succeed": true}`} {
		writes.must(http.StatusForbidden, nil, "PUT", path, text)
	}
	ctx := annals.WithOrigin(t.Context(), annals.Origin{Cap: graph.AuthorityDocument})
	if err := s.client.SetRetention(ctx, "g", annals.Retention{MaxEpisodes: 1}); annals.CodeOf(err) != annals.CodeForbidden {
		t.Errorf("the library sets it for a document: %v", err)
	}
}

// Adding erased content again takes the right to erase, and at least the authority that erased it.
func TestForceLiftsWhatItsAuthorityCould(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	const said, forced = `{"content": "Alice has a secret bank account."}`, `{"content": "Alice has a secret bank account.", "force": true}`
	var made struct{ ID string }
	s.must(http.StatusAccepted, &made, "POST", "/v1/groups/g/episodes", said)
	s.process("g")
	s.must(http.StatusOK, nil, "DELETE", "/v1/groups/g/episodes/"+made.ID+"?erase=true", "")
	s.must(http.StatusCreated, nil, "POST", "/v1/users", `{"id": "carl"}`)
	s.must(http.StatusOK, nil, "DELETE", "/v1/users/carl", "")
	batch := `{"content": "Good morning."}` + "\n" + forced + "\n"
	for _, weak := range []*running{
		s.keyOf(graph.AuthorityAssistant, service.RightsErase), s.keyOf(graph.AuthorityDocument, service.RightsErase),
		s.keyOf(graph.AuthorityUser, service.RightsErase), s.keyOf(graph.AuthorityPerson, service.RightsWrite),
	} {
		weak.must(http.StatusConflict, nil, "POST", "/v1/groups/g/episodes", said)
		weak.must(http.StatusForbidden, nil, "POST", "/v1/groups/g/episodes", forced)
		weak.must(http.StatusForbidden, nil, "POST", "/v1/groups/g/episodes", batch, "Content-Type", "application/x-ndjson")
		weak.must(http.StatusForbidden, nil, "POST", "/v1/groups/g/threads/t/messages", `{"messages": [`+forced+`]}`)
		weak.must(http.StatusForbidden, nil, "POST", "/v1/users", `{"id": "carl", "force": true}`)
		weak.must(http.StatusForbidden, nil, "POST", "/v1/groups", `{"id": "carl", "force": true}`)
	}
	s.must(http.StatusConflict, nil, "POST", "/v1/groups/g/episodes", said)
	s.must(http.StatusAccepted, nil, "POST", "/v1/groups/g/episodes", forced)
	s.must(http.StatusCreated, nil, "POST", "/v1/users", `{"id": "carl", "force": true}`)
	if a := s.must(http.StatusOK, nil, "GET", "/v1/groups/g/audit", ""); !strings.Contains(string(a.body), `"action":"readmit"`) {
		t.Errorf("nothing is on record: %s", a.body)
	}
}
