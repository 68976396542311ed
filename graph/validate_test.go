package graph_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/annalsdb/annals/graph"
)

func TestValidateGroupID(t *testing.T) {
	t.Parallel()
	for id, good := range map[string]bool{
		"alice": true, "user-1_a.b:c@d+e": true, "Zoë": true, "王": true, "007": true,
		"": false, "two words": false, "a/b": false, "a\x00": false, "\xff": false,
		strings.Repeat("x", graph.MaxGroupID): true, strings.Repeat("x", graph.MaxGroupID+1): false,
	} {
		if err := graph.ValidateGroupID(id); (err == nil) != good {
			t.Errorf("ValidateGroupID(%q) = %v", id, err)
		}
	}
}

// A name that no path can hold is refused. The error names a separate accent by its code point,
// since the printed name looks right.
func TestNamesThatLookRightSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		".":          `group: is ".", which is a place in a path`,
		"..":         `group: is "..", which is a place in a path`,
		"cafe\u0301": "it holds U+0301, an accent apart from its letter: write both as one character (Unicode NFC)",
	} {
		if err := graph.ValidateGroupID(id); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ValidateGroupID(%q) = %v, want %q", id, err, want)
		}
	}
	e := graph.Episode{GroupID: "g", Source: graph.SourceMessage, Content: "x", ThreadID: ".."}
	if err := e.Validate(); err == nil || !strings.Contains(err.Error(), "thread_id") {
		t.Errorf("a conversation named ..: %v", err)
	}
	for _, name := range []string{".", "..", "a.b", "..."} {
		id := graph.EscapeGroupID(name)
		if err := graph.ValidateGroupID(id); err != nil || graph.UnescapeGroupID(id) != name {
			t.Errorf("%q becomes %q, %v", name, id, err)
		}
	}
}

func TestSpeaker(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ actor, role, want string }{
		{"Alice", "user", "Alice"},
		{"", "assistant", "Assistant"},
		{"", "", ""},
	} {
		if got := (graph.Episode{Actor: tt.actor, Role: tt.role}).Speaker(); got != tt.want {
			t.Errorf("Speaker(%q, %q) = %q, want %q", tt.actor, tt.role, got, tt.want)
		}
	}
}

func TestCodeOf(t *testing.T) {
	t.Parallel()
	cause := errors.New("refused")
	err := fmt.Errorf("open: %w", &graph.Error{Code: graph.CodeUnavailable, Field: "database", Message: "cannot be reached", Err: cause})
	if graph.CodeOf(err) != graph.CodeUnavailable || !errors.Is(err, cause) {
		t.Errorf("CodeOf(%v) = %s", err, graph.CodeOf(err))
	}
	if got, want := err.Error(), "open: database: cannot be reached: refused"; got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
	if graph.CodeOf(cause) != graph.CodeInternal {
		t.Error("an error without a code is not internal")
	}
	if code := graph.CodeOf(nil); code != "" {
		t.Errorf("success has the code %s", code)
	}
}

func ExampleEpisode_Validate() {
	episode := graph.Episode{GroupID: "alice", Source: graph.SourceMessage, Content: "caf\xe9"}
	fmt.Println(episode.Validate())
	// Output: content: is not valid UTF-8; convert it first, for example with iconv
}
