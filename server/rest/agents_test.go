package rest_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/server"
	"github.com/annalsdb/annals/server/rest"
)

func TestAgents(t *testing.T) {
	t.Parallel()
	scripted := modeltest.NewServer(t, func(r modeltest.Request) modeltest.Reply {
		if last := r.Turns[len(r.Turns)-1]; last.Role == "tool" {
			return modeltest.Reply{Calls: []modeltest.Call{{Name: "send_message", Arguments: map[string]any{"message": "Hello Eva!"}}}}
		}
		return modeltest.Reply{Text: "Her name.", Calls: []modeltest.Call{{Name: "core_memory_append", Arguments: map[string]any{
			"name": "human", "content": "Is called Eva.", "request_heartbeat": true,
		}}}}
	})
	llm, err := model.OpenLLM(model.Config{Model: "openai:scripted", BaseURL: scripted.URL})
	if err != nil {
		t.Fatal(err)
	}
	client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: pgtest.New(t), LLM: llm})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	s := serve(t, server.Options{Client: client}, rest.Options{})
	const sam = "/v1/groups/g/agents/sam"
	var made agent.Agent
	s.must(http.StatusCreated, &made, "POST", "/v1/groups/g/agents", `{"name": "sam", "settings": {"window": 9000}, "blocks": [{"label": "human", "limit": 100}]}`)
	if made.Name != "sam" || made.Settings.Window != 9000 {
		t.Errorf("made %+v", made)
	}
	var turn agent.Turn
	s.must(http.StatusOK, &turn, "POST", sam+"/messages", `{"content": "I am Eva.", "external_id": "one"}`)
	if len(turn.Messages) != 1 || turn.Messages[0] != "Hello Eva!" || len(turn.Steps) != 2 || turn.Steps[0].Thought != "Her name." {
		t.Errorf("turn %+v", turn)
	}
	var messages struct{ Messages []agent.Message }
	s.must(http.StatusOK, &messages, "GET", sam+"/messages?first=2", "")
	if len(messages.Messages) != 4 || messages.Messages[0].Seq != 2 {
		t.Errorf("messages %+v", messages)
	}
	var blocks struct{ Blocks []agent.Block }
	s.must(http.StatusOK, &blocks, "GET", sam+"/blocks", "")
	if len(blocks.Blocks) != 1 || blocks.Blocks[0].Value != "Is called Eva." {
		t.Errorf("blocks %+v", blocks)
	}
	var block agent.Block
	s.must(http.StatusOK, &block, "PUT", sam+"/blocks/human", fmt.Sprintf(`{"value": "Eva Li.", "version": %d, "by": "me"}`, blocks.Blocks[0].Version))
	s.must(http.StatusPreconditionFailed, nil, "PUT", sam+"/blocks/human", fmt.Sprintf(`{"value": "Eve.", "version": %d}`, blocks.Blocks[0].Version))
	s.must(http.StatusOK, &block, "POST", sam+"/blocks/human/undo", "")
	if block.Value != "Is called Eva." {
		t.Errorf("undone: %+v", block)
	}
	s.must(http.StatusOK, &blocks, "GET", sam+"/blocks/human/history", "")
	if len(blocks.Blocks) != 4 {
		t.Errorf("history %+v", blocks)
	}
	var found struct{ Total int }
	s.must(http.StatusOK, &found, "GET", sam+"/recall?query=Eva&roles=user", "")
	if found.Total != 1 {
		t.Errorf("recall finds %d", found.Total)
	}
	s.must(http.StatusCreated, nil, "POST", sam+"/documents", `{"name": "a.txt", "text": "On the river Tagus."}`)
	s.must(http.StatusOK, &found, "GET", sam+"/archive?query=Tagus", "")
	if found.Total != 1 {
		t.Errorf("the archive has %d", found.Total)
	}
	s.must(http.StatusNotFound, nil, "GET", "/v1/groups/g/agents/sue", "")
	s.must(http.StatusUnprocessableEntity, nil, "POST", sam+"/messages", `{"kind": "shout"}`)
	s.must(http.StatusNoContent, nil, "DELETE", sam, "")
	s.must(http.StatusNotFound, nil, "GET", sam, "")
}
