package onnx

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/model/onnx/native"
)

// howToGet is the advice after [native.ErrNotFound].
const howToGet = `install it with "apt install libonnxruntime1.21" on Debian 13 or with "pip install --target /opt onnxruntime", ` +
	"or name its folder, such as onnxruntime/capi of that package of Python, in ANNALS_ONNXRUNTIME"

// findLibrary returns the path of ONNX Runtime's library.
func findLibrary(named string) (string, error) {
	path, err := native.Find(named)
	switch {
	case errors.Is(err, native.ErrNotFound):
		err = fmt.Errorf("%w: %s", err, howToGet)
	case errors.Is(err, native.ErrUnsupported):
		err = fmt.Errorf("%w: use a model named static: or a server with OpenAI's interface, such as Ollama", err)
	}
	return path, err
}

func loadLibrary(named string) (*native.Library, string, error) {
	path, err := findLibrary(named)
	if err != nil {
		return nil, "", err
	}
	library, err := native.Load(path)
	return library, path, err
}

// Runtime returns the version and path of ONNX Runtime that runs models, given
// a library as in [Config.Library]. It fails if no library can be loaded.
func Runtime(library string) (string, error) {
	loaded, path, err := loadLibrary(library)
	if err != nil {
		return "", err
	}
	return describe(loaded, path), loaded.Close()
}

func describe(library *native.Library, path string) string {
	return fmt.Sprintf("ONNX Runtime %s, %s", library.Version(), path)
}

// mostThreads limits the threads of a network, which leaves processors to
// PostgreSQL and other requests.
const mostThreads = 2

// network runs batches of inputs on ONNX Runtime. Only one goroutine at a time
// may use it.
type network struct {
	file, path string
	threads    int
	library    *native.Library
	session    *native.Session
	output     string
	name       string
}

func openNetwork(about folder, config Config) (*network, error) {
	library, path, err := loadLibrary(config.Library)
	if err != nil {
		return nil, err
	}
	n := &network{file: about.network, path: path, threads: min(runtime.GOMAXPROCS(0), mostThreads)}
	if err := n.use(library); err != nil {
		return nil, errors.Join(err, n.close())
	}
	return n, nil
}

// use opens the network with a loaded library.
func (n *network) use(library *native.Library) (err error) {
	n.library, n.name = library, describe(library, n.path)
	if n.session, err = library.Open(n.file, n.threads); err != nil {
		return err
	}
	for _, input := range n.session.Inputs() {
		if _, known := inputsOf[input]; !known {
			return fmt.Errorf("the network wants the input %s, which is none of a model of texts", input)
		}
	}
	n.output = outputOf(n.session.Outputs())
	return nil
}

func (n *network) close() error { return n.library.Close() }

// inputsOf returns, by the name of a network's input, its value for a token of
// a text.
var inputsOf = map[string]func(text input, at int) int64{
	"input_ids":      func(text input, at int) int64 { return int64(text.ids[at]) },
	"attention_mask": func(input, int) int64 { return 1 },
	"token_type_ids": func(text input, at int) int64 { return int64(text.kinds[at]) },
	"position_ids":   func(_ input, at int) int64 { return int64(at) },
}

// outputOf returns the output to read. It prefers a vector of the whole
// sentence, which some models compute, to the vectors of tokens.
func outputOf(names []string) string {
	for _, wanted := range []string{"sentence_embedding", "last_hidden_state", "token_embeddings"} {
		if slices.Contains(names, wanted) {
			return wanted
		}
	}
	return names[0]
}

// forward runs a batch. It returns a vector for each text ([][]float32), or one
// for each token without the padding ([][][]float32). If the library's process
// has ended, it starts another, once.
func (n *network) forward(texts []input) (any, error) {
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

func (n *network) run(texts []input) (any, error) {
	longest := 0
	for _, text := range texts {
		longest = max(longest, len(text.ids))
	}
	inputs := map[string][]int64{}
	for _, name := range n.session.Inputs() {
		numbers := make([]int64, len(texts)*longest)
		for i, text := range texts {
			for at := range text.ids {
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

// split divides a tensor into the vectors of its texts, or of their tokens.
func split(made native.Tensor, texts []input) (any, error) {
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
			vectors[i] = vectors[i][:len(text.ids)]
		}
		return vectors, nil
	}
	return nil, fmt.Errorf("the model's output has the dimensions %d for %s", lengths, each.Count(len(texts), "text"))
}
