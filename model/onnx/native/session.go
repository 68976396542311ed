package native

import (
	"errors"
	"fmt"
	"slices"

	"github.com/annalsdb/annals/internal/each"
)

// Session is a loaded network.
type Session struct {
	library    *Library
	session    uintptr
	memoryInfo uintptr
	inputs     []string
	outputs    []string
}

// Tensor is an output of a network. Its numbers are in row-major order.
type Tensor struct {
	Numbers    []float32
	Dimensions []int
}

// Open loads the network of a file, to run on the given number of threads.
func (l *Library) Open(path string, threads int) (*Session, error) {
	l.process.reset()
	const fatal, allOptimisations = 4, 99
	env, err := l.made(createEnv, fatal, l.process.text("annals"))
	if err != nil {
		return nil, err
	}
	options, err := l.made(createSessionOptions)
	if err != nil {
		return nil, err
	}
	defer l.release(releaseSessionOptions, options)
	err = errors.Join(
		l.call(setOptimisation, options, allOptimisations),
		l.call(setThreads, options, uintptr(threads)),
		// Waiting threads must not take processor time from PostgreSQL.
		l.call(addSessionConfig, options, l.process.text("session.intra_op.allow_spinning"), l.process.text("0")))
	if err != nil {
		return nil, err
	}
	s := &Session{library: l}
	if s.session, err = l.made(createSession, env, l.process.text(path), options); err != nil {
		return nil, err
	}
	const arena, ofDefault = 1, 0
	if s.memoryInfo, err = l.made(createMemoryInfo, arena, ofDefault); err != nil {
		return nil, err
	}
	if s.inputs, err = s.names(sessionInputCount, sessionInputName); err != nil {
		return nil, err
	}
	s.outputs, err = s.names(sessionOutputCount, sessionOutputName)
	return s, err
}

// Inputs returns the names of the network's inputs.
func (s *Session) Inputs() []string { return s.inputs }

// Outputs returns the names of its outputs.
func (s *Session) Outputs() []string { return s.outputs }

func (s *Session) names(count, name entry) ([]string, error) {
	l := s.library
	n, err := l.made(count, s.session)
	if err != nil {
		return nil, err
	}
	allocator, err := l.made(defaultAllocator)
	if err != nil {
		return nil, err
	}
	var names []string
	for i := range n {
		at, err := l.made(name, s.session, i, allocator)
		if err != nil {
			return nil, err
		}
		text, err := l.process.textAt(at)
		if err != nil {
			return nil, err
		}
		names = append(names, text)
	}
	return names, nil
}

// Run runs a batch through the network and returns one of its outputs. Each
// input is a table with the given rows and columns.
func (s *Session) Run(inputs map[string][]int64, rows, columns int, output string) (Tensor, error) {
	l, p := s.library, s.library.process
	p.reset()
	shape := p.integers([]int64{int64(rows), int64(columns)})
	var names, values []uintptr
	defer func() {
		for _, value := range values {
			l.release(releaseValue, value)
		}
	}()
	for _, name := range s.inputs {
		numbers, given := inputs[name]
		if !given || len(numbers) != rows*columns {
			return Tensor{}, fmt.Errorf("the network wants %s of %s, and has %d", each.Count(rows*columns, "number"), name, len(numbers))
		}
		const int64s = 7
		value, err := l.made(createTensor, s.memoryInfo, p.integers(numbers), uintptr(8*len(numbers)), shape, 2, int64s)
		if err != nil {
			return Tensor{}, err
		}
		names, values = append(names, p.text(name)), append(values, value)
	}
	if !slices.Contains(s.outputs, output) {
		return Tensor{}, fmt.Errorf("the network makes no %s", output)
	}
	wanted, place := p.addresses([]uintptr{p.text(output)}), p.room(8)
	err := l.call(run, s.session, 0, p.addresses(names), p.addresses(values), uintptr(len(values)), wanted, 1, place)
	if err != nil {
		return Tensor{}, err
	}
	made := p.word(place)
	defer l.release(releaseValue, made)
	return s.read(made)
}

// read copies a tensor from the process.
func (s *Session) read(value uintptr) (Tensor, error) {
	l, p := s.library, s.library.process
	info, err := l.made(tensorShape, value)
	if err != nil {
		return Tensor{}, err
	}
	defer l.release(releaseShape, info)
	const floats = 1
	kind, err := l.made(tensorElementType, info)
	if err != nil {
		return Tensor{}, err
	}
	if uint32(kind) != floats {
		return Tensor{}, errors.New("the network makes no numbers of 32 bits (float32)")
	}
	n, err := l.made(dimensionsCount, info)
	if err != nil {
		return Tensor{}, err
	}
	lengths := p.room(8 * int(n))
	if err := l.call(dimensions, info, lengths, n); err != nil {
		return Tensor{}, err
	}
	var t Tensor
	count := 1
	for i := range n {
		length := int(p.word(lengths + 8*i))
		t.Dimensions, count = append(t.Dimensions, length), count*length
	}
	at, err := l.made(tensorData, value)
	if err != nil {
		return Tensor{}, err
	}
	t.Numbers, err = p.floatsAt(at, count)
	return t, err
}
