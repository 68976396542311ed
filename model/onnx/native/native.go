// Package native runs ONNX networks with the shared library of ONNX Runtime,
// without cgo.
//
// A Go program that loads a shared library must itself be linked with the system's
// libc. It then does not start on systems without libc, such as an empty container
// image. Annals stays a static program, and lets a second process load the library.
// That also isolates it: a damaged file or a fault in the library ends only that
// process, and the next call starts another.
//
// The second process needs no other program on disk. [Load] builds its executable
// in memory. Its header imports dlopen, dlsym and mmap through the system's dynamic
// linker. Its code (call_linux_amd64.s, call_linux_arm64.s) reads a function and
// its arguments from a pipe, calls the function and writes the result. Strings and
// tensors pass through memory that both processes share.
package native

import (
	"errors"
	"fmt"
)

// ErrUnsupported means that this package does not support the system.
var ErrUnsupported = errors.New("models in ONNX form run on Linux (amd64, arm64) only")

// Library is ONNX Runtime's shared library, loaded into a process of its own.
type Library struct {
	process *process
	version string
	api     [entries]uintptr
}

// Load starts a process and loads the shared library at path there. [Library.Close]
// ends the process. Load fails if the library does not exist or is not for this
// system.
func Load(path string) (*Library, error) {
	p, err := start()
	if err != nil {
		return nil, fmt.Errorf("start a process for %s: %w", path, err)
	}
	l := &Library{process: p}
	if err := l.load(path); err != nil {
		return nil, errors.Join(fmt.Errorf("load %s: %w", path, err), l.Close())
	}
	return l, nil
}

// Version returns the library's version, such as "1.31.0".
func (l *Library) Version() string { return l.version }

// Close ends the process and with it all sessions.
func (l *Library) Close() error { return l.process.close() }

// apiVersion is the oldest version of the interface with all functions used here,
// that of ONNX Runtime 1.11. Later versions only add functions.
const apiVersion = 11

// entry is the index of a function in the struct OrtApi of onnxruntime_c_api.h,
// where indexes never change.
type entry int

const (
	getErrorMessage       entry = 2
	createEnv             entry = 3
	createSession         entry = 7
	run                   entry = 9
	createSessionOptions  entry = 10
	setOptimisation       entry = 23
	setThreads            entry = 24
	sessionInputCount     entry = 30
	sessionOutputCount    entry = 31
	sessionInputName      entry = 36
	sessionOutputName     entry = 37
	createTensor          entry = 49
	tensorData            entry = 51
	tensorElementType     entry = 60
	dimensionsCount       entry = 61
	dimensions            entry = 62
	tensorShape           entry = 65
	createMemoryInfo      entry = 69
	defaultAllocator      entry = 78
	releaseStatus         entry = 93
	releaseValue          entry = 96
	releaseShape          entry = 99
	releaseSessionOptions entry = 100
	addSessionConfig      entry = 130

	entries = 131
)

// load opens the library in the process and reads the table of its functions.
func (l *Library) load(path string) error {
	p := l.process
	p.reset()
	const now = 2 // RTLD_NOW
	handle, err := p.call(p.dlopen, p.text(path), now)
	if err != nil {
		return err
	}
	if handle == 0 {
		return p.loaderError()
	}
	getBase, err := p.call(p.dlsym, handle, p.text("OrtGetApiBase"))
	if err != nil {
		return err
	}
	if getBase == 0 {
		return errors.New("it has no OrtGetApiBase: it is not ONNX Runtime's library")
	}
	base, err := p.call(getBase)
	if err != nil {
		return err
	}
	functions, err := p.words(base, 2) // GetApi and GetVersionString
	if err != nil {
		return err
	}
	version, err := p.call(functions[1])
	if err != nil {
		return err
	}
	if l.version, err = p.textAt(version); err != nil {
		return err
	}
	table, err := p.call(functions[0], apiVersion)
	if err != nil {
		return err
	}
	if table == 0 {
		return fmt.Errorf("ONNX Runtime %s is too old: 1.%d is the first that can be used", l.version, apiVersion)
	}
	all, err := p.words(table, entries)
	copy(l.api[:], all)
	return err
}

// call calls a function and converts its status to an error.
func (l *Library) call(function entry, arguments ...uintptr) error {
	status, err := l.process.call(l.api[function], arguments...)
	if err != nil || status == 0 {
		return err
	}
	text, err := l.process.call(l.api[getErrorMessage], status)
	if err != nil {
		return err
	}
	message, err := l.process.textAt(text)
	if err != nil {
		return err
	}
	l.release(releaseStatus, status)
	return errors.New(message)
}

// release frees an object of the library. It can fail only if the process has
// ended, which frees the object too.
func (l *Library) release(function entry, what uintptr) {
	if what != 0 {
		_, _ = l.process.call(l.api[function], what)
	}
}

// made calls a function that stores a new object at its last argument, and returns
// the object.
func (l *Library) made(function entry, arguments ...uintptr) (uintptr, error) {
	place := l.process.room(8)
	if err := l.call(function, append(arguments, place)...); err != nil {
		return 0, err
	}
	return l.process.word(place), nil
}
