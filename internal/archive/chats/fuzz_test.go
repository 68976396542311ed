package chats_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/annalsdb/annals/internal/archive/chats"
)

// For any file, reading terminates, and what it returns can be stored.
func FuzzConversations(f *testing.F) {
	for _, from := range []chats.From{chats.FromChatGPT, chats.FromClaude} {
		text, err := os.ReadFile(filepath.Join("testdata", string(from)+".json"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, from == chats.FromClaude)
	}
	f.Add([]byte(`[{"mapping": {"a": {"parent": "b"}, "b": {"parent": "a"}}, "current_node": "a"}]`), false)
	f.Add([]byte(`[{"chat_messages": [{"uuid": "a", "parent_message_uuid": "a"}]}]`), true)
	f.Fuzz(func(t *testing.T, data []byte, claude bool) {
		from := chats.FromChatGPT
		if claude {
			from = chats.FromClaude
		}
		r, err := chats.NewReader(bytes.NewReader(data), chats.Options{From: from, GroupID: "g"})
		if err != nil {
			t.Fatal(err)
		}
		for {
			e, _, err := r.Next()
			if err != nil {
				return
			}
			if err := e.Validate(); err != nil {
				t.Fatalf("%q gives %+v: %v", data, e, err)
			}
		}
	})
}
