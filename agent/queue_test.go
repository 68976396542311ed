package agent

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// talk is a conversation as agents have them: events, thoughts, and calls right
// before their results.
func talk() *rapid.Generator[[]Message] {
	return rapid.Custom(func(t *rapid.T) []Message {
		var queue []Message
		for i := range rapid.IntRange(0, 30).Draw(t, "entries") {
			tokens := rapid.IntRange(1, 500).Draw(t, "tokens")
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				queue = append(queue, Message{Role: roleUser, Kind: KindMessage, tokens: tokens})
			case 1:
				queue = append(queue, Message{Role: roleSystem, Kind: KindPressure, tokens: tokens})
			case 2:
				queue = append(queue, Message{Role: roleAssistant, Kind: KindThought, tokens: tokens})
			default:
				id := fmt.Sprint("call_", i)
				queue = append(queue,
					Message{Role: roleAssistant, Kind: KindCall, CallID: id, tokens: tokens},
					Message{Role: roleTool, Kind: KindResult, CallID: id, tokens: rapid.IntRange(1, 500).Draw(t, "result")})
			}
		}
		return queue
	})
}

// Whatever is said, what leaves the context parts no call from its result,
// leaves something behind, and gives back what is asked for where that can be.
func TestCut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		queue := talk().Draw(t, "queue")
		give, protect := rapid.IntRange(1, 3000).Draw(t, "give"), rapid.IntRange(0, 5).Draw(t, "protect")
		n := cut(queue, give, protect)
		if n == 0 {
			if len(cutPlaces(queue)) > 0 {
				t.Fatalf("nothing leaves a queue of %d messages that can be cut", len(queue))
			}
			return
		}
		if n >= len(queue) {
			t.Fatalf("all %d messages leave", n)
		}
		if queue[n].Kind == KindResult {
			t.Fatalf("after %d messages a result stays without its call", n)
		}
		freed := 0
		for _, m := range queue[:n] {
			freed += m.tokens
		}
		for _, place := range cutPlaces(queue) {
			if freed < give && place > n && place <= len(queue)-protect {
				t.Fatalf("%d tokens were to be given back, and only %d were, though %d messages could leave", give, freed, place)
			}
			if n > len(queue)-protect && place < n {
				t.Fatalf("one of the last %d messages leaves, though only %d could", protect, place)
			}
		}
	})
}

func TestOneMessageNeverLeaves(t *testing.T) {
	t.Parallel()
	call := Message{Role: roleAssistant, Kind: KindCall, CallID: "a", tokens: 100}
	result := Message{Role: roleTool, Kind: KindResult, CallID: "a", tokens: 100}
	said := Message{Role: roleUser, Kind: KindMessage, tokens: 100}
	for name, tt := range map[string]struct {
		queue []Message
		want  int
	}{
		"nothing":                       {nil, 0},
		"one message":                   {[]Message{said}, 0},
		"one call":                      {[]Message{call, result}, 0},
		"a turn of one call":            {[]Message{said, call, result}, 1}, // no turn begins later: before any call
		"two turns":                     {[]Message{said, call, result, said}, 3},
		"what is protected":             {[]Message{said, said, said, said, said}, 2},
		"what is protected, but cannot": {[]Message{said, call, result, call, result}, 1},
	} {
		if got := cut(tt.queue, 1000, 3); got != tt.want {
			t.Errorf("%s: %d messages leave, want %d", name, got, tt.want)
		}
	}
}
