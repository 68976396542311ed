package onnx_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/annalsdb/annals/internal/fetched"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/onnx"
)

var _ model.Reranker = (*onnx.Reranker)(nil)

// openReranker opens the tiny cross-encoder, with files added or replaced.
func openReranker(t *testing.T, files ...map[string]string) *onnx.Reranker {
	t.Helper()
	folder := folderWith(t, append([]map[string]string{rerankerFiles(t, tinyBERT)}, files...)...)
	r, err := onnx.OpenReranker(t.Context(), onnx.Config{Model: folder, Library: fetched.ONNXRuntime(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func rerank(t *testing.T, r *onnx.Reranker, query string, texts ...string) []float64 {
	t.Helper()
	scores, err := r.Rerank(t.Context(), query, texts)
	if err != nil {
		t.Fatal(err)
	}
	if len(scores) != len(texts) {
		t.Fatalf("%d texts gave %d scores", len(texts), len(scores))
	}
	return scores
}

// logit returns the network's logit of a score.
func logit(score float64) float64 { return math.Log(score / (1 - score)) }

func TestScoresAreBetweenNoneAndOne(t *testing.T) {
	t.Parallel()
	r := openReranker(t)
	if r.Name() != "onnx:tiny-model" || r.MaxTokens() != tinyBERT.positions {
		t.Errorf("the model is %s and reads %d tokens", r.Name(), r.MaxTokens())
	}
	texts := []string{
		"Ann lives in Paris", "", " ", "a", "!?…", "日本語のテキスト", "Привет, мир", "🙂🙂", "\xff\xfe broken", "a\x00b", "[CLS] [SEP] [PAD]",
		strings.Repeat("the works of ", 5000), strings.Repeat("x", 100_000),
	}
	scores := rerank(t, r, "who lives in paris", texts...)
	for _, query := range texts {
		scores = append(scores, rerank(t, r, query, "Ann lives in Paris")...)
	}
	for i, score := range scores {
		if math.IsNaN(score) || score <= 0 || score >= 1 {
			t.Errorf("%.20q scores %v", texts[i%len(texts)], score)
		}
	}
	if none := rerank(t, r, "ann"); len(none) != 0 {
		t.Errorf("no texts give %v", none)
	}
}

func TestQueryAndTextAreReadTogether(t *testing.T) {
	t.Parallel()
	r := openReranker(t)
	scores := rerank(t, r, "ann lives in paris", "bob works in berlin", "the moved of acme", "bob works in berlin")
	if scores[0] != scores[2] || math.Abs(scores[0]-scores[1]) < 1e-4 {
		t.Errorf("the scores are %v: equal ones for equal texts are wanted, and another for another", scores)
	}
	if other := rerank(t, r, "who lives in paris", "bob works in berlin")[0]; math.Abs(other-scores[0]) < 1e-4 {
		t.Errorf("another query gives the same score, %v", other)
	}
	if turned := rerank(t, r, "bob works in berlin", "ann lives in paris")[0]; math.Abs(turned-scores[0]) < 1e-4 {
		t.Errorf("query and text can be exchanged: %v", turned)
	}
}

func TestScoresDoNotDependOnTheBatch(t *testing.T) {
	t.Parallel()
	r := openReranker(t)
	var texts []string
	for i := range 40 {
		texts = append(texts, strings.Repeat("ann works for acme and ", i%9)+string(rune('a'+i%26)))
	}
	const query = "who works for acme"
	together := rerank(t, r, query, texts...)
	for i, score := range together {
		if alone := rerank(t, r, query, texts[i])[0]; math.Abs(alone-score) > tolerance {
			t.Errorf("text %d scores %v alone and %v in the batch", i, alone, score)
		}
	}
	shuffled, order := make([]string, len(texts)), rand.New(rand.NewPCG(1, 2)).Perm(len(texts))
	for to, from := range order {
		shuffled[to] = texts[from]
	}
	for to, score := range rerank(t, r, query, shuffled...) {
		if math.Abs(together[order[to]]-score) > tolerance {
			t.Errorf("text %d has another text's score", order[to])
		}
	}
}

// The logit is the sum of the network's input. The ids of the tokens: [CLS] 2,
// [SEP] 3, the 56, lives 58, in 59, paris 65, acme 67.
func TestPairsAreEncodedAsTheModelWants(t *testing.T) {
	t.Parallel()
	bertSum := func(input string, scale float32) map[string]string {
		return map[string]string{"model.onnx": string(summing(input, scale, bertInputs...))}
	}
	roberta := changed(t, withPairs(t, tokeniser(t)), func(file map[string]any) {
		file["post_processor"] = map[string]any{"type": "RobertaProcessing", "cls": []any{"<s>", 2}, "sep": []any{"</s>", 3}}
	})
	separator := `{"sep_token": "</s>"}`
	bertOld := changed(t, tokeniser(t), func(file map[string]any) {
		file["post_processor"] = map[string]any{"type": "BertProcessing", "cls": []any{"[CLS]", 2}, "sep": []any{"[SEP]", 3}}
	})
	tests := map[string]struct {
		files map[string]string
		scale float64
		want  float64
	}{
		"ids":                    {bertSum("input_ids", 1e-3), 1e-3, 2 + (58 + 59 + 65) + 3 + (67 + 56) + 3},
		"length":                 {bertSum("attention_mask", 1e-2), 1e-2, 1 + 3 + 1 + 2 + 1},
		"halves":                 {bertSum("token_type_ids", 1e-2), 1e-2, 2 + 1},
		"halves, as BERT's file": {with(bertSum("token_type_ids", 1e-2), "tokenizer.json", bertOld, "special_tokens_map.json", `{"sep_token": "[SEP]"}`), 1e-2, 2 + 1},
		"ids of RoBERTa": {
			map[string]string{
				"model.onnx":     string(summing("input_ids", 1e-3, "input_ids", "attention_mask")),
				"tokenizer.json": roberta, "special_tokens_map.json": separator,
			},
			1e-3, 2 + (58 + 59 + 65) + 3 + 3 + (67 + 56) + 3,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := openReranker(t, test.files)
			got := logit(rerank(t, r, "lives in Paris", "Acme the")[0]) / test.scale
			if math.Abs(got-test.want) > 1e-2 {
				t.Errorf("the sum is %v, want %v", got, test.want)
			}
		})
	}
}

// with returns files with further ones added, by name and content.
func with(files map[string]string, more ...string) map[string]string {
	for i := 0; i+1 < len(more); i += 2 {
		files[more[i]] = more[i+1]
	}
	return files
}

// Three of the 40 tokens are special, so 37 are left. Each side gets at least
// 18 of them if it has as many.
func TestTheLongerSideIsCut(t *testing.T) {
	t.Parallel()
	lengths := openReranker(t, map[string]string{"model.onnx": string(summing("attention_mask", 1e-2, bertInputs...))})
	halves := openReranker(t, map[string]string{"model.onnx": string(summing("token_type_ids", 1e-2, bertInputs...))})
	tests := map[string]struct{ query, text, wantQuery, wantText int }{
		"both fit":         {10, 27, 10, 27},
		"a long text":      {10, 300, 10, 27},
		"a long query":     {300, 10, 27, 10},
		"both long":        {300, 300, 18, 19},
		"the query longer": {30, 25, 19, 18},
		"no query":         {0, 300, 0, 37},
		"no text":          {300, 0, 37, 0},
		"by one":           {19, 19, 18, 19},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			query, text := strings.Repeat("the ", test.query), strings.Repeat("acme ", test.text)
			all := math.Round(logit(rerank(t, lengths, query, text)[0])*100) - 3
			second := math.Round(logit(rerank(t, halves, query, text)[0])*100) - 1
			if int(all-second) != test.wantQuery || int(second) != test.wantText {
				t.Errorf("%v tokens of the query and %v of the text are read, want %d and %d", all-second, second, test.wantQuery, test.wantText)
			}
		})
	}
}

func TestRerankConcurrently(t *testing.T) {
	t.Parallel()
	r := openReranker(t)
	texts := []string{"ann", "ann works for acme", "the moved of paris and berlin with ann in the"}
	want := rerank(t, r, "who is ann", texts...)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for i := range texts {
				scores, err := r.Rerank(t.Context(), "who is ann", texts[i:])
				if err != nil || math.Abs(scores[0]-want[i]) > tolerance {
					t.Errorf("text %d scores %v, not %v (%v)", i, scores, want[i], err)
				}
			}
		})
	}
	group.Wait()
}

func TestRerankHeedsItsContext(t *testing.T) {
	t.Parallel()
	r := openReranker(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Rerank(ctx, "ann", []string{"ann"}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call ends with %v", err)
	}
	rerank(t, r, "ann", "ann") // The model is still there for others.
}

func TestAClosedRerankerSaysSo(t *testing.T) {
	t.Parallel()
	r := openReranker(t)
	for range 2 {
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Rerank(t.Context(), "ann", []string{"ann"}); err == nil || !strings.Contains(err.Error(), "reranking model is closed") {
		t.Errorf("a closed model ends with %v", err)
	}
}

func TestOpenRerankerSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	files := rerankerFiles(t, tinyBERT)
	two := func() string {
		g := &graph{random: rand.New(rand.NewPCG(1, 7))}
		g.node("Identity", []string{tinyBERT.embed(g)}, nil, "logits")
		return string(g.classifier(bertInputs, 2))
	}()
	processor := func(value any) string {
		return changed(t, files["tokenizer.json"], func(file map[string]any) { file["post_processor"] = value })
	}
	endless := string(summing("attention_mask", float32(math.NaN()), bertInputs...))
	tests := map[string]struct {
		files map[string]string
		want  string
	}{
		"no network":           {files: map[string]string{"model.onnx": ""}, want: "has no model.onnx"},
		"a damaged network":    {files: map[string]string{"model.onnx": "not a network"}, want: "load the reranking model"},
		"an embedder":          {files: modelFiles(t, tinyBERT), want: "does not say how a query and a text go together"},
		"an embedder's output": {files: map[string]string{"model.onnx": string(tinyBERT.onnx(1))}, want: "is it an embedding model?"},
		"two outputs":          {files: map[string]string{"model.onnx": two}, want: "a cross-encoder of one output"},
		"no numbers":           {files: map[string]string{"model.onnx": endless}, want: "made no number of a query and a text"},
		"no pairs":             {files: map[string]string{"tokenizer.json": processor(nil)}, want: "does not say how"},
		"another processor":    {files: map[string]string{"tokenizer.json": processor(map[string]any{"type": "ByteLevel"})}, want: "does not say how"},
		"a damaged marker": {
			files: map[string]string{"tokenizer.json": processor(map[string]any{"type": "BertProcessing", "cls": []any{"[CLS]", "two"}, "sep": 3})},
			want:  "tokenizer.json",
		},
		"a token unknown": {
			files: map[string]string{"tokenizer.json": changed(t, files["tokenizer.json"], func(file map[string]any) {
				delete(file["post_processor"].(map[string]any)["special_tokens"].(map[string]any), "[CLS]")
			})},
			want: "which token [CLS] is",
		},
		"no room": {files: map[string]string{"tokenizer_config.json": `{"model_max_length": 3}`}, want: "leaves no room"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := onnx.OpenReranker(t.Context(), onnx.Config{
				Model: folderWith(t, files, test.files), Library: fetched.ONNXRuntime(t),
			})
			if err == nil {
				_ = r.Close()
				t.Fatal("it opens")
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("the error says %q and not %q", err, test.want)
			}
		})
	}
}

func ExampleOpenReranker() {
	ctx := context.Background()
	r, err := onnx.OpenReranker(ctx, onnx.Config{
		Model:    "cross-encoder/ms-marco-MiniLM-L6-v2",
		CacheDir: "models", // downloaded to here the first time
	})
	if err != nil {
		panic(err)
	}
	defer r.Close()
	scores, err := r.Rerank(ctx, "Where does Ann live?", []string{"Ann lives in Paris", "Bob likes tea"})
	fmt.Println(scores, err)
}

// BenchmarkRerankMiniLM scores fifty texts of 20 words and of 60 words; with
// the query and padding they have 32 and 96 tokens. Compare the processor time
// too, which other programs affect less than the elapsed time.
func BenchmarkRerankMiniLM(b *testing.B) {
	r, err := onnx.OpenReranker(b.Context(), onnx.Config{Model: folderWith(b, rerankerFiles(b, miniLM)), Library: fetched.ONNXRuntime(b)})
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	const query = "ann works for acme in berlin"
	for _, words := range []int{20, 60} {
		texts := make([]string, 50)
		for i := range texts {
			texts[i] = strings.Repeat("the works of paris ", words/4)
		}
		b.Run(fmt.Sprintf("%d-words", words), func(b *testing.B) {
			for b.Loop() {
				if _, err := r.Rerank(b.Context(), query, texts); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N*len(texts)), "ms/text")
		})
	}
}
