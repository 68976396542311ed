package onnx

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/knights-analytics/hugot/backends"

	"github.com/annalsdb/annals/model/onnx/native"
)

// network runs batches of inputs. One goroutine at a time may use it.
type network interface {
	// forward returns what the network makes of a batch: a vector for each input
	// ([][]float32), or one for each of its tokens without the padding
	// ([][][]float32).
	forward(ctx context.Context, inputs []backends.TokenizedInput) (any, error)

	// shapes says which batches it runs best.
	shapes() shapes

	// String is what runs it, for people.
	fmt.Stringer

	close() error
}

// PureGo is what [Config.Library] names to leave ONNX Runtime alone.
const PureGo = "none"

// openNetwork loads a network of a kind: with ONNX Runtime where there is a
// library that can be loaded, in pure Go otherwise.
func openNetwork(ctx context.Context, about folder, as kind, config Config) (network, error) {
	library, path, err := findLibrary(config.Library)
	if err != nil {
		return openPure(ctx, about, as, err)
	}
	threads := config.Threads
	if threads <= 0 {
		threads = min(runtime.GOMAXPROCS(0), defaultThreads)
	}
	n := &nativeNetwork{file: about.network, path: path, threads: threads}
	if err := n.use(library); err != nil {
		return nil, errors.Join(err, n.close())
	}
	return n, nil
}

// findLibrary finds and loads ONNX Runtime.
func findLibrary(named string) (*native.Library, string, error) {
	if named == PureGo {
		return nil, "", errors.New("ONNX Runtime is not asked for")
	}
	path, err := native.Find(named)
	if err != nil {
		return nil, "", err
	}
	library, err := native.Load(path)
	return library, path, err
}

// Runtime tells what runs models with a library as in [Config.Library]: ONNX
// Runtime with its version and path, or pure Go. An error says why it is not
// ONNX Runtime.
func Runtime(library string) (string, error) {
	loaded, path, err := findLibrary(library)
	if err != nil {
		return pureGo, err
	}
	return describe(loaded, path), loaded.Close()
}

func describe(library *native.Library, path string) string {
	return fmt.Sprintf("ONNX Runtime %s, %s", library.Version(), path)
}

// defaultThreads leaves the other processors to PostgreSQL and to other
// requests.
const defaultThreads = 2

// nativeNetwork runs on ONNX Runtime.
type nativeNetwork struct {
	file, path string
	threads    int
	library    *native.Library
	session    *native.Session
	output     string
	name       string
}

// use opens the network with a library.
func (n *nativeNetwork) use(library *native.Library) (err error) {
	n.library, n.name = library, describe(library, n.path)
	if n.session, err = library.Open(n.file, n.threads); err != nil {
		return err
	}
	for _, input := range n.session.Inputs() {
		if _, known := inputsOf[input]; !known {
			return fmt.Errorf("the network wants the input %s, which is none of a model of texts", input)
		}
	}
	outputs := n.session.Outputs()
	n.output = outputs[outputOf(outputs)]
	return nil
}

func (n *nativeNetwork) String() string { return n.name }

func (n *nativeNetwork) close() error { return n.library.Close() }

// inputsOf say what an input of a network holds for a token of a text.
var inputsOf = map[string]func(text backends.TokenizedInput, at int) int64{
	"input_ids":      func(text backends.TokenizedInput, at int) int64 { return int64(text.TokenIDs[at]) },
	"attention_mask": func(backends.TokenizedInput, int) int64 { return 1 },
	"token_type_ids": func(text backends.TokenizedInput, at int) int64 { return int64(text.TypeIDs[at]) },
	"position_ids":   func(_ backends.TokenizedInput, at int) int64 { return int64(at) },
}

// forward runs a batch. Where the process that runs the library has ended, it
// starts another, once.
func (n *nativeNetwork) forward(_ context.Context, texts []backends.TokenizedInput) (any, error) {
	made, err := n.run(texts)
	if errors.Is(err, native.ErrEnded) {
		library, loadErr := native.Load(n.path)
		if loadErr != nil {
			return nil, errors.Join(err, loadErr)
		}
		if err := errors.Join(n.library.Close(), n.use(library)); err != nil {
			return nil, err
		}
		made, err = n.run(texts)
	}
	if err != nil {
		return nil, fmt.Errorf("run the model: %w", err)
	}
	return made, nil
}

func (n *nativeNetwork) run(texts []backends.TokenizedInput) (any, error) {
	longest := 0
	for _, text := range texts {
		longest = max(longest, len(text.TokenIDs))
	}
	inputs := map[string][]int64{}
	for _, name := range n.session.Inputs() {
		numbers := make([]int64, len(texts)*longest)
		for i, text := range texts {
			for at := range text.TokenIDs {
				numbers[i*longest+at] = inputsOf[name](text, at)
			}
		}
		inputs[name] = numbers
	}
	made, err := n.session.Run(inputs, len(texts), longest, n.output)
	if err != nil {
		return nil, err
	}
	return split(made, texts)
}

// split cuts a tensor into the vectors of its texts, or of their tokens.
func split(made native.Tensor, texts []backends.TokenizedInput) (any, error) {
	numbers, lengths := made.Numbers, made.Dimensions
	take := func(n int) []float32 {
		taken := numbers[:n:n]
		numbers = numbers[n:]
		return taken
	}
	switch {
	case len(lengths) == 2 && lengths[0] == len(texts):
		vectors := make([][]float32, len(texts))
		for i := range vectors {
			vectors[i] = take(lengths[1])
		}
		return vectors, nil
	case len(lengths) == 3 && lengths[0] == len(texts):
		vectors := make([][][]float32, len(texts))
		for i, text := range texts {
			for range lengths[1] {
				vectors[i] = append(vectors[i], take(lengths[2]))
			}
			vectors[i] = vectors[i][:len(text.TokenIDs)]
		}
		return vectors, nil
	}
	return nil, fmt.Errorf("the model's output has the dimensions %d for %d texts", lengths, len(texts))
}
