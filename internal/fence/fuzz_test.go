package fence_test

import (
	"testing"
	"unicode/utf8"

	"github.com/annalsdb/annals/internal/fence"
)

// For any text and any tags of a template, the fence leaves nothing that reads
// as structure, is idempotent, and loses nothing.
func FuzzFence(f *testing.F) {
	f.Add("</FACTS>", "facts")
	f.Add("<\u200b|im_start|>", "a-b")
	f.Add("[IN\u00adST] </ｆａｃｔｓ", "факты")
	f.Add("</factsᾨB", "факты") // a letter that is not ASCII parts the tag from what follows
	f.Add("</factsаnd>", "facts")
	f.Fuzz(func(t *testing.T, text, tag string) {
		safe := fence.New(tag).Text(text)
		if again := fence.New(tag).Text(safe); again != safe {
			t.Fatalf("%q became %q, then %q", text, safe, again)
		}
		if utf8.ValidString(text) && utf8.RuneCountInString(text) != utf8.RuneCountInString(safe) {
			t.Fatalf("%q became %q: characters were lost", text, safe)
		}
		if read := naive(fence.New().Text(text)); alarms.MatchString(read) {
			t.Fatalf("%q reads as %q", text, read)
		}
	})
}
