package retrieve_test

import (
	"fmt"
	"testing"

	"github.com/annalsdb/annals/internal/eval/retrieve"
)

func ExampleTokens() {
	fmt.Println(retrieve.Tokenizer, retrieve.Tokens("hello world"), retrieve.Tokens(""))
	// Output: o200k_base 2 0
}

// Any text can be counted: turns may contain anything that people type.
func FuzzTokens(f *testing.F) {
	for _, text := range []string{"Zoë 🎉", "<|endoftext|>", "\xff\xfe", "日本語", "a\x00b"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if n := retrieve.Tokens(text); n < 0 || (n == 0) != (text == "") {
			t.Errorf("%q has %d tokens", text, n)
		}
	})
}
