package service_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/service"
)

// Erasing from a group also removes the replies about it.
func TestErasureForgetsReplies(t *testing.T) {
	t.Parallel()
	client, url := open(t)
	added, err := client.Add(t.Context(), annals.Episode{GroupID: "t", Actor: "Alice", Content: "I live in Paris."})
	if err != nil {
		t.Fatal(err)
	}
	kept := service.Request{GroupID: "t", Caller: "somebody", Key: "word"}
	answered := func() {
		t.Helper()
		if reply, err := service.New(client).ClaimKey(t.Context(), kept); reply != nil || err != nil {
			t.Fatalf("it was claimed before: %v, %v", reply, err)
		}
		if err := service.New(client).SaveReply(t.Context(), kept, service.Reply{Status: 200, Body: []byte(`"Alice lives in Paris."`)}); err != nil {
			t.Fatal(err)
		}
	}
	answered()
	reply, err := service.New(client).ClaimKey(t.Context(), kept)
	if diff := cmp.Diff(&service.Reply{Status: 200, Header: map[string]string{}, Body: []byte(`"Alice lives in Paris."`)}, reply); diff != "" || err != nil {
		t.Errorf("kept was (-want +got) %s (%v)", diff, err)
	}
	for _, what := range []annals.Erasure{{GroupID: "t", EpisodeIDs: []uuid.UUID{added.ID}}, {GroupID: "t"}} {
		if _, err := client.Erase(t.Context(), what); err != nil {
			t.Fatal(err)
		}
		if replies := count(t, url, "SELECT count(*) FROM annals_internal.replies"); replies != 0 {
			t.Errorf("%d answers are left after an erasure", replies)
		}
		answered()
	}
}
