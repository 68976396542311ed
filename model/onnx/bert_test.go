package onnx_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
)

// bert is the shape of a network as in Devlin et al., BERT, NAACL 2019, section
// 3. Real sentence-embedding models differ only in size and weights.
type bert struct {
	vocabulary, hidden, layers, heads, inner, positions int
}

// tinyBERT makes vectors of 32 numbers, and loads and runs in milliseconds.
var tinyBERT = bert{vocabulary: 80, hidden: 32, layers: 2, heads: 4, inner: 64, positions: 40}

// miniLM has the shape of all-MiniLM-L6-v2 except for the vocabulary, of which
// a text uses only a few rows.
var miniLM = bert{vocabulary: 80, hidden: 384, layers: 6, heads: 12, inner: 1536, positions: 512}

// onnx returns the network in ONNX format with random weights, equal for equal
// seeds. It uses the operators that exporters write.
func (b bert) onnx(seed uint64) []byte {
	g := &graph{random: rand.New(rand.NewPCG(seed, 7))}
	x := b.embed(g)
	mask := b.mask(g)
	for range b.layers {
		x = b.layer(g, x, mask)
	}
	g.node("Identity", []string{x}, nil, "last_hidden_state")
	return g.model(
		[]string{"input_ids", "attention_mask", "token_type_ids"},
		"last_hidden_state", b.hidden)
}

func (b bert) embed(g *graph) string {
	words := g.node("Gather", []string{g.weights(1, b.vocabulary, b.hidden), "input_ids"}, nil)
	kinds := g.node("Gather", []string{g.weights(1, 2, b.hidden), "token_type_ids"}, nil)
	numbers := make([]int64, b.positions)
	for i := range numbers {
		numbers[i] = int64(i)
	}
	shape := g.node("Shape", []string{"input_ids"}, nil)
	length := g.node("Gather", []string{shape, g.scalarInt(1)}, nil)
	end := g.node("Unsqueeze", []string{length, g.ints(0)}, nil)
	at := g.node("Slice", []string{g.intTensor(numbers, 1, int64(b.positions)), g.ints(0), end, g.ints(1)}, nil)
	places := g.node("Gather", []string{g.weights(1, b.positions, b.hidden), at}, nil)
	sum := g.node("Add", []string{g.node("Add", []string{words, kinds}, nil), places}, nil)
	return b.norm(g, sum)
}

// mask is 0 for tokens and a large negative number for padding, added to the
// attention scores.
func (b bert) mask(g *graph) string {
	wide := g.node("Unsqueeze", []string{g.node("Unsqueeze", []string{"attention_mask", g.ints(1)}, nil), g.ints(2)}, nil)
	number := g.node("Cast", []string{wide}, attributes{"to": int64(1)})
	absent := g.node("Sub", []string{g.floats(1), number}, nil)
	return g.node("Mul", []string{absent, g.floats(-math.MaxFloat32)}, nil)
}

func (b bert) layer(g *graph, x, mask string) string {
	attended := b.dense(g, b.attention(g, x, mask), b.hidden, b.hidden)
	x = b.norm(g, g.node("Add", []string{attended, x}, nil))
	inner := b.gelu(g, b.dense(g, x, b.hidden, b.inner))
	outer := b.dense(g, inner, b.inner, b.hidden)
	return b.norm(g, g.node("Add", []string{outer, x}, nil))
}

func (b bert) attention(g *graph, x, mask string) string {
	split := func(order ...int64) string {
		heads := g.node("Reshape", []string{b.dense(g, x, b.hidden, b.hidden), g.ints(0, 0, int64(b.heads), int64(b.hidden/b.heads))}, nil)
		return g.node("Transpose", []string{heads}, attributes{"perm": order})
	}
	queries, keys, values := split(0, 2, 1, 3), split(0, 2, 3, 1), split(0, 2, 1, 3)
	scores := g.node("Div", []string{
		g.node("MatMul", []string{queries, keys}, nil),
		g.floats(float32(math.Sqrt(float64(b.hidden / b.heads)))),
	}, nil)
	shares := g.node("Softmax", []string{g.node("Add", []string{scores, mask}, nil)}, attributes{"axis": int64(-1)})
	mixed := g.node("Transpose", []string{g.node("MatMul", []string{shares, values}, nil)}, attributes{"perm": []int64{0, 2, 1, 3}})
	return g.node("Reshape", []string{mixed, g.ints(0, 0, int64(b.hidden))}, nil)
}

func (b bert) dense(g *graph, x string, in, out int) string {
	product := g.node("MatMul", []string{x, g.weights(1/math.Sqrt(float64(in)), in, out)}, nil)
	return g.node("Add", []string{product, g.weights(0.1, out)}, nil)
}

func (b bert) gelu(g *graph, x string) string {
	scaled := g.node("Div", []string{x, g.floats(math.Sqrt2)}, nil)
	raised := g.node("Add", []string{g.node("Erf", []string{scaled}, nil), g.floats(1)}, nil)
	return g.node("Mul", []string{g.node("Mul", []string{x, raised}, nil), g.floats(0.5)}, nil)
}

func (b bert) norm(g *graph, x string) string {
	last := attributes{"axes": []int64{-1}}
	centred := g.node("Sub", []string{x, g.node("ReduceMean", []string{x}, last)}, nil)
	variance := g.node("ReduceMean", []string{g.node("Pow", []string{centred, g.floats(2)}, nil)}, last)
	deviation := g.node("Sqrt", []string{g.node("Add", []string{variance, g.floats(1e-12)}, nil)}, nil)
	scaled := g.node("Mul", []string{g.node("Div", []string{centred, deviation}, nil), g.weights(1, b.hidden)}, nil)
	return g.node("Add", []string{scaled, g.weights(0.1, b.hidden)}, nil)
}

// graph collects the protocol buffers of an ONNX graph. The numbers of fields
// are those of onnx.proto3, IR version 8.
type graph struct {
	random       *rand.Rand
	nodes        [][]byte
	initialisers [][]byte
	names        int
}

type attributes map[string]any

func (g *graph) name() string {
	g.names++
	return "v" + strconv.Itoa(g.names)
}

// node adds a NodeProto and returns the name of its output.
func (g *graph) node(operator string, inputs []string, with attributes, output ...string) string {
	if len(output) == 0 {
		output = []string{g.name()}
	}
	var node []byte
	for _, input := range inputs {
		node = text(node, 1, input)
	}
	node = text(node, 2, output[0])
	node = text(node, 4, operator)
	for name, value := range with {
		node = bytes(node, 5, attribute(name, value))
	}
	g.nodes = append(g.nodes, node)
	return output[0]
}

func attribute(name string, value any) []byte {
	const integer, integers = 2, 7
	encoded := text(nil, 1, name)
	switch value := value.(type) {
	case int64:
		return number(number(encoded, 3, uint64(value)), 20, integer)
	case []int64:
		for _, i := range value {
			encoded = number(encoded, 8, uint64(i))
		}
		return number(encoded, 20, integers)
	}
	panic("an attribute is an int64 or some")
}

// tensor adds a TensorProto and returns its name.
func (g *graph) tensor(kind uint64, raw []byte, dimensions ...int64) string {
	name := g.name()
	var tensor []byte
	for _, dimension := range dimensions {
		tensor = number(tensor, 1, uint64(dimension))
	}
	tensor = number(tensor, 2, kind)
	tensor = text(tensor, 8, name)
	g.initialisers = append(g.initialisers, bytes(tensor, 9, raw))
	return name
}

func (g *graph) floatTensor(values []float32, dimensions ...int64) string {
	raw := make([]byte, 0, 4*len(values))
	for _, value := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(value))
	}
	return g.tensor(1, raw, dimensions...)
}

func (g *graph) intTensor(values []int64, dimensions ...int64) string {
	raw := make([]byte, 0, 8*len(values))
	for _, value := range values {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(value))
	}
	return g.tensor(7, raw, dimensions...)
}

func (g *graph) floats(value float32) string  { return g.floatTensor([]float32{value}) }
func (g *graph) scalarInt(value int64) string { return g.intTensor([]int64{value}) }
func (g *graph) ints(values ...int64) string  { return g.intTensor(values, int64(len(values))) }

// weights returns normally distributed random weights.
func (g *graph) weights(deviation float64, dimensions ...int) string {
	size, shape := 1, make([]int64, len(dimensions))
	for i, dimension := range dimensions {
		size *= dimension
		shape[i] = int64(dimension)
	}
	values := make([]float32, size)
	for i := range values {
		values[i] = float32(deviation * g.random.NormFloat64())
	}
	return g.floatTensor(values, shape...)
}

// model returns the ModelProto.
func (g *graph) model(inputs []string, output string, hidden int) []byte {
	var encoded []byte
	for _, node := range g.nodes {
		encoded = bytes(encoded, 1, node)
	}
	encoded = text(encoded, 2, "bert")
	for _, initialiser := range g.initialisers {
		encoded = bytes(encoded, 5, initialiser)
	}
	for _, input := range inputs {
		encoded = bytes(encoded, 11, value(input, 7, named("batch"), named("sequence")))
	}
	encoded = bytes(encoded, 12, value(output, 1, named("batch"), named("sequence"), number(nil, 1, uint64(hidden))))
	model := number(nil, 1, 8)
	model = bytes(model, 7, encoded)
	return bytes(model, 8, number(nil, 2, 13)) // operators of set 13
}

// value returns a ValueInfoProto.
func value(name string, kind uint64, dimensions ...[]byte) []byte {
	var shape []byte
	for _, dimension := range dimensions {
		shape = bytes(shape, 1, dimension)
	}
	tensor := bytes(number(nil, 1, kind), 2, shape)
	return bytes(text(nil, 1, name), 2, bytes(nil, 1, tensor))
}

// named returns a dimension known only at run time.
func named(name string) []byte { return text(nil, 2, name) }

func text(to []byte, field protowire.Number, value string) []byte {
	return protowire.AppendString(protowire.AppendTag(to, field, protowire.BytesType), value)
}

func bytes(to []byte, field protowire.Number, value []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(to, field, protowire.BytesType), value)
}

func number(to []byte, field protowire.Number, value uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(to, field, protowire.VarintType), value)
}
