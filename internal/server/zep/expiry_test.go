package zep_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
)

// No answer to Zep's clients contains expired rows: no search, list, message or context.
func TestExpiredIsNotShown(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	talk.ask("POST", "/threads/chat/messages", `{"messages":[{"role":"user","name":"Alice","content":"I work at Initech."},{"role":"user","name":"Alice","content":"I like tea."}]}`)
	if err := talk.memory.Process(t.Context(), "acme:alice", nil); err != nil {
		t.Fatal(err)
	}
	look := func(when string, shows bool) {
		t.Helper()
		for what, got := range map[string]string{
			"edges":    talk.ask("POST", "/graph/search", `{"user_id":"alice","query":"Where does Alice work? Initech","scope":"edges"}`),
			"episodes": talk.ask("POST", "/graph/search", `{"user_id":"alice","query":"Initech work","scope":"episodes"}`),
			"nodes":    talk.ask("POST", "/graph/search", `{"user_id":"alice","query":"Initech","scope":"nodes"}`),
			"list":     talk.ask("POST", "/graph/edge/user/alice", `{}`),
			"listed":   talk.get("/graph/episodes/user/alice?lastn=10"),
			"messages": talk.get("/threads/chat/messages"),
			"context":  talk.get("/threads/chat/context"),
		} {
			if strings.Contains(got, "Initech") != shows {
				t.Errorf("%s, %s show it: %t: %s", when, what, !shows, got)
			}
		}
	}
	look("before", true)
	episodes, err := talk.memory.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "acme:alice"})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range episodes {
		if strings.Contains(e.Content, "Initech") {
			if _, err := service.New(talk.memory).Mark(t.Context(), "acme:alice", service.MarkChange{IDs: []uuid.UUID{e.ID}, Mark: graph.MarkExpires, ExpiresAt: time.Now().Add(time.Hour)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := clienttest.Dial(t, talk.url).Exec(t.Context(), `UPDATE annals.marks SET expires_at = clock_timestamp()`); err != nil {
		t.Fatal(err)
	}
	look("expired", false)
}
