package chunk_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/annalsdb/annals/engine/chunk"
)

// checkText reports what is wrong with the chunks of a text.
func checkText(content string, o chunk.Options, chunks []chunk.Chunk) error {
	size := o.Size
	if size <= 0 {
		size = chunk.DefaultSize
	}
	size = max(size, utf8.UTFMax)
	covered := 0
	for i, c := range chunks {
		switch {
		case c.Text != content[c.Start:c.End]:
			return fmt.Errorf("chunk %d is %q, not what stands at %d to %d", i, c.Text, c.Start, c.End)
		case len(c.Text) > size:
			return fmt.Errorf("chunk %d has %d bytes of %d", i, len(c.Text), size)
		case c.Start > covered || i > 0 && c.End <= covered:
			return fmt.Errorf("chunk %d is at %d to %d after one that ends at %d", i, c.Start, c.End, covered)
		case i > 0 && c.Start <= chunks[i-1].Start:
			return fmt.Errorf("chunk %d begins no later than the one before", i)
		case o.Overlap < 0 && c.Start != covered || o.Overlap > 0 && covered-c.Start > o.Overlap:
			return fmt.Errorf("chunk %d repeats %d bytes of %d", i, covered-c.Start, o.Overlap)
		case utf8.ValidString(content) && !utf8.ValidString(c.Text):
			return fmt.Errorf("chunk %d is cut inside of a rune: %q", i, c.Text)
		}
		covered = c.End
	}
	switch {
	case covered != len(content):
		return fmt.Errorf("%d of %d bytes are covered", covered, len(content))
	case len(content) <= size && len(chunks) != 1:
		return fmt.Errorf("%d chunks for a text that fits in one", len(chunks))
	}
	return nil
}

// anyText draws texts of many scripts, broken and unbroken.
func anyText() *rapid.Generator[string] {
	part := rapid.OneOf(
		rapid.SampledFrom([]string{
			"Ann met Bob. ", "She left!\n", "\n\n", "\r\n", "  ", ". ", "漢字。", "カタカナ", "สวัสดี", "привет, ", "مرحبا ", "नमस्ते ", "한국어 ",
			"👩‍👩‍👧", "🇩🇪🇫🇷", "e\u0301\u0302\u0303", "\u0301", "abcdefghij", "3.5", "Dr. ", "(", "”", "\u2028", "\u00a0",
		}),
		rapid.StringN(0, 8, -1),
	)
	return rapid.Map(rapid.SliceOfN(part, 0, 120), func(parts []string) string { return strings.Join(parts, "") })
}

func anyOptions() *rapid.Generator[chunk.Options] {
	return rapid.Custom(func(t *rapid.T) chunk.Options {
		return chunk.Options{Size: rapid.IntRange(1, 300).Draw(t, "size"), Overlap: rapid.IntRange(-1, 200).Draw(t, "overlap")}
	})
}

func TestTextInvariants(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		content, o := anyText().Draw(t, "content"), anyOptions().Draw(t, "options")
		if err := checkText(content, o, chunk.Text(content, o)); err != nil {
			t.Fatal(err)
		}
	})
}

// A cut never splits a grapheme cluster if chunks have room for it.
func TestTextKeepsCharacters(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		content := anyText().Draw(t, "content")
		begins, longest := map[int]bool{len(content): true}, 0
		for g := graphemes.FromString(content); g.Next(); {
			begins[g.Start()] = true
			longest = max(longest, len(g.Value()))
		}
		for _, c := range chunk.Text(content, chunk.Options{Size: 2*longest + 20, Overlap: longest}) {
			if !begins[c.Start] || !begins[c.End] {
				t.Fatalf("%q at %d to %d begins or ends inside of a character", c.Text, c.Start, c.End)
			}
		}
	})
}

func TestTextCuts(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		content string
		o       chunk.Options
		want    []string
	}{
		"empty": {"", chunk.Options{}, []string{""}},
		"short": {" Ann. \n", chunk.Options{Size: 7}, []string{" Ann. \n"}},
		"paragraphs before sentences": {
			"One is here. Two too.\n\nThree. Four is.",
			chunk.Options{Size: 32, Overlap: -1},
			[]string{"One is here. Two too.\n\n", "Three. Four is."},
		},
		"an early paragraph is not worth a chunk": {
			"Title\n\nOne is here. Two is here. Three is.",
			chunk.Options{Size: 32, Overlap: -1},
			[]string{"Title\n\nOne is here. ", "Two is here. Three is."},
		},
		"sentences before words": {
			"Dr. No paid 3.5 dollars. He left again and again.",
			chunk.Options{Size: 40, Overlap: -1},
			[]string{"Dr. No paid 3.5 dollars. ", "He left again and again."},
		},
		"words before characters": {
			"alpha beta, gamma delta",
			chunk.Options{Size: 12, Overlap: -1},
			[]string{"alpha beta, ", "gamma delta"},
		},
		"characters": {"ééééé", chunk.Options{Size: 7, Overlap: -1}, []string{"ééé", "éé"}},
		"sentences are repeated": {
			"Ann is a vet. She lives here. She has a dog. He is old.",
			chunk.Options{Size: 32, Overlap: 16},
			[]string{"Ann is a vet. She lives here. ", "She lives here. She has a dog. ", "She has a dog. He is old."},
		},
		"a sentence too long to repeat is not": {
			"Ann is a vet in a town. She has a dog. He is old.",
			chunk.Options{Size: 30, Overlap: 10},
			[]string{"Ann is a vet in a town. ", "She has a dog. He is old."},
		},
		"no spaces": {
			"我住在北京。她住在上海。他住在广州。",
			chunk.Options{Size: 40, Overlap: 18},
			[]string{"我住在北京。她住在上海。", "她住在上海。他住在广州。"},
		},
		"no spaces and no sentences":   {"我住在北京她住在上海", chunk.Options{Size: 16, Overlap: -1}, []string{"我住在北京", "她住在上海"}},
		"not UTF-8":                    {"\x80\x80\x80\x80\x80\x80", chunk.Options{Size: 4, Overlap: -1}, []string{"\x80\x80\x80\x80", "\x80\x80"}},
		"a family is not parted":       {"👩‍👩‍👧👩‍👩‍👧", chunk.Options{Size: 20, Overlap: -1}, []string{"👩‍👩‍👧", "👩‍👩‍👧"}},
		"a wide gap parts as a stop":   {"Ann 1" + strings.Repeat(" ", 70) + "Bob 2", chunk.Options{Size: 76, Overlap: -1}, []string{"Ann 1" + strings.Repeat(" ", 64), strings.Repeat(" ", 6) + "Bob 2"}},
		"an overlap of a whole chunk":  {"A b. C d. E f. G h.", chunk.Options{Size: 10, Overlap: 10}, []string{"A b. C d. ", "C d. E f. ", "E f. G h."}},
		"negative sizes are defaults":  {"One. Two.", chunk.Options{Size: -5}, []string{"One. Two."}},
		"line breaks of other systems": {"one\r\ntwo\r\nthree\r\n", chunk.Options{Size: 11, Overlap: -1}, []string{"one\r\ntwo\r\n", "three\r\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, c := range chunk.Text(tt.content, tt.o) {
				got = append(got, c.Text)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("chunks (-want +got):\n%s", diff)
			}
		})
	}
}

// hostile holds slow texts: each would take minutes if the search for a boundary took quadratic
// time.
var hostile = map[string]string{
	"one word":      strings.Repeat("a", 1<<20),
	"line breaks":   strings.Repeat("\n", 1<<20),
	"spaces":        ". " + strings.Repeat(" ", 1<<18),
	"brackets":      "A." + strings.Repeat(")", 1<<18),
	"accents":       "a" + strings.Repeat("\u0301", 1<<17),
	"flags":         strings.Repeat("🇩", 1<<16),
	"stops":         strings.Repeat(". ", 1<<17),
	"apostrophes":   strings.Repeat("a'", 1<<17),
	"joined emoji":  strings.Repeat("👩\u200d", 1<<15),
	"not UTF-8":     strings.Repeat("\x80", 1<<18),
	"digits":        "A. " + strings.Repeat("1", 1<<18),
	"direction":     "A." + strings.Repeat("\u200e", 1<<16),
	"giants":        strings.Repeat("A. "+strings.Repeat("b", 7000), 40),
	"Han":           strings.Repeat("漢", 1<<16),
	"stop and gaps": strings.Repeat("A."+strings.Repeat(" ", 60)+strings.Repeat("1", 900), 1<<8),
}

func TestTextHostile(t *testing.T) {
	t.Parallel()
	for name, content := range hostile {
		chunks := chunk.Text(content, chunk.Options{})
		if err := checkText(content, chunk.Options{Overlap: chunk.DefaultOverlap}, chunks); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if most := 2*len(content)/(chunk.DefaultSize-chunk.DefaultOverlap) + 100; len(chunks) > most {
			t.Errorf("%s: %d chunks, want no more than %d", name, len(chunks), most)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("Ann is a vet. She lives here.\n\nShe has a dog.", 20, 10)
	f.Add("漢字。漢字。👩‍👩‍👧 \x80\xff", 5, 2)
	f.Add(strings.Repeat(". ", 100)+strings.Repeat("a", 100), 64, 0)
	f.Fuzz(func(t *testing.T, content string, size, overlap int) {
		if len(content) > 1<<16 {
			t.Skip("long texts have a test of their own")
		}
		o := chunk.Options{Size: size, Overlap: overlap}
		if err := checkText(content, o, chunk.Text(content, o)); err != nil {
			t.Error(err)
		}
	})
}

func BenchmarkText(b *testing.B) {
	prose := strings.Repeat("Ann Weber moved to Lisbon in May 2023. She works at Acme, Inc. for 3.5 days a week!\n\n", 12000)
	b.SetBytes(int64(len(prose)))
	for b.Loop() {
		chunk.Text(prose, chunk.Options{})
	}
}
