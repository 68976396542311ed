//go:build !linux || (!amd64 && !arm64)

package native

const supported = false

// process is a stub: this system is not supported.
type process struct {
	memory
	functions
}

func start() (*process, error) { return nil, ErrUnsupported }

func (*process) call(uintptr, ...uintptr) (uintptr, error) { return 0, ErrUnsupported }

func (*process) close() error { return nil }
