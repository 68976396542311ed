package chunk_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/annalsdb/annals/engine/chunk"
)

// scalar is a number, string, true, false or null under its keys.
type scalar struct{ path, literal string }

// scalars reads the scalars of a document in order. A scalar's path holds its keys, and [] for each
// array.
func scalars(t testing.TB, doc string) []scalar {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(doc))
	decoder.UseNumber()
	var found []scalar
	var read func(path string)
	read = func(path string) {
		token, err := decoder.Token()
		if err != nil {
			t.Fatalf("read %.200s: %v", doc, err)
		}
		if _, nested := token.(json.Delim); !nested {
			found = append(found, scalar{path, fmt.Sprint(token)})
			return
		}
		for decoder.More() {
			if token == json.Delim('[') {
				read(path + "/[]")
				continue
			}
			key, err := decoder.Token()
			if err != nil {
				t.Fatalf("read %.200s: %v", doc, err)
			}
			read(path + "/" + key.(string))
		}
		if _, err := decoder.Token(); err != nil {
			t.Fatalf("read %.200s: %v", doc, err)
		}
	}
	read("")
	return found
}

// checkChunks checks the properties that the chunks of every document have.
func checkChunks(t testing.TB, doc string, size int, chunks []chunk.Chunk) {
	t.Helper()
	end := 0
	for i, c := range chunks {
		switch {
		case !json.Valid([]byte(c.Text)):
			t.Errorf("chunk %d is not JSON: %s", i, c.Text)
		case len(c.Text) > size:
			t.Errorf("chunk %d has %d bytes of %d: %s", i, len(c.Text), size, c.Text)
		case c.Start < 0 || c.Start >= c.End || c.End > len(doc) || c.End < end:
			t.Errorf("chunk %d is at %d to %d of %d, after one that ends at %d", i, c.Start, c.End, len(doc), end)
		}
		end = c.End
	}
}

func mustJSON(t testing.TB, doc string, o chunk.Options) []chunk.Chunk {
	t.Helper()
	chunks, err := chunk.JSON(doc, o)
	if err != nil {
		t.Fatalf("%.200s: %v", doc, err)
	}
	return chunks
}

// anyDocument draws documents with short keys and arbitrary white space.
func anyDocument(depth int) *rapid.Generator[string] {
	number := rapid.SampledFrom([]string{"0", "-1.50", "1e400", "123456789012345678901234567890", "true", "false", "null", "0.1E+2"})
	text := rapid.Map(rapid.StringN(0, 30, 30), quoted)
	if depth == 0 {
		return rapid.OneOf(number, text)
	}
	nested := rapid.Custom(func(t *rapid.T) string {
		space := rapid.SampledFrom([]string{"", " ", "\n\t", "\r\n "})
		values := rapid.SliceOfN(rapid.OneOf(number, text, anyDocument(depth-1)), 0, 12).Draw(t, "values")
		object := rapid.Bool().Draw(t, "object")
		for i := range values {
			if object {
				key := rapid.SampledFrom([]string{"id", "name", "items", "ключ", `a"b`, ""}).Draw(t, "key")
				values[i] = quoted(key) + space.Draw(t, "space") + ":" + space.Draw(t, "space") + values[i]
			}
			values[i] = space.Draw(t, "space") + values[i] + space.Draw(t, "space")
		}
		if object {
			return "{" + strings.Join(values, ",") + "}"
		}
		return "[" + strings.Join(values, ",") + "]"
	})
	return nested
}

func quoted(s string) string {
	literal, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(literal)
}

// Without overlaps the chunks hold each scalar of the document once, in order and under its keys.
func TestJSONLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		doc, size := anyDocument(3).Draw(r, "document"), rapid.IntRange(300, 900).Draw(r, "size")
		chunks := mustJSON(t, doc, chunk.Options{Size: size, Overlap: -1})
		checkChunks(t, doc, size, chunks)
		var got []scalar
		for _, c := range chunks {
			got = append(got, scalars(t, c.Text)...)
		}
		if diff := cmp.Diff(scalars(t, doc), got, cmp.AllowUnexported(scalar{})); diff != "" {
			r.Fatalf("scalars (-document +chunks):\n%s", diff)
		}
	})
}

// With overlaps, chunks repeat only earlier text, and nothing else changes.
func TestJSONRepeats(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		doc, size := anyDocument(3).Draw(r, "document"), rapid.IntRange(300, 900).Draw(r, "size")
		chunks := mustJSON(t, doc, chunk.Options{Size: size, Overlap: rapid.IntRange(0, 300).Draw(r, "overlap")})
		checkChunks(t, doc, size, chunks)
		all, seen := scalars(t, doc), 0
		for _, c := range chunks {
			for _, s := range scalars(t, c.Text) {
				switch {
				case seen < len(all) && all[seen] == s:
					seen++
				case !slices.Contains(all[:seen], s):
					r.Fatalf("%v is not of what comes before %d", s, seen)
				}
			}
		}
		if seen < len(all) {
			r.Fatalf("%v is in no chunk", all[seen])
		}
	})
}

func TestJSONCuts(t *testing.T) {
	t.Parallel()
	x, y := strings.Repeat("x", 50), strings.Repeat("y", 50)
	for name, tt := range map[string]struct {
		doc  string
		o    chunk.Options
		want []string
	}{
		"a short document is unchanged": {" {\"a\" : 1}\n", chunk.Options{}, []string{" {\"a\" : 1}\n"}},
		"a document that is short without its white space": {
			"[1," + strings.Repeat(" ", 200) + "2]", chunk.Options{Size: 128}, []string{"[1,2]"},
		},
		"elements": {
			`["` + x + `","` + y + `",1]`,
			chunk.Options{Size: 128, Overlap: -1},
			[]string{`["` + x + `","` + y + `",1]`},
		},
		"elements of two chunks": {
			`["` + x + `","` + y + `","` + x + `",1]`,
			chunk.Options{Size: 128, Overlap: -1},
			[]string{`["` + x + `","` + y + `"]`, `["` + x + `",1]`},
		},
		"members keep the keys they stand under": {
			`{"a":{"b":["` + x + `","` + y + `"],"c":{"d":"` + x + `"}}}`,
			chunk.Options{Size: 128, Overlap: -1},
			[]string{`{"a":{"b":["` + x + `","` + y + `"]}}`, `{"a":{"c":{"d":"` + x + `"}}}`},
		},
		"short members are repeated": {
			`{"id":1,"n":"` + x + `","k":["` + y + `","` + x + `","` + y + `"]}`,
			chunk.Options{Size: 128, Overlap: 20},
			[]string{`{"id":1,"n":"` + x + `","k":["` + y + `"]}`, `{"id":1,"k":["` + x + `","` + y + `"]}`},
		},
		"keys that come twice": {
			`{"a":"` + x + `","a":"` + y + `","a":"` + x + `"}`,
			chunk.Options{Size: 128, Overlap: -1},
			[]string{`{"a":"` + x + `","a":"` + y + `"}`, `{"a":"` + x + `"}`},
		},
		"a long string": {
			`{"note":"` + x + `. Yes. ` + y + `. No` + x + `"}`,
			chunk.Options{Size: 128, Overlap: -1},
			[]string{`{"note":"` + x + `. Yes. ` + y + `. "}`, `{"note":"No` + x + `"}`},
		},
		"a long string of escapes": {
			`"` + strings.Repeat(`\u0001`, 40) + `"`,
			chunk.Options{Size: 128, Overlap: -1},
			[]string{`"` + strings.Repeat(`\u0001`, 15) + `"`, `"` + strings.Repeat(`\u0001`, 15) + `"`, `"` + strings.Repeat(`\u0001`, 10) + `"`},
		},
		"a long key": {
			`{"` + x + `":"` + x + y + `"}`,
			chunk.Options{Size: 128, Overlap: -1},
			[]string{`{"xxxxxxxxxxxxxx…":"` + x + `"}`, `{"xxxxxxxxxxxxxx…":"` + x + y + `"}`},
		},
		"a long number": {
			`[1,` + strings.Repeat("9", 200) + `,2]`,
			chunk.Options{Size: 128, Overlap: -1},
			[]string{`[1]`, `[` + strings.Repeat("9", 200) + `]`, `[2]`},
		},
		"empty containers": {
			`[[],{},"` + x + `","` + y + `",[],{}]`,
			chunk.Options{Size: 128, Overlap: -1},
			[]string{`[[],{},"` + x + `","` + y + `",[],{}]`},
		},
		"no HTML escapes": {
			`["<&>` + x + `","` + y + y + `<` + `"]`,
			chunk.Options{Size: 128, Overlap: -1},
			[]string{`["<&>` + x + `"]`, `["` + y + y + `<"]`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, c := range mustJSON(t, tt.doc, tt.o) {
				got = append(got, c.Text)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("chunks (-want +got):\n%s", diff)
			}
		})
	}
}

func TestJSONRanges(t *testing.T) {
	t.Parallel()
	x := strings.Repeat("x", 90)
	doc := `{"id": 7, "k": [ "` + x + `" , {"z" : "` + x + `"} ]}`
	var got []string
	for _, c := range mustJSON(t, doc, chunk.Options{Size: 128, Overlap: 20}) {
		got = append(got, doc[c.Start:c.End])
	}
	want := []string{`"id": 7, "k": [ "` + x + `"`, `{"z" : "` + x + `"}`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ranges (-want +got):\n%s", diff)
	}
}

func TestJSONRefuses(t *testing.T) {
	t.Parallel()
	for name, doc := range map[string]string{
		"nothing":        "",
		"text":           "hello",
		"half":           `{"a":`,
		"two documents":  "{} {}",
		"trailing comma": "[1,]",
		"too deep":       strings.Repeat("[", 10001) + strings.Repeat("]", 10001),
		"long and half":  `["` + strings.Repeat("a", 10000) + `"`,
	} {
		if chunks, err := chunk.JSON(doc, chunk.Options{}); err == nil {
			t.Errorf("%s is split into %d chunks", name, len(chunks))
		}
	}
}

// A deeply nested document has more keys than fit in each chunk. Splitting it must not multiply its
// size.
func TestJSONDeep(t *testing.T) {
	t.Parallel()
	for name, doc := range map[string]string{
		"arrays":         strings.Repeat("[", 9999) + strings.Repeat("]", 9999),
		"numbers":        strings.Repeat("[1,", 9999) + "1" + strings.Repeat(",2]", 9999),
		"objects":        strings.Repeat(`{"id":1,"k":`, 9000) + `"` + strings.Repeat("a", 50000) + `"` + strings.Repeat(`,"z":2}`, 9000),
		"texts at depth": strings.Repeat(`[`, 9000) + strings.Repeat(`"abcdefghij",`, 20000) + "1" + strings.Repeat("]", 9000),
		"long keys":      strings.Repeat(`{"`+strings.Repeat("k", 1000)+`":`, 500) + "1" + strings.Repeat("}", 500),
	} {
		chunks := mustJSON(t, doc, chunk.Options{})
		checkChunks(t, doc, chunk.DefaultSize, chunks)
		total := 0
		for _, c := range chunks {
			total += len(c.Text)
		}
		if total > 4*len(doc) {
			t.Errorf("%s: %d bytes in %d chunks of %d bytes", name, total, len(chunks), len(doc))
		}
	}
}

func FuzzJSON(f *testing.F) {
	f.Add(`{"orders":[{"id":9007199254740993,"item":"lamp"},{"id":1e400,"item":"<table>"}]}`, 128)
	f.Add(`["`+strings.Repeat("Ann met Bob. ", 40)+`", null, [[[{"\u00e9\ud83d\ude00":"\u0001"}]]]]`, 150)
	f.Add(strings.Repeat(`{"a":[1,`, 50)+"2"+strings.Repeat("]}", 50), 200)
	f.Fuzz(func(t *testing.T, doc string, size int) {
		size = 128 + max(size%1000, -size%1000)
		chunks, err := chunk.JSON(doc, chunk.Options{Size: size, Overlap: -1})
		if valid := json.Valid([]byte(doc)); valid != (err == nil) {
			t.Fatalf("valid %v, but %v", valid, err)
		}
		if err != nil || hasLong(doc, size) {
			return
		}
		checkChunks(t, doc, size, chunks)
		var got strings.Builder
		for _, c := range chunks {
			got.WriteString(textOf(t, c.Text))
		}
		if diff := cmp.Diff(textOf(t, doc), got.String()); diff != "" {
			t.Errorf("what the scalars say (-document +chunks):\n%s", diff)
		}
		checkChunks(t, doc, size, mustJSON(t, doc, chunk.Options{Size: size}))
	})
}

var key = regexp.MustCompile(`"(?:[^"\\]|\\.)*"\s*:`)

// hasLong reports whether a document has keys or numbers that may be cut or exceed a chunk: a long
// key, or a long stretch without blanks and brackets.
func hasLong(doc string, size int) bool {
	for _, k := range key.FindAllString(doc, -1) {
		if len(k) > size/8 {
			return true
		}
	}
	for _, s := range strings.FieldsFunc(doc, func(r rune) bool { return strings.ContainsRune("[]{},: \t\r\n", r) }) {
		if len(s) > size/8 {
			return true
		}
	}
	return !utf8.ValidString(doc)
}

// textOf joins the scalars of a document.
func textOf(t testing.TB, doc string) string {
	var b strings.Builder
	for _, s := range scalars(t, doc) {
		b.WriteString(s.literal)
	}
	return b.String()
}

func BenchmarkJSON(b *testing.B) {
	doc := "[" + strings.Repeat(`{"id": 123456, "name": "Ann Weber", "tags": ["a", "b"], "note": "She moved to Lisbon in May."}, `, 11000) + "1]"
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		if _, err := chunk.JSON(doc, chunk.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
