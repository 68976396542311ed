package static

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"github.com/x448/float16"
)

// table holds a vector for each token.
type table struct {
	dimensions int
	numbers    []float32
	rows       []int     // row of each token; nil: row and token are equal
	weights    []float32 // weight of each token; nil: all equal
}

// add adds the weighted vector of a token to sums.
func (t *table) add(sums []float64, token int) {
	weight := float32(1)
	if t.weights != nil {
		if token >= len(t.weights) {
			return
		}
		weight = t.weights[token]
	}
	if t.rows != nil {
		if token >= len(t.rows) {
			return
		}
		token = t.rows[token]
	}
	from := token * t.dimensions
	if token < 0 || from >= len(t.numbers) {
		return
	}
	for i, x := range t.numbers[from : from+t.dimensions] {
		sums[i] += float64(weight * x)
	}
}

// mostTable limits the size of the file, in bytes, which is read into memory.
const mostTable = 4 << 30

// readTable reads the table of a folder and its weights, for a tokeniser's
// vocabulary.
func readTable(folder string, vocabulary map[string]int) (table, error) {
	path, err := findTable(folder)
	if err != nil {
		return table{}, err
	}
	file, err := readTensors(path)
	if err != nil {
		return table{}, fmt.Errorf("read %s: %w", filepath.Base(path), err)
	}
	t, err := file.table()
	if err != nil {
		return table{}, fmt.Errorf("read %s: %w", filepath.Base(path), err)
	}
	if t.weights == nil {
		t.weights, err = readIDF(folder, vocabulary)
	}
	return t, err
}

// findTable returns the safetensors file of a folder.
func findTable(folder string) (string, error) {
	if path := filepath.Join(folder, "model.safetensors"); exists(path) {
		return path, nil
	}
	found, err := filepath.Glob(filepath.Join(folder, "*.safetensors"))
	switch {
	case err != nil || len(found) == 0:
		return "", errors.New("it has no model.safetensors")
	case len(found) > 1:
		return "", errors.New("it has several files .safetensors: call the one with the table model.safetensors")
	}
	return found[0], nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// tensors is a safetensors file: the length of its header, the header in JSON,
// and the numbers.
type tensors struct {
	header map[string]tensor
	data   []byte
}

type tensor struct {
	Kind    string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`
}

func readTensors(path string) (tensors, error) {
	info, err := os.Stat(path)
	if err != nil {
		return tensors{}, err
	}
	if info.Size() > mostTable {
		return tensors{}, fmt.Errorf("it has %d bytes, and a table at most %d", info.Size(), mostTable)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return tensors{}, err
	}
	const prefix = 8
	if len(content) < prefix || binary.LittleEndian.Uint64(content) > uint64(len(content)-prefix) {
		return tensors{}, errors.New("it is cut off, or no file of safetensors")
	}
	end := prefix + int(binary.LittleEndian.Uint64(content))
	var entries map[string]json.RawMessage
	if err := json.Unmarshal(content[prefix:end], &entries); err != nil {
		return tensors{}, fmt.Errorf("its header is damaged: %w", err)
	}
	file := tensors{header: map[string]tensor{}, data: content[end:]}
	for name, entry := range entries {
		var t tensor
		if name == "__metadata__" {
			continue
		}
		if err := json.Unmarshal(entry, &t); err != nil {
			return tensors{}, fmt.Errorf("its header is damaged: %w", err)
		}
		file.header[name] = t
	}
	return file, nil
}

// table returns the table, which is the only two-dimensional tensor, with the
// optional tensors weights and mapping (the row of each token).
func (f tensors) table() (table, error) {
	var t table
	found := ""
	for name, tensor := range f.header {
		if len(tensor.Shape) != 2 {
			continue
		}
		if found != "" {
			return t, fmt.Errorf("it holds %s and %s, and a table of tokens is one tensor: it is another kind of model", min(found, name), max(found, name))
		}
		found = name
	}
	if found == "" {
		return t, errors.New("it holds no tensor of two dimensions, a vector for each token")
	}
	var err error
	if t.numbers, err = f.floats(found); err != nil {
		return t, err
	}
	t.dimensions = f.header[found].Shape[1]
	if _, has := f.header["weights"]; has {
		if t.weights, err = f.floats("weights"); err != nil {
			return t, err
		}
	}
	if _, has := f.header["mapping"]; has {
		t.rows, err = f.integers("mapping")
	}
	return t, err
}

// sizes holds the bytes of a number, by kind.
var sizes = map[string]int{"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I8": 1, "I64": 8, "I32": 4}

// bytes returns the raw numbers of a tensor and their count.
func (f tensors) bytes(name string) (data []byte, count int, err error) {
	t := f.header[name]
	size, known := sizes[t.Kind]
	if !known {
		return nil, 0, fmt.Errorf("%s is of the kind %s, which cannot be read", name, t.Kind)
	}
	count = 1
	for _, length := range t.Shape {
		if length <= 0 {
			return nil, 0, fmt.Errorf("%s has the shape %d", name, t.Shape)
		}
		if length > len(f.data) || count > len(f.data) { // Their product could overflow.
			return nil, 0, fmt.Errorf("%s is cut off", name)
		}
		count *= length
	}
	from, to := t.Offsets[0], t.Offsets[1]
	if from < 0 || to > len(f.data) || to-from != count*size {
		return nil, 0, fmt.Errorf("%s is cut off", name)
	}
	return f.data[from:to], count, nil
}

func (f tensors) floats(name string) ([]float32, error) {
	data, count, err := f.bytes(name)
	if err != nil {
		return nil, err
	}
	numbers := make([]float32, count)
	for i := range numbers {
		switch f.header[name].Kind {
		case "F64":
			numbers[i] = float32(math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:])))
		case "F32":
			numbers[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		case "F16":
			numbers[i] = float16.Frombits(binary.LittleEndian.Uint16(data[2*i:])).Float32()
		case "BF16":
			numbers[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(data[2*i:])) << 16)
		case "I8":
			numbers[i] = float32(int8(data[i]))
		default:
			return nil, fmt.Errorf("%s is of the kind %s, and numbers with a point are wanted", name, f.header[name].Kind)
		}
		if x := float64(numbers[i]); math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("%s holds a number that is none: the file is damaged", name)
		}
	}
	return numbers, nil
}

func (f tensors) integers(name string) ([]int, error) {
	data, count, err := f.bytes(name)
	if err != nil {
		return nil, err
	}
	numbers := make([]int, count)
	for i := range numbers {
		switch f.header[name].Kind {
		case "I64":
			numbers[i] = int(binary.LittleEndian.Uint64(data[8*i:]))
		case "I32":
			numbers[i] = int(int32(binary.LittleEndian.Uint32(data[4*i:])))
		default:
			return nil, fmt.Errorf("%s is of the kind %s, and whole numbers are wanted", name, f.header[name].Kind)
		}
	}
	return numbers, nil
}

// readIDF reads the weights of tokens, or returns nil without a file. A token
// that the file does not name gets the highest weight.
func readIDF(folder string, vocabulary map[string]int) ([]float32, error) {
	content, err := os.ReadFile(filepath.Join(folder, "idf.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var counts map[string]float32
	if err := json.Unmarshal(content, &counts); err != nil {
		return nil, fmt.Errorf(`idf.json is no list of weights, {"token": 4.2}: %w`, err)
	}
	most := float32(0)
	for _, weight := range counts {
		most = max(most, weight)
	}
	var weights []float32
	for token, id := range vocabulary {
		for len(weights) <= id {
			weights = append(weights, most)
		}
		if weight, named := counts[token]; named {
			weights[id] = weight
		}
	}
	return weights, nil
}
