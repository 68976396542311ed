package archive_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/archive"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
)

// An imported export of Zep or Graphiti is a graph like any other: with times, sources and vectors,
// and able to grow.
func TestGraphsOfOthersAreTakenOver(t *testing.T) {
	t.Parallel()
	for _, from := range []archive.Foreign{archive.FromZep, archive.FromGraphiti} {
		t.Run(string(from), func(t *testing.T) {
			t.Parallel()
			client, _ := clienttest.New(t)
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
			if vectors, err := service.New(client).Vectors(t.Context(), "alice"); err != nil || vectors.Missing.Total() != 0 {
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

// A user of Zep becomes a user, with named threads.
func TestAUserIsTakenOverWithItsConversations(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	file, err := os.Open("testdata/foreign/zep.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := client.Import(t.Context(), file, annals.ImportOptions{From: archive.FromZep, GroupID: "acme:alice"}); err != nil {
		t.Fatal(err)
	}
	user, err := service.New(client).User(t.Context(), "acme:alice")
	if err != nil || user.Email != "alice@example.com" || user.Name() != "Alice" || user.TimeZone != "Europe/Lisbon" {
		t.Errorf("the user is %+v (%v)", user, err)
	}
	group, err := service.New(client).GroupOfThread(t.Context(), service.Within{Namespace: "acme"}, "chat")
	if err != nil || group != "acme:alice" {
		t.Errorf("the conversation is of %q (%v)", group, err)
	}
	thread, err := client.Thread(t.Context(), "acme:alice", "chat")
	if err != nil || thread.Messages != 2 || !thread.CreatedAt.Equal(time.Date(2023, 1, 9, 12, 0, 0, 0, time.UTC)) {
		t.Errorf("the conversation is %+v (%v)", thread, err)
	}
}

// Rows without content are left out, and times may lack their zone.
func TestFilesWithGaps(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	const file = `{"episodes": [
		{"uuid": "6a1b2c3d-0000-4000-8000-000000000001", "group_id": "ann", "source": "text", "content": " ", "created_at": "2024-06-01T00:00:00", "valid_at": null},
		{"uuid": "6a1b2c3d-0000-4000-8000-000000000002", "group_id": "ann", "source": "text", "content": "Ann knows Bob.", "created_at": "2024-06-01T00:00:00", "valid_at": ""}],
	"nodes": [
		{"uuid": "6a1b2c3d-0000-4000-8000-000000000011", "group_id": "ann", "name": "Ann", "labels": ["Entity"], "created_at": "2024-06-01T00:00:01"},
		{"uuid": "6a1b2c3d-0000-4000-8000-000000000012", "group_id": "ann", "name": "Bob", "labels": ["Entity"], "created_at": "2024-06-01T00:00:01"},
		{"uuid": "6a1b2c3d-0000-4000-8000-000000000013", "group_id": "ann", "name": "", "labels": ["Entity"], "created_at": "2024-06-01T00:00:01"}],
	"edges": [
		{"uuid": "6a1b2c3d-0000-4000-8000-000000000021", "group_id": "ann", "source_node_uuid": "6a1b2c3d-0000-4000-8000-000000000011",
			"target_node_uuid": "6a1b2c3d-0000-4000-8000-000000000012", "name": "KNOWS", "fact": "Ann knows Bob.", "created_at": "2024-06-01T00:00:01",
			"valid_at": "2024-05-01T00:00:00.5", "episodes": ["6a1b2c3d-0000-4000-8000-000000000001", "6a1b2c3d-0000-4000-8000-000000000002"]},
		{"uuid": "6a1b2c3d-0000-4000-8000-000000000022", "group_id": "ann", "source_node_uuid": "6a1b2c3d-0000-4000-8000-000000000011",
			"target_node_uuid": "6a1b2c3d-0000-4000-8000-000000000013", "name": "KNOWS", "fact": "Ann knows nobody.", "created_at": "2024-06-01T00:00:01"}]}`
	if _, err := client.Import(t.Context(), strings.NewReader(file), annals.ImportOptions{From: archive.FromGraphiti}); err != nil {
		t.Fatal(err)
	}
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "ann"})
	if err != nil || len(facts) != 1 || len(facts[0].Episodes) != 1 || !facts[0].Valid.Start.Equal(time.Date(2024, 5, 1, 0, 0, 0, 5e8, time.UTC)) {
		t.Errorf("imported are %+v (%v)", facts, err)
	}
}

func TestFilesThatAreOfNobody(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	for _, tt := range []struct {
		from       archive.Foreign
		file, want string
	}{
		{"mem0", "{}", "not one of zep, graphiti"},
		{archive.FromZep, "no JSON", "no JSON object"},
		{archive.FromZep, "", "is empty"},
		{archive.FromZep, `{"episodes": [`, "cut short"},
		{archive.FromZep, `{"user": {"user_id": "bob"}`, "cut short"},
		{archive.FromZep, `{"nodes": [{"uuid": 7}]}`, "not what zep exports"},
		{archive.FromGraphiti, `{"nodes": []}`, "does not name a group"},
		{archive.FromGraphiti, `{"nodes": [{"name": "A", "group_id": "alice"}], "episodes": [{"content": "B", "group_id": "bob"}]}`, "of 2 groups, alice and bob"},
		{archive.FromZep, `{"user": {"userId": "auth0|bob"}}`, "cannot be called \"auth0|bob\""},
		{archive.FromZep, `{"user": {"userId": "bob", "createdAt": "soon"}}`, "is no time"},
	} {
		_, err := client.Import(t.Context(), strings.NewReader(tt.file), annals.ImportOptions{From: tt.from})
		if annals.CodeOf(err) != annals.CodeInvalid || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q from %s: %v, want %q", tt.file, tt.from, err, tt.want)
		}
	}
}

// Content erased from a group is left out of another program's export of it, with facts that only
// it supported, and named. In exports of Zep, whose episodes belong to a thread, the rest stays.
func TestErasedEpisodesOfOthersAreLeftOut(t *testing.T) {
	t.Parallel()
	for from, said := range map[archive.Foreign]string{archive.FromZep: "I moved to Lisbon.", archive.FromGraphiti: "Alice(user): I moved to Lisbon."} {
		t.Run(string(from), func(t *testing.T) {
			t.Parallel()
			client, _ := clienttest.New(t)
			stored, err := client.Add(t.Context(), annals.Episode{GroupID: "alice", Content: said})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := client.Erase(t.Context(), annals.Erasure{GroupID: "alice", EpisodeIDs: []uuid.UUID{stored.ID}}); err != nil {
				t.Fatal(err)
			}
			file, err := os.Open("testdata/foreign/" + string(from) + ".json")
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			moved, err := client.Import(t.Context(), file, annals.ImportOptions{From: from, GroupID: "alice"})
			if err != nil || len(moved.Erased) != 1 {
				t.Fatalf("left out are %v (%v), want one", moved.Erased, err)
			}
			episodes, err := client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "alice"})
			if err != nil || len(episodes) != 1 || strings.Contains(episodes[0].Content, "Lisbon") {
				t.Errorf("the episodes are %+v (%v)", episodes, err)
			}
			facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "alice"})
			if err != nil || from == archive.FromZep && (len(facts) != 1 || facts[0].Fact != "Alice lives in Paris.") {
				t.Errorf("the facts are %+v (%v)", facts, err)
			}
			for _, f := range facts {
				if strings.Contains(f.Fact, "Lisbon") {
					t.Errorf("%q is believed", f.Fact)
				}
			}
		})
	}
}

// neo4j is the output of apoc.export.json.all for Graphiti's graph: two groups, times as Java
// writes them, attributes among the properties, and ends given by number.
const neo4j = `{"type":"node","id":"0","labels":["Episodic"],"properties":{"uuid":"6a1b2c3d-0000-4000-8000-000000000001","name":"chat","group_id":"alice","source":"message","source_description":"a chat","content":"Alice: I live in Paris.","valid_at":"2023-01-10T00:00Z","created_at":"2024-06-01T00:00:00.123456Z[UTC]","entity_edges":["6a1b2c3d-0000-4000-8000-000000000021"]}}
{"type":"node","id":"1","labels":["Entity","User"],"properties":{"uuid":"6a1b2c3d-0000-4000-8000-000000000011","name":"Alice","group_id":"alice","summary":"Alice lives in Paris.","created_at":"2024-06-01T00:00:01Z","name_embedding":[0.1,0.2],"userId":"a-1"}}
{"type":"node","id":"2","labels":["Entity"],"properties":{"uuid":"6a1b2c3d-0000-4000-8000-000000000012","name":"Paris","group_id":"alice","summary":"","created_at":"2024-06-01T00:00:01Z"}}
{"type":"node","id":"3","labels":["Community"],"properties":{"uuid":"6a1b2c3d-0000-4000-8000-000000000031","name":"Homes","group_id":"alice"}}
{"type":"node","id":"4","labels":["Entity"],"properties":{"uuid":"6a1b2c3d-0000-4000-8000-000000000013","name":"Bob","group_id":"bob","summary":"","created_at":"2024-06-01T00:00:01Z"}}
{"id":"0","type":"relationship","label":"MENTIONS","properties":{"uuid":"6a1b2c3d-0000-4000-8000-000000000041","group_id":"alice"},"start":{"id":"0","labels":["Episodic"]},"end":{"id":"1","labels":["Entity","User"]}}
{"id":"1","type":"relationship","label":"RELATES_TO","properties":{"uuid":"6a1b2c3d-0000-4000-8000-000000000021","group_id":"alice","name":"LIVES_IN","fact":"Alice lives in Paris.","source_node_uuid":"6a1b2c3d-0000-4000-8000-000000000011","target_node_uuid":"6a1b2c3d-0000-4000-8000-000000000012","fact_embedding":[0.5],"episodes":["6a1b2c3d-0000-4000-8000-000000000001"],"created_at":"2024-06-01T00:00:01Z","valid_at":"2023-01-10T00:00Z","sure":true},"start":{"id":"1","labels":["Entity","User"]},"end":{"id":"2","labels":["Entity"]}}
{"id":"2","type":"relationship","label":"HAS_MEMBER","properties":{"group_id":"alice"},"start":{"id":"3","labels":["Community"]},"end":{"id":"1","labels":["Entity","User"]}}
`

// A dump of Neo4j has the whole database: one of its groups is read, and rows of other kinds are
// counted. Lists, and separate nodes and relationships, give the same.
func TestADumpOfNeo4jIsTakenOver(t *testing.T) {
	t.Parallel()
	lines := strings.Split(strings.TrimSpace(neo4j), "\n")
	for name, file := range map[string]string{
		"lines": neo4j,
		"array": "[" + strings.Join(lines, ",\n") + "]",
		"json":  `{"nodes": [` + strings.Join(lines[:5], ",") + `], "rels": [` + strings.Join(lines[5:], ",") + `]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, _ := clienttest.New(t)
			if _, err := client.Import(t.Context(), strings.NewReader(file), annals.ImportOptions{From: archive.FromGraphiti}); err == nil || !strings.Contains(err.Error(), "--only") {
				t.Errorf("a file of two groups: %v", err)
			}
			options := annals.ImportOptions{From: archive.FromGraphiti, Only: "alice", GroupID: "acme:alice", DryRun: true}
			looked, err := client.Import(t.Context(), strings.NewReader(file), options)
			if err != nil || looked.Rows["entities"] != 2 || looked.Rows["facts"] != 1 {
				t.Errorf("a dry run counts %+v (%v)", looked, err)
			}
			if _, err := client.Group(t.Context(), "acme:alice"); annals.CodeOf(err) != annals.CodeNotFound {
				t.Errorf("a dry run stores something: %v", err)
			}
			options.DryRun = false
			moved, err := client.Import(t.Context(), strings.NewReader(file), options)
			if err != nil {
				t.Fatal(err)
			}
			want := archive.Unmapped{
				{Kind: "node of the kind Community", Count: 1, Example: "3"},
				{Kind: "node of another group", Count: 1, Example: "6a1b2c3d-0000-4000-8000-000000000013"},
				{Kind: "relationship HAS_MEMBER", Count: 1, Example: "2"},
			}
			if diff := cmp.Diff(want, moved.Unmapped); diff != "" || !cmp.Equal(want, looked.Unmapped) {
				t.Errorf("not mapped (-want +got):\n%s", diff)
			}
			if moved.Rows["mentions"] != 2 || moved.Rows["fact_episodes"] != 1 {
				t.Errorf("imported are %v", moved.Rows)
			}
			alice, err := client.Entity(t.Context(), "acme:alice", "Alice")
			if err != nil || !cmp.Equal(alice.Labels, []string{"User"}) || string(alice.Attributes) != `{"userId": "a-1"}` {
				t.Errorf("Alice is %+v (%v)", alice, err)
			}
			facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "acme:alice"})
			if err != nil || len(facts) != 1 || string(facts[0].Attributes) != `{"sure": true}` || !facts[0].Valid.Start.Equal(time.Date(2023, 1, 10, 0, 0, 0, 0, time.UTC)) {
				t.Errorf("the facts are %+v (%v)", facts, err)
			}
		})
	}
}

// Importing another program's export again changes nothing. If the group has part of it, the import
// is refused, with the numbers.
func TestAnotherProgramsExportIsImportedOnce(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	file, err := os.ReadFile("testdata/foreign/graphiti.json")
	if err != nil {
		t.Fatal(err)
	}
	options := annals.ImportOptions{From: archive.FromGraphiti}
	if first, err := client.Import(t.Context(), strings.NewReader(string(file)), options); err != nil || first.There {
		t.Fatalf("%+v (%v)", first, err)
	}
	before := exported(t, client, "alice")
	again, err := client.Import(t.Context(), strings.NewReader(string(file)), options)
	if err != nil || !again.There || len(again.Rows) != 0 {
		t.Errorf("imported again is %+v (%v)", again, err)
	}
	if exported(t, client, "alice") != before {
		t.Error("importing again changed the group")
	}
	more := strings.Replace(string(file), "000000000011", "0000000000ff", 1)
	if _, err := client.Import(t.Context(), strings.NewReader(more), options); annals.CodeOf(err) != annals.CodeConflict || !strings.Contains(err.Error(), "of the ") {
		t.Errorf("a file that is there in part: %v", err)
	}
}

// Duplicate rows, and rows without an id or with a NUL, do not stop an import.
func TestOddRowsAreCounted(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	const file = `{"episodes": [
		{"uuid": "6a1b2c3d-0000-4000-8000-000000000001", "group_id": "ann", "content": "Ann knows Bob.", "created_at": "2024-06-01T00:00:00Z"},
		{"uuid": "6a1b2c3d-0000-4000-8000-000000000001", "group_id": "ann", "content": "Ann knows Bob.", "created_at": "2024-06-01T00:00:00Z"},
		{"uuid": "6a1b2c3d-0000-4000-8000-000000000002", "group_id": "ann", "content": "Ann\u0000", "created_at": "2024-06-01T00:00:00Z"}],
	"nodes": [{"group_id": "ann", "name": "Ann", "created_at": "2024-06-01T00:00:01Z"}], "edges": null, "communities": [{"name": "all"}]}`
	moved, err := client.Import(t.Context(), strings.NewReader(file), annals.ImportOptions{From: archive.FromGraphiti})
	want := archive.Unmapped{
		{Kind: "episode that is there twice", Count: 1},
		{Kind: "episode with a NUL in its text", Count: 1, Example: "6a1b2c3d-0000-4000-8000-000000000002"},
		{Kind: "node without an id", Count: 1, Example: "Ann"},
	}
	if diff := cmp.Diff(want, moved.Unmapped); diff != "" || err != nil || moved.Rows["episodes"] != 1 {
		t.Errorf("%v, not mapped (-want +got):\n%s", err, diff)
	}
}

func exported(t *testing.T, client *annals.Client, group string) string {
	t.Helper()
	var out strings.Builder
	if _, err := client.Export(t.Context(), group, &out, annals.ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
