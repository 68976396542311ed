package onnx_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// modelFiles returns the files of a model of a shape, by name.
func modelFiles(tb testing.TB, shape bert) map[string]string {
	tb.Helper()
	return map[string]string{
		"model.onnx":     string(shape.onnx(1)),
		"tokenizer.json": tokeniser(tb),
		"config.json":    encode(tb, map[string]any{"model_type": "bert", "max_position_embeddings": shape.positions}),
	}
}

// folderWith writes files into a new folder. An empty content removes the file.
func folderWith(tb testing.TB, files ...map[string]string) string {
	tb.Helper()
	all := map[string]string{}
	for _, some := range files {
		maps.Copy(all, some)
	}
	folder := filepath.Join(tb.TempDir(), "tiny-model")
	if err := os.Mkdir(folder, 0o755); err != nil {
		tb.Fatal(err)
	}
	for name, content := range all {
		if content != "" {
			write(tb, filepath.Join(folder, name), content)
		}
	}
	return folder
}

func write(tb testing.TB, path, content string) {
	tb.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		tb.Fatal(err)
	}
}

func encode(tb testing.TB, value any) string {
	tb.Helper()
	encoded, err := json.Marshal(value)
	if err != nil {
		tb.Fatal(err)
	}
	return string(encoded)
}

// tokeniser is a tokenizer.json for WordPiece, as in BERT, over letters, digits
// and a few words.
func tokeniser(tb testing.TB) string {
	tb.Helper()
	vocabulary := map[string]int{}
	add := func(token string) { vocabulary[token] = len(vocabulary) }
	for _, token := range []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]"} {
		add(token)
	}
	for c := 'a'; c <= 'z'; c++ {
		add(string(c))
		add("##" + string(c))
	}
	for _, word := range []string{"the", "of", "lives", "in", "works", "for", "with", "and", "moved", "paris", "berlin", "acme"} {
		add(word)
	}
	special := func(id string) map[string]any {
		return map[string]any{"SpecialToken": map[string]any{"id": id, "type_id": 0}}
	}
	entry := func(id string) map[string]any {
		return map[string]any{"id": id, "ids": []int{vocabulary[id]}, "tokens": []string{id}}
	}
	return encode(tb, map[string]any{
		"version":       "1.0",
		"normalizer":    map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "lowercase": true},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"post_processor": map[string]any{
			"type": "TemplateProcessing",
			"single": []any{
				special("[CLS]"),
				map[string]any{"Sequence": map[string]any{"id": "A", "type_id": 0}},
				special("[SEP]"),
			},
			"special_tokens": map[string]any{"[CLS]": entry("[CLS]"), "[SEP]": entry("[SEP]")},
		},
		"model": map[string]any{
			"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
			"max_input_chars_per_word": 100, "vocab": vocabulary,
		},
	})
}
