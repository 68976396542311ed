package chats_test

import (
	"archive/zip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/archive"
	"github.com/annalsdb/annals/internal/archive/chats"
	"github.com/annalsdb/annals/internal/slow"
)

// said is the part of a message that a test compares.
type said struct{ Who, Role, Text, Thread, Name, ID, At string }

func sayings(t *testing.T, r *chats.Reader) []said {
	t.Helper()
	var all []said
	for {
		e, _, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Validate(); err != nil || e.GroupID != "alice" {
			t.Errorf("%+v cannot be stored: %v", e, err)
		}
		all = append(all, said{e.Actor, e.Role, e.Content, e.ThreadID, e.Name, e.ExternalID, e.OccurredAt.Format(time.RFC3339Nano)})
	}
}

var want = map[chats.From]struct {
	said     []said
	counts   chats.Counts
	unmapped archive.Unmapped
}{
	chats.FromChatGPT: {
		said: []said{
			{"Alice", "user", "I live in Paris. What is the best way to move to Lisbon?", "11111111-0000-4000-8000-0000000000c1", "Moving house", "chatgpt:11111111-0000-4000-8000-000000000002", "2023-01-10T10:00:01.125Z"},
			{"ChatGPT", "assistant", "Hire a van.", "11111111-0000-4000-8000-0000000000c1", "Moving house", "chatgpt:11111111-0000-4000-8000-000000000006", "2023-01-10T10:01:42Z"},
			{"Alice", "user", "I moved to Lisbon.", "11111111-0000-4000-8000-0000000000c1", "Moving house", "chatgpt:11111111-0000-4000-8000-000000000007", "2023-01-10T10:01:42Z"},
		},
		counts: chats.Counts{Conversations: 3, Messages: 3},
		unmapped: archive.Unmapped{
			{Kind: "message of a branch that was left", Count: 1, Example: "11111111-0000-4000-8000-0000000000c1"},
			{Kind: "part of a message of the kind image_asset_pointer", Count: 1, Example: "11111111-0000-4000-8000-000000000002"},
			{Kind: "message of the kind code", Count: 1, Example: "11111111-0000-4000-8000-000000000004"},
			{Kind: "message of the role tool", Count: 1, Example: "11111111-0000-4000-8000-000000000005"},
			{Kind: "conversation without messages", Count: 1, Example: "11111111-0000-4000-8000-0000000000c2"},
			{Kind: "conversation that cannot be read", Count: 1, Example: "the 3. of the file: json: cannot unmarshal number into Go struct field chatGPTConversation.title of type string"},
		},
	},
	chats.FromClaude: {
		said: []said{
			{"", "", "The flat is at Rua do Século 7.", "22222222-0000-4000-8000-0000000000c1", "lease.txt", "claude:22222222-0000-4000-8000-000000000001:0", "2024-03-15T09:00:01.123456Z"},
			{"Alice", "user", "I moved to Lisbon last week.", "22222222-0000-4000-8000-0000000000c1", "Moving house", "claude:22222222-0000-4000-8000-000000000001", "2024-03-15T09:00:01.123456Z"},
			{"Claude", "assistant", "Welcome\n\nto Lisbon!", "22222222-0000-4000-8000-0000000000c1", "Moving house", "claude:22222222-0000-4000-8000-000000000004", "2024-03-15T09:01:00Z"},
			{"Alice", "user", "I work at Acme.", "22222222-0000-4000-8000-0000000000c2", "", "claude:22222222-0000-4000-8000-000000000011", "2023-07-01T10:00:00Z"},
		},
		counts: chats.Counts{Conversations: 2, Messages: 3, Attachments: 1},
		unmapped: archive.Unmapped{
			{Kind: "file without its content", Count: 1, Example: "22222222-0000-4000-8000-000000000001 photo.png"},
			{Kind: "message of a branch that was left", Count: 2, Example: "22222222-0000-4000-8000-000000000002"},
			{Kind: "part of a message of the kind thinking", Count: 1, Example: "22222222-0000-4000-8000-000000000004"},
			{Kind: "part of a message of the kind tool_use", Count: 1, Example: "22222222-0000-4000-8000-000000000004"},
			{Kind: "message without a text", Count: 1, Example: "22222222-0000-4000-8000-000000000012"},
		},
	},
}

// Messages are imported with speaker and time, along the branch shown last; the rest is counted.
// The archive gives the same as its file.
func TestConversations(t *testing.T) {
	t.Parallel()
	for from, want := range want {
		file := filepath.Join("testdata", string(from)+".json")
		for _, name := range []string{file, zipped(t, file)} {
			r, err := chats.Open(name, chats.Options{From: from, GroupID: "alice", Actor: "Alice"})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want.said, sayings(t, r)); diff != "" {
				t.Errorf("%s: said is (-want +got):\n%s", name, diff)
			}
			unmapped := want.unmapped
			if name != file {
				unmapped = append(archive.Unmapped{{Kind: "file of the archive that has no conversations", Count: 2, Example: "user.json"}}, unmapped...)
			}
			if diff := cmp.Diff(unmapped, r.Unmapped); diff != "" {
				t.Errorf("%s: not mapped is (-want +got):\n%s", name, diff)
			}
			if r.Counts != want.counts {
				t.Errorf("%s: counted are %+v, want %+v", name, r.Counts, want.counts)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// zipped puts a file into an archive like an export, with a second, empty file of conversations.
func zipped(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "export.zip")
	out, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(out)
	for path, content := range map[string]string{"conversations-000.json": string(text), "conversations-001.json": "[]"} {
		add(t, z, path, content)
	}
	add(t, z, "user.json", "{}")
	add(t, z, "images/1.png", "PNG")
	if err := errors.Join(z.Close(), out.Close()); err != nil {
		t.Fatal(err)
	}
	return name
}

func add(t *testing.T, z *zip.Writer, path, content string) {
	t.Helper()
	w, err := z.Create(path)
	if err == nil {
		_, err = io.WriteString(w, content)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Messages that cannot be stored are counted by field, and the rest is read.
func TestMessagesThatDoNotFit(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", graph.MaxContent+1)
	file := `[{"uuid": "c", "name": "` + strings.Repeat("ä", 600) + `", "chat_messages": [
		{"uuid": "1", "text": "` + long + `", "sender": "human", "created_at": "2024-01-01T00:00:00Z"},
		{"uuid": "2", "text": "NUL \u0000", "sender": "human", "created_at": "2024-01-01T00:00:00Z"},
		{"text": "nameless", "sender": "human", "created_at": "2024-01-01T00:00:00Z"},
		{"uuid": "4", "text": "by another", "sender": "robot", "created_at": "2024-01-01T00:00:00Z"},
		{"uuid": "6", "text": "once", "sender": "human"},
		{"uuid": "5", "text": "fine", "sender": "human", "created_at": "2024-01-01T00:00:00Z"}]}]`
	r, err := chats.NewReader(strings.NewReader(file), chats.Options{From: chats.FromClaude, GroupID: "alice"})
	if err != nil {
		t.Fatal(err)
	}
	if all := sayings(t, r); len(all) != 1 || all[0].Text != "fine" || len(all[0].Name) > graph.MaxName || len(all[0].Name) < graph.MaxName/2 {
		t.Errorf("said is %+v", all)
	}
	want := archive.Unmapped{
		{Kind: "message whose content cannot be stored", Count: 2, Example: "claude:1: content: is 1048577 bytes long; the limit is 1048576"},
		{Kind: "message without an id", Count: 1, Example: "c"},
		{Kind: `message of the sender "robot"`, Count: 1, Example: "4"},
		{Kind: "message without a time", Count: 1, Example: "claude:6"},
	}
	if diff := cmp.Diff(want, r.Unmapped); diff != "" {
		t.Errorf("not mapped is (-want +got):\n%s", diff)
	}
}

func TestFilesThatAreNoExport(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                      "must be a list",
		"{}":                    "must be a list",
		`[{"uuid": "1"`:         "cut short",
		`[{"uuid": "1"}`:        "cut short",
		"[":                     "cut short",
		"[1 2]":                 "no JSON",
		`[{"uuid": "1"}, {"a":`: "cut short",
	} {
		r, err := chats.NewReader(strings.NewReader(text), chats.Options{From: chats.FromClaude, GroupID: "alice"})
		if err != nil {
			t.Fatal(err)
		}
		for err == nil {
			_, _, err = r.Next()
		}
		if !strings.Contains(err.Error(), want) || graph.CodeOf(err) != graph.CodeInvalid {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, err := chats.NewReader(strings.NewReader(""), chats.Options{From: "gemini", GroupID: "alice"}); graph.CodeOf(err) != graph.CodeInvalid {
		t.Errorf("an unknown program: %v", err)
	}
	name := filepath.Join(t.TempDir(), "other.zip")
	out, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(out)
	add(t, z, "shared_conversations.json", "[]")
	if err := errors.Join(z.Close(), out.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := chats.Open(name, chats.Options{From: chats.FromChatGPT, GroupID: "alice"}); err == nil || !strings.Contains(err.Error(), "has no conversations.json") {
		t.Errorf("an archive without conversations: %v", err)
	}
}

// many is an endless list of conversations, up to a number of bytes.
type many struct {
	left int
	part string
	rest string
}

func (m *many) Read(p []byte) (int, error) {
	if m.rest == "" {
		switch {
		case m.left < 0:
			return 0, io.EOF
		case m.left == 0:
			m.rest, m.left = "{}]", -1
		default:
			m.rest = m.part + ","
			m.left = max(m.left-len(m.rest), 0)
		}
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// A long file is read one conversation at a time: memory use does not grow with it.
func TestALongExportTakesLittleMemory(t *testing.T) {
	slow.Test(t)
	const size = 300 << 20
	part := `{"uuid": "c", "name": "n", "chat_messages": [{"uuid": "1", "text": "` + strings.Repeat("a", 200<<10) + `", "sender": "human", "created_at": "2024-01-01T00:00:00Z"}]}`
	r, err := chats.NewReader(io.MultiReader(strings.NewReader("["), &many{left: size, part: part}), chats.Options{From: chats.FromClaude, GroupID: "alice"})
	if err != nil {
		t.Fatal(err)
	}
	var most, before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	messages := 0
	for ; err == nil; messages++ {
		_, _, err = r.Next()
		if messages%200 == 0 {
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			most.HeapAlloc = max(most.HeapAlloc, now.HeapAlloc)
		}
	}
	if !errors.Is(err, io.EOF) || messages < 1000 {
		t.Fatalf("%d messages, then %v", messages, err)
	}
	grown := int64(most.HeapAlloc) - int64(before.HeapAlloc)
	t.Logf("%d messages of %d MiB took %d MiB at the most", messages, size>>20, grown>>20)
	if grown > 64<<20 {
		t.Errorf("reading %d MiB takes %d MiB of memory", size>>20, grown>>20)
	}
}

// An unreadable time omits its message, not the conversation.
func TestAWrongTimeCostsOneMessage(t *testing.T) {
	t.Parallel()
	for _, wrong := range []string{`"yesterday"`, `17`, `null`, `""`, `{}`} {
		r, err := chats.NewReader(strings.NewReader(`[{"uuid":"c","name":"Travel","chat_messages":[
			{"uuid":"1","sender":"human","text":"I live in Oslo.","created_at":"2024-05-01T10:00:00Z"},
			{"uuid":"2","parent_message_uuid":"1","sender":"assistant","text":"Nice.","created_at":`+wrong+`},
			{"uuid":"3","parent_message_uuid":"2","sender":"human","text":"I like tea.","created_at":"2024-05-01T10:02:00Z"}]}]`),
			chats.Options{From: chats.FromClaude, GroupID: "alice"})
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, s := range sayings(t, r) {
			ids = append(ids, s.ID)
		}
		if diff := cmp.Diff([]string{"claude:1", "claude:3"}, ids); diff != "" {
			t.Errorf("%s: %s", wrong, diff)
		}
		if diff := cmp.Diff(archive.Unmapped{{Kind: "message without a time", Count: 1, Example: "claude:2"}}, r.Unmapped); diff != "" {
			t.Errorf("%s: %s", wrong, diff)
		}
	}
}

// A message of ChatGPT with an unreadable time gets that of the previous message.
func TestAWrongTimeOfChatGPTCostsNothing(t *testing.T) {
	t.Parallel()
	for _, wrong := range []string{`"yesterday"`, `null`, `""`, `{}`, `[]`} {
		r, err := chats.NewReader(strings.NewReader(`[{"conversation_id":"c","title":"Travel","create_time":`+wrong+`,"current_node":"2","mapping":{
			"1":{"id":"1","message":{"id":"1","author":{"role":"user"},"create_time":1714557600,"content":{"content_type":"text","parts":["I live in Oslo."]}}},
			"2":{"id":"2","parent":"1","message":{"id":"2","author":{"role":"user"},"create_time":`+wrong+`,"content":{"content_type":"text","parts":["I like tea."]}}}}}]`),
			chats.Options{From: chats.FromChatGPT, GroupID: "alice"})
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, s := range sayings(t, r) {
			ids = append(ids, s.ID)
		}
		if diff := cmp.Diff([]string{"chatgpt:1", "chatgpt:2"}, ids); diff != "" {
			t.Errorf("%s: %s", wrong, diff)
		}
	}
}

// The export of another program is refused, with that program's name.
func TestTheExportOfAnotherProgramIsRefused(t *testing.T) {
	t.Parallel()
	for from, text := range map[chats.From]string{
		chats.FromClaude:  `[{"id":"c","title":"Travel","mapping":{"a":{}}}]`,
		chats.FromChatGPT: `[{"uuid":"c","name":"Travel","chat_messages":[]}]`,
	} {
		r, err := chats.NewReader(strings.NewReader(text), chats.Options{From: from, GroupID: "alice"})
		if err != nil {
			t.Fatal(err)
		}
		other := map[chats.From]string{chats.FromClaude: "--from chatgpt", chats.FromChatGPT: "--from claude"}[from]
		if _, _, err := r.Next(); graph.CodeOf(err) != graph.CodeInvalid || !strings.Contains(err.Error(), other) {
			t.Errorf("read as one of %s it gives %v", from, err)
		}
	}
}
