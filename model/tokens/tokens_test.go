package tokens_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"flag"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"
	"pgregory.net/rapid"

	"github.com/annalsdb/annals/model/tokens"
)

// go test ./model/tokens -update takes the vocabularies from the library that the tests
// compare with.
var update = flag.Bool("update", false, "write the vocabularies")

// encodings are ours, by the library's names.
var encodings = map[tokenizer.Encoding]func() *tokens.Encoding{
	tokenizer.O200kBase:  tokens.O200k,
	tokenizer.Cl100kBase: tokens.Cl100k,
}

// vocabulary returns the library's vocabulary in our uncompressed format.
func vocabulary(t *testing.T, codec tokenizer.Codec) (packed []byte, longest int) {
	t.Helper()
	ranks := map[string]uint{}
	for id := range uint(200_000) {
		token, err := codec.Decode([]uint{id})
		if err == nil && token != "" && !(strings.HasPrefix(token, "<|") && strings.HasSuffix(token, "|>")) { // or a mark of the end of a text
			ranks[token] = id
			longest = max(longest, len(token))
		}
	}
	var shared, following, rest, high, middle, low []byte
	before := ""
	for _, token := range slices.Sorted(maps.Keys(ranks)) {
		n := 0
		for n < min(len(token), len(before)) && token[n] == before[n] {
			n++
		}
		shared, following, rest = append(shared, byte(n)), append(following, byte(len(token)-n)), append(rest, token[n:]...)
		high, middle, low = append(high, byte(ranks[token]>>16)), append(middle, byte(ranks[token]>>8)), append(low, byte(ranks[token]))
		before = token
	}
	return slices.Concat(binary.BigEndian.AppendUint32(nil, uint32(len(ranks))), shared, following, rest, high, middle, low), longest
}

func TestVocabularies(t *testing.T) {
	t.Parallel()
	for name := range encodings {
		codec, err := tokenizer.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		want, longest := vocabulary(t, codec)
		if longest != tokens.LongestToken {
			t.Errorf("%s: the longest token has %d bytes, LongestToken is %d", name, longest, tokens.LongestToken)
		}
		file := string(name) + ".gz"
		if *update {
			write(t, file, want)
		}
		if got := read(t, file); !bytes.Equal(got, want) {
			t.Errorf("%s is not the vocabulary of the library: go test ./model/tokens -update", file)
		}
	}
}

func write(t *testing.T, file string, packed []byte) {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(packed); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil { //nolint:gosec // part of the source
		t.Fatal(err)
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return packed
}

// texts draws texts of words and other characters, in pieces of all lengths.
func texts() *rapid.Generator[string] {
	bits := []string{
		"the", " memory", "Nora's", " I'LL", "\n", "\r\n\n", "  ", "\t", "\u00a0", "//\n", "...", "1234567", "é", "e\u0301", "世界", "안녕하세요", "مرحبا", "👋🏽",
		"antidisestablishmentarianism", strings.Repeat("a", 300), strings.Repeat("=", 200), strings.Repeat("لا", 90), "\x00", "\xff\xfe", "<|endoftext|>", "_", "ǅ", "ʰ", "ÀÉ", "Aあb", "\u0301A", " 'Re", "'ſ", "Ⅳ", "/\n/", "\u2028", " \n \t",
	}
	return rapid.Custom(func(t *rapid.T) string {
		return misread.ReplaceAllLiteralString(strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(bits), rapid.String()), 0, 40).Draw(t, "bits"), ""), "")
	})
}

// misread is what the library cuts in another way than OpenAI's tiktoken: it takes no token for
// U+007F, two for a line that is blank but not empty, and a long s for no s.
var misread = regexp.MustCompile(`\x7f|\x{17f}|[\r\n][\s\x0b\x{85}\pZ]+[\r\n]`)

// TestSplitsAsTiktoken has what OpenAI's tiktoken 0.14 returns where the library that
// TestSplitsAsTheLibrary compares with does not.
func TestSplitsAsTiktoken(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"\x7f":        {"\x7f"},
		"a\x7fb c":    {"a", "\x7f", "b", " c"},
		"\n \n":       {"\n \n"},
		"\n  \n":      {"\n  \n"},
		"a \n \n b":   {"a", " \n \n", " b"},
		"a\n  ":       {"a", "\n", "  "},
		"Nora'ſ home": {"N", "ora", "'", "ſ", " home"},
	} {
		if got := tokens.O200k().Split(text); !slices.Equal(got, want) {
			t.Errorf("%q is split into %q; want %q", text, got, want)
		}
	}
}

func TestSplitsAsTheLibrary(t *testing.T) {
	t.Parallel()
	for name, open := range encodings {
		codec, err := tokenizer.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		rapid.Check(t, func(t *rapid.T) {
			text := texts().Draw(t, "text")
			_, want, err := codec.Encode(text)
			if err != nil {
				t.Fatal(err)
			}
			if got := open().Split(text); !slices.Equal(got, want) {
				t.Fatalf("%s: %q is split into %q; want %q", name, text, got, want)
			}
			if n := open().Count(text); n != len(want) {
				t.Fatalf("%s: %q has %d tokens; want %d", name, text, n, len(want))
			}
		})
	}
}

// TestLongPieceIsQuick counts a word for which a naive merge would take hours.
func TestLongPieceIsQuick(t *testing.T) {
	t.Parallel()
	if n := tokens.O200k().Count(strings.Repeat("ab", 500_000)); n < 1000 {
		t.Errorf("%d tokens", n)
	}
}

func BenchmarkCount(b *testing.B) {
	text := strings.Repeat("Nora Lindqvist moved from Bergen to Oslo in March 2024, because Fjordline opened an office there.\n", 20)
	library, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		b.Fatal(err)
	}
	ours := func(text string) (int, error) { return tokens.O200k().Count(text), nil }
	for name, count := range map[string]func(string) (int, error){"ours": ours, "library": library.Count} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := count(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
