package zep_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/service"
)

// Batches are filtered by status before a page is cut, and so are items. Deleted episodes do not
// keep a batch open.
func TestPagesOfBatchesAreOfOneStatus(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	var batches []string
	for i := range 4 {
		var made struct {
			ID string `json:"batch_id"`
		}
		if err := json.Unmarshal([]byte(talk.ask(http.MethodPost, "/batches", "{}")), &made); err != nil {
			t.Fatal(err)
		}
		batches = append(batches, made.ID)
		for n := range 3 {
			item := fmt.Sprintf(`{"items":[{"type":"graph_episode","user_id":"alice","data_type":"text","data":"Text %d of %d."}]}`, n, i)
			talk.ask(http.MethodPost, "/batches/"+made.ID+"/items", item)
		}
	}
	talk.ask(http.MethodPost, "/batches/"+batches[0]+"/process", "{}")
	type list struct {
		Batches []struct {
			ID string `json:"batch_id"`
		} `json:"batches"`
		Items []struct {
			Status string `json:"status"`
			Index  int    `json:"sequence_index"`
			UUID   string `json:"episode_uuid"`
		} `json:"items"`
		Next *int `json:"next_cursor"`
	}
	read := func(path string) (l list) {
		t.Helper()
		if err := json.Unmarshal([]byte(talk.get(path)), &l); err != nil {
			t.Fatal(err)
		}
		return l
	}
	// the queued batch is the oldest, so the first page of all batches does not contain it
	if l := read("/batches?status=queued&limit=1"); len(l.Batches) != 1 || l.Batches[0].ID != batches[0] {
		t.Errorf("queued are %+v", l)
	}
	var drafts []string
	for l := read("/batches?status=draft&limit=2"); ; l = read(fmt.Sprintf("/batches?status=draft&limit=2&cursor=%d", *l.Next)) {
		for _, b := range l.Batches {
			drafts = append(drafts, b.ID)
		}
		if l.Next == nil {
			break
		}
	}
	if fmt.Sprint(drafts) != fmt.Sprint([]string{batches[3], batches[2], batches[1]}) {
		t.Errorf("the drafts are %v, of %v", drafts, batches)
	}
	talk.send("GET", "/api/v4/batches?status=queued&page_size=1", "").is(200, batches[0])
	if l := read("/batches?status=nonsense"); len(l.Batches) != 0 {
		t.Errorf("of a status that there is not: %+v", l)
	}
	path := "/batches/" + batches[0] + "/items"
	first := read(path + "?status=queued&limit=2")
	if len(first.Items) != 2 || first.Next == nil {
		t.Fatalf("%+v", first)
	}
	rest := read(fmt.Sprintf("%s?status=queued&limit=2&cursor=%d", path, *first.Next))
	if len(rest.Items) != 1 || rest.Items[0].Index != 2 || rest.Next != nil {
		t.Errorf("the second page is %+v", rest)
	}
	for status, want := range map[string]int{"pending": 0, "succeeded": 0, "skipped": 0, "failed": 0, "nonsense": 0, "": 3} {
		if l := read(path + "?status=" + status); len(l.Items) != want {
			t.Errorf("%d are %q, not %d", len(l.Items), status, want)
		}
	}
	talk.send("GET", "/api/v4"+path+"?page_size=2", "").is(200, "next_cursor")
	// one is deleted before it is read
	talk.ask(http.MethodDelete, "/graph/episodes/"+first.Items[0].UUID, "")
	if err := talk.memory.Process(t.Context(), "acme:alice", func(annals.Processed) {}); err != nil {
		t.Fatal(err)
	}
	talk.send("GET", "/api/v2/batches/"+batches[0], "").is(200, `"status":"succeeded"`, `"total_items":2`)
	talk.send("DELETE", "/api/v4/batches/"+batches[0], "").is(204)
	// another project sees none of them
	stranger := talk
	var err error
	if stranger.secret, _, err = service.New(talk.memory).CreateAPIKey(t.Context(), service.KeySpec{Groups: []string{"other:*"}}); err != nil {
		t.Fatal(err)
	}
	stranger.send("GET", "/api/v2/batches", "").is(200, `"batches":[]`)
	stranger.send("GET", "/api/v2/batches/"+batches[1]+"/items", "").is(404)
	stranger.send("GET", "/api/v4/batches/"+batches[1]+"/items", "").is(404)
}

// What is erased is no longer counted among the items of a batch.
func TestABatchCountsTheItemsThatItHas(t *testing.T) {
	t.Parallel()
	talk := talked(t, 0, nil)
	talk.send("POST", "/api/v2/users", `{"user_id":"ren"}`).is(200)
	var batch struct {
		ID string `json:"batch_id"`
	}
	if err := json.Unmarshal([]byte(talk.ask(http.MethodPost, "/batches", "{}")), &batch); err != nil {
		t.Fatal(err)
	}
	talk.send("POST", "/api/v2/batches/"+batch.ID+"/items", `{"items":[{"type":"graph_episode","user_id":"alice","data_type":"text","data":"One."},
		{"type":"graph_episode","user_id":"ren","data_type":"text","data":"Two."}]}`).is(200)
	talk.send("GET", "/api/v2/batches/"+batch.ID, "").is(200, `"item_count":2`)
	if _, err := talk.memory.Erase(t.Context(), annals.Erasure{GroupID: "acme:ren"}); err != nil {
		t.Fatal(err)
	}
	talk.send("GET", "/api/v2/batches/"+batch.ID, "").is(200, `"item_count":1`)
}
