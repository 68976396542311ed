package onnx_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"testing"
)

// crossEncoder returns the network with a classifier of one output on the
// vector of its first token, as in Devlin et al., section 4.1.
func (b bert) crossEncoder(seed uint64) []byte {
	g := &graph{random: rand.New(rand.NewPCG(seed, 7))}
	x := b.embed(g)
	mask := b.mask(g)
	for range b.layers {
		x = b.layer(g, x, mask)
	}
	first := g.node("Gather", []string{x, g.scalarInt(0)}, attributes{"axis": int64(1)})
	pooled := g.node("Tanh", []string{b.dense(g, first, b.hidden, b.hidden)}, nil)
	g.node("Identity", []string{b.dense(g, pooled, b.hidden, 1)}, nil, "logits")
	return g.classifier(bertInputs, 1)
}

var bertInputs = []string{"input_ids", "attention_mask", "token_type_ids"}

// summing returns a network whose logit is the scaled sum of one of its inputs,
// so that a score reveals that input.
func summing(input string, scale float32, inputs ...string) []byte {
	g := &graph{random: rand.New(rand.NewPCG(1, 7))}
	number := g.node("Cast", []string{input}, attributes{"to": int64(1)})
	sum := g.node("ReduceSum", []string{number, g.ints(1)}, attributes{"keepdims": int64(1)})
	g.node("Mul", []string{sum, g.floats(scale)}, nil, "logits")
	return g.classifier(inputs, 1)
}

// classifier returns the ModelProto of a network whose output logits has the
// given numbers per input.
func (g *graph) classifier(inputs []string, labels uint64) []byte {
	var encoded []byte
	for _, node := range g.nodes {
		encoded = bytes(encoded, 1, node)
	}
	encoded = text(encoded, 2, "cross-encoder")
	for _, initialiser := range g.initialisers {
		encoded = bytes(encoded, 5, initialiser)
	}
	for _, input := range inputs {
		encoded = bytes(encoded, 11, value(input, 7, named("batch"), named("sequence")))
	}
	encoded = bytes(encoded, 12, value("logits", 1, named("batch"), number(nil, 1, labels)))
	model := number(nil, 1, 8)
	model = bytes(model, 7, encoded)
	return bytes(model, 8, number(nil, 2, 13)) // operators of set 13
}

// rerankerFiles returns the files of a cross-encoder of a shape.
func rerankerFiles(tb testing.TB, shape bert) map[string]string {
	tb.Helper()
	files := maps.Clone(modelFiles(tb, shape))
	files["model.onnx"] = string(shape.crossEncoder(1))
	files["tokenizer.json"] = withPairs(tb, files["tokenizer.json"])
	return files
}

// withPairs adds BERT's pair layout to a tokenizer.json.
func withPairs(tb testing.TB, tokeniser string) string {
	tb.Helper()
	special := func(id string, kind int) any {
		return map[string]any{"SpecialToken": map[string]any{"id": id, "type_id": kind}}
	}
	side := func(id string, kind int) any {
		return map[string]any{"Sequence": map[string]any{"id": id, "type_id": kind}}
	}
	return changed(tb, tokeniser, func(file map[string]any) {
		file["post_processor"].(map[string]any)["pair"] = []any{
			special("[CLS]", 0), side("A", 0), special("[SEP]", 0), side("B", 1), special("[SEP]", 1),
		}
	})
}

// changed returns a JSON file with a change.
func changed(tb testing.TB, content string, change func(map[string]any)) string {
	tb.Helper()
	var file map[string]any
	if err := json.Unmarshal([]byte(content), &file); err != nil {
		tb.Fatal(err)
	}
	change(file)
	return encode(tb, file)
}
