package zep_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
)

// Messages and data that were erased are left out: the answer has the ids of the others only. If
// all were erased, that is an error.
func TestErasedMessagesAreLeftOut(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	const insulin = `"Her doctor prescribed insulin to Alice."`
	var said struct {
		IDs []string `json:"message_uuids"`
	}
	read := func(text string, into any) {
		t.Helper()
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	read(talk.ask(http.MethodPost, "/threads/chat/messages", `{"messages":[{"role":"user","content":`+insulin+`}]}`), &said)
	if _, err := talk.memory.Erase(t.Context(), annals.Erasure{GroupID: "acme:alice", EpisodeIDs: []uuid.UUID{uuid.MustParse(said.IDs[0])}}); err != nil {
		t.Fatal(err)
	}
	read(talk.ask(http.MethodPost, "/threads/chat/messages",
		`{"messages":[{"role":"user","content":"I like tea."},{"role":"user","content":`+insulin+`},{"role":"user","content":"I like coffee."}]}`), &said)
	if len(said.IDs) != 2 {
		t.Errorf("ids of %v, want two", said.IDs)
	}
	var episodes []struct{ Content string }
	read(talk.ask(http.MethodPost, "/graph-batch", `{"user_id":"alice","episodes":[{"type":"text","data":`+insulin+`},{"type":"text","data":"I like jam."}]}`), &episodes)
	if len(episodes) != 1 || episodes[0].Content != "I like jam." {
		t.Errorf("of the data is kept %+v", episodes)
	}
	if kept := talk.get("/threads/chat/messages"); strings.Contains(kept, "insulin") || !strings.Contains(kept, "I like coffee.") {
		t.Errorf("the conversation is %s", kept)
	}
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/v2/threads/chat/messages",
		strings.NewReader(`{"messages":[{"role":"user","content":`+insulin+`}]}`))
	request.Header.Set("Authorization", "Api-Key "+talk.secret)
	answer := httptest.NewRecorder()
	talk.handler.ServeHTTP(answer, request)
	if answer.Code != http.StatusBadRequest || strings.Contains(answer.Body.String(), "insulin") {
		t.Errorf("erased messages alone: %d %s", answer.Code, answer.Body)
	}
}
