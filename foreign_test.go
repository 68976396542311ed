package annals_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/archive"
)

// What Zep and Graphiti export is, once it is imported, a graph like any other:
// with its times, sources and vectors, and open to what is said next.
func TestGraphsOfOthersAreTakenOver(t *testing.T) {
	t.Parallel()
	for _, from := range []archive.Foreign{archive.FromZep, archive.FromGraphiti} {
		t.Run(string(from), func(t *testing.T) {
			t.Parallel()
			client, _ := open(t)
			file, err := os.Open("testdata/foreign/" + string(from) + ".json")
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			moved, err := client.Import(t.Context(), file, annals.ImportOptions{From: from, GroupID: "alice"})
			if err != nil {
				t.Fatal(err)
			}
			rows := map[string]int64{}
			for _, table := range []string{"episodes", "entities", "facts", "mentions", "fact_episodes"} {
				rows[table] = moved.Rows[table]
			}
			if diff := cmp.Diff(map[string]int64{"episodes": 2, "entities": 3, "facts": 2, "mentions": 4, "fact_episodes": 2}, rows); diff != "" {
				t.Errorf("imported (-want +got):\n%s", diff)
			}
			facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "alice", ValidAt: time.Date(2023, 6, 1, 0, 0, 0, 0, time.UTC)})
			if err != nil || len(facts) != 1 || facts[0].Fact != "Alice lives in Paris." || facts[0].Source != "Alice" || len(facts[0].Episodes) != 1 {
				t.Errorf("in 2023 held %+v (%v)", facts, err)
			}
			found, err := client.Search(t.Context(), annals.Query{GroupID: "alice", Text: "Where does Alice live?"})
			if err != nil || len(found.Facts) != 1 || found.Facts[0].Fact.Fact != "Alice lives in Lisbon." || string(found.Facts[0].Attributes) != `{"sure": true}` {
				t.Errorf("found is %+v (%v)", found.Facts, err)
			}
			alice, err := client.Entity(t.Context(), "alice", "Alice")
			if err != nil || !cmp.Equal(alice.Labels, []string{"User"}) || string(alice.Attributes) != `{"userId": "alice"}` {
				t.Errorf("Alice is %+v (%v)", alice, err)
			}
			if vectors, err := client.Vectors(t.Context(), "alice"); err != nil || vectors.Missing.Total() != 0 {
				t.Errorf("vectors are missing: %+v (%v)", vectors, err)
			}
			if _, err := client.Add(t.Context(), annals.Episode{GroupID: "alice", Actor: "Alice", Content: "I work at Acme."}); err != nil {
				t.Fatal(err)
			}
			if err := client.Process(t.Context(), "alice", func(p annals.Processed) {
				if p.Err != nil {
					t.Error(p.Err)
				}
			}); err != nil {
				t.Fatal(err)
			}
			if again, err := client.Entity(t.Context(), "alice", "Alice"); err != nil || again.ID != alice.ID {
				t.Errorf("what is said next is not of the same Alice: %v (%v)", again.ID, err)
			}
		})
	}
}

// A user of Zep is one here too, with the conversations by their names.
func TestAUserIsTakenOverWithItsConversations(t *testing.T) {
	t.Parallel()
	client, _ := open(t)
	file, err := os.Open("testdata/foreign/zep.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := client.Import(t.Context(), file, annals.ImportOptions{From: archive.FromZep, GroupID: "acme:alice"}); err != nil {
		t.Fatal(err)
	}
	user, err := client.User(t.Context(), "acme:alice")
	if err != nil || user.Email != "alice@example.com" || user.Name() != "Alice" || user.TimeZone != "Europe/Lisbon" {
		t.Errorf("the user is %+v (%v)", user, err)
	}
	group, err := client.GroupOfThread(t.Context(), annals.Within{Namespace: "acme"}, "chat")
	if err != nil || group != "acme:alice" {
		t.Errorf("the conversation is of %q (%v)", group, err)
	}
	thread, err := client.Thread(t.Context(), "acme:alice", "chat")
	if err != nil || thread.Messages != 2 || !thread.CreatedAt.Equal(time.Date(2023, 1, 9, 12, 0, 0, 0, time.UTC)) {
		t.Errorf("the conversation is %+v (%v)", thread, err)
	}
}

func TestFilesThatAreOfNobody(t *testing.T) {
	t.Parallel()
	client, _ := open(t)
	for _, tt := range []struct {
		from       archive.Foreign
		file, want string
	}{
		{"mem0", "{}", "not one of zep, graphiti"},
		{archive.FromZep, "no JSON", "no JSON object"},
		{archive.FromZep, `{"nodes": [{"uuid": 7}]}`, "not what zep exports"},
		{archive.FromGraphiti, `{"nodes": []}`, "does not name a group"},
		{archive.FromGraphiti, `{"nodes": [{"group_id": "alice"}], "edges": [{"group_id": "bob"}]}`, "of 2 groups, alice and bob"},
	} {
		_, err := client.Import(t.Context(), strings.NewReader(tt.file), annals.ImportOptions{From: tt.from})
		if annals.CodeOf(err) != annals.CodeInvalid || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q from %s: %v, want %q", tt.file, tt.from, err, tt.want)
		}
	}
}
