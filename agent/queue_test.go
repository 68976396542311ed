package agent

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// talk generates conversations of agents: events, thoughts, and calls right before their results.
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

// Whatever the messages, a cut never separates a call from its result, leaves some messages, and
// frees what is asked for if possible. It splits no turn and removes no protected messages unless
// it must.
func TestCut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		queue := talk().Draw(t, "queue")
		give, protect := rapid.IntRange(1, 3000).Draw(t, "give"), rapid.IntRange(0, 5).Draw(t, "protect")
		n := cut(queue, give, protect)
		freed := make([]int, len(queue)+1)
		for i, m := range queue {
			freed[i+1] = freed[i] + m.tokens
		}
		switch {
		case n > 0 && n >= len(queue):
			t.Fatalf("all %d messages leave", n)
		case n > 0 && queue[n].Kind == KindResult:
			t.Fatalf("after %d messages a result stays without its call", n)
		}
		for place := 1; place < len(queue); place++ {
			if queue[place].Kind == KindResult {
				continue
			}
			free := place <= len(queue)-protect
			switch {
			case n == 0:
				t.Fatalf("nothing leaves a queue of which %d messages could", place)
			case n > len(queue)-protect && place < n:
				t.Fatalf("one of the last %d messages leaves, though only %d could", protect, place)
			case free && freed[n] < give && place > n:
				t.Fatalf("%d tokens were to be given back, and only %d were, though %d messages could leave", give, freed[n], place)
			case free && freed[place] >= give && queue[place].fromOutside() && (!queue[n].fromOutside() || place < n):
				t.Fatalf("%d messages leave, though a turn begins after %d", n, place)
			case free && freed[place] >= give && place < n && !queue[n].fromOutside():
				t.Fatalf("%d messages leave, though %d would do", n, place)
			}
		}
	})
}

// A queue with more messages than are read at once frees some, so that the latest are read.
func TestAQueueLongerThanWhatIsRead(t *testing.T) {
	t.Parallel()
	turn := &turn{settings: Settings{Window: 1 << 20}.withDefaults(), state: &state{crowded: true}}
	if give := turn.surplus(prompt{tokens: 101_000, fixed: 1000}); give != 50_000 {
		t.Errorf("%d tokens are given back, want half of the queue", give)
	}
	turn.state.crowded = false
	if give := turn.surplus(prompt{tokens: 101_000, fixed: 1000}); give != 0 {
		t.Errorf("%d tokens are given back of a context that is nearly empty", give)
	}
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
		"a turn of one call":            {[]Message{said, call, result}, 1},       // no later turn begins: before any call
		"two turns":                     {[]Message{said, call, result, said}, 1}, // the last three stay
		"three turns":                   {[]Message{said, call, result, said, call, result}, 3},
		"what is protected":             {[]Message{said, said, said, said, said}, 2},
		"what is protected, but cannot": {[]Message{said, call, result, call, result}, 1},
	} {
		if got := cut(tt.queue, 1000, 3); got != tt.want {
			t.Errorf("%s: %d messages leave, want %d", name, got, tt.want)
		}
	}
}

func TestTheErrorOfAFullContextSaysWhatFillsIt(t *testing.T) {
	t.Parallel()
	text := prompt{tokens: 120, fixed: 90}.tooLarge(100).Error()
	for _, want := range []string{"leaves 100 tokens", "summary take 90", "latest messages 30"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %s", want, text)
		}
	}
}
