package native

import "errors"

// imported are the libc functions whose addresses the process reports.
var imported = [importedFunctions]string{"dlopen", "dlsym", "dlerror", "mmap", "memcpy", "strlen"}

const (
	importedFunctions = 6

	// mostArguments is the most arguments of a function.
	mostArguments = 8
)

// functions holds the addresses of the imported functions in the process.
type functions struct{ dlopen, dlsym, dlerror, mmap, memcpy, strlen uintptr }

// inOrder returns pointers to the addresses, in the order of imported.
func (f *functions) inOrder() [importedFunctions]*uintptr {
	return [...]*uintptr{&f.dlopen, &f.dlsym, &f.dlerror, &f.mmap, &f.memcpy, &f.strlen}
}

// ErrEnded means that the process has ended.
var ErrEnded = errors.New("the process that runs ONNX Runtime has ended")

// words reads words from the process's private memory.
func (p *process) words(address uintptr, count int) ([]uintptr, error) {
	copied := p.room(8 * count)
	if _, err := p.call(p.memcpy, copied, address, uintptr(8*count)); err != nil {
		return nil, err
	}
	words := make([]uintptr, count)
	for i := range words {
		words[i] = p.word(copied + uintptr(8*i))
	}
	return words, nil
}

// textAt reads a string from the process's private memory, at most 4096 bytes.
func (p *process) textAt(address uintptr) (string, error) {
	if address == 0 {
		return "", nil
	}
	length, err := p.call(p.strlen, address)
	if err != nil {
		return "", err
	}
	length = min(length, 4096)
	copied := p.room(int(length))
	if _, err := p.call(p.memcpy, copied, address, length); err != nil {
		return "", err
	}
	return string(p.at(copied, int(length))), nil
}

// floatsAt reads numbers from the process's private memory.
func (p *process) floatsAt(address uintptr, count int) ([]float32, error) {
	const atOnce = 1 << 20
	numbers := make([]float32, 0, count)
	copied := p.room(4 * min(count, atOnce))
	for len(numbers) < count {
		some := min(count-len(numbers), atOnce)
		if _, err := p.call(p.memcpy, copied, address+uintptr(4*len(numbers)), uintptr(4*some)); err != nil {
			return nil, err
		}
		numbers = p.floats(numbers, copied, some)
	}
	return numbers, nil
}

// loaderError returns the reason why the last dlopen failed.
func (p *process) loaderError() error {
	address, err := p.call(p.dlerror)
	if err != nil {
		return err
	}
	why, err := p.textAt(address)
	if err != nil {
		return err
	}
	return errors.New(why)
}
