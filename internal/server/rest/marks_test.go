package rest_test

import (
	"net/http"
	"testing"

	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
)

// Marks are set, shown with their rows, and listed with who set them. Wrong ones are refused with
// the field named, and so is a null in a list of a filter.
func TestMarksOverREST(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	var made struct{ ID string }
	s.must(http.StatusAccepted, &made, "POST", "/v1/groups/g/episodes", `{"content": "I live in Paris.", "actor": "Alice", "expires_at": "2999-01-01"}`)
	var done struct {
		Marked []struct{ ID, Kind, Offer string }
	}
	s.must(http.StatusOK, &done, "POST", "/v1/groups/g/marks", `{"ids": ["`+made.ID+`"], "mark": "pinned"}`)
	if len(done.Marked) != 1 || done.Marked[0].Kind != "episode" {
		t.Errorf("marked %+v", done)
	}
	var episode struct {
		Marks struct {
			ExpiresAt string `json:"expires_at"`
			Pinned    bool
		}
	}
	s.must(http.StatusOK, &episode, "GET", "/v1/groups/g/episodes/"+made.ID, "")
	if !episode.Marks.Pinned || episode.Marks.ExpiresAt != "2999-01-01T00:00:00Z" {
		t.Errorf("the episode shows %+v", episode)
	}
	var list struct {
		Marks []struct{ ID, Mark, Door string }
	}
	s.must(http.StatusOK, &list, "GET", "/v1/groups/g/marks?id="+made.ID, "")
	if len(list.Marks) != 2 || list.Marks[0].Mark != "pinned" || list.Marks[0].Door != "rest" {
		t.Errorf("the list has %+v", list)
	}
	for _, body := range []string{
		`{"ids": [], "mark": "pinned"}`, `{"ids": null, "mark": "pinned"}`, `{"ids": ["` + made.ID + `"], "mark": "nice"}`, `{"ids": ["` + made.ID + `"]}`,
		`{"ids": ["` + made.ID + `"], "mark": "expires"}`, `{"ids": ["` + made.ID + `"], "mark": "expires", "expires_at": "2001-01-01"}`,
		`{"ids": ["` + made.ID + `"], "mark": "expires", "expires_at": null}`, `{"ids": [null], "mark": "pinned"}`,
	} {
		if a := s.send("POST", "/v1/groups/g/marks", body); a.status != http.StatusUnprocessableEntity && a.status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", body, a.status, a.body)
		}
	}
	for _, body := range []string{
		`{"query": "Paris", "filter": {"users": [null]}}`, `{"query": "Paris", "filter": {"metadata": {"path": ["a"], "op": "wildcard", "value": 1}}}`,
	} {
		if a := s.send("POST", "/v1/groups/g/search", body); a.status != http.StatusUnprocessableEntity && a.status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", body, a.status, a.body)
		}
	}
	if a := s.send("POST", "/v1/groups/g/episodes", `{"content": "x", "expires_at": "2001-01-01"}`); a.status < 400 {
		t.Errorf("an episode that has expired: %d %s", a.status, a.body)
	}
}
