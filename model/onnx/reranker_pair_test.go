package onnx

import (
	"testing"

	"pgregory.net/rapid"
)

func TestSidesShareTheRoom(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		query, text := rapid.IntRange(0, 600).Draw(t, "query"), rapid.IntRange(0, 600).Draw(t, "text")
		room := rapid.IntRange(1, 600).Draw(t, "room")
		q, x := share(query, text, room)
		switch {
		case q < 0 || x < 0 || q > query || x > text:
			t.Fatalf("%d and %d are more than there is", q, x)
		case q+x != min(query+text, room):
			t.Fatalf("%d and %d do not fill the room", q, x)
		case q < query && q < x-1 || x < text && x < q-1:
			t.Fatalf("%d and %d: the shorter side is cut", q, x)
		}
	})
}
