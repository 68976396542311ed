package static_test

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/model/static"
)

var _ model.Embedder = (*static.Embedder)(nil)

// vocabulary has one token for each word.
var vocabulary = []string{"[UNK]", "paris", "london", "printer", "broken", "the"}

// vectors holds the tokens' vectors, in two dimensions.
var vectors = []float32{9, 9, 1, 0, 0.9, 0.1, 0, 1, 0.1, 0.9, 0.5, 0.5}

func encode(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func tokeniser(t *testing.T) string {
	t.Helper()
	ids := map[string]int{}
	for id, token := range vocabulary {
		ids[token] = id
	}
	return encode(t, map[string]any{
		"version":       "1.0",
		"normalizer":    map[string]any{"type": "BertNormalizer", "clean_text": true, "lowercase": true},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"added_tokens":  []any{map[string]any{"id": 0, "content": "[UNK]", "special": true}},
		"model":         map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "vocab": ids},
	})
}

// tensor is a tensor of a safetensors file.
type tensor struct {
	name, kind string
	shape      []int
	numbers    []float32
}

// safetensors returns a safetensors file.
func safetensors(t *testing.T, tensors ...tensor) string {
	t.Helper()
	header, data := map[string]any{"__metadata__": map[string]string{"format": "pt"}}, []byte{}
	for _, tensor := range tensors {
		from := len(data)
		for _, x := range tensor.numbers {
			switch tensor.kind {
			case "F32":
				data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
			case "BF16":
				data = binary.LittleEndian.AppendUint16(data, uint16(math.Float32bits(x)>>16))
			case "I64":
				data = binary.LittleEndian.AppendUint64(data, uint64(x))
			}
		}
		header[tensor.name] = map[string]any{"dtype": tensor.kind, "shape": tensor.shape, "data_offsets": []int{from, len(data)}}
	}
	text := encode(t, header)
	return string(binary.LittleEndian.AppendUint64(nil, uint64(len(text)))) + text + string(data)
}

func table(kind string) tensor {
	return tensor{"embedding.weight", kind, []int{len(vocabulary), 2}, vectors}
}

func folderWith(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "tiny-table")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func open(t *testing.T, files map[string]string) *static.Embedder {
	t.Helper()
	all := map[string]string{"tokenizer.json": tokeniser(t), "model.safetensors": safetensors(t, table("F32"))}
	for name, content := range files {
		all[name] = content
	}
	e, err := static.Open(folderWith(t, all))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// closeTo fails if a text's vector has another direction.
func closeTo(t *testing.T, e model.Embedder, text string, x, y float64) {
	t.Helper()
	made, err := e.Embed(t.Context(), []string{text})
	if err != nil {
		t.Fatal(err)
	}
	length := math.Hypot(x, y)
	if got := made[0]; math.Abs(float64(got[0])-x/length) > 0.01 || math.Abs(float64(got[1])-y/length) > 0.01 {
		t.Errorf("%q: %v, want the direction of (%v, %v)", text, got, x, y)
	}
}

func TestEmbedderConforms(t *testing.T) {
	t.Parallel()
	e := open(t, nil)
	if e.Name() != "static:tiny-table" || e.Dimensions() != 2 {
		t.Errorf("it is %s of %d dimensions", e.Name(), e.Dimensions())
	}
	modeltest.TestEmbedder(t, open(t, map[string]string{"tokenizer.json": strings.Replace(tokeniser(t), `"the"`, `"i"`, 1)}))
}

func TestVectorsAreMeans(t *testing.T) {
	t.Parallel()
	e := open(t, nil)
	closeTo(t, e, "Paris", 1, 0)
	closeTo(t, e, "the printer", 0.5, 1.5)
	closeTo(t, e, "the unheard-of PRINTER", 0.5, 1.5)          // what has no token counts for nothing
	closeTo(t, e, strings.Repeat("paris ", 10_000), 1, 0)      // more than is read
	closeTo(t, e, strings.Repeat("x", 100_000)+" paris", 1, 0) // nothing is known of it
	closeTo(t, open(t, map[string]string{"model.safetensors": safetensors(t, table("BF16"))}), "london", 0.9, 0.1)
}

func TestWeights(t *testing.T) {
	t.Parallel()
	own := tensor{"weights", "F32", []int{6}, []float32{0, 1, 1, 1, 1, 0.1}}
	closeTo(t, open(t, map[string]string{"model.safetensors": safetensors(t, table("F32"), own)}), "the printer", 0.05, 1.05)
	closeTo(t, open(t, map[string]string{"idf.json": `{"the": 0.1, "paris": 3}`}), "the printer", 0.05, 3.05)
	rows := tensor{"mapping", "I64", []int{6}, []float32{0, 3, 2, 1, 4, 5}} // of paris that of printer
	closeTo(t, open(t, map[string]string{"model.safetensors": safetensors(t, table("F32"), rows)}), "paris", 0, 1)
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	whole := safetensors(t, table("F32"))
	for name, test := range map[string]struct {
		files map[string]string
		want  string
	}{
		"no tokeniser":        {map[string]string{"model.safetensors": whole}, "tokenizer.json"},
		"a damaged tokeniser": {map[string]string{"tokenizer.json": "{", "model.safetensors": whole}, "tokenizer.json"},
		"no table":            {map[string]string{"tokenizer.json": tokeniser(t)}, "no model.safetensors"},
		"half a table":        {map[string]string{"tokenizer.json": tokeniser(t), "model.safetensors": whole[:len(whole)-8]}, "embedding.weight is cut off"},
		"no header":           {map[string]string{"tokenizer.json": tokeniser(t), "model.safetensors": "x"}, "no file of safetensors"},
		"a header too long":   {map[string]string{"tokenizer.json": tokeniser(t), "model.safetensors": strings.Repeat("\xff", 20)}, "no file of safetensors"},
		"another model":       {map[string]string{"tokenizer.json": tokeniser(t), "model.safetensors": safetensors(t, table("F32"), tensor{"layer.1", "F32", []int{1, 2}, []float32{1, 2}})}, "another kind of model"},
		"no numbers":          {map[string]string{"tokenizer.json": tokeniser(t), "model.safetensors": safetensors(t, tensor{"e", "F32", []int{1, 2}, []float32{float32(math.NaN()), 1}})}, "a number that is none"},
		"bad weights":         {map[string]string{"tokenizer.json": tokeniser(t), "model.safetensors": whole, "idf.json": "[]"}, "idf.json is no list of weights"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := static.Open(folderWith(t, test.files)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
	if _, err := static.Open("/nowhere/at/all"); err == nil || !strings.Contains(err.Error(), "there is no such folder") {
		t.Error(err)
	}
}

// wordllama returns a folder with the table of PyPI's wordllama, of 256
// dimensions.
func wordllama(tb testing.TB) *static.Embedder {
	tb.Helper()
	folder := os.Getenv("ANNALS_TEST_WORDLLAMA")
	if folder == "" {
		tb.Skip("ANNALS_TEST_WORDLLAMA names no table")
	}
	e, err := static.Open(folder)
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// The expected numbers come from the Python package's tokeniser and table.
func TestWordllama(t *testing.T) {
	t.Parallel()
	e := wordllama(t)
	for text, want := range map[string][]float32{
		"Where does Nora live?":           {-0.042817, -0.041973, 0.10398, -0.030536},
		"Nora moved to Lisbon last week.": {-0.002707, -0.038885, 0.118982, -0.064632},
		"naïve café in Zürich":            {-0.049869, 0.012438, 0.030546, -0.11476},
	} {
		made, err := e.Embed(t.Context(), []string{text})
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range want {
			if math.Abs(float64(made[0][i]-x)) > 1e-5 {
				t.Errorf("%q: %v, want %v", text, made[0][:4], want)
				break
			}
		}
	}
}

func BenchmarkWordllama(b *testing.B) {
	e := wordllama(b)
	for b.Loop() {
		if _, err := e.Embed(b.Context(), []string{"Nora told us that she moved to Lisbon last week with her dog"}); err != nil {
			b.Fatal(err)
		}
	}
}
