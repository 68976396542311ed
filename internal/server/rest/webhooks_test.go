package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
)

func TestWebhooks(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	const path = "/v1/groups/g/webhooks"
	if a := s.send("POST", path, `{"url": "https://example.com/hook"}`); a.status != http.StatusNotFound {
		t.Errorf("for a group that there is not: %d %s", a.status, a.body)
	}
	s.must(http.StatusCreated, nil, "POST", "/v1/groups", `{"id": "g"}`)
	type hook struct {
		ID, URL, Secret string
		Events          []string
	}
	var made, got hook
	s.must(http.StatusCreated, &made, "POST", path, `{"url": "https://example.com/hook", "events": ["episode.failed"]}`)
	if !strings.HasPrefix(made.Secret, "whsec_") || len(made.Events) != 1 {
		t.Errorf("it is made as %+v", made)
	}
	for body, where := range map[string]string{
		`{"url": "http://example.com/"}`:                       "body.url",
		`{"url": "https://10.0.0.1/"}`:                         "body.url",
		`{"url": "https://user:password@example.com/"}`:        "body.url",
		`{"url": "https://example.com/", "events": ["other"]}`: "body.events[0]",
	} {
		if a := s.send("POST", path, body); a.status != http.StatusUnprocessableEntity || !strings.Contains(string(a.body), where) {
			t.Errorf("%s: %d %s, want it refused at %s", body, a.status, a.body, where)
		}
	}
	one := path + "/" + made.ID
	s.must(http.StatusOK, &got, "PUT", one, `{"url": "https://example.org/"}`)
	if got.URL != "https://example.org/" || len(got.Events) != 3 || got.Secret != "" {
		t.Errorf("it becomes %+v", got)
	}
	var list struct{ Webhooks []hook }
	if a := s.must(http.StatusOK, &list, "GET", path, ""); len(list.Webhooks) != 1 || strings.Contains(string(a.body), "secret") {
		t.Errorf("the list is %s", a.body)
	}
	var added struct {
		BatchID string `json:"batch_id"`
	}
	s.must(http.StatusAccepted, &added, "POST", "/v1/groups/g/episodes", "{\"content\": \"One.\"}\n{\"content\": \"Two.\"}\n", "Content-Type", "application/x-ndjson")
	if added.BatchID == "" {
		t.Error("a bulk request has no batch")
	}
	if err := s.client.Process(t.Context(), "g", nil); err != nil {
		t.Fatal(err)
	}
	var deliveries struct {
		Deliveries []struct {
			Event, State string
			EpisodeID    string `json:"episode_id"`
		}
	}
	s.must(http.StatusOK, &deliveries, "GET", one+"/deliveries", "")
	if d := deliveries.Deliveries; len(d) != 3 || d[0].Event != "batch.completed" || d[0].EpisodeID != "" || d[1].State != "waiting" || d[2].EpisodeID == "" {
		t.Errorf("deliveries %+v, want one for each episode, and one for the batch", d)
	}
	// An episode that is placed again because an earlier one was undone is not notified again.
	s.must(http.StatusOK, nil, "DELETE", "/v1/groups/g/episodes/"+deliveries.Deliveries[2].EpisodeID, "")
	s.must(http.StatusOK, &deliveries, "GET", one+"/deliveries", "")
	if n := len(deliveries.Deliveries); n != 3 {
		t.Errorf("%d deliveries after an episode was taken back", n)
	}
	s.must(http.StatusNoContent, nil, "DELETE", one, "")
	for _, gone := range []string{one, one + "/deliveries"} {
		if a := s.send("GET", gone, ""); a.status != http.StatusNotFound {
			t.Errorf("GET %s: %d", gone, a.status)
		}
	}
}
